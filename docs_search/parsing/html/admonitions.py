"""Notes, tips and warnings that stand out from the text, as the generators mark them up."""

import re
from itertools import islice

from lxml.etree import _Element

from docs_search.parsing.html.document import classes_of, text_of

_LABELS = {
    "attention": "Attention",
    "caution": "Caution",
    "danger": "Danger",
    "error": "Error",
    "example": "Example",
    "hint": "Hint",
    "important": "Important",
    "info": "Info",
    "information": "Info",
    "note": "Note",
    "seealso": "See also",
    "success": "Tip",
    "tip": "Tip",
    "warn": "Warning",
    "warning": "Warning",
    # of Bootstrap's alerts
    "alert-danger": "Danger",
    "alert-info": "Info",
    "alert-primary": "Note",
    "alert-secondary": "Note",
    "alert-success": "Tip",
    "alert-warning": "Warning",
}
_PLAIN_LABELS = frozenset({"attention", "caution", "danger", "hint", "important", "note", "seealso", "tip", "warning"})
_BOXES = frozenset(
    "admonition admonitionblock alert callout confluence-information-macro custom-block hint-container markdown-alert "
    "nextra-callout starlight-aside theme-admonition".split()
)
_BOX_TAGS = frozenset({"aside", "blockquote", "details", "div", "figure", "p", "section", "table"})
_ROLES = frozenset({"alert", "note"})
_TYPE = re.compile(
    r"(?:admonition|alert|callout|confluence-information-macro|markdown-alert|starlight-aside-|theme-admonition|hint|is|type)[-_](\w+)"
)
_TITLE = re.compile(
    r"(?:admonition|alert|callout|custom-block|hint-container|markdown-alert|starlight-aside|aside|sidebar|topic|note|tip"
    r"|warning)[-_]{1,2}(?:heading|header|title|label|text-title)(?:[-_]\w+)?|admonitionHeading_\w+|title",
    re.IGNORECASE,
)
_FOOTNOTES = frozenset({"citation", "citation-list", "footnote", "footnote-list", "footnotes"})
_WORD = re.compile(r"[\w-]+")


def label_of_admonition(element: _Element) -> str | None:
    """The label of an admonition without its colon, as its author or its type gives it. None for other elements."""
    if element.tag not in _BOX_TAGS:
        return None
    names = classes_of(element)
    is_box = element.tag != "details" and (not _BOXES.isdisjoint(names) or element.get("role") in _ROLES)
    if not is_box and not _is_plain_box(element, names):
        return None
    title = title_of_admonition(element)
    text = "" if title is None else " ".join(text_of(title).split()).strip().rstrip(":").strip()
    if any(map(str.isalnum, text)):
        return text.capitalize() if text.islower() or (text.isupper() and len(text) > 3) else text
    kinds = [
        element.get("data-callout-type") or "",
        *names,
        *(match[1] for name in names if (match := _TYPE.fullmatch(name))),
    ]
    label = next((_LABELS[kind.lower()] for kind in kinds if kind.lower() in _LABELS), "Note")
    # The text may start with the same word, in bold letters as a rule.
    first = _WORD.search(text_of(body_of_admonition(element))[:200])
    return "" if first and first[0].casefold() == label.casefold() else label


def body_of_admonition(element: _Element) -> _Element:
    """The element that holds the text: Asciidoctor puts an icon beside it in a table."""
    if "admonitionblock" not in classes_of(element):
        return element
    return next((cell for cell in element.iter("td") if "content" in classes_of(cell)), element)


def icons_of_admonition(element: _Element) -> list[_Element]:
    """What stands in front of the text and is none, such as an emoji."""
    return [
        part
        for part in islice(element, 2)
        if (text := text_of(part).strip()) and not any(map(str.isalnum, text)) and next(part.iter("img"), None) is None
    ]


def label_of_footnote(element: _Element) -> _Element | None:
    """The element in a footnote or a citation that holds its number. None for other elements."""
    if _FOOTNOTES.isdisjoint(classes_of(element)):
        return None
    return next((part for part in element if "label" in classes_of(part)), None)


def title_of_admonition(element: _Element) -> _Element | None:
    """The element in an admonition that holds its title."""
    if element.tag == "details":
        return next(element.iterchildren("summary"), None)
    if element.tag == "blockquote":
        return next(element.iterchildren("p"), None) if _titled(classes_of(element)) else None
    level = list(element)
    for _ in range(3):  # some have an element around title and icon
        for child in level[:2]:
            if any(_TITLE.fullmatch(name) for name in classes_of(child)):
                return child
        level = [grandchild for child in level[:1] for grandchild in child]
    return None


def _titled(names: list[str]) -> bool:
    """Whether a quote begins with a title: `warning-title` of Just the Docs."""
    return any(name.removesuffix("-title") in _PLAIN_LABELS for name in names if name.endswith("-title"))


def _is_plain_box(element: _Element, names: list[str]) -> bool:
    """By nothing but the class `note`, say. In an aside, and in what a topic of Sphinx is, a title will do."""
    if not _PLAIN_LABELS.isdisjoint(names) or (element.tag == "blockquote" and _titled(names)):
        return True
    if element.tag == "aside" or "topic" in names or "sidebar" in names:
        return _FOOTNOTES.isdisjoint(names) and title_of_admonition(element) is not None
    return False
