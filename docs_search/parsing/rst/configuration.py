"""What a Sphinx configuration (`conf.py`) says about its documents. It is read as text and never run."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from docs_search.parsing.text.decoding import decode

MAX_BYTES = 400_000


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings that matter to a reader, as far as `conf.py` gives them as plain values.

    `prolog` and `epilog` are put around each document. `external_links` are roles by name: an address and a caption,
    each with `%s` for the role's text. `suffixes` are the extensions of documents; none where Sphinx's own apply.
    """

    prolog: str = ""
    epilog: str = ""
    external_links: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    default_role: str = ""
    primary_domain: str = "py"
    language: str = ""
    excluded: tuple[re.Pattern[str], ...] = ()
    suffixes: tuple[str, ...] = ()


def read_configuration(data: bytes) -> Configuration:
    """The configuration in a `conf.py`; what cannot be read of it has its default."""
    values = dict(_assignments(decode(data[:MAX_BYTES])[0]))
    return Configuration(
        prolog=_text(values.get("rst_prolog")),
        epilog=_text(values.get("rst_epilog")),
        external_links=dict(_external_links(values.get("extlinks"))),
        default_role=_text(values.get("default_role")),
        primary_domain=_text(values.get("primary_domain", "py")),
        language=_text(values.get("highlight_language")),
        excluded=tuple(re.compile(_pattern(glob)) for glob in _texts(values.get("exclude_patterns"))),
        suffixes=tuple(suffix for suffix in _texts(values.get("source_suffix")) if suffix.startswith(".")),
    )


def _assignments(text: str) -> Iterator[tuple[str, object]]:
    """The names at the top level that are given a plain value, in order."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for statement in statements:
        if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Name):
            try:
                yield target.id, ast.literal_eval(statement.value)
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue  # a value that only running the file could tell


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> Iterator[str]:
    """A string, or the strings of a list or of a mapping's keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple | dict):
        yield from (entry for entry in value if isinstance(entry, str))


def _external_links(value: object) -> Iterator[tuple[str, tuple[str, str]]]:
    for name, link in value.items() if isinstance(value, dict) else ():
        if isinstance(name, str) and isinstance(link, list | tuple) and len(link) == 2 and isinstance(link[0], str):
            yield name.lower(), (link[0], link[1] if isinstance(link[1], str) else "")


def _pattern(glob: str) -> str:
    """The expression for a glob of Sphinx, in which `*` stays in one folder and `**` does not. It may name a folder."""
    parts = re.split(r"(\*\*+/?|\*|\?)", glob.strip("/")[:300])
    marks = {"*": "[^/]*", "?": "[^/]"}
    return "".join(".*" if part.startswith("**") else marks.get(part) or re.escape(part) for part in parts) + "(?:/.*)?"
