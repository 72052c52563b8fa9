import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from psycopg import sql
from psycopg.conninfo import make_conninfo

from docs_search.indexing.runs import IndexingError, RunProgress, claim, recorded
from docs_search.models import Corpus, IndexRun
from docs_search.progress import SILENT
from tests.factories import make_corpus
from tests.live_server import database_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def corpus() -> Corpus:
    return make_corpus("manual")


def outcome() -> tuple[str, str]:
    run = IndexRun.objects.get()
    assert run.finished_at
    return run.status, run.error


def test_a_run_ends_well_where_nothing_is_raised(corpus: Corpus) -> None:
    with claim(corpus), recorded(corpus, "17", "manual.zip") as run:
        run.counts = {"pages": 3}

    assert outcome() == ("succeeded", "")
    assert IndexRun.objects.get().counts == {"pages": 3}


def test_a_stage_may_grow(corpus: Corpus) -> None:
    with claim(corpus), recorded(corpus, "17", "https://docs.example.com/") as run:
        progress = RunProgress(run, SILENT)
        progress.stage("fetch", 1)
        progress.grow(2)
        progress.advance(3)

    run = IndexRun.objects.get()
    assert (run.stage, run.done, run.total) == ("fetch", 3, 3)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (ValueError("odd \0 text"), "odd \ufffd text"),
        (ValueError(), "ValueError"),
        (KeyboardInterrupt(), "interrupted"),
    ],
)
def test_a_run_that_raises_anything_has_failed(corpus: Corpus, fault: BaseException, error: str) -> None:
    with pytest.raises(type(fault)), claim(corpus), recorded(corpus, "17", "manual.zip"):
        raise fault

    assert outcome() == ("failed", error)


def test_a_run_whose_closing_row_is_refused_has_failed(corpus: Corpus) -> None:
    with pytest.raises(DatabaseError), claim(corpus), recorded(corpus, "17", "manual.zip") as run:
        run.warnings = [{"page": "a", "message": "\0"}]

    assert outcome()[0] == "failed"


def test_a_run_that_lost_its_connection_is_marked_over_another_one(corpus: Corpus) -> None:
    with pytest.raises(DatabaseError, match="terminating connection"), claim(corpus):  # noqa: SIM117
        with recorded(corpus, "17", "manual.zip"), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    status, error = outcome()
    assert (status, "terminating connection" in error) == ("failed", True)
    with claim(corpus):
        pass


def test_a_run_whose_connection_dies_at_its_very_end_has_succeeded(corpus: Corpus) -> None:
    with claim(corpus), recorded(corpus, "17", "manual.zip"), psycopg.connect(database_url()) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])

    assert outcome() == ("succeeded", "")


@contextmanager
def refusing_connections(seconds: float) -> Iterator[Callable[[], None]]:
    """Gives a function after whose call the database refuses new connections for `seconds`."""
    name = sql.Identifier(connection.get_connection_params()["dbname"])
    with psycopg.connect(make_conninfo(database_url(), dbname="postgres"), autocommit=True) as other:

        def accept(word: str) -> None:
            other.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(name, sql.SQL(word)))

        again = Timer(seconds, accept, ["true"])

        def refuse() -> None:
            accept("false")
            again.start()

        try:
            yield refuse
        finally:
            again.join()


def lose_the_database(corpus: Corpus, seconds: float) -> None:
    with refusing_connections(seconds) as refuse, claim(corpus), recorded(corpus, "17", "manual.zip"):
        refuse()
        connection.close()
        raise ValueError("the real fault")


def test_a_run_whose_database_recovers_is_marked_as_soon_as_that_is_back(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="the real fault"):
        lose_the_database(corpus, 1.5)

    assert outcome() == ("failed", "the real fault")


def test_a_killed_run_frees_its_claim_while_its_statement_still_waits(corpus: Corpus) -> None:
    work = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "from docs_search.indexing.runs import claim\n"
        "from docs_search.models import Corpus\n"
        "with claim(Corpus.objects.get()), connection.cursor() as cursor:\n"
        "    print('claimed', flush=True)\n"
        "    cursor.execute('SELECT pg_sleep(60)')\n"
    )
    environment = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    run = subprocess.Popen([sys.executable, "-c", work], cwd=settings.BASE_DIR, env=environment, stdout=subprocess.PIPE)
    with run:
        assert run.stdout
        assert run.stdout.readline() == b"claimed\n"
        with pytest.raises(IndexingError, match="is being indexed by another run"), claim(corpus):
            pass
        time.sleep(0.2)  # into the statement
        run.kill()
    deadline = time.monotonic() + 10  # 1 s, but for a busy machine
    while True:
        try:
            with claim(corpus):
                break
        except IndexingError:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_database_that_is_gone_replaces_no_other_fault(corpus: Corpus, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="docs_search.indexing.runs")
    with pytest.raises(ValueError, match="the real fault"):
        lose_the_database(corpus, 4)

    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "could not mark the run of manual as failed",
        "could not release manual",
    ]
