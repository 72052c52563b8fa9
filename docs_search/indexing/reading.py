"""From the documents of a source to pages that are ready to be embedded."""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from docs_search.documents import ParseContext, Parser, Source
from docs_search.embedding.embedder import Embedder
from docs_search.indexing.bounds import MAX_PATH_BYTES, bounded, is_too_long
from docs_search.indexing.passages import cut
from docs_search.indexing.prepared import PreparedPage, prepare
from docs_search.indexing.published_source import INDEX, as_fetched, as_published
from docs_search.models import Corpus, Version
from docs_search.pages.addresses import page_path, page_url
from docs_search.parsing.detection.detect import Detection
from docs_search.parsing.detection.families import precedence
from docs_search.parsing.registry import parser_for
from docs_search.progress import Progress
from docs_search.sources import SourceError

logger = logging.getLogger(__name__)

_NOT_IN_ADDRESSES = re.compile(r"[\x00-\x1f\x7f\\]")


@dataclass(frozen=True, slots=True)
class Documents:
    """What is read of a source: the source under the paths that are published, the files that are pages by themselves,
    and their parser. `detection` is what was found out where the corpus leaves the parser open.
    """

    source: Source
    paths: list[str]
    parser: Parser
    detection: Detection | None


def find_documents(corpus: Corpus, version: Version, source: Source) -> Documents:
    """The documents of a source, in the order in which one of them takes an address before another."""
    source = as_published(source, cache(partial(page_path, corpus, version.name)), corpus.index_path)
    paths = source.paths()
    is_site = any(source.address(path) is not None for path in paths[:1])
    parser, detection = parser_for(corpus.parser, paths, source.read, published=is_site, version=version.name)
    return Documents(source, sorted(filter(parser.is_page, paths), key=precedence), parser, detection)


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
    documents = find_documents(corpus, version, source)
    source, parser = documents.source, documents.parser
    for warning in source.warnings():
        warn(warning.page, warning.message)
    known = frozenset(source.paths())

    def read(path: str) -> bytes | None:
        return source.read(path) if path in known else None

    def url_for(path: str) -> str:
        scope = scope_of(corpus, path)
        at = "" if path == INDEX and not corpus.index_path else path  # where any server has an index
        url = page_url(corpus, scope if scope in corpus.url_exceptions else version.name, at)
        return as_fetched(url, source.address(path))

    @cache
    def path_of(url: str) -> str | None:
        path = page_path(corpus, version.name, url)
        return corpus.index_path or path if path == "" else path

    context = ParseContext(
        version=version.name,
        paths=known,
        read=read,
        url_for=url_for,
        path_of=path_of,
        address_of=source.address,
        warn=warn,
        plans=tuple(corpus.plans),
    )
    progress.stage("parse", len(documents.paths))
    seen: dict[str, str] = {}
    for path in documents.paths:
        data = source.read(path)
        try:
            page = parser.parse(path, data, context)
            if page is not None and is_too_long(page.path):
                warn(path, f"has a path of more than {MAX_PATH_BYTES} bytes, and was left out")
                page = None
            if page is not None:
                page = bounded(page)
                chunks = cut(page, count_tokens=embedder.count_tokens, max_tokens=embedder.max_tokens)
                prepared = prepare(page, chunks, url=url_for(page.path), document=path)
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
