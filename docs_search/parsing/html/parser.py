"""Pages of any documentation site, as its generator wrote them or as they were fetched from it."""

import posixpath
import re
from collections.abc import Iterator

from lxml.etree import _Element

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.docbook.parser import is_index, read_manual_page
from docs_search.parsing.docbook.sections import find_manual
from docs_search.parsing.html.anchors import AnchorFinder
from docs_search.parsing.html.boilerplate import is_boilerplate
from docs_search.parsing.html.contents import find_content
from docs_search.parsing.html.document import parse_html
from docs_search.parsing.html.links import PageLinks
from docs_search.parsing.html.markup import SiteRenderer
from docs_search.parsing.html.sections import SectionReader
from docs_search.parsing.html.titles import (
    announces,
    document_summary,
    document_title,
    head_title,
    one_line,
    without_number,
)

_HTML_FILE = re.compile(r".+\.(?:x?html?|shtml|php|aspx?|jsp)", re.IGNORECASE)
_OTHER_FILE = re.compile(
    r".*\.(?:(?!x$)[A-Za-z][A-Za-z0-9]{0,4}|gitignore|markdown|properties|webmanifest|woff2)", re.IGNORECASE
)
_NO_PAGE = re.compile(r"(?:genindex(?:-\w+)?|py-modindex|modindex|404)(?:\.html?)?", re.IGNORECASE)
_NO_FOLDERS = frozenset({"_modules", "_sources", "_static", "node_modules"})
_IS_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_REFRESH = re.compile(r"\s*\d*\.?\d*\s*[;,]\s*(?:url\s*=\s*)?[\"']?(?P<target>[^\"']+)", re.IGNORECASE)
_SEARCH_IDS = frozenset({"search-results", "search-documentation", "mkdocs-search-results"})
_BEGINNING = 4096  # bytes in which a document without an extension shows what it is


class HtmlParser:
    """Reads one page. Its layout is told by the document itself, so that a site may change its generator, or have
    several. A page's path is the document's.
    """

    def is_page(self, path: str) -> bool:
        """HTML files, and whatever has no extension, as pages of sites do; but no indexes of names."""
        *folders, name = path.split("/")
        if name.startswith(".") or _NO_PAGE.fullmatch(name) or not _NO_FOLDERS.isdisjoint(folders):
            return False
        if name in ("index.html", "index.htm") and folders and _NO_PAGE.fullmatch(folders[-1]):
            return False
        return bool(_HTML_FILE.fullmatch(name)) or not _OTHER_FILE.fullmatch(name)

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page in `data`; None of what is no HTML, of redirects, and where there is nothing to read."""
        if not self.is_page(path) or not (_HTML_FILE.fullmatch(path) or _IS_HTML.search(data[:_BEGINNING])):
            return None
        document, warnings = parse_html(data)
        if document is None or _is_redirect(document, path):
            return None
        if find_manual(document) is not None:
            if is_index(path):
                return None
            return read_manual_page(document, warnings, path=path, context=context, is_page=self._is_manual_page)
        root = find_content(document)
        if root is None or _is_search(document):
            return None
        title = _title(document, root) or _name_of(path)
        links = PageLinks(path, context, self.is_page, base=_base(document))
        reader = SectionReader(path, title, SiteRenderer(links.target), AnchorFinder(document, root))
        sections = reader.read(root)
        if not sections:
            return None
        page = ParsedPage(
            path=path,
            title=title,
            sections=sections,
            section=path.split("/", 1)[0] if "/" in path else None,
            links=tuple(links.pages),
            warnings=tuple(dict.fromkeys((*warnings, *reader.warnings))),
        )
        page.summary = document_summary(document, title, page.markdown)
        return page

    def _is_manual_page(self, path: str) -> bool:
        return self.is_page(path) and not is_index(path)


def _title(document: _Element, root: _Element) -> str:
    """The first heading of level 1 in the content, else the heading that the head announces as the title, else that.

    Some sites put the title before the content, and some begin pages with a heading of a lower level.
    """
    renderer = SiteRenderer(lambda _: None)

    def texts(place: _Element, *tags: str) -> Iterator[str]:
        for heading in place.iter(*tags):
            text = without_number(one_line(renderer.plain(heading)))
            if text and not _is_inside_boilerplate(heading, place):
                yield text

    if title := next(texts(root, "h1"), ""):
        return title
    announced = document_title(document)
    if announced in texts(document, "h1"):
        return announced
    first = next(texts(root, "h2", "h3"), "")
    return first if announces(head_title(document), first) else announced


def _is_inside_boilerplate(heading: _Element, root: _Element) -> bool:
    element: _Element | None = heading
    while element is not None and element is not root:
        if is_boilerplate(element):
            return True
        element = element.getparent()
    return False


def _base(document: _Element) -> str:
    return next((element.get("href") or "" for element in document.iter("base")), "").strip()


def _is_redirect(document: _Element, path: str) -> bool:
    """Whether a document only sends its reader to another one."""
    for element in document.iter("meta"):
        if (element.get("http-equiv") or "").lower() != "refresh":
            continue
        if (match := _REFRESH.match(element.get("content") or "")) is not None:
            return match["target"].strip().rstrip("/").rsplit("/", 1)[-1] != posixpath.basename(path)
    return False


def _is_search(document: _Element) -> bool:
    return any(element.get("id") in _SEARCH_IDS for element in document.iter("div", "form"))


def _name_of(path: str) -> str:
    """A title made from a document's name, or from the folder's for its index."""
    folder, name = posixpath.split(path)
    stem = posixpath.splitext(name)[0] if _HTML_FILE.fullmatch(name) else name
    if stem == "index":
        stem = posixpath.basename(folder) or "overview"
    words = re.sub(r"[-_\s]+", " ", stem).strip() or stem
    return words[:1].upper() + words[1:]
