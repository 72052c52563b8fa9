"""Background work. Each task parses its arguments and calls one domain function."""

from celery import shared_task
from django.utils import timezone

from docs_search import counter_cache, search_log
from docs_search.indexing import embeddings
from docs_search.indexing.ingest import ingest
from docs_search.models import Corpus


@shared_task
def ingest_version(corpus: str, version: str = "", location: str | None = None) -> dict[str, int]:
    """Index one version of a corpus; see `indexing.ingest`. Returns the counts of the run."""
    return ingest(Corpus.objects.get(slug=corpus), version, location=location).counts


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
