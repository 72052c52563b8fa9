"""Pages of any documentation site, as its generator wrote them or as they were fetched from it."""

import posixpath
import re
from collections.abc import Iterator
from itertools import islice

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
    heading_text,
    is_of_outline,
    is_title,
    one_line,
)
from docs_search.parsing.html.unreadable import why_unreadable
from docs_search.parsing.text.numbering import without_numbers

_HTML_FILE = re.compile(r".+\.(?:x?html?|shtml|php|aspx?|jsp)", re.IGNORECASE)
_OTHER_FILE = re.compile(
    r".*\.(?:(?!x$)[A-Za-z][A-Za-z0-9]{0,4}|gitignore|markdown|properties|webmanifest|woff2)", re.IGNORECASE
)
_NO_PAGE = re.compile(
    r"(?:genindex(?:-\w+)?|py-modindex|modindex|404"  # of Sphinx, and of any
    r"|index-all|(?:class|file|method)_list|graph_legend|\w+_source"  # of Javadoc, YARD and Doxygen
    r"|.+\.rs)(?:\.html?)?",  # the source code that rustdoc shows
    re.IGNORECASE,
)
_NO_FOLDERS = frozenset({"_modules", "_sources", "_static", "node_modules", "src-html"})
_IS_HTML = re.compile(
    rb"<(?:!doctype\s+html|html|head|body)[\s>]"
    rb"|\A(?:\xef\xbb\xbf)?\s*<(?:article|center|div|h[1-6]|link|main|meta|p|section|table|title)[\s>]",
    re.IGNORECASE,
)
_REFRESH = re.compile(r"\s*\d*\.?\d*\s*[;,]\s*(?:url\s*=\s*)?[\"']?(?P<target>[^\"']+)", re.IGNORECASE)
_COPIES = frozenset({"print", "toc"})
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
        if document is None or _is_redirect(document, path) or _is_copy(document, path):
            return None
        if find_manual(document) is not None:
            if is_index(path):
                return None
            return read_manual_page(document, warnings, path=path, context=context, is_page=self._is_manual_page)
        if (reason := why_unreadable(document)) is not None:
            context.warn(path, reason)
            return None
        root = find_content(document)
        if root is None or _is_search(document):
            return None
        title = _title(document, root) or _name_of(path)
        links = PageLinks(path, context, self.is_page, base=_base(document))
        renderer = SiteRenderer(links.target)
        reader = SectionReader(path, title, renderer, AnchorFinder(document, root))
        sections = reader.read(root)
        if not sections:
            return None
        title = without_numbers(path, title, sections)
        sections[0].heading = title
        page = ParsedPage(
            path=path,
            title=title,
            sections=sections,
            section=path.split("/", 1)[0] if "/" in path else None,
            links=tuple(links.pages),
            warnings=tuple(dict.fromkeys((*warnings, *reader.warnings, *renderer.warnings))),
        )
        page.summary = document_summary(document, title, page.markdown)
        return page

    def _is_manual_page(self, path: str) -> bool:
        return self.is_page(path) and not is_index(path)


def _title(document: _Element, root: _Element) -> str:
    """The first heading of level 1 in the content, else the heading that the head announces as the title, else that.

    Some sites put the title before the content, and some begin pages with a heading of a lower level. Where the name of
    the site or of a chapter stands as the first heading (*Pond*, *NAME*), the head knows better.
    """
    renderer = SiteRenderer(lambda _: None)

    def texts(place: _Element, *tags: str) -> Iterator[str]:
        for heading in place.iter(*tags):
            text = heading_text(heading, one_line(renderer.plain(heading)))
            if text and not _is_inside_boilerplate(heading, place):
                yield text

    if title := next((one_line(renderer.plain(part)) for part in document.iter("div", "p") if is_title(part)), ""):
        return title
    head, announced = head_title(document), document_title(document)
    chapters = list(islice(texts(root, "h1"), 2))
    headings = list(islice(texts(root, "h1", "h2", "h3", "h4"), 2))
    if chapters and not announces(head, chapters[0]):
        if len(headings) > 1 and headings[0] == chapters[0] and headings[1] in (head, announced):
            return headings[1]
        if len(chapters) > 1 and announced and chapters[0].isupper():
            return announced
    if chapters:
        return chapters[0]
    if announced in texts(document, "h1"):
        return announced
    first = next(iter(headings), "")
    heading = next(root.iter("h1", "h2", "h3", "h4"), None)
    return first if announces(head, first) or (heading is not None and is_of_outline(heading)) else announced


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


def _is_copy(document: _Element, path: str) -> bool:
    """Whether a document repeats others, to be printed or shown beside them, and asks not to be indexed."""
    if posixpath.splitext(posixpath.basename(path))[0] not in _COPIES:
        return False
    robots = (meta.get("content") or "" for meta in document.iter("meta") if meta.get("name") == "robots")
    return any("noindex" in content for content in robots)


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
