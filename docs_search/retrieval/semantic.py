"""The semantic leg: nearest passages by inner product of normalised vectors."""

from collections.abc import Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from docs_search.retrieval.hits import LegHit

# Recall 0.984-0.997 at 1-1.5 ms on a manual of 11,500 passages.
EF_SEARCH = 100


def semantic_leg(
    vector: NDArray[np.float32], *, version_ids: Sequence[int], limit: int, section: str | None = None
) -> list[LegHit]:
    """The passages nearest to a query vector, best first. The score is the cosine.

    Each version is its own subquery with its id spelled out, so that the planner may use that version's partial
    HNSW index where there is one; where there is none, the scan is exact.
    """
    dimension = len(vector)
    nearest = " UNION ALL ".join(
        f"""(SELECT item.passage_id, item.vector::halfvec({dimension}) <#> %(vector)s::halfvec({dimension}) AS distance
             FROM docs_search_passagevector item
             {_section_join(section)}
             WHERE item.version_id = {int(version_id)}
             ORDER BY distance LIMIT %(limit)s)"""
        for version_id in version_ids
    )
    with connection.cursor() as cursor:
        if section is None and limit > 40:
            cursor.execute("SELECT set_config('hnsw.ef_search', %s, false)", [str(max(EF_SEARCH, limit))])
        cursor.execute(
            f"""SELECT passage.id, passage.page_id, passage.kind, -nearest.distance
                FROM (SELECT * FROM ({nearest}) every ORDER BY distance LIMIT %(limit)s) nearest
                     JOIN docs_search_passage passage ON passage.id = nearest.passage_id
                ORDER BY nearest.distance, passage.id""",
            {"vector": HalfVector(vector).to_text(), "limit": limit, "section": section},
        )
        return [LegHit(*row) for row in cursor.fetchall()]


def _section_join(section: str | None) -> str:
    if section is None:
        return ""
    return """JOIN docs_search_passage passage ON passage.id = item.passage_id
              JOIN docs_search_page page ON page.id = passage.page_id AND page.section = %(section)s"""
