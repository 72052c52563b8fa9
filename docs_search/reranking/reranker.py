"""Scoring passages against a query by a reranker (a cross-encoder), whichever provider does it."""

import os
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

# By value of RERANK_PROVIDER, beside `none`.
PROVIDERS = {
    "cohere": "docs_search.reranking.cohere.CohereReranker",
    "jina": "docs_search.reranking.jina.JinaReranker",
    "tei": "docs_search.reranking.tei.TEIReranker",
}

_one_at_a_time = Lock()


class RerankError(Exception):
    """A provider gave no scores. `retryable` says whether the same call may succeed later.

    The message goes to the log: it holds neither the query nor a passage nor a key.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class Reranker(Protocol):
    """One reranking model. Safe to use from several threads; never call it on an event loop."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in the order of the texts; higher is better, and that is all that it says.

        Scores are finite and compare within one call. Raises RerankError rather than wait for long.
        """


def get_reranker() -> Reranker | None:
    """The reranker that the settings choose, None for none; one for each process. Raises RerankError."""
    if settings.RERANK_PROVIDER == "none":
        return None
    with _one_at_a_time:
        # A forked worker makes its own: threads and connections do not survive a fork.
        return _reranker_of_process(os.getpid())


def forget_reranker() -> None:
    """Make the next call of `get_reranker` read the settings again."""
    _reranker_of_process.cache_clear()


@cache
def _reranker_of_process(_pid: int) -> Reranker:
    provider = import_string(PROVIDERS[settings.RERANK_PROVIDER])
    reranker: Reranker = provider.from_settings()
    return reranker
