"""What the extensions and plugins of MkDocs bring in from other files.

PyMdown's snippets (`--8<-- "file:section"`), markdown-include (`{!file!}`), FastAPI's `{* file ln[1:5] *}`, and the
tags of the include plugins (`{% include-markdown "file" %}`). They count inside code, too, where most of them stand.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from docs_search.documents import ParseContext
from docs_search.parsing.markdown.code_languages import language_of
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.indentation import indent
from docs_search.parsing.text.writing import code_block, code_span

_SNIPPET = re.compile(r"(?P<space>[ \t]*)(?P<escape>;*)-+8<-+(?:[ \t]+(?P<quote>[\"'])(?P<name>.+)(?P=quote))?[ \t]*")
_SECTION_MARK = re.compile(
    r"^[^\n]*?-8<-+[ \t]*\[[ \t]*(?P<kind>start|end)[ \t]*:[ \t]*(?P<name>[^\]\n]*?)[ \t]*\][^\n]*\n?", re.MULTILINE
)
_PART = re.compile(
    r"(?P<file>.*?)(?::(?P<lines>-?\d*(?::-?\d*)?(?:,-?\d*(?::-?\d*)?)*)|:(?P<section>[A-Za-z_][\w.-]*))?"
)
_BANG = re.compile(
    r"\{!>?[ \t]*(?P<name>[^!{}\[\]\n]+?)[ \t]*"
    r"(?:\[(?:ln:)?(?P<ln>[^\]\n]*)\][ \t]*)?!(?:lines=(?P<lines>[\d \t-]+))?\}"
)
_STAR = re.compile(r"^(?P<space>[ \t]*)\{\*[ \t]+(?P<name>[^\s*{}]+)(?P<options>[^\n{}]*?)\*\}[ \t]*$", re.MULTILINE)
_STAR_LINES = re.compile(r"\bln\[([\d:,\s-]+)\]")
_STAR_TITLE = re.compile(r"\btitle\[[\"']?([^\]\"']+)[\"']?\]")
_TAG = re.compile(
    r"\{%-?\s*+include(?:-markdown)?\s++(?P<quote>[\"'])(?P<name>[^\"'\n]+)(?P=quote)(?P<options>[^%{}]{0,500}?)-?%\}"
)
_BOUND = re.compile(r"\b(start|end)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_RANGE = re.compile(r"(-?\d*)(?P<colon>[:-]?)(-?\d*)")
_URL = re.compile(r"(?:https?:)?//")

Select = Callable[[str], str | None]


class Snippets:
    """Brings in the files that one page includes. `bases` are the folders that their paths begin in, with a slash."""

    def __init__(self, path: str, bases: Sequence[str], context: ParseContext) -> None:
        self._bases = list(dict.fromkeys((*bases, f"{posixpath.dirname(path)}/", "")))
        self._paths = context.paths
        self._files = FileIncludes(context, path)
        self._missing: list[str] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """What could not be brought in."""
        return (*self._files.warnings, *self._missing)

    def resolve(self, text: str) -> str:
        """Text with its includes filled in; those that are missing leave nothing."""
        if "8<" in text:
            text = "\n".join(self._lines(text))
        if "{!" in text:
            text = _BANG.sub(self._bang, text)
        if "{*" in text:
            text = _STAR.sub(self._star, text)
        return _TAG.sub(self._tag, text) if "{%" in text else text

    def _lines(self, text: str) -> Iterator[str]:
        """PyMdown's snippets: one file on a line, or one a line between two lines of scissors."""
        inside: str | None = None  # the indentation of the scissors that opened a list of files
        for line in text.split("\n"):
            match = _SNIPPET.fullmatch(line) if "8<" in line else None
            if match and match["escape"]:
                yield f"{match['space']}{line.lstrip()[1:]}"
            elif match and match["name"]:
                yield from self._snippet(match["name"], match["space"])
            elif match:
                inside = match["space"] if inside is None else None
            elif inside is None:
                yield line
            elif (name := line.strip()) and not name.startswith(";"):
                yield from self._snippet(name.strip("\"'"), inside)

    def _snippet(self, name: str, space: str) -> Iterator[str]:
        match = _PART.fullmatch(name)
        if _URL.match(name) or match is None:
            return
        lines, section = match["lines"], match["section"]
        select: Select | None = None
        if section:
            select = lambda text: _section(text, section)  # noqa: E731
        elif lines:
            select = lambda text: _ranges(text, lines)  # noqa: E731
        if text := self._text(match["file"], section or lines, select):
            yield f"{space}{indent(text, space)}"

    def _bang(self, match: re.Match[str]) -> str:
        lines = (match["lines"] or match["ln"] or "").strip().replace(" ", ",")
        text = self._text(match["name"], lines, (lambda part: _ranges(part, lines)) if lines else None)
        line_start = match.string.rfind("\n", 0, match.start()) + 1
        before = match.string[line_start : match.start()] if match.start() - line_start < 80 else "-"
        return indent(text, before) if not before.strip() else text

    def _star(self, match: re.Match[str]) -> str:
        """A file, or some of its lines, as code."""
        named = _STAR_LINES.search(match["options"])
        lines = "".join(named[1].split()) if named else ""
        text = self._text(match["name"], lines, (lambda part: _ranges(part, lines)) if lines else None)
        code = "".join(block.markdown for block in code_block(text, language_of(match["name"])))
        if (title := _STAR_TITLE.search(match["options"])) and code:
            code = f"{code_span(title[1])}\n\n{code}"
        return f"{match['space']}{indent(code, match['space'])}"

    def _tag(self, match: re.Match[str]) -> str:
        bounds = {name: double or single for name, double, single in _BOUND.findall(match["options"])}
        return self._text(match["name"], None, lambda text: _between(text, bounds.get("start"), bounds.get("end")))

    def _text(self, name: str, part: str | None, select: Select | None) -> str:
        path = self._path(name.strip())
        if path is None:
            if not _URL.match(name):
                self._missing.append(f"the included file {name.strip()} is not in the source")
            return ""

        def selected(text: str) -> str | None:
            chosen = text if select is None else select(text)
            return None if chosen is None else _SECTION_MARK.sub("", chosen)

        return self._files.selected(path, part, selected, self.resolve)

    def _path(self, name: str) -> str | None:
        """The file that is meant, below the first of the bases that has it, else wherever it stands above them."""
        candidates = [posixpath.normpath(f"{base}{name}") for base in self._bases]
        candidates.append(re.sub(r"\A(?:\.\.?/)+", "", name))
        return next((path for path in candidates if path in self._paths), None)


def _section(text: str, name: str) -> str | None:
    """What stands between the marks of a section, or None where the text has none of that name."""
    start = end = None
    for mark in _SECTION_MARK.finditer(text):
        if mark["name"] == name and mark["kind"] == "start" and start is None:
            start = mark.end()
        elif mark["name"] == name and mark["kind"] == "end" and start is not None:
            end = mark.start()
            break
    return None if start is None else text[start:end]


def _ranges(text: str, ranges: str) -> str:
    """The lines of ranges such as `3:7,9`, from 1 on; a single number begins where PyMdown's does: to the end."""
    lines = text.split("\n")
    chosen: list[str] = []
    for part in ranges.split(","):
        match = _RANGE.fullmatch(part)
        if match is None or not part:
            continue
        first = _number(match[1], 1, len(lines))
        last = _number(match[3], len(lines), len(lines)) if match["colon"] or "," not in ranges else first
        chosen += lines[first - 1 : last]
        if len(chosen) > len(lines):  # ranges that overlap
            break
    return "\n".join(chosen)


def _number(digits: str, default: int, count: int) -> int:
    value = int(digits[:9]) if digits.strip("-") else default
    return max(1, value + count + 1 if value < 0 else value)


def _between(text: str, start: str | None, end: str | None) -> str | None:
    if start and (found := text.find(start)) >= 0:
        text = text[found + len(start) :]
    if end and (found := text.find(end)) >= 0:
        text = text[:found]
    return text
