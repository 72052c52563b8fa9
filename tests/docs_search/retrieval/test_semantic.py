from collections.abc import Iterator

import numpy as np
import pytest
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector
from pytest_django.fixtures import Settings

from docs_search.indexing.vectors import build_vector_index, drop_vector_index
from docs_search.models import PassageVector, Version
from docs_search.retrieval.semantic import semantic_leg
from tests.factories import make_page, make_passage, make_version

DIMENSION = 8
Vector = NDArray[np.float32]


def unit(random: np.random.Generator) -> Vector:
    """A random vector of length 1, with the precision that is stored."""
    vector = random.normal(size=DIMENSION)
    return (vector / np.linalg.norm(vector)).astype(np.float16).astype(np.float32)


def fill(version: Version, count: int, path: str = "guide/a.html") -> dict[int, Vector]:
    """Passages with random vectors of length 1, by id."""
    random = np.random.default_rng(version.pk)
    page = make_page(version, path)
    vectors = {make_passage(page, f"{path} {number}").pk: unit(random) for number in range(count)}
    PassageVector.objects.bulk_create(
        PassageVector(passage_id=pk, version=version, vector=HalfVector(vector)) for pk, vector in vectors.items()
    )
    return vectors


def nearest(query: Vector, vectors: dict[int, Vector], limit: int) -> list[int]:
    return sorted(vectors, key=lambda pk: -float(query @ vectors[pk]))[:limit]


@pytest.mark.django_db
def test_passages_come_by_their_cosine_from_all_versions_asked_for() -> None:
    first = make_version()
    second, third = (make_version(first.corpus, name) for name in ("18", "cloud"))
    vectors = fill(first, 20) | fill(third, 20)
    fill(second, 20)
    query = unit(np.random.default_rng(0))

    hits = semantic_leg(query, version_ids=[first.pk, third.pk], limit=10)

    assert [hit.passage_id for hit in hits] == nearest(query, vectors, 10)
    assert [hit.score for hit in hits] == pytest.approx(
        [float(query @ vectors[hit.passage_id]) for hit in hits], abs=2e-3
    )


@pytest.mark.django_db
def test_a_section_narrows_the_search() -> None:
    version = make_version()
    inside = fill(version, 5, "admin/a.html")
    fill(version, 5, "sql/b.html")

    hits = semantic_leg(unit(np.random.default_rng(1)), version_ids=[version.pk], limit=10, section="admin")

    assert {hit.passage_id for hit in hits} == inside.keys()


@pytest.fixture
def indexed(transactional_db: None, settings: Settings) -> Iterator[tuple[Version, dict[int, Vector]]]:
    settings.VECTOR_INDEX_MIN_PASSAGES = 500
    version = make_version()
    vectors = fill(version, 500)
    yield version, vectors
    drop_vector_index(version.pk)


def test_a_large_version_gets_an_index_that_finds_what_the_exact_scan_finds(
    indexed: tuple[Version, dict[int, Vector]],
) -> None:
    version, vectors = indexed
    query = unit(np.random.default_rng(2))
    exact = [hit.passage_id for hit in semantic_leg(query, version_ids=[version.pk], limit=50)]

    assert build_vector_index(version.pk, dimension=DIMENSION, passages=499) is False
    assert build_vector_index(version.pk, dimension=DIMENSION, passages=500) is True
    assert build_vector_index(version.pk, dimension=DIMENSION, passages=500) is False

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE docs_search_passagevector")
        # At this size the planner would rather sort.
        cursor.execute("SET enable_sort = off")
    try:
        found = semantic_leg(query, version_ids=[version.pk], limit=50)
        assert index_scans(version) == 1
    finally:
        connection.close()
    assert exact == nearest(query, vectors, 50)
    assert len({hit.passage_id for hit in found} & set(exact)) >= 48


def test_a_section_of_a_large_version_yields_as_many_hits_as_were_asked_for(
    indexed: tuple[Version, dict[int, Vector]],
) -> None:
    version, _ = indexed
    inside = fill(version, 100, "admin/a.html")
    build_vector_index(version.pk, dimension=DIMENSION, passages=600)
    query = unit(np.random.default_rng(3))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE docs_search_passagevector")
        cursor.execute("SET enable_sort = off")
    try:
        hits = semantic_leg(query, version_ids=[version.pk], limit=50, section="admin")
    finally:
        connection.close()

    assert [hit.passage_id for hit in hits] == nearest(query, inside, 50)


def index_scans(version: Version) -> int:
    """How often the version's index was used."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(
            "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = %s", [f"passagevector_hnsw_{version.pk}"]
        )
        return int(cursor.fetchone()[0])
