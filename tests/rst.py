"""Documents in reStructuredText, given in the test itself, as pages."""

from collections.abc import Mapping
from dataclasses import replace
from textwrap import dedent

from docs_search.documents import ParsedPage
from docs_search.parsing.rst.parser import RstParser
from tests.parsing import parse_context

SITE = "https://docs.example/v2.0/"


def rst_pages(files: Mapping[str, str], url: str = "https://docs.example/{version}/{path}/") -> dict[str, ParsedPage]:
    """The pages of a source with these files by the paths of their documents. Shared indentation is cut."""
    data = {path: dedent(text).encode() for path, text in files.items()}

    def path_of(address: str) -> str | None:
        return address.removeprefix(SITE).strip("/") if address.startswith(SITE) else None

    parser, context = RstParser(), replace(parse_context(data, url=url), path_of=path_of)
    pages = {path: parser.parse(path, data[path], context) for path in data if parser.is_page(path)}
    return {path: page for path, page in pages.items() if page is not None}


def rst_page(text: str, files: Mapping[str, str] | None = None) -> ParsedPage:
    """The page of one document, `pond.rst`, beside other files."""
    return rst_pages({"pond.rst": text, **(files or {})})["pond.rst"]
