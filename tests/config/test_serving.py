"""What a server has to stand: commands that publish beside it, readers who come together, a database that stalls."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from docs_search.embedding.embedder import get_embedder
from tests.live_server import database_url, live_server, request
from tests.published_manual import DOCUMENTS, published_manual

SETTINGS = {"RATE_LIMIT": "1000000/m", "DEFAULT_CORPUS": "manual"}
SEARCH = "/v1/search?q=how+do+I+save+my+data"
UNAVAILABLE = {
    "error": "unavailable",
    "message": "The database is down or too busy. Try again in 5 s.",
    "retryAfter": 5,
}


@pytest.fixture(scope="module")
def manual(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    with django_db_blocker.unblock(), published_manual(tmp_path_factory.mktemp("manual"), get_embedder()):
        yield


def get(server: str, target: str = SEARCH) -> tuple[int, dict[str, Any]]:
    """The status and the body of a response."""
    reply = request(server, target)
    return reply.status, json.loads(reply.body)


def ingest_beside(folder: Path) -> None:
    """Index `folder` by a process of its own. It would fail if the limit of the server's statements held for it."""
    subprocess.run(
        [sys.executable, "manage.py", "ingest", "manual", "17", "--from", str(folder)],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": database_url(), "DATABASE_STATEMENT_TIMEOUT": "1"},
        capture_output=True,
        check=True,
        timeout=120,
    )


@pytest.mark.usefixtures("manual")
def test_a_running_server_serves_what_a_command_publishes_at_once(tmp_path: Path) -> None:
    changed = {path: text.replace("every night", "every evening") for path, text in DOCUMENTS.items()}
    for path, text in changed.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with live_server(**SETTINGS) as server:
        query = "/v1/search?q=when+to+run+pg_dump&limit=1"
        before = get(server, query)[1]["results"][0]["text"]
        ingest_beside(tmp_path)
        after = get(server, query)[1]["results"][0]["text"]
        page = get(server, "/v1/docs/17/guide/backup")[1]["markdown"]

    assert (before.count("every night"), before.count("every evening")) == (1, 0)
    assert (after.count("every night"), after.count("every evening")) == (0, 1)
    assert (page.count("every night"), page.count("every evening")) == (0, 1)


@pytest.mark.usefixtures("manual")
def test_many_searches_at_once_share_two_connections() -> None:
    """Each needs two threads with a connection each: were one held while waiting for the other, all would stall."""
    with live_server(**SETTINGS, DATABASE_POOL_SIZE="2") as server, ThreadPoolExecutor(16) as readers:
        replies = list(readers.map(get, [server] * 16))

    found = [(status, body.get("degraded"), body["results"][0]["heading"]) for status, body in replies]
    assert found == [(200, None, "Dump")] * 16


@pytest.mark.usefixtures("manual")
def test_fifty_searches_at_once_share_the_ten_connections_of_a_server() -> None:
    with live_server(**SETTINGS, DATABASE_POOL_SIZE="10") as server, ThreadPoolExecutor(50) as readers:
        replies = list(readers.map(get, [server] * 100))

    assert [(status, body.get("degraded")) for status, body in replies] == [(200, None)] * 100


@pytest.mark.usefixtures("manual")
def test_a_leg_whose_statement_takes_too_long_is_left_out() -> None:
    with (
        live_server(**SETTINGS, DATABASE_STATEMENT_TIMEOUT="200") as server,
        psycopg.connect(database_url()) as other,
    ):
        other.execute("LOCK TABLE docs_search_posting")
        status, body = get(server)
        other.rollback()

        assert (status, body["degraded"], body["results"][0]["heading"]) == (200, ["keyword"], "Dump")
        assert "degraded" not in get(server)[1]


def test_a_database_that_is_down_is_a_503() -> None:
    with live_server(DATABASE_URL="postgresql://127.0.0.1:1/docent", DATABASE_POOL_SIZE="0") as server:
        assert get(server) == (503, UNAVAILABLE)
        assert get(server, "/v1/docs/17/guide/backup") == (503, UNAVAILABLE)
        assert get(server, "/v1/health") == (200, {"ok": True})


@pytest.mark.usefixtures("manual")
def test_readers_who_find_no_free_connection_get_a_503_and_later_readers_an_answer() -> None:
    with (
        live_server(**SETTINGS, DATABASE_POOL_SIZE="1", DATABASE_STATEMENT_TIMEOUT="0") as server,
        psycopg.connect(database_url()) as other,
        ThreadPoolExecutor(4) as readers,
    ):
        other.execute("LOCK TABLE docs_search_corpus")
        replies = as_completed([readers.submit(get, server) for _ in range(4)])
        refused = [next(replies).result() for _ in range(3)]
        other.rollback()

        assert refused == [(503, UNAVAILABLE)] * 3
        assert next(replies).result()[0] == 200
        assert get(server)[0] == 200
