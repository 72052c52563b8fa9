"""Links between the documents of a site or a manual."""

import contextlib
import posixpath
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote, urljoin, urlsplit

from docs_search.documents import ParseContext

_WEB = ("http://", "https://", "ftp://")
_INDEX = "index.html"
_MARKDOWN = ".md"  # of a document beside the page, where the site offers both


class PageLinks:
    """Resolves the links of one page, and remembers to which pages of the same version they lead.

    A document that was fetched from an address links to addresses; one that is a file links to files, or where its
    published page would lead from the root of its site. `base` is what the document says its links are relative to.
    """

    def __init__(self, path: str, context: ParseContext, is_page: Callable[[str], bool], *, base: str = "") -> None:
        self._path = path
        self._context = context
        self._is_page = is_page
        self._addresses: dict[str, str | None] = {}
        self._base = context.address_of(path) or ""
        if base:
            with contextlib.suppress(ValueError):
                self._base = urljoin(self._base or context.url_for(path), base)
        self.pages: dict[str, None] = {}

    def target(self, href: str) -> str | None:
        """The absolute address that an `href` means; None where it leads to no document that there is."""
        location, mark, anchor = href.partition("#")
        if mark and not location and not anchor:  # a button
            return None
        if location not in self._addresses:
            try:
                self._addresses[location] = self._address(location)
            except ValueError:  # no address, such as `http://[`
                self._addresses[location] = None
        address = self._addresses[location]
        return f"{address}#{anchor}" if address and anchor else address

    def _address(self, location: str) -> str | None:
        if not location:
            return self._context.url_for(self._path)
        if location.startswith((*_WEB, "//")) or self._base:
            return self._of_the_web(urljoin(self._base or self._context.url_for(self._path), location))
        if urlsplit(location).scheme:
            return None
        if location.startswith("/"):
            return self._of_the_web(urljoin(self._context.url_for(self._path), location))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self._path), unquote(location.partition("?")[0])))
        path = unicodedata.normalize("NFC", path)  # as the paths of a source are
        file = next((candidate for candidate in _files(path) if candidate in self._context.paths), None)
        return None if file is None else self._of_page(file)

    def _of_the_web(self, address: str) -> str | None:
        """An address of the version is that of the page behind it; where there is none, it may still lead somewhere."""
        if not address.startswith(_WEB):
            return None
        path = self._context.path_of(address)
        if path is None:
            return address
        file = next((candidate for candidate in _files(path) if candidate in self._context.paths), None)
        if file is None:
            return self._context.url_for(path)
        page = self._of_page(file.removesuffix(_MARKDOWN))
        # An address of a folder is as good as that of the index in it, and the one that its site writes.
        return page if len(file) <= len(path) else self._context.url_for(path)

    def _of_page(self, path: str) -> str:
        if path != self._path and self._is_page(path):
            self.pages[path] = None
        return self._context.url_for(path)


def _files(path: str) -> Iterator[str]:
    """The files that may stand behind a path, as a server would look for them."""
    if path:
        yield path
    if path == _INDEX or path.endswith(f"/{_INDEX}"):
        yield path.removesuffix(_INDEX).rstrip("/")
    yield posixpath.join(path, _INDEX)
    if path:
        yield f"{path}.html"
        yield f"{path}{_MARKDOWN}"
