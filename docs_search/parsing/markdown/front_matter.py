"""The fields at the top of a Markdown document: YAML, TOML or JSON."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from docs_search.parsing.markdown.front_matter_formats import (
    FormatError,
    Reader,
    read_json,
    read_json_object,
    read_toml,
    read_yaml,
)

MAX_CHARACTERS = 64_000

_BLOCK = re.compile(
    r"\A\s*?(?:---(?P<language>yaml|yml|toml|json)?|(?P<plus>\+\+\+)|(?P<semicolons>;;;))[ \t]*+\n"
    r"(?P<source>.*?)^(?(plus)\+\+\+|(?(semicolons);;;|(?:---|\.\.\.)))[ \t]*+(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_JSON_START = re.compile(r'\A\s*+\{\s*+"')
_JSON_END = re.compile(r"^\}[ \t]*+(?:\n|\Z)", re.MULTILINE)
_READERS: Mapping[str, Reader] = {"toml": read_toml, "json": read_json}
_SIMPLE_FIELD = re.compile(
    r"^(?:(?P<name>[A-Za-z][\w-]*+)(?::[ \t]++|[ \t]*+=[ \t]*+)|[ \t]*+\"(?P<json>[A-Za-z][\w-]*+)\"[ \t]*+:[ \t]*+)"
    r"(?P<value>\S.*)$",
    re.MULTILINE,
)

# What tells the fields of a block that is never closed from text below a rule.
_UNCLOSED = re.compile(
    r"\A\s*?---[ \t]*+\n(?P<source>(?:[A-Za-z_][\w.-]*:(?:[ \t][^\n]*)?\n|[ \t]+\S[^\n]*\n|- [^\n]*\n)+)"
)
_SURE_FIELDS = re.compile(r"^(?:title|description|summary|layout|slug|id|permalink|sidebar_label):", re.MULTILINE)
_PROSE = re.compile(r"^(?![A-Za-z_][\w.-]*:(?:\s|\Z)|- |#)\S", re.MULTILINE)


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

    def messages(self) -> list[str]:
        """The messages in `errors`, which the document explains and readers search for, with their lines.

        The field is a string or a mapping with a `message`, or a list of such.
        """
        value = self.fields.get("errors")
        entries = value if isinstance(value, list) else [value]
        messages = (entry.get("message") if isinstance(entry, dict) else entry for entry in entries)
        kept = (message.strip() for message in messages if isinstance(message, str))
        return list(dict.fromkeys(message for message in kept if message))


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter of a document and what follows it; all of the text where it starts with none.

    It stands between `---` (YAML), `+++` (TOML) or `;;;` (JSON), or is a JSON object. What cannot be read is a warning;
    the fields that stand on a line of their own are read all the same.
    """
    match = _BLOCK.match(text)
    if match is None:
        return _json_object(text) if _JSON_START.match(text) else _unclosed(text)
    body = text[match.end() :]
    source = match["source"]
    if len(source) > MAX_CHARACTERS:
        return FrontMatter(_simple_fields(source), (f"front matter is longer than {MAX_CHARACTERS} characters",)), body
    language = "toml" if match["plus"] else "json" if match["semicolons"] else match["language"] or "yaml"
    try:
        fields, has_controls = _READERS.get(language, read_yaml)(source)
    except FormatError as error:
        front_matter, rest = _unclosed(text)
        if front_matter.fields and _PROSE.search(source, len(text) - len(rest) - match.start("source")):
            return front_matter, rest
        return FrontMatter(_simple_fields(source), (f"front matter is {error}",)), body
    if fields is None:
        return FrontMatter(), body
    if not isinstance(fields, dict):  # text between two rules
        return FrontMatter(), text
    return _front_matter(fields, has_controls), body


def _front_matter(fields: Mapping[object, object], has_controls: bool) -> FrontMatter:
    warnings = ("front matter has escapes of characters that are no text",) if has_controls else ()
    return FrontMatter({str(name): value for name, value in fields.items()}, warnings)


def _json_object(text: str) -> tuple[FrontMatter, str]:
    try:
        _, end = read_json_object(text[:MAX_CHARACTERS])
        if text[end:].split("\n", 1)[0].strip():  # something else that begins like it
            return FrontMatter(), text
        fields, has_controls = read_json(text[:end])
    except (FormatError, ValueError, RecursionError):
        end = match.end() if (match := _JSON_END.search(text)) else 0
        if not end:
            return FrontMatter(), text
        fields = _simple_fields(text[: min(end, MAX_CHARACTERS)])
        return FrontMatter(fields, ("front matter is not JSON",)), text[end:]
    return _front_matter(fields if isinstance(fields, dict) else {}, has_controls), text[end:].lstrip(
        " \t"
    ).removeprefix("\n")


def _unclosed(text: str) -> tuple[FrontMatter, str]:
    """The fields at the top of a text that begins as front matter does and never ends it."""
    match = _UNCLOSED.match(text, 0, MAX_CHARACTERS)
    if match is None or not _SURE_FIELDS.search(match["source"]):
        return FrontMatter(), text
    return FrontMatter(_simple_fields(match["source"]), ("the front matter is never closed",)), text[match.end() :]


def _simple_fields(source: str) -> dict[str, object]:
    return {
        match["name"] or match["json"]: match["value"].strip().rstrip(",").strip("'\"")
        for match in _SIMPLE_FIELD.finditer(source)
    }
