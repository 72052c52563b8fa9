"""DocBook manuals in HTML, as the DocBook XSL stylesheets write them: the manuals of PostgreSQL and PostGIS.

A page is one chapter, section or reference entry. PostgreSQL has XHTML 1.0, PostGIS HTML 4 up to 3.3 and XHTML 5
after it; a whole manual in one file has the same form.
"""

import posixpath
import re
from collections.abc import Callable

from lxml.etree import _Element

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.docbook.markup import DocBookRenderer, without_number
from docs_search.parsing.docbook.sections import SectionReader, find_root
from docs_search.parsing.docbook.titles import is_reference_entry, read_reference_entry, section_title
from docs_search.parsing.html.document import parse_html, text_of
from docs_search.parsing.html.links import PageLinks

_NO_PAGE = re.compile(
    r"(?:bookindex|biblio|legalnotice|PostGIS_Special_Functions_Index|appendix-obsolete|(?:bi|ix|ln)\d+)(?:\.x?html?)?"
)
_PAGE = re.compile(r".+\.x?html?", re.IGNORECASE)
_OBSOLETE = "appendix-obsolete"  # PostgreSQL: its pages only say that something was renamed or removed
_TOP_LEVEL = frozenset({"appendix", "article", "chapter", "part", "preface", "reference"})
_SENTENCE = re.compile(r".{20,300}?[.!?](?=\s+[A-Z“\"(]|$)", re.DOTALL)


class DocBookParser:
    """Reads one page. `ParsedPage.section` is the file name of the chapter that the page belongs to, without suffix:
    `sql-commands`, `runtime-config`, `reference`. Authors choose these names, and they stay from release to release.
    """

    def is_page(self, path: str) -> bool:
        """Whether this is an HTML file other than an index, a bibliography or a legal notice."""
        return bool(_PAGE.fullmatch(posixpath.basename(path))) and not is_index(path)

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page in `data`; None of indexes, pure tables of contents and pages about what was renamed."""
        document, warnings = parse_html(data)
        if document is None or not self.is_page(path):
            return None
        return read_manual_page(document, warnings, path=path, context=context, is_page=self.is_page)


def is_index(path: str) -> bool:
    """Whether a page of a manual is one of its indexes, by the name that the stylesheets give it."""
    return bool(_NO_PAGE.fullmatch(posixpath.basename(path)))


def read_manual_page(
    document: _Element, warnings: list[str], *, path: str, context: ParseContext, is_page: Callable[[str], bool]
) -> ParsedPage | None:
    """The page in a document of a manual; None of what holds nothing to read. `is_page` tells which links count."""
    if _up(document) == _OBSOLETE:
        return None
    title = _document_title(document) or _stem(path)
    root = find_root(document)
    if root is None:
        root = next(document.iter("body"), document)
        warnings = [*warnings, "no DocBook section found, so it is read as plain HTML"]
    links = PageLinks(path, context, is_page)
    renderer = DocBookRenderer(links.target)
    if root.tag != "body":
        title = section_title(root, renderer) or title
    sections = SectionReader(renderer).read(root, title)
    if not sections:
        return None
    return ParsedPage(
        path=path,
        title=title,
        sections=sections,
        summary=_summary(root, renderer),
        section=_stem(path) if root.get("class") in _TOP_LEVEL else _up(document),
        links=tuple(links.pages),
        warnings=(*warnings, *renderer.warnings),
    )


def _up(document: _Element) -> str | None:
    """The page above this one, by the navigation; its name without suffix."""
    for link in document.iter("a"):
        if link.get("accesskey") == "u" and (href := link.get("href")):
            return _stem(href.partition("#")[0]) or None
    return None


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _document_title(document: _Element) -> str:
    title = next(document.iter("title"), None)
    return "" if title is None else without_number(" ".join(text_of(title).split()))


def _summary(root: _Element, renderer: DocBookRenderer) -> str | None:
    """What a reference entry says that it is for; elsewhere the first sentence of the text before all sections."""
    if is_reference_entry(root):
        return read_reference_entry(root, renderer).purpose or None
    text = next(filter(None, (renderer.plain(p) for p in root.iterchildren("p"))), "")
    sentence = _SENTENCE.match(text)
    return sentence[0] if sentence else None
