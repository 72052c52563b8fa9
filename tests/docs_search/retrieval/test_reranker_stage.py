"""What a search does with a reranker, and without one that was meant to be there."""

import time
from collections.abc import Iterator, Sequence

import httpx
import pytest
from django.db import connection, connections
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from config.postgres.pooled import base as pooled_base
from docs_search.models import Passage
from docs_search.reranking.circuit_breaker import FAILURES
from docs_search.reranking.reranker import RerankError
from docs_search.reranking.tei import TEIReranker
from docs_search.retrieval import legs
from docs_search.retrieval.ablation import Ranking, ranked_pages
from docs_search.retrieval.hits import SearchResult, Stage
from docs_search.retrieval.reranker_stage import MAX_TEXT
from docs_search.retrieval.search import search
from docs_search.scope import resolve_scope
from tests.fakes import use_reranker
from tests.loopback import QuietHandler, serving

pytestmark = pytest.mark.usefixtures("manual")

# Each of these words stands in passages of both pages.
QUERY = "dump every table"


class WordReranker:
    """Scores a text by how often it holds a word, on a scale below zero. Keeps what it was asked."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked: list[tuple[str, list[str]]] = []

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.asked.append((query, list(texts)))
        return [text.lower().count(self.word) - 1000.0 for text in texts]


class FailingReranker(WordReranker):
    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        super().rerank(query, texts)
        raise RerankError("tiny: status 503", retryable=True)


@pytest.fixture(autouse=True)
def _nothing_was_logged_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "_quiet_until", {})


def find(query: str = QUERY, **arguments: object) -> SearchResult:
    return search(query=query, corpus="manual", **arguments)  # type: ignore[arg-type]


def order(result: SearchResult) -> list[tuple[int, float]]:
    return [(hit.passage_id, hit.score) for hit in result.hits]


def test_pages_follow_the_reranker() -> None:
    assert find().hits[0].title == "Backup"
    with use_reranker(WordReranker("memory")):
        result = find()

    assert result.degraded == []
    assert (result.hits[0].title, result.hits[0].heading) == ("Tuning", "Memory")
    assert [hit.score for hit in result.hits] == sorted((hit.score for hit in result.hits), reverse=True)
    assert {hit.passage_id for hit in result.hits} == {hit.passage_id for hit in find().hits}


def test_it_reads_the_query_and_passages_with_their_headings_first() -> None:
    reranker = WordReranker("memory")
    with use_reranker(reranker):
        result = find()

    assert [query for query, _ in reranker.asked] == [QUERY]
    texts = reranker.asked[0][1]
    assert len(texts) == len(result.hits)
    assert [text for text in texts if text.startswith("Backup > Dump\n")] == list(
        Passage.objects.filter(heading="Dump").values_list("text", flat=True)
    )


def test_its_score_is_told_beside_those_of_the_other_stages() -> None:
    with use_reranker(WordReranker("memory")):
        hit = find().hits[0]

    assert hit.stages["reranker_score"] == -998.0
    assert hit.stages["rerank_score"] == hit.score
    assert [hit.stages.get("reranker_score") for hit in find().hits] == [None] * len(find().hits)


def test_no_more_passages_are_sent_than_the_depth(settings: Settings) -> None:
    settings.RERANK_DEPTH = 2
    reranker = WordReranker("memory")
    best = [hit.passage_id for hit in find().hits[:2]]
    with use_reranker(reranker):
        result = find(limit=1)

    assert len(reranker.asked[0][1]) == 2
    assert result.hits[0].passage_id in best
    assert len(result.hits) == 1


def test_the_limit_of_results_does_not_change_what_is_sent() -> None:
    reranker = WordReranker("memory")
    with use_reranker(reranker):
        few, many = find(limit=1), find(limit=50)

    assert reranker.asked[0] == reranker.asked[1]
    assert order(few) == order(many)[:1]


@pytest.mark.django_db
def test_a_long_passage_is_sent_in_part() -> None:
    Passage.objects.filter(heading="Dump").update(text="Backup > Dump\n" + "dump " * 10_000)
    reranker = WordReranker("memory")
    with use_reranker(reranker):
        find()

    assert max(map(len, reranker.asked[0][1])) == MAX_TEXT


def test_pages_about_the_name_that_is_asked_for_keep_their_lead() -> None:
    reranker = WordReranker("building")
    with use_reranker(reranker):
        result = find("shared_buffers")

    assert order(result)[0] == order(find("shared_buffers"))[0]
    assert [text for _, texts in reranker.asked for text in texts if "shared_buffers" in text] == []


def test_where_nothing_may_move_nothing_is_sent() -> None:
    reranker = WordReranker("memory")
    with use_reranker(reranker):
        assert find("unheard").degraded == []

    assert reranker.asked == []


def test_a_failure_leaves_the_ranking_as_it_was_and_is_named(caplog: pytest.LogCaptureFixture) -> None:
    with use_reranker(FailingReranker("memory")):
        results = [find() for _ in range(3)]

    assert [result.degraded for result in results] == [[Stage.RERANK]] * 3
    assert [order(result) for result in results] == [order(find())] * 3
    assert caplog.messages == ["search stage rerank failed: tiny: status 503"]


def test_a_reranker_that_lacks_a_setting_leaves_the_ranking_as_it_was(settings: Settings) -> None:
    settings.RERANK_PROVIDER = "tei"

    result = find()

    assert result.degraded == [Stage.RERANK]
    settings.RERANK_PROVIDER = "none"
    assert order(result) == order(find())


@pytest.fixture
def slow_reranker() -> Iterator[TEIReranker]:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            time.sleep(0.5)

    with serving(Handler) as url, httpx.Client(base_url=url, timeout=0.2) as client:
        yield TEIReranker(client, model="tiny", timeout=0.2)


def test_an_endpoint_that_hangs_costs_some_searches_their_time_and_not_all(slow_reranker: TEIReranker) -> None:
    with use_reranker(slow_reranker):
        times = [find().timings[Stage.RERANK] for _ in range(FAILURES + 2)]

    assert [ms > 190 for ms in times] == [True] * FAILURES + [False] * 2


def test_texts_are_read_by_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    find()
    with connection.execute_wrapper(count := _Count()):
        find()
    with use_reranker(WordReranker("memory")), django_assert_num_queries(count.queries + 1):
        find()


class _Count:
    def __init__(self) -> None:
        self.queries = 0

    def __call__(self, execute: object, sql: str, params: object, many: bool, context: object) -> object:
        self.queries += 1
        return execute(sql, params, many, context)  # type: ignore[operator]


class WatchingReranker(WordReranker):
    """Notes whether its thread holds a connection to the database while it works."""

    def __init__(self) -> None:
        super().__init__("memory")
        self.held: list[bool] = []

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.held.append(connection.connection is not None)
        return super().rerank(query, texts)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A pool in the place of this thread's own connection."""
    monkeypatch.setattr(pooled_base.DatabaseWrapper, "_pools", {})
    own = connections["default"]
    options = own.settings_dict["OPTIONS"] | {"pool": {"size": 1, "timeout": 5}}
    pooled = pooled_base.DatabaseWrapper(own.settings_dict | {"OPTIONS": options}, alias="default")
    connections["default"] = pooled
    try:
        yield
    finally:
        connections["default"] = own
        pooled.close()
        pooled.close_pool()


def test_no_connection_is_held_while_the_reranker_is_waited_for(pool: None) -> None:
    reranker = WatchingReranker()
    with use_reranker(reranker):
        assert find().hits[0].title == "Tuning"

    assert reranker.held == [False]


@pytest.mark.django_db
def test_a_transaction_keeps_its_connection() -> None:
    reranker = WatchingReranker()
    with use_reranker(reranker):
        find()

    assert reranker.held == [True]


def test_evaluation_sees_the_reranker_as_the_last_stage() -> None:
    scope = resolve_scope("manual", None)
    plain = ranked_pages(QUERY, scope)

    with use_reranker(WordReranker("memory")):
        assert ranked_pages(QUERY, scope, Ranking.WHOLES) == plain
        assert ranked_pages(QUERY, scope) == plain[::-1]
