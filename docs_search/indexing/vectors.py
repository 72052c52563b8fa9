"""The vectors of a version: given to its passages and pages when it is published, and indexed when it is large."""

import logging

from django.conf import settings
from django.db import connection

from docs_search.models import PageVector, Passage, Version

logger = logging.getLogger(__name__)


class MissingVectors(RuntimeError):
    """A passage was about to be published without its vector."""


def attach_vectors(version: Version, model: str) -> None:
    """Give new passages the vectors of their texts, and every page the normalised mean of its passages' vectors."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO docs_search_passagevector (passage_id, version_id, vector)
               SELECT passage.id, passage.version_id, embedding.vector
               FROM docs_search_passage passage
                    JOIN docs_search_embedding embedding
                         ON embedding.model = %(model)s AND embedding.content_hash = passage.content_hash
               WHERE passage.version_id = %(version)s
                     AND NOT EXISTS (SELECT FROM docs_search_passagevector item WHERE item.passage_id = passage.id)""",
            {"version": version.pk, "model": model},
        )
    missing = Passage.objects.filter(version=version, vector=None).count()
    if missing:
        raise MissingVectors(f"{missing} passages of {version} have no vector under {model}; nothing was published.")
    PageVector.objects.filter(version=version).delete()
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO docs_search_pagevector (page_id, version_id, vector)
               SELECT passage.page_id, %(version)s, l2_normalize(avg(item.vector))
               FROM docs_search_passagevector item JOIN docs_search_passage passage ON passage.id = item.passage_id
               WHERE item.version_id = %(version)s GROUP BY passage.page_id""",
            {"version": version.pk},
        )


def build_vector_index(version_id: int, *, dimension: int, passages: int) -> bool:
    """Give a large version an HNSW index of its own, and take it from one that is small; returns whether it was built.

    CREATE INDEX CONCURRENTLY, outside any transaction: inside the publish it would block every other run. The exact
    scan serves until it is there. Small versions need none.
    """
    name = _index_name(version_id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])
        found = cursor.fetchone()
        wanted = passages >= settings.VECTOR_INDEX_MIN_PASSAGES
        if wanted and found == (True,):
            return False
        if found:
            drop_vector_index(version_id)  # too small by now, or left behind invalid by a build that was interrupted
        if not wanted:
            return False
        cursor.execute(
            f"""CREATE INDEX CONCURRENTLY {name} ON docs_search_passagevector
                USING hnsw ((vector::halfvec({int(dimension)})) halfvec_ip_ops) WHERE version_id = {int(version_id)}"""
        )
    logger.info("built the vector index of version %s over %s passages", version_id, passages)
    return True


def drop_vector_index(version_id: int) -> None:
    """Remove a version's HNSW index if there is one, without blocking readers."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {_index_name(version_id)}")


def _index_name(version_id: int) -> str:
    return f"passagevector_hnsw_{int(version_id)}"
