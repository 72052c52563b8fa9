"""Listings of code: the language, and the lines without their numbers, however a highlighter has marked them up."""

import re

from lxml.etree import _Element

from docs_search.parsing.html.document import classes_of, text_of

_LANGUAGE_CLASS = re.compile(r"(?:language|lang|highlight-source|highlight|brush|src)[-:](?P<name>[\w+#.-]{1,30})")
_BRUSH = re.compile(r"brush:\s*([\w+#.-]{1,30})")
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
_NEXT_TO = frozenset({"brush:", "hljs", "sourceCode"})  # the next class is the language
_NO_LANGUAGE = frozenset(
    "block box code container copy default en en-us lines myst-ansi none notranslate plain plaintext table text "
    "toolbar txt undefined wrapper".split()
)
# What may stand as a class by itself, since it is nothing else.
_LANGUAGES = frozenset(
    "bash c cpp csharp css go html java javascript json kotlin perl php python ruby rust scala sh shell sql swift toml "
    "ts typescript xml yaml".split()
)
_ATTRIBUTES = ("data-lang", "data-mc-language", "data-language", "language", "lang")
_ANCESTORS = 4  # elements around a listing that may name its language
_NO_FRAMES = frozenset({"article", "body", "main", "section"})

_GUTTERS = frozenset(
    "blob-num code-line-number copy copybtn gutter hljs-ln-numbers line-number line-numbers line-numbers-rows "
    "linenodiv lineno linenos lnt ln lntd-number md-annotation rouge-gutter sr-only ttc".split()
)
_NUMBERED_LINES = frozenset(
    {"code-line", "highlight-line", "line", "token-line", "view-line", "hljs-ln-line", "cm-line"}
)
_LINE_TAGS = frozenset({"div", "li", "p", "tr"})
_DROPPED = frozenset({"button", "clipboard-copy", "script", "style", "svg", "textarea", "template"})
_HIGHLIGHT_TABLES = frozenset({"codehilitetable", "highlighttable", "hljs-ln", "lntable", "rouge-table", "code-table"})


def is_listing(element: _Element) -> bool:
    """Whether an element is a listing without saying so by its name, as Doxygen and pydoctor write them."""
    names = classes_of(element)
    return (element.tag == "div" and "fragment" in names and next(element.iterchildren("div"), None) is not None) or (
        element.tag == "p" and "pre" in names
    )


def is_listing_table(element: _Element) -> bool:
    """Whether a table only sets the numbers of lines beside a listing."""
    return element.tag == "table" and not _HIGHLIGHT_TABLES.isdisjoint(classes_of(element))


def code_of(element: _Element) -> str:
    """The text of a listing, line for line, without numbers and buttons."""
    if not len(element):
        return element.text or ""
    parts: list[str] = []
    lines = _separate_lines(element)
    _write(element, parts, lines)
    return "".join(parts)


def language_of(element: _Element) -> str:
    """The language of a listing as its markup names it; empty where it does not."""
    code = next(element.iter("code"), None)
    around = [element if code is None else code, element]
    parent = element.getparent()
    while parent is not None and len(around) < 2 + _ANCESTORS and parent.tag not in _NO_FRAMES:
        around.append(parent)
        parent = parent.getparent()
    for place in around:
        if name := _named(place):
            return "" if name in _NO_LANGUAGE else name
    return ""


def _named(element: _Element) -> str:
    names = classes_of(element)
    for name, following in zip(names, [*names[1:], ""], strict=False):
        if match := _LANGUAGE_CLASS.fullmatch(name):
            return match["name"].lower()
        if name in _NEXT_TO and _LANGUAGE.fullmatch(following.rstrip(";")):
            return following.rstrip(";").lower()
    if match := _BRUSH.search(element.get("data-syntaxhighlighter-params") or ""):
        return match[1].lower()
    bare = next((name for name in names if name.lower() in _LANGUAGES), "")
    if bare and element.tag in ("pre", "code"):
        return bare.lower()
    if element.tag in ("pre", "code", "div", "figure", "td"):
        for attribute in _ATTRIBUTES:
            value = (element.get(attribute) or "") if attribute != "lang" or element.tag in ("pre", "code") else ""
            if _LANGUAGE.fullmatch(value):
                return value.lower()
    return ""


def _separate_lines(element: _Element) -> bool:
    """Whether the lines of a listing are elements with nothing between them."""
    return "\n" not in text_of(element).strip("\n") and next(element.iter("br"), None) is None


def _write(root: _Element, parts: list[str], separate: bool) -> None:
    """Appends the pieces of text inside an element. Without recursion: highlighters nest as deep as they please."""
    stack: list[tuple[_Element, bool]] = [(root, True)]
    is_first = True
    while stack:
        element, entering = stack.pop()
        if not entering:
            if element.tail:
                parts.append(element.tail)
            continue
        if element is not root:
            stack.append((element, False))
            names = classes_of(element)
            if element.tag in _DROPPED or not _GUTTERS.isdisjoint(names):
                continue
            is_line = not _NUMBERED_LINES.isdisjoint(names)
            begins_line = not is_line and element.tag in _LINE_TAGS and parts and not parts[-1].endswith("\n")
            if element.tag == "br" or begins_line or (separate and is_line and not is_first):
                parts.append("\n")
            is_first = is_first and not is_line
        if element.text:
            parts.append(element.text)
        stack += [(child, True) for child in reversed(element)]
