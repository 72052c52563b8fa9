"""Background work. Each task parses its arguments and calls one domain function."""

import logging
import time

from celery import Task, shared_task
from django.utils import timezone

from docs_search import counter_cache, search_log, uploads
from docs_search.embedding.embedder import EmbeddingError
from docs_search.errors import DocentError, UnknownCorpus
from docs_search.indexing import embeddings
from docs_search.indexing.ingest import ingest
from docs_search.indexing.runs import CorpusBusy, IndexingError
from docs_search.models import Corpus
from docs_search.sources import SourceError
from docs_search.sources.site.source import stores_folder
from docs_search.sources.site.store_files import prune_stores
from docs_search.versions import source_slug

logger = logging.getLogger(__name__)

MAX_RETRIES = 5
RETRY_SECONDS = 60
MAX_WAITS = 96
WAIT_SECONDS = 300  # together eight hours, longer than the largest corpus takes
# Their messages say all that there is to know; everything else is logged with its traceback.
EXPECTED = (DocentError, EmbeddingError, IndexingError, SourceError)


@shared_task(bind=True, max_retries=MAX_RETRIES + MAX_WAITS, throws=EXPECTED)
def ingest_version(
    self: "Task[..., dict[str, int]]",
    corpus: str,
    version: str = "",
    location: str | None = None,
    allow_shrink: bool = False,
    waits: int = 0,
) -> dict[str, int]:
    """Index one version of a corpus; see `indexing.ingest`. Returns the counts of the run.

    Tried again after 1, 2, 4 … minutes where the embedding provider or the source may answer later. While another run
    holds the corpus, it waits; `waits` counts how often it has done so. An uploaded archive is deleted after the last
    attempt.
    """
    retried = False
    try:
        report = ingest(_corpus(corpus), version, location=location, allow_shrink=allow_shrink)
    except EXPECTED as fault:
        failures = self.request.retries - waits
        busy = isinstance(fault, CorpusBusy)
        passing = isinstance(fault, EmbeddingError | SourceError) and fault.retryable
        if (busy and waits < MAX_WAITS) or (passing and failures < MAX_RETRIES):
            retried = True
            again = (corpus, version, location, allow_shrink, waits + busy)
            pause = WAIT_SECONDS if busy else RETRY_SECONDS * 2**failures
            raise self.retry(args=again, kwargs={}, exc=fault, countdown=pause) from fault
        logger.error("%s was not indexed: %s", source_slug(corpus, version), fault)
        raise
    finally:
        if not retried:
            uploads.discard(location)
    logger.info("%s was indexed: %s", report.version, ", ".join(f"{name} {n}" for name, n in report.counts.items()))
    return report.counts


def _corpus(slug: str) -> Corpus:
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        raise UnknownCorpus(f"There is no corpus {slug!r}.")
    return corpus


@shared_task
def prune_logs() -> int:
    """Blank what readers typed once it is older than the retention period; returns the rows changed."""
    blanked = search_log.prune(timezone.now())
    logger.info("%d searches were blanked", blanked)
    return blanked


@shared_task
def prune_embeddings() -> int:
    """Delete old vectors that no passage uses any longer; returns how many."""
    deleted = embeddings.prune(timezone.now())
    logger.info("%d unused vectors were deleted", deleted)
    return deleted


@shared_task
def prune_counters() -> int:
    """Delete rate-limit counters that have expired; returns how many."""
    return counter_cache.prune(timezone.now())


@shared_task
def prune_uploads() -> int:
    """Delete uploaded archives whose run never ended; returns how many."""
    deleted = uploads.prune(timezone.now())
    logger.info("%d uploads were deleted", deleted)
    return deleted


@shared_task
def prune_crawls() -> int:
    """Delete what was fetched of websites that no run has read for long; returns how many websites."""
    deleted = prune_stores(stores_folder(), time.time())
    logger.info("%d crawled websites were deleted", deleted)
    return deleted
