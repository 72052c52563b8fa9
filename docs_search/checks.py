"""Whether settings fit each other, and the stored index fits them: `manage.py check --database default`."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.db import DatabaseError

from docs_search.embedding.embedder import EmbeddingError, get_embedder
from docs_search.models import Corpus
from docs_search.reranking.reranker import RerankError, get_reranker


def check_embedding_models(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """A warning for each corpus whose vectors another model made than the one that is configured.

    Searches in such a corpus run without vectors, and indexing it is refused. It is no error, since `migrate` must run
    before `reembed` can. Runs only where a database is asked for.
    """
    if not databases:
        return []
    try:
        configured = get_embedder().name
        corpora = list(Corpus.objects.exclude(embedding_model__in=["", configured]))
    except EmbeddingError as fault:
        return [Error(str(fault), id="docs_search.E002")]
    except DatabaseError:  # the tables are not there yet; migrate makes them
        return []
    return [
        Warning(
            f"The vectors of {corpus.slug} were made by {corpus.embedding_model}, and {configured} is configured.",
            hint=f"Configure the former model again, or run: manage.py reembed {corpus.slug}",
            obj=corpus,
            id="docs_search.W001",
        )
        for corpus in corpora
    ]


def check_reranker(**_: Any) -> list[CheckMessage]:
    """An error where the chosen reranker lacks a setting or cannot use one; a warning where none is chosen to use them.

    Nothing is sent: an endpoint that is away does not stop a start.
    """
    try:
        reranker = get_reranker()
    except RerankError as fault:
        return [Error(str(fault), id="docs_search.E003")]
    unused = [name for name in ("RERANK_BASE_URL", "RERANK_API_KEY", "RERANK_MODEL") if getattr(settings, name)]
    if reranker is None and unused:
        return [
            Warning(
                f"No reranker is asked, though {', '.join(unused)} is set.",
                hint="Set RERANK_PROVIDER to cohere, jina or tei.",
                id="docs_search.W002",
            )
        ]
    return []
