"""Where the links of a reStructuredText document lead once it is published."""

import posixpath
from urllib.parse import unquote, urljoin, urlsplit

from docs_search.documents import ParseContext
from docs_search.parsing.rst.project import Project, Reference

_SUFFIXES = (".rst", ".rest", ".txt", ".html", "/")
_SCHEMES = frozenset({"http", "https", "ftp", "ftps", "mailto", "irc", "news", "tel"})


class PageLinks:
    """Makes the links of one page absolute, and collects the pages of the same version that it links to."""

    def __init__(self, file: str, page_path: str, project: Project, context: ParseContext) -> None:
        self._file = file
        self._page_path = page_path
        self._project = project
        self._context = context
        self._url = context.address_of(file) or context.url_for(page_path)
        self._pages: dict[str, None] = {}

    @property
    def pages(self) -> tuple[str, ...]:
        """Paths of the linked pages in the order of the links, without the page itself."""
        return tuple(path for path in self._pages if path != self._page_path)

    def anchor(self, anchor: str) -> str:
        """The address of a place on this page."""
        return f"{self._url}#{anchor}"

    def document(self, file: str, anchor: str = "") -> str | None:
        """The address of another document of the source; None where it is no page."""
        path = self._project.page_path(file)
        if path is not None:
            self._pages[path] = None
        return self._project.url(file, anchor)

    def named_document(self, name: str) -> str | None:
        """The file of a document that a role or link names."""
        return self._project.document(name, self._file)

    def label(self, name: str) -> Reference | None:
        """Where a label of the source leads."""
        return self._project.label(name)

    def title(self, file: str) -> str | None:
        """The title of another document."""
        return self._project.title(file)

    def target(self, href: str) -> str | None:
        """The absolute address of a link; None where it leads nowhere."""
        try:
            return self._target(href.strip())
        except ValueError:  # no address, such as `http://[`
            return None

    def _target(self, href: str) -> str | None:
        parts = urlsplit(href)
        if not href or (parts.scheme and parts.scheme not in _SCHEMES):
            return None
        if href.startswith("#"):
            return f"{self._url}{href}"
        if not parts.scheme and not parts.netloc and (file := self._file_of(unquote(parts.path))):
            return self.document(file, parts.fragment)
        url = urljoin(self._url, href)
        page = self._context.path_of(url)
        if page is not None:
            self._pages[page.removeprefix(self._project.root)] = None
        return url

    def _file_of(self, path: str) -> str | None:
        """The document behind a relative link, to its source or to what becomes of it."""
        if not path or path.startswith("/"):
            return None
        stem = next((path.removesuffix(suffix) for suffix in _SUFFIXES if path.endswith(suffix)), path)
        for name in (stem, posixpath.join(stem, "index")):
            if file := self._project.document(name, self._file):
                return file
        return None
