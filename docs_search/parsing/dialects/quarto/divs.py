"""Pandoc's fenced divs: `::: {.callout-note title="…"}` … `:::`, as Quarto, bookdown and others use them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.markdown.boxes import ADMONITIONS, label_of
from docs_search.parsing.text.plain_text import plain_text

MAX_DEPTH = 60

_LINE = re.compile(
    r"(?P<prefix>[ \t>]*+)(?P<colons>:{3,}+)[ \t]*+(?:\{(?P<attributes>[^{}\n]*)\}|(?P<name>[\w.-]+))?[ \t]*+:*[ \t]*"
)
_FENCE = re.compile(r"[ \t>]*+(?:[-*+][ \t]+)?(?P<fence>`{3,}+|~{3,}+)")
_CLASS = re.compile(r"(?:\A|(?<=\s))\.([\w-]+)")
_TITLE = re.compile(r"\b(?:title|name|summary)=(?:\"([^\"]*)\"|'([^']*)')")
_FORMAT = re.compile(r"\b(?P<condition>when|unless)-format=[\"']?(?P<format>[\w:]+)")
_HEADING = re.compile(r"(?P<prefix>[ \t>]*+)#{1,6}[ \t]+(?P<text>[^\n]{0,300}?)(?:[ \t]+\{[^{}\n]*\})?[ \t]*#*[ \t]*")
_CALLOUT = re.compile(r"(?:callout|alert|admonition)-(?=[a-z])")
_BOXES = {"callout": "note", "infobox": "note", "rmdnote": "note", "rmdtip": "tip", "rmdwarning": "warning",
          "rmdcaution": "caution", "rmdimportant": "important"}  # fmt: skip
_TABSETS = frozenset({"panel-tabset", "tabset"})


@dataclass(slots=True)
class _Div:
    is_box: bool = False
    is_tabset: bool = False
    is_hidden: bool = False
    label: str | None = None  # of a box that may still get another one by its first heading
    prefix: str = ""


def resolve_divs(markdown: str) -> str:
    """Markdown whose divs are admonitions, or their content: headings of a tabset are bold lines, and the first one
    of a box is its title. What is meant for other formats than HTML is left out.
    """
    return "\n".join(_lines(markdown)) if ":::" in markdown else markdown


def _lines(markdown: str) -> Iterator[str]:
    open_divs: list[_Div] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = None if fence else _LINE.fullmatch(line)
        if mark and (mark["attributes"] or mark["name"] or open_divs):
            yield from _marked(mark, open_divs)
            continue
        if fence:
            words = line.strip(" \t>")
            fence = "" if words.startswith(fence) and not words.strip(fence[0]) else fence
        elif started := _FENCE.match(line):
            fence = started["fence"]
        if not open_divs:
            yield line
        elif not _hidden(open_divs):
            yield from _inside(line, open_divs[-1], is_code=bool(fence))
    for div in open_divs:
        yield from _opened(div)


def _marked(mark: re.Match[str], open_divs: list[_Div]) -> Iterator[str]:
    """What stands for a line that begins or ends a div."""
    if mark["attributes"] is None and mark["name"] is None:
        ended = open_divs.pop()
        yield from _opened(ended)
        if ended.is_box and not ended.is_hidden:
            yield f"{mark['prefix']}{closing()}"
    elif len(open_divs) < MAX_DEPTH:
        if open_divs:
            yield from _opened(open_divs[-1])
        div = _div(mark)
        div.is_hidden |= _hidden(open_divs)
        open_divs.append(div)
    yield mark["prefix"].rstrip()


def _inside(line: str, div: _Div, *, is_code: bool) -> Iterator[str]:
    """A line of a div. Headings may be the title of a box or of a tab."""
    if not line.strip(" \t>"):
        yield line
        return
    heading = None if is_code else _HEADING.fullmatch(line)
    if heading and div.label is not None:
        div.label = plain_text(heading["text"]) or div.label
        yield from _opened(div)
        return
    yield from _opened(div)
    yield f"{heading['prefix']}**{heading['text']}**" if heading and div.is_tabset else line


def _opened(div: _Div) -> Iterator[str]:
    """The line that begins a box, once its label is known."""
    if div.label is not None and not div.is_hidden:
        yield f"{div.prefix}{opening(div.label)}"
    div.label = None


def _hidden(open_divs: list[_Div]) -> bool:
    return any(div.is_hidden for div in open_divs)


def _div(mark: re.Match[str]) -> _Div:
    attributes = mark["attributes"]
    classes = [mark["name"].lstrip(".").casefold()] if attributes is None else _CLASS.findall(attributes.casefold())
    div = _Div(prefix=mark["prefix"])
    div.is_tabset = not _TABSETS.isdisjoint(classes)
    shown = _FORMAT.search(attributes or "")
    is_html = shown is None or shown["format"].startswith("html")
    div.is_hidden = "hidden" in classes or (
        shown is not None and is_html == (("content-hidden" in classes) == (shown["condition"] == "when"))
    )
    for name in classes:
        kind = _BOXES.get(name) or _CALLOUT.sub("", name)
        if kind in ADMONITIONS:
            title = _TITLE.search(attributes or "")
            div.is_box = True
            div.label = plain_text(next(filter(None, title.groups()), "")) if title else ""
            div.label = div.label or label_of(kind)
            break
    return div
