"""A corpus that is indexed to be measured, and is never served: no version of it counts as published."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import transaction

from docs_search.documents import ParsedPage
from docs_search.embedding.embedder import Embedder, get_embedder
from docs_search.errors import InvalidRequest
from docs_search.indexing.bounds import bounded, is_too_long
from docs_search.indexing.embeddings import embed_missing
from docs_search.indexing.maintenance import maintain
from docs_search.indexing.passages import cut
from docs_search.indexing.prepared import Spool, prepare
from docs_search.indexing.publish import compare, publish
from docs_search.indexing.removal import remove_corpus
from docs_search.indexing.runs import claim
from docs_search.models import Corpus, Version
from docs_search.pages.addresses import page_url
from docs_search.progress import SILENT, Progress
from docs_search.scope import Scope

ADDRESS = "https://trial.invalid/{slug}/{{path}}"  # a host that no address can have (RFC 6761)


@contextmanager
def trial_corpus(
    slug: str, pages: Iterable[ParsedPage], *, keep: bool = False, progress: Progress = SILENT
) -> Iterator[Scope]:
    """Index pages as an unversioned corpus for as long as the block runs; with `keep`, it stays for the next time.

    Vectors of its texts are kept for a while in any case. Raises InvalidRequest for the slug of a corpus that readers
    search, and IndexingError where another run holds the corpus.
    """
    corpus, _ = Corpus.objects.get_or_create(
        slug=slug, defaults={"title": slug, "parser": "markdown", "url": ADDRESS.format(slug=slug)}
    )
    if corpus.versions.published().exists() or corpus.source:
        raise InvalidRequest(f"There is a corpus {slug!r} that readers search: rename the folder.")
    with claim(corpus):
        try:
            version = _indexed(corpus, pages, get_embedder(), progress)
            yield Scope(corpus=corpus, version=version, version_ids=[version.pk], publications=[0], fallback=None)
        finally:
            if not keep:
                remove_corpus(corpus)


def _indexed(corpus: Corpus, pages: Iterable[ParsedPage], embedder: Embedder, progress: Progress) -> Version:
    version = corpus.versions.first() or Version(corpus=corpus, source=corpus.slug)
    with Spool() as spool:
        progress.stage("parse", 0)
        seen = set()
        for page in map(bounded, pages):
            progress.grow(1)
            progress.advance()
            if page.path in seen or is_too_long(page.path):
                raise InvalidRequest(f"{corpus} has two documents {page.path[:100]!r}, or one whose id is too long.")
            seen.add(page.path)
            chunks = cut(page, count_tokens=embedder.count_tokens, max_tokens=embedder.max_tokens)
            spool.append(prepare(page, chunks, url=page_url(corpus, "", page.path), document=page.path))
        progress.stage("embed", spool.passages)
        embed_missing(spool.texts(), embedder, progress)
        with transaction.atomic():
            corpus.embedding_model, corpus.embedding_dimension = embedder.name, embedder.dimension
            corpus.save()
            version.save()
            if changes := compare(version, spool):
                publish(version, spool, changes, model=embedder.name)
                version.publication, version.published_at = 0, None  # nobody is to find it
                version.save()
    maintain(corpus, published=True)
    return version
