"""Descriptions of HTTP APIs (OpenAPI 3.x, Swagger 2.0, in JSON or YAML) to pages."""

import posixpath
import re
from urllib.parse import urljoin, urlsplit

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.openapi.description import Description
from docs_search.parsing.openapi.loading import load
from docs_search.parsing.openapi.rendering import OperationRenderer
from docs_search.parsing.openapi.sections import SectionWriter, title_of
from docs_search.parsing.openapi.values import line, mapping
from docs_search.parsing.text.decoding import decode

EXTENSIONS = (".json", ".yaml", ".yml")

_MARK = re.compile(r"(?:^|[{,\s])[\"']?(?:openapi|swagger)[\"']?\s*:\s*[\"']?[123]")
_SNIFFED = 100_000  # characters; what begins later may be anything


class OpenApiParser:
    """The `Parser` of descriptions of an API: one page each, at the path of the file without its extension.

    Each operation is a section of its own with an anchor as Redoc publishes it.
    """

    def is_page(self, path: str) -> bool:
        """Any file of data by its name; whether it describes an API shows when it is read."""
        *folders, name = path.split("/")
        return posixpath.splitext(name)[1].lower() in EXTENSIONS and not any(
            part.startswith((".", "_")) or part == "node_modules" for part in (*folders, name)
        )

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page; None of data that describes no API, and of a part that another description refers to."""
        document, warnings = decode(data)
        if not _describes_api(document):
            return None
        value, faults = load(document)
        root = mapping(value)
        if not faults and not isinstance(root.get("openapi", root.get("swagger")), str):
            return None
        description = Description(root, path, context)
        page_path = posixpath.splitext(path)[0]
        title = title_of(root) or posixpath.basename(page_path)
        links = _Links(context, page_path)
        writer = SectionWriter(description, OperationRenderer(description, links.target), title)
        sections = writer.write()
        if len(sections) == 1 and not sections[0].blocks and not faults:
            return None
        return ParsedPage(
            path=page_path,
            title=title,
            sections=sections,
            summary=line(mapping(root.get("info")).get("summary")) or None,
            section=page_path.split("/", 1)[0] if "/" in page_path else None,
            links=tuple(link for link in links.pages if link != page_path),
            warnings=tuple(dict.fromkeys((*warnings, *faults, *description.warnings))),
        )


def _describes_api(document: str) -> bool:
    """Whether the beginning or the end of a document names the format; some tools sort its keys."""
    return any(_MARK.search(part) for part in (document[:_SNIFFED], document[_SNIFFED:][-_SNIFFED:]))


class _Links:
    """Makes links in descriptions absolute, and collects those that lead to pages of the same version."""

    def __init__(self, context: ParseContext, page_path: str) -> None:
        self._context = context
        self._url = context.url_for(page_path)
        self.pages: dict[str, None] = {}

    def target(self, href: str) -> str | None:
        """The absolute address of a link; None where it leads nowhere."""
        try:
            url = urljoin(self._url, href.strip())
            if urlsplit(url).scheme not in ("http", "https", "mailto", "ftp"):
                return None
        except ValueError:
            return None
        page = self._context.path_of(url)
        if page is not None:
            self.pages[page] = None
        return url
