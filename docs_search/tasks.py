"""Background work. Each task parses its arguments and calls one domain function."""

from celery import Task, shared_task
from django.utils import timezone

from docs_search import counter_cache, search_log
from docs_search.embedding.embedder import EmbeddingError
from docs_search.indexing import embeddings
from docs_search.indexing.ingest import ingest
from docs_search.models import Corpus

MAX_RETRIES = 5
RETRY_SECONDS = 60


@shared_task(bind=True, max_retries=MAX_RETRIES)
def ingest_version(
    self: "Task[..., dict[str, int]]", corpus: str, version: str = "", location: str | None = None
) -> dict[str, int]:
    """Index one version of a corpus; see `indexing.ingest`. Returns the counts of the run.

    Tried again after 1, 2, 4 … minutes where the embedding provider says that the same call may succeed later.
    """
    try:
        return ingest(Corpus.objects.get(slug=corpus), version, location=location).counts
    except EmbeddingError as fault:
        if not fault.retryable:
            raise
        raise self.retry(exc=fault, countdown=RETRY_SECONDS * 2**self.request.retries) from fault


@shared_task
def prune_logs() -> int:
    """Blank what readers typed once it is older than the retention period; returns the rows changed."""
    return search_log.prune(timezone.now())


@shared_task
def prune_embeddings() -> int:
    """Delete old vectors that no passage uses any longer; returns how many."""
    return embeddings.prune(timezone.now())


@shared_task
def prune_counters() -> int:
    """Delete rate-limit counters that have expired; returns how many."""
    return counter_cache.prune(timezone.now())
