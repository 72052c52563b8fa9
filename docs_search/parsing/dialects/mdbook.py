"""mdBook: Markdown with directives in double braces, and code that stands in other files."""

import posixpath
import re
from collections.abc import Callable
from functools import partial

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.books import BookParser
from docs_search.parsing.markdown.boxes import admonition, label_of, titled
from docs_search.parsing.markdown.code_languages import language_of
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.indentation import indent

_DIRECTIVE = re.compile(
    r"(?P<escape>\\)?\{\{[ \t]*(?:#(?P<name>[\w-]+)|(?P<footnote>footnote):)"
    r"(?P<rest>(?:[^{}\n]|\{(?!\{)|\}(?!\})){0,1000})\}\}"
)
_LINES = re.compile(r"(?P<first>\d{0,7})(?P<to>:)?(?P<last>\d{0,7})")
_ANCHOR = re.compile(r"^[^\n]*\bANCHOR(?P<end>_END)?:[ \t]*(?P<name>[\w-]+)[^\n]*\n?", re.MULTILINE)
_NAME = re.compile(r"\bname=\"(?P<name>[^\"]*)\"")
_FENCE = re.compile(
    r"(?P<indent>[ \t]*+)(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^\n]*)\n"
    r"(?P<code>.*?)(?:[ \t]*+(?P=fence)[`~]*+\s*+)?",
    re.DOTALL,
)
_ADMONISH = re.compile(r"admonish\b[ \t]*(?P<type>[a-z][\w-]*)?(?P<rest>[^\n]*)")
_BOX_TITLE = re.compile(r"\btitle[ \t]*=[ \t]*(?:\"([^\"]*)\"|'([^']*)')")
_HIDDEN_LINE = re.compile(r"^[ \t]*#(?:[ \t][^\n]*)?(?:\n|\Z)", re.MULTILINE)
_LISTING = re.compile(r"^<Listing(?P<attributes>[^\n]*)>[ \t]*$|^</Listing>[ \t]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"\b(number|file-name|caption)=\"([^\"]*)\"")
_CODE_INCLUDES = ("playground", "playpen")


class MdBookParser(BookParser):
    """The `Parser` of an mdBook, given as its repository or the folder of its chapters.

    Chapters are the files that `SUMMARY.md` names, all files where there is none.
    """

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        text = _LISTING.sub(_listing, _resolve(text, path, files))
        return "".join(_code(part) if is_code else part for part, is_code in split_code(text)), tuple(files.warnings)


def _resolve(text: str, file: str, files: FileIncludes) -> str:
    """Text with its directives replaced, which count inside code, too: includes and tabs; others leave nothing."""
    if "{{" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        name, rest = match["name"], match["rest"].strip()
        if match["escape"]:
            return match[0][1:]
        if match["footnote"]:
            return f"({rest})"
        if name in ("include", "rustdoc_include", *_CODE_INCLUDES):
            content = _included(rest.split(" ")[0], file, files, resolve=name != "rustdoc_include")
            line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
            return indent(_fenced(rest, content) if name in _CODE_INCLUDES else content, "" if line.strip() else line)
        if name == "tab" and (label := _NAME.search(rest)):
            return f"\n**{label['name']}**\n"
        return ""

    return _DIRECTIVE.sub(replace, text)


def _included(target: str, file: str, files: FileIncludes, *, resolve: bool) -> str:
    """What a target such as `listings/main.rs:setup` or `notes.md:2:9` names, seen from a file."""
    name, _, part = target.partition(":")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
    select: Callable[[str], str | None] | None = None
    if part:
        select = partial(_lines, numbers=match) if (match := _LINES.fullmatch(part)) else partial(_anchored, name=part)

    def expand(text: str) -> str:
        return _resolve(_ANCHOR.sub("", text), path, files) if resolve else _ANCHOR.sub("", text)

    return files.selected(path, part or None, select, expand)


def _lines(text: str, numbers: re.Match[str]) -> str:
    """Lines counted from 1: `3`, `3:`, `:10`, `3:10`."""
    start = max(0, int(numbers["first"] or 1) - 1)
    end = int(numbers["last"]) if numbers["last"] else (None if numbers["to"] else start + 1)
    return "\n".join(text.split("\n")[start:end])


def _anchored(text: str, name: str) -> str | None:
    """The lines between the two comments that name an anchor."""
    start = None
    for mark in _ANCHOR.finditer(text):
        if mark["name"] == name:
            if mark["end"]:
                return None if start is None else text[start : mark.start()]
            start = mark.end() if start is None else start
    return None if start is None else text[start:]


def _fenced(target: str, content: str) -> str:
    return f"```{language_of(target.split(' ', maxsplit=1)[0].partition(':')[0])}\n{content}\n```" if content else ""


def _code(code: str) -> str:
    """A fence as the book shows it: boxes of mdbook-admonish, and Rust without the lines that it hides."""
    match = _FENCE.fullmatch(code)
    if match is None:
        return code
    info = match["info"].strip()
    if box := _ADMONISH.match(info):
        named = _BOX_TITLE.search(box["rest"])
        title = next(filter(None, named.groups()), "") if named else ""
        content = admonition(title or label_of(box["type"] or "note"), match["code"])
        return f"{content}\n"
    if info.startswith("rust"):
        fence = f"{match['indent']}{match['fence']}"
        return f"{fence}rust\n{_HIDDEN_LINE.sub('', match['code'])}{fence}\n"
    return code


def _listing(match: re.Match[str]) -> str:
    """A numbered listing of code: a line with its file, number and caption above it."""
    found = dict(_ATTRIBUTE.findall(match["attributes"] or ""))
    number, file, caption = (found.get(name, "") for name in ("number", "file-name", "caption"))
    label = ": ".join(part for part in (f"Listing {number}" if number else "", caption) if part)
    return titled(" – ".join(part for part in (file, label) if part), "")
