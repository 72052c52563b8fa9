from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from django.db import connection, transaction
from numpy.typing import NDArray
from pytest_django import DjangoAssertNumQueries

from docs_search import search_log
from docs_search.errors import InvalidRequest, UnknownSection, UnknownVersion
from docs_search.models import Passage, SearchLog
from docs_search.retrieval.hits import SearchResult, Stage
from docs_search.retrieval.search import search
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.usefixtures("manual")


def find(query: str, **arguments: object) -> SearchResult:
    return search(query=query, corpus="manual", **arguments)  # type: ignore[arg-type]


def test_the_passage_that_answers_comes_first_with_all_that_a_reader_needs() -> None:
    result = find("read the dump back into a cluster")

    assert (result.corpus, result.version, result.fallback, result.degraded) == ("manual", "17", None, [])
    hit = result.hits[0]
    assert (hit.title, hit.heading, hit.heading_path) == ("Backup", "Restore", ("Backup", "Restore"))
    assert (hit.url, hit.anchor) == ("https://docs.example.org/17/guide/backup", "restore")
    assert [hit.snippet[low:high] for low, high in hit.highlights][:4] == ["read", "dump", "back", "cluster"]
    assert 0 < hit.relevance < 1
    assert not hit.exact
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)


def test_an_exact_name_is_marked_and_leads() -> None:
    result = find("shared_buffers")

    assert result.hits[0].heading == "Memory"
    assert result.hits[0].exact
    assert result.hits[0].stages["exact_rank"] == 1


def test_every_stage_is_timed() -> None:
    timings = find("dump").timings

    assert set(timings) == {*Stage, "total"}
    assert timings["total"] >= max(timings[stage] for stage in (Stage.EMBED, Stage.SEMANTIC))


@contextmanager
def missing(table: str) -> Iterator[None]:
    """A table that no query finds."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO away")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE away RENAME TO {table}")


@pytest.mark.parametrize(
    ("table", "stages"),
    [
        ("docs_search_identifier", [Stage.EXACT]),
        ("docs_search_posting", [Stage.KEYWORD]),
        ("docs_search_passagevector", [Stage.SEMANTIC]),
        ("docs_search_pagevector", [Stage.RERANK]),
    ],
)
def test_a_stage_that_fails_is_named_and_the_others_answer(table: str, stages: list[Stage]) -> None:
    with missing(table):
        result = find("pg_dump every night")

    assert result.degraded == stages
    assert result.hits[0].title == "Backup"
    assert find("pg_dump every night").degraded == []


class NarrowEmbedder(ScriptedEmbedder):
    """Claims to be the model of the index and gives vectors that do not fit it."""

    dimension = 5


def test_vectors_that_cannot_be_compared_cost_the_semantic_leg_alone() -> None:
    with use_embedder(NarrowEmbedder()):
        result = find("pg_dump every night")

    assert result.degraded == [Stage.SEMANTIC]
    assert result.hits[0].title == "Backup"


def test_without_an_embedder_words_still_find() -> None:
    embedder = ScriptedEmbedder()
    embedder.fail_after(0)
    with use_embedder(embedder):
        result = find("dump every night")

    assert result.degraded == [Stage.EMBED]
    assert result.hits[0].title == "Backup"
    assert result.hits[0].relevance > 0


class PublishingEmbedder(ScriptedEmbedder):
    """Removes a passage while it embeds the query: after the legs that go by words have found it."""

    def __init__(self, passage: int) -> None:
        super().__init__()
        self.passage = passage

    def embed_query(self, text: str) -> NDArray[np.float32]:
        Passage.objects.filter(pk=self.passage).delete()
        return super().embed_query(text)


@pytest.mark.django_db
def test_where_a_publish_removed_a_hit_meanwhile_the_new_index_is_searched() -> None:
    found = [hit.passage_id for hit in find("dump").hits]
    rest = len(found) - 1
    with use_embedder(PublishingEmbedder(found[0])):
        after = find("dump", limit=rest)

    assert after.degraded == []
    assert {hit.passage_id for hit in after.hits} == set(found[1:])


@pytest.mark.django_db
def test_inside_a_transaction_its_own_rows_are_searched() -> None:
    Passage.objects.filter(heading="Memory").update(heading="Changed here")

    assert find("shared_buffers").hits[0].heading == "Changed here"


def test_many_searches_at_once_all_answer() -> None:
    def find_and_leave(_: int) -> int:
        try:
            return find("dump").hits[0].passage_id
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as threads:
        first = set(threads.map(find_and_leave, range(48)))

    assert len(first) == 1


@pytest.mark.django_db
def test_searches_are_logged_with_secrets_masked() -> None:
    find("dump the cluster of postgres://me:hunter2@db.example.org/app", section="guide", surface="web", client="c")
    search_log.flush()

    log = SearchLog.objects.get()
    assert "hunter2" not in log.query
    assert (log.corpus, log.version, log.section, log.surface, log.client) == ("manual", "17", "guide", "web", "c")
    assert log.results > 0
    assert log.top_relevance
    assert set(log.timings) == {*Stage, "total"}


@pytest.mark.parametrize("query", ["", "  ", "x" * 1001, "a\0b"])
def test_a_query_that_is_none_is_refused(query: str) -> None:
    with pytest.raises(InvalidRequest, match="1 to 1000 characters"):
        find(query)


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_a_limit_out_of_bounds_is_refused(limit: int) -> None:
    with pytest.raises(InvalidRequest, match="between 1 and 100"):
        find("dump", limit=limit)


def test_unknown_sections_and_versions_name_what_there_is() -> None:
    with pytest.raises(UnknownSection, match="Sections of this version: guide"):
        find("dump", section="nowhere")
    with pytest.raises(UnknownVersion) as raised:
        find("dump", version="banana")
    assert raised.value.versions == ["17"]


def test_a_release_that_is_not_indexed_falls_back_to_the_nearest() -> None:
    result = find("dump", version="16")

    assert result.version == "17"
    assert result.fallback
    assert (result.fallback.requested, result.fallback.used) == ("16", "17")


def test_a_search_costs_the_same_queries_whatever_it_finds(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    with transaction.atomic():
        for limit in (1, 3):
            # scope, names, keyword, the breadth of an index scan, semantic, pages, passages
            with django_assert_num_queries(8):
                find("dump", limit=limit)
