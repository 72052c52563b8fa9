import logging
import os
import signal
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from docs_search import search_log
from docs_search.models import SearchLog
from docs_search.search_log import BATCH_ROWS, QUEUE_ROWS, SearchLogEntry, enqueue, flush, prune
from tests.factories import make_search_log

AT = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)


def rows_after(seconds: float, expected: int) -> int:
    """How many rows there are as soon as there are `expected`, or when the time is over."""
    deadline = time.monotonic() + seconds
    while (rows := SearchLog.objects.count()) < expected and time.monotonic() < deadline:
        time.sleep(0.01)
    return rows


@pytest.mark.django_db
def test_row_holds_what_was_searched_and_found() -> None:
    enqueue(
        SearchLogEntry(
            surface="web",
            client="c0ffee",
            corpus="postgres",
            version="17",
            requested_version="17.2",
            query="max_connections",
            section="server",
            results=8,
            top_relevance=0.75,
            timings={"embed": 4.5, "total": 9.25},
            degraded=("semantic",),
            limited=True,
            at=AT,
        )
    )
    flush()
    assert SearchLog.objects.values().get() | {"id": 0} == {
        "id": 0,
        "at": AT,
        "surface": "web",
        "client": "c0ffee",
        "corpus": "postgres",
        "version": "17",
        "requested_version": "17.2",
        "query": "max_connections",
        "section": "server",
        "results": 8,
        "top_relevance": 0.75,
        "timings": {"embed": 4.5, "total": 9.25},
        "degraded": ["semantic"],
        "limited": True,
    }


@pytest.mark.django_db
def test_secrets_are_not_stored() -> None:
    enqueue(SearchLogEntry(surface="api", query="PGPASSWORD=hunter2", requested_version="ada@example.com"))
    flush()
    assert list(SearchLog.objects.values_list("query", "requested_version")) == [("PGPASSWORD=[secret]", "[email]")]


@pytest.mark.django_db
def test_what_postgres_cannot_store_costs_no_row() -> None:
    enqueue(SearchLogEntry(surface="api", query="a\0b\ud800c", requested_version="x" * 90, section="s" * 300))
    flush()
    assert list(SearchLog.objects.values_list("query", "requested_version", "section")) == [
        ("a\ufffdb?c", "x" * 40, "s" * 200)
    ]


@pytest.mark.django_db
def test_rows_are_written_in_batches(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(BATCH_ROWS + 1):
        enqueue(SearchLogEntry(surface="api", query=str(number)))
    with django_assert_num_queries(2):
        flush()
    assert SearchLog.objects.count() == BATCH_ROWS + 1


@pytest.mark.django_db(transaction=True)
def test_thread_writes_within_the_interval_and_ends(settings: Settings) -> None:
    settings.SEARCH_LOG_INTERVAL = 0.05
    enqueue(SearchLogEntry(surface="api", query="first"))
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "search-log")
    assert rows_after(5, 1) == 1
    thread.join(5)
    assert not thread.is_alive()
    enqueue(SearchLogEntry(surface="api", query="second"))
    assert rows_after(5, 2) == 2


@pytest.mark.django_db(transaction=True)
def test_full_batch_does_not_wait_for_the_interval(settings: Settings) -> None:
    settings.SEARCH_LOG_INTERVAL = 60
    for number in range(BATCH_ROWS):
        enqueue(SearchLogEntry(surface="api", query=str(number)))
    assert rows_after(10, BATCH_ROWS) == BATCH_ROWS


@pytest.mark.django_db(transaction=True)
def test_thread_leaves_no_connection_open(settings: Settings) -> None:
    settings.SEARCH_LOG_INTERVAL = 0.01
    before = idle_connections()
    enqueue(SearchLogEntry(surface="api", query="first"))
    (thread,) = (thread for thread in threading.enumerate() if thread.name == "search-log")
    thread.join(5)
    assert SearchLog.objects.count() == 1
    deadline = time.monotonic() + 5  # the server needs a moment to end a session
    while idle_connections() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert idle_connections() == before


def idle_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'")
        return int(cursor.fetchone()[0])


def test_full_queue_drops_rows_with_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    for number in range(QUEUE_ROWS + 3):
        enqueue(SearchLogEntry(surface="api", query=str(number)))
    assert [record.getMessage() for record in caplog.records] == ["1 searches were not logged: the queue is full"]


@pytest.mark.django_db(transaction=True)
def test_database_fault_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with connection.execute_wrapper(refuse):
        enqueue(SearchLogEntry(surface="api", query="lost"))
        flush()
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.WARNING, "1 searches were not logged: the server is down")
    ]
    enqueue(SearchLogEntry(surface="api", query="kept"))
    flush()
    assert [row.query for row in SearchLog.objects.all()] == ["kept"]


def refuse(execute: object, sql: str, *arguments: object) -> None:
    raise DatabaseError("the server is down\nDETAIL: quoted text")


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_forked_child_begins_without_rows_and_without_held_locks() -> None:
    enqueue(SearchLogEntry(surface="api", query="of the parent"))
    with search_log._writer._changed:
        child = os.fork()
        if child == 0:
            signal.alarm(5)  # a held lock would block for ever
            enqueue(SearchLogEntry(surface="api", query="of the child"))
            os._exit(len(search_log._writer._rows))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 1


@pytest.mark.django_db
def test_old_text_is_blanked_and_its_row_kept(settings: Settings) -> None:
    settings.SEARCH_LOG_RETENTION_DAYS = 30
    make_search_log("old", at=AT - timedelta(days=30, seconds=1))
    make_search_log("recent", at=AT - timedelta(days=30))
    assert prune(AT) == 1
    assert prune(AT) == 0
    assert list(SearchLog.objects.order_by("at").values_list("query", "results")) == [("", 3), ("recent", 3)]
