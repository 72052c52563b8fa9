"""What a parser is told about the source that a document comes from, for documents given in the test itself."""

from collections.abc import Mapping

from docs_search.documents import ParseContext


def parse_context(
    files: Mapping[str, bytes] | None = None,
    *,
    version: str = "v2.0",
    url: str = "https://docs.example/{version}/{path}",
    plans: tuple[str, ...] = (),
) -> ParseContext:
    """A source with these files, published at addresses of this pattern."""
    files = files or {}
    return ParseContext(
        version=version,
        paths=frozenset(files),
        read=files.get,
        url_for=lambda path: url.format(version=version, path=path),
        plans=plans,
    )
