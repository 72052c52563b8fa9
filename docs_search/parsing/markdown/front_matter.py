"""The YAML block at the top of a Markdown document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from docs_search.parsing.text.decoding import without_controls

MAX_CHARACTERS = 64_000
MAX_DEPTH = 20

_BLOCK = re.compile(r"\A\s*?---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_SIMPLE_FIELD = re.compile(r"^([A-Za-z][\w-]*):[ \t]+(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a document as they are spelt: values are strings, lists and mappings, never numbers or dates."""

    fields: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def text(self, name: str) -> str | None:
        """A field's text with blanks and line ends made single spaces, or None where it has none."""
        value = self.fields.get(name)
        return " ".join(value.split()) or None if isinstance(value, str) else None

    def texts(self, name: str) -> list[str]:
        """A field that is a list of strings or a single one."""
        value = self.fields.get(name)
        entries = value if isinstance(value, list) else [value]
        return [entry.strip() for entry in entries if isinstance(entry, str) and entry.strip()]


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter of a document and what follows it; all of the text where it starts with none.

    Bad YAML is a warning; the fields that stand on a line of their own are read all the same.
    """
    match = _BLOCK.match(text)
    if match is None:
        return FrontMatter(), text
    body = text[match.end() :]
    source = match["yaml"]
    if len(source) > MAX_CHARACTERS:
        return FrontMatter(_simple_fields(source), (f"front matter is longer than {MAX_CHARACTERS} characters",)), body
    try:
        loader = _Loader(source)
        fields = loader.get_single_data()
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # the latter for characters beyond Unicode
        return FrontMatter(_simple_fields(source), (f"front matter is not YAML: {_first_line(error)}",)), body
    if fields is None:
        return FrontMatter(), body
    if not isinstance(fields, dict):  # text between two rules
        return FrontMatter(), text
    warnings = ("front matter has escapes of characters that are no text",) if loader.has_controls else ()
    return FrontMatter({str(name): value for name, value in fields.items()}, warnings), body


class _Loader(yaml.BaseLoader):
    """Strings, lists and mappings only, without aliases (a few lines of them unfold to gigabytes), not too deep."""

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


def _simple_fields(source: str) -> dict[str, object]:
    return {name: value.strip().strip("'\"") for name, value in _SIMPLE_FIELD.findall(source)}


def _first_line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return f"{problem} in line {mark.line + 2}" if mark else problem.splitlines()[0]
