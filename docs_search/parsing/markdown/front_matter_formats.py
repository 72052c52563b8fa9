"""YAML, TOML and JSON to strings, lists and mappings, within bounds: a few lines of them can unfold to gigabytes."""

import json
import re
import tomllib
from collections.abc import Callable
from datetime import date, time
from typing import Any

import yaml

from docs_search.parsing.text.decoding import without_controls

MAX_DEPTH = 20

# A key of so many parts nests a mapping for each, which tomllib takes quadratic time for.
_DEEP_KEY = re.compile(rf"(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}")


class FormatError(Exception):
    """Says what is wrong, in a few words."""


Reader = Callable[[str], tuple[object, bool]]
"""The value of a text, and whether it had escapes of characters that are no text. Raises FormatError."""


def read_yaml(source: str) -> tuple[object, bool]:
    """YAML with scalars as they are spelt. Aliases are refused."""
    try:
        loader = _Loader(source)
        return loader.get_single_data(), loader.has_controls
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the latter for characters beyond Unicode
        raise FormatError(f"not YAML: {_first_line(error)}") from error


def read_toml(source: str) -> tuple[object, bool]:
    """TOML with numbers and dates as strings."""
    if _DEEP_KEY.search(source):
        raise FormatError(f"not TOML: nested deeper than {MAX_DEPTH} levels")
    try:
        return _strings(tomllib.loads(source, parse_float=str))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not TOML: {_first_line(error)}") from error


def read_json(source: str) -> tuple[object, bool]:
    """A JSON object, with or without its braces, with numbers as they are spelt."""
    try:
        value, _ = read_json_object(source if source.lstrip().startswith("{") else f"{{{source}}}")
        return _strings(value)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {_first_line(error)}") from error


def read_json_object(text: str) -> tuple[object, int]:
    """The JSON value at the beginning of a text and where it ends. Raises ValueError and RecursionError."""
    decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)
    start = len(text) - len(text.lstrip())
    return decoder.raw_decode(text, start)


class _Loader(yaml.BaseLoader):
    """Strings, lists and mappings only, without aliases, not too deep."""

    _depth = 0
    has_controls = False

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        if self._depth >= MAX_DEPTH:
            raise yaml.YAMLError(f"nested deeper than {MAX_DEPTH} levels")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_scalar(self, node: Any) -> str:
        """The text of a scalar without what its escapes (`"\\0"`, `"\\uD800"`) put into it."""
        value: str = super().construct_scalar(node)
        text = without_controls(value)
        self.has_controls |= text != value
        return text


def _strings(value: object) -> tuple[object, bool]:
    has_controls = False

    def convert(value: object, depth: int) -> object:
        nonlocal has_controls
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        match value:
            case dict():
                return {str(convert(name, depth)): convert(entry, depth + 1) for name, entry in value.items()}
            case list():
                return [convert(entry, depth + 1) for entry in value]
            case bool():
                return str(value).lower()
            case date() | time():
                return value.isoformat()
            case None:
                return ""
        text = without_controls(str(value))
        has_controls |= text != str(value)
        return text

    return convert(value, 0), has_controls


def _first_line(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return f"nested deeper than {MAX_DEPTH} levels"
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return f"{problem} in line {mark.line + 2}" if mark else (problem.splitlines() or [""])[0]
