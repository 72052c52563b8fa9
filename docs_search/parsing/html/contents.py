"""Where the content of a web page is: by what its generator calls it, else by what HTML calls it, else by its text."""

import logging
import re
from itertools import islice

from lxml import etree
from lxml.etree import _Element
from readability import Document  # type: ignore[import-untyped]
from readability.readability import Unparseable  # type: ignore[import-untyped]

from docs_search.parsing.html.boilerplate import is_boilerplate
from docs_search.parsing.html.document import classes_of, text_of
from docs_search.parsing.html.rendering import HEADINGS
from docs_search.parsing.html.titles import announces, head_title, one_line

# The likeliest first. "#x" is an id, ".x" a class, "=x" a role, everything else the name of an element.
_PLACES = (
    # Docusaurus, VitePress, VuePress, Starlight, Material for MkDocs
    ".theme-doc-markdown", ".vp-doc", ".theme-default-content", ".theme-hope-content", ".sl-markdown-content",
    ".md-content__inner",
    # TypeDoc, Docsy, Hextra, Hugo Book, Mintlify, ReadMe, Antora, Read the Docs, PyData, Gatsby
    ".col-content",
    ".td-content", ".hextra-content", ".book-article", ".mdx-content", "#content-area", ".rm-Markdown", ".rm-Article",
    ".doc-content", ".bd-article", "#docContent", "#docs-content",
    # anywhere
    "=main", "main", "#main-content", "#mainContent", "#main_content", ".markdown-body", ".markdown-section",
    ".main-content", "article", "#content", "#page-content", "#main", "#doc-content", "#documentation", "#body",
)  # fmt: skip
_RANK = {place: rank for rank, place in enumerate(_PLACES)}
_FEW_WORDS = 15  # what holds fewer is not the content, if there is more elsewhere
_MOST_OF_IT = 0.8  # of the text of a page
_NO_TEXT = frozenset({"a", "button", "noscript", "script", "select", "style", "svg", "template"})
_INDEX = "data-docent-index"
_MAX_READABLE = 1_000_000  # characters of a document whose content is worth the search

logging.getLogger("readability.readability").setLevel(logging.CRITICAL)  # it logs what it then raises


def find_content(document: _Element) -> _Element | None:
    """The element that holds the content of a page, None where there is no text at all.

    Footnotes that stand outside it, as those of Asciidoctor do, are moved to its end.
    """
    content = _find(document)
    if content is not None:
        for notes in list(document.iter("div", "section")):
            is_notes = notes.get("id") == "footnotes" or notes.get("role") == "doc-endnotes"
            if is_notes and notes is not content and content not in {*notes.iterancestors(), *notes.iterdescendants()}:
                content.append(notes)
    return content


def _find(document: _Element) -> _Element | None:
    body = next(document.iter("body"), document)
    if (sphinx := _sphinx_content(document)) is not None:
        return sphinx
    found = _ranked(body)
    for place in found:
        if _has_words(place):
            return _narrowed(_with_title(place, found, document))
    if not _has_words(body, least=1):
        return None
    return _readable(body)


def _ranked(body: _Element) -> list[_Element]:
    """The first element of each kind of place, the likeliest first."""
    first: dict[int, _Element] = {}
    for element in body.iter():
        keys = [element.tag]
        if element.attrib:
            keys += [f".{name}" for name in classes_of(element)]
            keys += [f"#{element.get('id')}", f"={element.get('role')}"]
        for key in keys:
            rank = _RANK.get(key)
            if rank is not None and (rank not in first or not _has_words(first[rank])):
                first[rank] = element
    return [first[rank] for rank in sorted(first)]


def _sphinx_content(document: _Element) -> _Element | None:
    """What is around the outermost sections of a page that Sphinx wrote in any of its themes."""
    if document.get("data-content_root") is None and not any(
        "documentation_options" in (script.get("src") or script.get("id") or "") for script in document.iter("script")
    ):
        return None
    for heading in document.iter("h1"):
        section = heading.getparent()
        if section is not None and (section.tag == "section" or "section" in classes_of(section)):
            return section.getparent()
    return None


def _with_title(place: _Element, found: list[_Element], document: _Element) -> _Element:
    """A place, or one around it that holds the title as well."""
    if next(place.iter("h1"), None) is not None:
        return place
    head = head_title(document)
    for other in found:
        titles = [one_line(text_of(heading)) for heading in islice(other.iter("h1"), 20)]
        if other in place.iterancestors() and any(announces(head, title) for title in titles if title):
            return other
    return place


def _narrowed(element: _Element) -> _Element:
    """The one article in an element, where it holds nearly all of the text, and the title unless there is none."""
    articles = [article for article in element.iter("article") if article is not element]
    if len(articles) != 1 or len(text_of(articles[0])) <= len(text_of(element)) / 2:
        return element
    has_title = next(element.iter("h1"), None) is None or next(articles[0].iter("h1"), None) is not None
    return articles[0] if has_title else element


def _has_words(element: _Element, least: int = _FEW_WORDS) -> bool:
    count = 0
    for text in element.itertext():
        count += len(str(text).split())
        if count >= least:
            return True
    return False


def _readable(body: _Element) -> _Element:
    """What a reader would take for the text of a page without any marks. The smallest element around all of it."""
    titles = [heading for heading in body.iter("h1") if _has_words(heading, least=1)]
    if titles and (titles[0].getparent() is body or not _has_furniture(body)):
        return body
    elements = list(body.iter())
    for number, element in enumerate(elements):
        element.set(_INDEX, str(number))
    try:
        html = etree.tostring(body, encoding="unicode", method="html")
        if len(html) > _MAX_READABLE:
            return body
        summary = Document(html).summary(html_partial=True)
    except (Unparseable, etree.LxmlError, RecursionError, ValueError):
        return body
    finally:
        for element in elements:
            del element.attrib[_INDEX]
    kept = [int(number) for number in re.findall(rf'\b{_INDEX}="(\d+)"', summary)]
    if not kept:
        return body
    found = _with_heading(_common_ancestor(elements[min(kept)], elements[max(kept)]), body)
    # A reader looks for a story; what it leaves out of a reference is most of that.
    whole = _weight(body)
    while found is not body and _weight(found) < _MOST_OF_IT * whole:
        parent = found.getparent()
        if parent is None:
            break
        found = parent
    if found.tag in ("thead", "tbody", "tr"):  # what is beside the text in a table is told apart by its renderer
        table = next(found.iterancestors("table"), found)
        parent = table.getparent()
        found = table if parent is None else parent
    return found


def _weight(element: _Element) -> int:
    """The length of the text in an element that is neither furniture nor a link."""
    length = 0
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, part in walk:
        if event == "end":
            length += len((part.tail or "").strip()) if part is not element else 0
        elif part is not element and (part.tag in _NO_TEXT or is_boilerplate(part)):
            walk.skip_subtree()
        else:
            length += len((part.text or "").strip())
    return length


def _has_furniture(body: _Element) -> bool:
    return any(is_boilerplate(element) for element in body.iter() if element.tag != "a")


def _common_ancestor(first: _Element, last: _Element) -> _Element:
    """The innermost element that holds both; and all between them, since they are in the order of the document."""
    around = {first, *first.iterancestors()}
    return next(element for element in (last, *last.iterancestors()) if element in around)


def _with_heading(element: _Element, body: _Element) -> _Element:
    """The element, or what is around it and its title: that may stand before the text."""
    if next(element.iter("h1"), None) is not None:
        return element
    for ancestor in element.iterancestors():
        if ancestor is body or ancestor.tag == "html":
            break
        if next(ancestor.iter(*HEADINGS), None) is not None and len(text_of(ancestor)) < 1.5 * len(text_of(element)):
            return ancestor
    return element
