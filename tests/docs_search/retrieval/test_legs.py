"""What a search reports, and what the log says, of stages that fail."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from django.db import InterfaceError, connection

from docs_search.embedding.openai_embeddings import OpenAIEmbedder
from docs_search.retrieval import legs
from docs_search.retrieval.hits import LegHit, SearchResult, Stage
from docs_search.retrieval.legs import WARN_EVERY, Trace
from docs_search.retrieval.search import search
from tests.fakes import ScriptedEmbedder, use_embedder

MARKER = "marmalade"


pytestmark = pytest.mark.usefixtures("manual")


@pytest.fixture(autouse=True)
def _nothing_was_logged_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "_quiet_until", {})


def find(query: str = MARKER) -> SearchResult:
    return search(query=query, corpus="manual")


@contextmanager
def renamed(kind: str, name: str) -> Iterator[None]:
    """A thing of the database that no query finds."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER {kind} {name} RENAME TO away")
        try:
            yield
        finally:
            cursor.execute(f"ALTER {kind} away RENAME TO {name}")


class OtherModel(ScriptedEmbedder):
    name = "other"


@pytest.fixture
def endpoint_that_is_away() -> Iterator[OpenAIEmbedder]:
    with httpx.Client(base_url="http://127.0.0.1:1/v1") as client:
        embedder = OpenAIEmbedder(client, model="tiny", dimension=384, max_tokens=100, timeout=1, query_timeout=1)
        embedder.name = ScriptedEmbedder.name
        yield embedder


def test_a_statement_that_fails_is_logged_without_the_query(caplog: pytest.LogCaptureFixture) -> None:
    # PostgreSQL quotes the line that names the configuration, where the query stands too.
    with renamed("TEXT SEARCH CONFIGURATION", "docent"):
        assert find().degraded == [Stage.KEYWORD]

    assert MARKER not in caplog.text
    assert caplog.messages == ["search stage keyword failed: ProgrammingError 42704"]
    assert caplog.records[0].exc_info is None


def test_an_embedder_that_fails_is_logged_in_one_line_without_the_query(
    caplog: pytest.LogCaptureFixture, endpoint_that_is_away: OpenAIEmbedder
) -> None:
    with use_embedder(endpoint_that_is_away):
        assert [find().degraded for _ in range(3)] == [[Stage.EMBED]] * 3

    assert MARKER not in caplog.text
    assert caplog.messages == ["search stage embed failed: tiny: ConnectError after 1 attempts"]
    assert caplog.records[0].exc_info is None


def test_vectors_of_another_model_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with use_embedder(OtherModel()):
        assert [find().degraded for _ in range(3)] == [[Stage.SEMANTIC]] * 3

    assert [message.partition(" has ")[2] for message in caplog.messages] == ["vectors of scripted, not of other"]


def test_a_failure_that_lasts_is_logged_again_after_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with use_embedder(OtherModel()):
        find()
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + WARN_EVERY)
        find()
        find()

    assert len(caplog.messages) == 2


def test_one_failure_does_not_hide_another(caplog: pytest.LogCaptureFixture) -> None:
    with use_embedder(OtherModel()), renamed("TABLE", "docs_search_posting"):
        find()

    assert len(caplog.messages) == 2


def test_failed_stages_and_timings_are_reported_in_the_order_of_the_stages() -> None:
    trace = Trace()

    def fails() -> list[LegHit]:
        raise InterfaceError("the connection is closed")

    for stage in reversed(Stage):
        trace.attempt(stage, fails)

    assert trace.degraded == list(Stage)
    assert list(trace.finished()) == [*Stage, "total"]


def test_a_search_reports_failed_stages_in_order() -> None:
    with renamed("TABLE", "docs_search_posting"), use_embedder(OtherModel()):
        result = find()

    assert result.degraded == [Stage.KEYWORD, Stage.SEMANTIC]
    assert list(result.timings) == [Stage.EXACT, Stage.KEYWORD, Stage.FUSE, Stage.RERANK, "total"]
