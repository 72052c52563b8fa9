"""Where the links of a document lead once it is published."""

import posixpath
import re
import unicodedata
from collections.abc import Callable
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from docs_search.documents import ParseContext

PagePath = Callable[[str], str | None]
"""The page path of a file of the source, or None where the file is no page."""

_PROBE = "docent-page-path"  # found again in an address, whatever the pattern puts before and after it
_MARKDOWN_EXTENSIONS = (".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".mkdown")
_REFERENCES = frozenset({"doc", "ref", "xref", "rref", "apiref"})
_VERSION = re.compile(r"(?:\{\{|%7B%7B) ?(?:%20)?version ?(?:%20)?(?:\}\}|%7D%7D)")
_NO_ADDRESS = frozenset({"data", "file", "javascript"})


class LinkResolver:
    """Makes the links of one page absolute and collects the pages of the same version that it links to.

    A link to a file of the source leads to that file's page; a relative link to something else leads where it would
    on the published site, since a source need not hold all of it. An absolute link into the published version (or
    into `latest`) is one to a page of this version.

    `file_of` names the file behind a published path whose names differ; `directory_urls` says that a page is published
    as a folder, where relative links begin that are no paths of files. After `max_characters` of addresses links lead
    nowhere: one that is defined once and referred to often could multiply a document.
    """

    def __init__(
        self,
        file: str,
        page_path: str,
        root: str,
        context: ParseContext,
        page_path_of: PagePath,
        *,
        file_of: Callable[[str], str | None] = lambda _: None,
        directory_urls: bool = False,
        max_characters: int,
    ) -> None:
        self._folder = posixpath.dirname(file)
        self._file_of = file_of
        self._published_folder: str | None = None
        if directory_urls:
            self._published_folder = posixpath.join(root, "" if page_path == "index" else page_path)
        self._page_path = page_path
        self._root = root  # the folder of the source that is published, "" or "docs/"
        self._context = context
        self._page_path_of = page_path_of
        self._page_url = context.url_for(page_path)
        self._site = context.url_for(_PROBE).rsplit(_PROBE, 1)[0]
        latest = self._site.replace(context.version, "latest") if context.version else self._site
        self._sites = tuple({self._site, latest})
        self._pages: dict[str, None] = {}
        self._characters_left = max_characters

    @property
    def pages(self) -> tuple[str, ...]:
        """Paths of the linked pages in the order of the links, without the page itself."""
        return tuple(path for path in self._pages if path != self._page_path)

    def target(self, href: str) -> str | None:
        """The absolute address of a link, or None where it leads nowhere."""
        if "`" in href or href.startswith("%60"):  # a name in a program that ExDoc and others would look up
            return None
        try:
            target = self._target(_VERSION.sub(lambda _: self._context.version or "latest", href.strip()))
        except ValueError:  # no address, such as `http://[`
            return None
        self._characters_left -= len(target or "")
        return target if self._characters_left >= 0 else None

    def _target(self, href: str) -> str | None:
        parts = urlsplit(href)
        if not href or parts.scheme.lower() in _NO_ADDRESS or _is_elsewhere(parts):
            return None
        if href.startswith("#"):
            return f"{self._page_url}{href}"
        if parts.scheme or parts.netloc or parts.path.startswith("/"):
            return self._absolute(urljoin(self._page_url, href))
        return self._relative(parts)

    def _absolute(self, url: str) -> str:
        for site in self._sites:
            if site and url.startswith(site):
                parts = urlsplit(url[len(site) :])
                if page := self._page(posixpath.normpath(posixpath.join(self._root, unquote(parts.path)))):
                    return self._published(page, parts)
        return url

    def _relative(self, parts: SplitResult) -> str:
        path = posixpath.normpath(posixpath.join(self._folder, unquote(parts.path)))
        if page := self._page(path):
            return self._published(page, parts)
        if self._published_folder is not None and not parts.path.endswith(_MARKDOWN_EXTENSIONS):
            path = posixpath.normpath(posixpath.join(self._published_folder, unquote(parts.path)))
            if page := self._page(path):
                return self._published(page, parts)
        if path.startswith(".."):
            return urljoin(self._page_url, parts.geturl())
        published = path.removeprefix(self._root)
        if published.endswith(_MARKDOWN_EXTENSIONS):
            published = published.rsplit(".", 1)[0]
        return self._with_fragment(f"{self._site}{quote(published)}", parts)

    def _page(self, path: str) -> str | None:
        path = unicodedata.normalize("NFC", path)  # as the paths of a source are
        stem, extension = posixpath.splitext(path)
        stems = [path, stem] if extension in (*_MARKDOWN_EXTENSIONS, ".html") else [path]
        for candidate in stems:
            for file in (candidate, f"{candidate}.md", f"{candidate}/index.md", f"{candidate}/README.md"):
                if file in self._context.paths and (page := self._page_path_of(file)) is not None:
                    self._pages[page] = None
                    return page
        if (named := self._file_of(path)) is not None and (page := self._page_path_of(named)) is not None:
            self._pages[page] = None
            return page
        return None

    def _published(self, page: str, parts: SplitResult) -> str:
        return self._with_fragment(self._context.url_for(page), parts)

    @staticmethod
    def _with_fragment(url: str, parts: SplitResult) -> str:
        query = f"?{parts.query}" if parts.query else ""
        return f"{url}{query}#{parts.fragment}" if parts.fragment else f"{url}{query}"


def _is_elsewhere(parts: SplitResult) -> bool:
    """Whether a scheme names another repository (`docs-content://get/started.md`) or a page by its key (`xref:…`)."""
    scheme = parts.scheme.lower()
    return scheme in _REFERENCES or (
        scheme not in ("", "http", "https", "ftp", "mailto") and parts.path.endswith(_MARKDOWN_EXTENSIONS)
    )
