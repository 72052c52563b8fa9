"""What a server has to stand: commands that publish beside it, readers who come together, a database that stalls."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from pytest_django import DjangoDbBlocker

from docs_search.embedding.embedder import get_embedder
from tests.live_server import database_url, live_server, request
from tests.published_manual import published_manual

SETTINGS = {"RATE_LIMIT": "1000000/m", "DEFAULT_CORPUS": "manual"}
SEARCH = "/v1/search?q=how+do+I+save+my+data"


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


@pytest.mark.usefixtures("manual")
def test_a_leg_whose_statement_takes_too_long_is_left_out() -> None:
    with (
        live_server(**SETTINGS, DATABASE_STATEMENT_TIMEOUT="200") as server,
        psycopg.connect(database_url()) as other,
    ):
        other.execute("LOCK TABLE docs_search_posting")
        status, body = get(server)
        other.rollback()

        assert (status, body["degraded"], len(body["results"])) == (200, ["keyword"], 4)
        assert "degraded" not in get(server)[1]
