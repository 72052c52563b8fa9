"""Under which id a heading can be linked to, as the published page has it."""

from lxml.etree import _Element

from docs_search.parsing.html.boilerplate import is_boilerplate, is_permalink
from docs_search.parsing.html.document import text_of
from docs_search.parsing.html.signatures import object_of_id

_WRAPPERS = frozenset({"a", "article", "div", "header", "hgroup", "section", "span"})
_MOST_WRAPPERS = 4  # elements around a heading whose first content it is
_MOST_BEFORE = 6  # empty elements before a heading
_MARKS = frozenset({"a", "p", "span", "div"})


class AnchorFinder:
    """Finds the ids of headings. `root` is the content of the page: what is around it has the id of no heading."""

    def __init__(self, document: _Element, root: _Element) -> None:
        self._root = root
        self._ids = {identifier for element in document.iter() for identifier in _ids_of(element)}

    def candidates(self, heading: _Element) -> list[str]:
        """The ids of a heading, the one to link to first: that of a documented object, then the one to which the
        heading itself links, its own, one inside it, one right before it, and that of the section it begins."""
        found: list[str] = []
        linked = (link.get("href") or "" for link in heading.iter("a") if is_permalink(link))
        found += [href[1:] for href in linked if href.startswith("#") and href[1:] in self._ids]
        found += _ids_of(heading)
        # MediaWiki has an empty one with the id of former days before the one that is linked to.
        parts = sorted(heading.iter("a", "span"), key=lambda part: part.tag == "span" and not text_of(part).strip())
        for part in parts:
            found += _ids_of(part)
        element = heading
        for _ in range(_MOST_WRAPPERS):
            found += _before(element)
            parent = element.getparent()
            if parent is None or element is self._root or not _begins(parent, element):
                break
            if parent.tag not in _WRAPPERS or parent is self._root:
                break
            found += _ids_of(parent)
            element = parent
        unique = list(dict.fromkeys(found))
        unique.sort(key=lambda identifier: not (identifier.startswith("std-") and object_of_id(identifier)))
        return unique


def _ids_of(element: _Element) -> list[str]:
    values = (element.get("id"), element.get("name") if element.tag == "a" else None)
    return [value for value in values if value and not value.isspace()]


def _before(element: _Element) -> list[str]:
    """The ids of empty elements right before an element."""
    found: list[str] = []
    sibling = element.getprevious()
    for _ in range(_MOST_BEFORE):
        if sibling is None or (sibling.tail or "").strip() or not _is_empty(sibling):
            break
        if sibling.tag in _MARKS:
            found += [*_ids_of(sibling), *(value for part in sibling for value in _ids_of(part))]
        sibling = sibling.getprevious()
    return found


def _begins(parent: _Element, element: _Element) -> bool:
    """Whether nothing to read stands before an element in its parent."""
    if (parent.text or "").strip():
        return False
    sibling = element.getprevious()
    for _ in range(_MOST_BEFORE):
        if sibling is None:
            return True
        if (sibling.tail or "").strip() or not _is_empty(sibling):
            return False
        sibling = sibling.getprevious()
    return sibling is None


def _is_empty(element: _Element) -> bool:
    """Whether an element is a mere mark in the text, such as `<a id="x"></a>`, or something that nobody reads."""
    if element.tag == "input" or is_boilerplate(element):
        return True
    if element.tag not in _MARKS or len(element) > 2:
        return False
    texts = [element.text, *(text for child in element for text in (child.text, child.tail))]
    return not any(text and text.strip() for text in texts) and not any(len(child) for child in element)
