"""Documents of several formats in one source, each read by the parser of its own."""

import posixpath
from collections.abc import Mapping
from dataclasses import replace

from docs_search.documents import ParseContext, ParsedPage, Parser
from docs_search.parsing.detection.detect import Detection
from docs_search.parsing.detection.families import Family


class AutoParser:
    """The `Parser` of a source that was looked into: `parsers` by the family of a document.

    Pages lose the docs' root from their paths. Parsers see the whole source all the same, since documents include
    files that stand outside the root.
    """

    def __init__(self, detection: Detection, parsers: Mapping[Family, Parser]) -> None:
        self._documents = detection.documents
        self._root = detection.root
        self._parsers = parsers

    def is_page(self, path: str) -> bool:
        """Whether the file is one of the source's documents, and no partial to its format."""
        parser = self._parser(path)
        return parser is not None and parser.is_page(path)

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        parser = self._parser(path)
        if parser is None:
            return None
        # Parsers of Markdown know their root.
        if self._documents[path] in (Family.MARKDOWN, Family.NOTEBOOK) or not self._root:
            return parser.parse(path, data, context)
        page = parser.parse(path, data, self._without_root(context))
        return None if page is None else self._moved(page)

    def _parser(self, path: str) -> Parser | None:
        family = self._documents.get(path)
        return None if family is None else self._parsers.get(family)

    def _without_root(self, context: ParseContext) -> ParseContext:
        def path_of(url: str) -> str | None:
            page = context.path_of(url)
            return None if page is None else f"{self._root}{page}"

        return replace(context, url_for=lambda page: context.url_for(self._published(page)), path_of=path_of)

    def _moved(self, page: ParsedPage) -> ParsedPage:
        path = self._published(page.path)
        # Where a page is in a section by its folder, that is the folder below the root.
        by_folder = page.section is not None and page.section == page.path.partition("/")[0]
        folder = path.partition("/")[0] if "/" in path else None
        return replace(
            page,
            path=path,
            section=folder if by_folder else page.section,
            links=tuple(self._published(link) for link in page.links),
        )

    def _published(self, path: str) -> str:
        """A page's path below the root. The root itself is its index."""
        if path == self._root.rstrip("/"):
            return "index"
        return posixpath.normpath(path.removeprefix(self._root)) if path else path
