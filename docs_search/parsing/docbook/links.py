"""Links between the pages of a manual."""

import posixpath
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

from docs_search.documents import ParseContext

_WEB = ("http://", "https://", "ftp://")


class PageLinks:
    """Resolves the links of one page, and remembers to which pages of the same version they lead."""

    def __init__(self, path: str, context: ParseContext, is_page: Callable[[str], bool]) -> None:
        self._path = path
        self._context = context
        self._is_page = is_page
        self._addresses: dict[str, str | None] = {}
        self.pages: dict[str, None] = {}

    def target(self, href: str) -> str | None:
        """The absolute address that an `href` means; None where it leads to no document that there is."""
        if href.startswith(_WEB):
            return href
        location, _, anchor = href.partition("#")
        if location not in self._addresses:
            self._addresses[location] = self._address(location)
        address = self._addresses[location]
        return f"{address}#{anchor}" if address and anchor else address

    def _address(self, location: str) -> str | None:
        path = self._path
        if location:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(location)))
            path = unicodedata.normalize("NFC", path)  # as the paths of a source are
            if path not in self._context.paths:
                return None
        if path != self._path and self._is_page(path):
            self.pages[path] = None
        return self._context.url_for(path)
