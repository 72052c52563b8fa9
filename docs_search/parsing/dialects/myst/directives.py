"""The directives of MyST Markdown, in fences of backticks or colons, line by line."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.markdown.boxes import ADMONITIONS, label_of, titled
from docs_search.parsing.markdown.indentation import continuation, indent
from docs_search.parsing.rst.admonitions import CHANGES
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import code_block, code_span, escape

_PREFIX = r"(?P<prefix>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)"
_DIRECTIVE = re.compile(_PREFIX + r"(?P<fence>`{3,}|:{3,}|~{3,})[ \t]*\{(?P<name>[\w:.+-]+)\}[ \t]*(?P<argument>.*)")
_FENCE = re.compile(_PREFIX + r"(?P<fence>`{3,}|~{3,})[^`]*")
_END = re.compile(r"[ \t>]*(?P<fence>`{3,}|:{3,}|~{3,})[ \t]*")
_OPTION = re.compile(r"[ \t>]*:(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
_FIELD = re.compile(r"[ \t>]*(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
_ROW = re.compile(r"(?P<row>[-*+][ \t]+)[-*+](?:[ \t]+(?P<cell>.*)|)")
_CELL = re.compile(r"[ \t]+(?P<marker>[-*+])(?:[ \t]+(?P<cell>.*)|)")
_CODE_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)

_HIDDEN = frozenset(
    "toctree contents tableofcontents index raw bibliography currentmodule highlight meta default-role todo todolist "
    "applies_to footbibliography sectionauthor codeauthor title-block anywidget comment".split()
)
_CODE = {
    **dict.fromkeys(
        ("code", "code-block", "sourcecode", "code-cell", "parsed-literal", "prompt", "jupyter-execute"), ""
    ),
    **{"math": "latex", "mermaid": "mermaid", "graphviz": "dot", "plantuml": "plantuml", "doctest": "pycon"},
    **{"testcode": "python", "ipython": "python"},
}
_TITLED = frozenset(
    "step applies-item dropdown details tab-item tab group-tab grid-item-card card table tabbed toggle".split()
)
_BOXES = {"seealso": "See also", "sidebar": "Sidebar", "margin": "Note", "aside": "Note", "topic": "Topic"}
_IMAGES = frozenset({"image", "figure", "figure-md", "video", "iframe", "youtube"})
_OBJECTS = frozenset("function class method attribute data module option confval envvar exception macro type".split())


@dataclass(slots=True)
class _Open:
    """A directive whose content is Markdown, up to its fence."""

    fence: str
    end: str = ""


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive's head: the name in lower case, the rest of the line, and the options below it."""

    name: str
    argument: str
    options: Mapping[str, str] = field(default_factory=dict)


Whole = Mapping[str, Callable[[Directive, str], str]]
"""What directives that name a file or hold another language become, by their names, given the lines in them."""


def resolve_directives(text: str, whole: Whole) -> str:
    """Markdown without directives. Those in `whole` are replaced together with their content. Takes linear time."""
    return "\n".join(_Resolver(text, whole).lines())


class _Resolver:
    def __init__(self, text: str, whole: Whole) -> None:
        self._source = text.split("\n")
        self._whole = whole
        self._open: list[_Open] = []

    def lines(self) -> Iterator[str]:
        """The lines of the result."""
        number = 0
        while number < len(self._source):
            line = self._source[number]
            number += 1
            if not any(mark in line for mark in ("```", ":::", "~~~")):
                yield line
            elif match := _DIRECTIVE.fullmatch(line):
                directive, number = self._head(match, number)
                if directive.name in self._whole or _is_verbatim(directive.name):
                    content, number = self._content(match["fence"], number)
                    yield from self._replaced(directive, content, match["prefix"])
                else:
                    yield from self._begin(directive, match["prefix"], match["fence"])
            elif (end := _END.fullmatch(line)) and self._ends(end["fence"]):
                yield self._open.pop().end
            elif match := _FENCE.fullmatch(line):
                yield line
                content, number = self._content(match["fence"], number, keep_end=True)
                yield from content
            elif end is None:
                yield line
        while self._open:
            yield self._open.pop().end

    def _ends(self, fence: str) -> bool:
        return bool(self._open) and fence.startswith(self._open[-1].fence)

    def _head(self, match: re.Match[str], number: int) -> tuple[Directive, int]:
        """A directive with its options, and the number of the line below them."""
        options: dict[str, str] = {}
        is_block = number < len(self._source) and self._source[number].strip(" \t>") == "---"
        pattern, start = (_FIELD, number + 1) if is_block else (_OPTION, number)
        position = start
        for position in range(start, min(start + 50, len(self._source) + 1)):
            line = self._source[position] if position < len(self._source) else "---"
            option = pattern.fullmatch(line)
            if option:
                options[option["name"].lower()] = option["value"].strip().strip("\"'")
            elif not is_block or line.strip(" \t>") == "---" or line.strip().startswith(("```", ":::")):
                break
        if is_block and position < len(self._source) and self._source[position].strip(" \t>") == "---":
            position += 1
        return Directive(match["name"].lower(), match["argument"].strip(), options), position

    def _content(self, fence: str, number: int, *, keep_end: bool = False) -> tuple[list[str], int]:
        """The lines up to the end of a fence, and the number of the line below it."""
        for position in range(number, len(self._source)):
            end = _END.fullmatch(self._source[position])
            if end and end["fence"].startswith(fence):
                return self._source[number : position + keep_end], position + 1
        return self._source[number:], len(self._source)

    def _replaced(self, directive: Directive, content: Sequence[str], prefix: str) -> Iterator[str]:
        rest = continuation(prefix)
        lines = "\n".join(line.removeprefix(rest) if line.strip() else "" for line in content)
        replace = self._whole.get(directive.name)
        text = replace(directive, lines) if replace else _verbatim(directive, lines)
        if text.strip():
            yield from (f"{prefix}{indent(text, rest)}", rest.rstrip())

    def _begin(self, directive: Directive, prefix: str, fence: str) -> Iterator[str]:
        rest = continuation(prefix)
        label = _label_of(directive)
        if label:
            yield f"{prefix}{opening(label)}"
            if directive.name in CHANGES and (words := directive.argument.partition(" ")[2]):
                yield from (f"{rest}{words}", rest.rstrip())
        elif line := _line_of(directive):
            yield from (rest.rstrip() if prefix == rest else prefix, f"{rest}{line}", rest.rstrip())
        else:
            yield prefix.rstrip()
        self._open.append(_Open(fence, f"{rest}{closing()}" if label else rest.rstrip()))


def _is_verbatim(name: str) -> bool:
    return (
        name in _HIDDEN or name in _CODE or name.startswith("auto") or name in ("csv-table", "glossary", "list-table")
    )


def _verbatim(directive: Directive, content: str) -> str:
    """A directive whose content is no Markdown."""
    name = directive.name
    if name in _HIDDEN:
        return ""
    if name == "csv-table":
        return titled(directive.argument, _csv_table(directive, content))
    if name == "list-table":
        return titled(directive.argument, _list_table(directive, content))
    if name == "glossary":
        return _glossary(content)
    if name.startswith("auto"):
        return code_span(directive.argument.split("(", 1)[0]) if directive.argument else ""
    language = _CODE[name] or directive.argument.split(" ", 1)[0].replace("ipython3", "python").strip("{}")
    code = "".join(block.markdown for block in code_block(content, language))
    caption = directive.options.get("caption", "")
    return titled(caption, code) if code else ""


def _csv_table(directive: Directive, content: str) -> str:
    source = "\n".join(part for part in (directive.options.get("header", ""), content) if part)
    try:
        rows = [row for row in csv.reader(source.splitlines(), skipinitialspace=True) if row]
    except csv.Error:
        return content
    cells = [[Cell(" ".join(cell.split())) for cell in row] for row in rows]
    return markdown_table(cells[:1], cells[1:])


def _list_table(directive: Directive, content: str) -> str:
    """Rows that are a list of lists; a list stays one where its cells hold code."""
    if _CODE_FENCE.search(content):
        return content
    rows: list[list[str]] = []
    column = 0
    for line in content.split("\n"):
        words = line.strip()
        if match := _ROW.fullmatch(line):
            rows.append([match["cell"] or ""])
            column = match.end("row")
        elif rows and (match := _CELL.fullmatch(line)) and match.start("marker") == column:
            rows[-1].append(match["cell"] or "")
        elif rows and words:
            rows[-1][-1] = f"{rows[-1][-1]} {words}".strip()
    heads = directive.options.get("header-rows", "0")
    count = int(heads) if heads.isdecimal() and len(heads) < 3 else 0
    cells = [[Cell(cell.strip()) for cell in row] for row in rows]
    return markdown_table(cells[:count], cells[count:])


def _glossary(content: str) -> str:
    """Terms with what is indented below them, as a list of definitions."""
    lines: list[str] = []
    for line in content.split("\n"):
        follows_definition = bool(lines) and lines[-1].startswith((":", " "))
        if line[:1].isspace() and line.strip():
            lines.append(f"{'  ' if follows_definition else ': '}{line.strip()}")
        else:
            lines += ["", line] if follows_definition else [line]
    return "\n".join(lines)


def _label_of(directive: Directive) -> str:
    """The label of a directive that is a box; empty for others."""
    name, argument = directive.name, directive.argument
    if name in CHANGES:
        return CHANGES[name].format(argument.partition(" ")[0]).strip()
    kind = next((part for part in directive.options.get("class", "").split() if part in ADMONITIONS), "note")
    if name == "admonition" or name in _BOXES or name in ADMONITIONS:
        own = label_of(kind) if name == "admonition" else _BOXES.get(name) or label_of(name)
        return " ".join(plain_text(argument).split()) or own
    return ""


def _line_of(directive: Directive) -> str:
    """What a directive that is no box shows before its content."""
    name, argument = directive.name, directive.argument
    if name in _IMAGES:
        return escape(directive.options.get("alt", ""))
    if name in _OBJECTS or ":" in name:
        return f"**{code_span(argument)}**" if argument else ""
    if name not in _TITLED:
        return ""
    link = directive.options.get("link", "")
    kind = directive.options.get("link-type", "url")
    if link and argument and kind != "ref" and not re.search(r"[\s()<>]", link):
        argument = f"[{argument}]({link}{'.md' if kind == 'doc' and not link.endswith('.md') else ''})"
    return titled(argument, "")
