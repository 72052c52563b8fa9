"""What keeps a published index fast: statistics, visibility and vector indexes. Searches are right without it."""

import logging

from django.db import DatabaseError, InterfaceError, connection

from docs_search.indexing.vectors import build_vector_index
from docs_search.models import Corpus

logger = logging.getLogger(__name__)


def maintain(corpus: Corpus, *, published: bool) -> str | None:
    """Look after the tables where something was `published`, and after the vector index of every version.

    Runs outside any transaction. Returns what to warn of where the database refuses: the next run tries again.
    """
    try:
        with connection.cursor() as cursor:
            if published:
                # Index-only scans over the postings need a current visibility map, the planner current statistics.
                cursor.execute(
                    "VACUUM (ANALYZE) docs_search_posting, docs_search_pageposting, docs_search_passagevector,"
                    " docs_search_identifier"
                )
                cursor.execute("ANALYZE docs_search_passage, docs_search_page, docs_search_term")
        if dimension := corpus.embedding_dimension:
            for version in corpus.versions.published():
                build_vector_index(version.pk, dimension=dimension, passages=version.passage_count)
    except (DatabaseError, InterfaceError) as fault:
        logger.warning("maintenance of %s failed: %s", corpus, fault)
        return f"The index is published, but its maintenance failed and searches may be slow: {fault}"
    return None
