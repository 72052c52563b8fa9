"""The blocks of Python-Markdown and PyMdown Extensions that CommonMark does not know, line by line.

Admonitions (`!!! note "Title"`, `??? tip`), tabs (`=== "Title"`) and objects of mkdocstrings (`::: package.name`) hold
what is indented below them; blocks (`/// note | Title`) hold what stands up to as many slashes. What they hold is moved
to the indentation of their first line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.markdown.boxes import label_of, titled
from docs_search.parsing.markdown.indentation import line_prefix
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.writing import code_span

INDENT = 4  # columns that content is indented by

_ADMONITION = re.compile(
    r"(?P<mark>!!!|\?\?\?\+?)[ \t]*(?P<types>[\w-]+(?:[ \t]+[\w-]+)*)?"
    r"(?:(?:[ \t]+|(?<=[!?+]))(?P<quote>[\"'])(?P<title>.*)(?P=quote))?[ \t]*(?:\{[^{}]*\})?"
)
_TAB = re.compile(r"===[!+]{0,2}[ \t]+(?P<quote>[\"'])(?P<title>.*)(?P=quote)[ \t]*(?:\{[^{}]*\})?")
_BLOCK = re.compile(r"(?P<slashes>/{3,})[ \t]*(?P<name>[A-Za-z][\w-]*)[ \t]*(?:\|[ \t]*(?P<argument>.*))?")
_BLOCK_END = re.compile(r"/{3,}")
_OPTION = re.compile(r"[ \t]+(?P<name>[\w-]+):[ \t]*(?P<value>.*)")
_OBJECT = re.compile(r":::[ \t]*(?P<name>[\w.:/-]+)[ \t]*(?:\{[^{}]*\})?")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)")
_LISTED = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|:[ \t]|\[\^[^\]]+\]:")
_BRACES = re.compile(r"\{[ \t]*(?P<attributes>[^{}]*)\}?")
_CLASS = re.compile(r"(?<![\w\"'=/.])\.([\w+#-]+)")
_TITLE = re.compile(r"""\btitle=(?:"([^"]*)"|'([^']*)')""")
_ANNOTATION = re.compile(r"\((\d{1,3})\)!(?=[ \t]*(?:$|\*/|-->|\())")
_PRESENTATION = frozenset({"annotate", "copy", "no-copy", "no-select", "select"})
_PLAIN_BLOCKS = frozenset(
    "html div define definition md caption figure-caption table-caption code-caption columns row grid".split()
)


@dataclass(slots=True)
class _Open:
    """A block that holds the lines at least this far indented, which lose `moved` columns and begin at `base`."""

    indent: int
    base: int = 0
    moved: int = 0
    slashes: int = 0
    is_box: bool = False
    is_hidden: bool = False  # the options of an object
    in_list: bool = False


def resolve_blocks(text: str) -> str:
    """Markdown with those blocks in the forms that the parser knows. Takes linear time."""
    return "\n".join(_Resolver(text).lines())


class _Resolver:
    def __init__(self, text: str) -> None:
        self._source = text.split("\n")
        self._open = [_Open(0)]
        self._moved = 0
        self._fence = ""

    def lines(self) -> Iterator[str]:
        """The lines of the result."""
        options = 0
        for number, source in enumerate(self._source):
            if options:
                options -= 1
                continue
            width = _width(source)
            if width is None:
                yield ""
                continue
            while width < self._open[-1].indent:
                yield from self._close()
            if self._open[-1].is_hidden:
                continue
            line = _expanded(source, self._moved)[self._moved :]
            if self._fence:
                yield self._code(line)
                continue
            indentation = line[: len(line) - len(line.lstrip())]
            words = line.strip()
            block = self._open[-1]
            further = width - self._moved - block.base
            if further >= INDENT and not block.in_list:
                yield line  # indented code
                continue
            block.in_list = bool(_LISTED.match(words)) or (further > 0 and block.in_list)
            if words[0] == "/" and _BLOCK.fullmatch(words):
                options = self._options(number + 1, width)
            yield from self._words(line, words, indentation, width, self._source[number + 1 : number + 1 + options])
        while len(self._open) > 1:
            yield from self._close()

    def _words(self, line: str, words: str, indentation: str, width: int, options: list[str]) -> Iterator[str]:
        """A line outside code: what it opens or ends, else itself."""
        first = words[0]
        if first in "!?" and (match := _ADMONITION.fullmatch(words)):
            yield from self._admonition(match, indentation, width)
        elif first == "=" and (match := _TAB.fullmatch(words)):
            yield from _titled_lines(match["title"], indentation)
            self._push(_Open(width + INDENT, moved=INDENT))
        elif first == "/" and (match := _BLOCK.fullmatch(words)):
            yield from self._block(match, indentation, width, options)
        elif first == "/" and _BLOCK_END.fullmatch(words):
            yield from self._end_block(len(words))
        elif first == ":" and (match := _OBJECT.fullmatch(words)):
            yield from ("", f"{indentation}{code_span(match['name'])}", "")
            self._push(_Open(width + INDENT, is_hidden=True))
        else:
            prefix = line_prefix(line)
            match = _FENCE.fullmatch(line[len(prefix) :].rstrip())
            if match is None:
                yield line
                return
            self._fence = match["fence"]
            yield from _fence_lines(match, prefix)

    def _admonition(self, match: re.Match[str], indentation: str, width: int) -> Iterator[str]:
        kind = (match["types"] or "").split(" ", 1)[0]
        is_box = bool(kind) or match["mark"] == "!!!"
        if is_box:
            yield f"{indentation}{opening(_label(match['title'], kind))}"
        else:
            yield from _titled_lines(match["title"] or "Details", indentation)
        self._push(_Open(width + INDENT, moved=INDENT, is_box=is_box))

    def _block(self, match: re.Match[str], indentation: str, width: int, options: list[str]) -> Iterator[str]:
        name, title = match["name"], (match["argument"] or "").strip()
        fields = {option["name"]: option["value"].strip() for line in options if (option := _OPTION.fullmatch(line))}
        kind = fields.get("type", "" if name in ("admonition", "details") else name)
        is_plain = name in _PLAIN_BLOCKS
        is_box = not is_plain and name != "tab" and (name != "details" or "type" in fields)
        if is_box:
            yield f"{indentation}{opening(_label(title, kind))}"
        elif not is_plain:
            yield from _titled_lines(title or label_of(name), indentation)
        else:
            yield ""
        self._push(_Open(width, slashes=len(match["slashes"]), is_box=is_box))

    def _options(self, start: int, width: int) -> int:
        """How many lines from the one at `start` on are options of a block that is indented by `width`."""
        count = 0
        for line in self._source[start : start + 20]:
            if (_width(line) or 0) < width + INDENT or not (count or _OPTION.fullmatch(line)):
                break
            count += 1
        return count

    def _end_block(self, slashes: int) -> Iterator[str]:
        if not any(block.slashes == slashes for block in self._open):
            return
        while self._open[-1].slashes != slashes:
            yield from self._close()
        yield from self._close()

    def _push(self, block: _Open) -> None:
        self._moved += block.moved
        block.base = block.indent - self._moved
        self._open.append(block)

    def _close(self) -> Iterator[str]:
        block = self._open.pop()
        self._moved -= block.moved
        self._fence = ""
        if block.is_box:
            yield f"{' ' * max(0, block.indent - block.moved - self._moved)}{closing()}"
        else:
            yield ""

    def _code(self, line: str) -> str:
        words = line.strip(" \t>")
        if words.startswith(self._fence) and not words.strip(self._fence[0]):
            self._fence = ""
        return _ANNOTATION.sub(r"(\1)", line) if ")!" in line else line


def _width(line: str) -> int | None:
    """The columns that a line is indented by, or None of a blank one."""
    words = line.lstrip(" \t")
    return len(line[: len(line) - len(words)].expandtabs(INDENT)) if words.strip() else None


def _expanded(line: str, columns: int) -> str:
    """A line whose first columns are spaces, as long as they are blank at all."""
    words = line.lstrip(" \t")
    indentation = line[: len(line) - len(words)]
    return line if "\t" not in indentation[:columns] else indentation.expandtabs(INDENT) + words


def _label(title: str | None, kind: str) -> str:
    return " ".join(plain_text(title or "").split()) or label_of(kind) or "Note"


def _titled_lines(title: str, indentation: str) -> Iterator[str]:
    yield from ("", f"{indentation}{titled(title, '')}", "")


def _fence_lines(match: re.Match[str], prefix: str) -> Iterator[str]:
    """The first line of a fence with nothing but its language, and its title above it."""
    info = match["info"].strip()
    named = _TITLE.search(info)
    title = (named[1] or named[2] or "") if named else ""
    language = info.split(" ", 1)[0]
    if braces := _BRACES.match(info):
        classes = [name for name in _CLASS.findall(braces["attributes"]) if name not in _PRESENTATION]
        language = classes[0] if classes else ""
    if title and not prefix.strip():
        yield from (f"{prefix}{code_span(title)}", "")
    yield f"{prefix}{match['fence']}{language}"
