"""From the documents of a source to pages that are ready to be embedded."""

import logging
from collections.abc import Callable, Iterator

from docs_search.documents import ParseContext, Source
from docs_search.embedding.embedder import Embedder
from docs_search.indexing.passages import cut
from docs_search.indexing.prepared import PreparedPage, prepare
from docs_search.indexing.progress import Progress
from docs_search.models import Corpus, Version
from docs_search.pages.addresses import page_url
from docs_search.parsing.registry import PARSERS

logger = logging.getLogger(__name__)


def read_pages(
    corpus: Corpus,
    version: Version,
    source: Source,
    *,
    embedder: Embedder,
    progress: Progress,
    warn: Callable[[str, str], None],
) -> Iterator[PreparedPage]:
    """Every page of a source, parsed and cut. What is wrong with a page is told to `warn(path, message)`."""
    parser = PARSERS[corpus.parser]()
    paths = source.paths()
    known = frozenset(paths)

    def read(path: str) -> bytes | None:
        return source.read(path) if path in known else None

    def url_for(path: str) -> str:
        scope = scope_of(corpus, path)
        return page_url(corpus, scope if scope in corpus.url_exceptions else version.name, path)

    context = ParseContext(version=version.name, paths=known, read=read, url_for=url_for, plans=tuple(corpus.plans))
    documents = [path for path in paths if parser.is_page(path)]
    progress.stage("parse", len(documents))
    seen: dict[str, str] = {}
    for path in documents:
        try:
            page = parser.parse(path, source.read(path), context)
            chunks = cut(page, count_tokens=embedder.count_tokens, max_tokens=embedder.max_tokens) if page else []
        except Exception as fault:
            # Parsers do not raise by contract; where one does, a single page must not cost the whole run.
            logger.exception("could not parse %s of %s", path, version)
            warn(path, f"could not be parsed, and was left out: {type(fault).__name__}: {fault}")
            page = None
        progress.advance()
        if page is None:
            continue
        for message in page.warnings:
            warn(path, message)
        if page.path in seen:
            warn(path, f"has the same address as {seen[page.path]}, and was left out")
            continue
        seen[page.path] = path
        yield prepare(page, chunks, url=url_for(page.path))


def scope_of(corpus: Corpus, path: str) -> str:
    """Whether a page belongs to the release itself or applies to every release."""
    if path.startswith(tuple(corpus.cloud_prefixes)):
        return Version.Scope.CLOUD
    if path.startswith(tuple(corpus.shared_prefixes)):
        return Version.Scope.SHARED
    return Version.Scope.RELEASE
