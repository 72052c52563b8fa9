"""From the documents of a source to pages that are ready to be embedded."""

import logging
import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from docs_search.documents import ParseContext, Source
from docs_search.embedding.embedder import Embedder
from docs_search.indexing.bounds import MAX_PATH_BYTES, bounded, is_too_long
from docs_search.indexing.passages import cut
from docs_search.indexing.prepared import PreparedPage, prepare
from docs_search.indexing.published_source import as_published
from docs_search.models import Corpus, Version
from docs_search.pages.addresses import page_path, page_url
from docs_search.parsing.registry import PARSERS
from docs_search.progress import Progress
from docs_search.sources import SourceError

logger = logging.getLogger(__name__)

_NOT_IN_ADDRESSES = re.compile(r"[\x00-\x1f\x7f\\]")


def read_pages(
    corpus: Corpus,
    version: Version,
    source: Source,
    *,
    embedder: Embedder,
    progress: Progress,
    warn: Callable[[str, str], None],
) -> Iterator[PreparedPage]:
    """Every page of a source, parsed and cut. What is wrong with a page is told to `warn(path, message)`.

    Raises SourceError for a document that cannot be read: it would otherwise pass for one that was deleted.
    """
    parser = PARSERS[corpus.parser]()
    path_of = cache(partial(page_path, corpus, version.name))
    source = as_published(source, path_of, corpus.index_path)
    for warning in source.warnings():
        warn(warning.page, warning.message)
    paths = source.paths()
    known = frozenset(paths)

    def read(path: str) -> bytes | None:
        return source.read(path) if path in known else None

    def url_for(path: str) -> str:
        scope = scope_of(corpus, path)
        return page_url(corpus, scope if scope in corpus.url_exceptions else version.name, path)

    context = ParseContext(
        version=version.name,
        paths=known,
        read=read,
        url_for=url_for,
        path_of=path_of,
        address_of=source.address,
        plans=tuple(corpus.plans),
    )
    documents = [path for path in paths if parser.is_page(path)]
    progress.stage("parse", len(documents))
    seen: dict[str, str] = {}
    for path in documents:
        data = source.read(path)
        try:
            page = parser.parse(path, data, context)
            if page is not None and is_too_long(page.path):
                warn(path, f"has a path of more than {MAX_PATH_BYTES} bytes, and was left out")
                page = None
            if page is not None:
                page = bounded(page)
                chunks = cut(page, count_tokens=embedder.count_tokens, max_tokens=embedder.max_tokens)
                prepared = prepare(page, chunks, url=url_for(page.path))
        except SourceError:  # a file that the page includes cannot be read
            raise
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
        if _NOT_IN_ADDRESSES.search(page.path):
            warn(path, "has a backslash or a control character in its name, and cannot be asked for by its address")
        seen[page.path] = path
        yield prepared


def scope_of(corpus: Corpus, path: str) -> str:
    """Whether a page belongs to the release itself or applies to every release."""
    if path.startswith(tuple(corpus.cloud_prefixes)):
        return Version.Scope.CLOUD
    if path.startswith(tuple(corpus.shared_prefixes)):
        return Version.Scope.SHARED
    return Version.Scope.RELEASE
