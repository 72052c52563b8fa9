"""What follows a publish may fail or be interrupted; the run has succeeded all the same, and the next one makes up."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from docs_search.indexing.ingest import ingest
from docs_search.indexing.vectors import drop_vector_index
from docs_search.models import Corpus, IndexRun, Version
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.live_server import database_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """A corpus whose source has three pages of one passage each."""
    for number in range(3):
        (tmp_path / f"page-{number}.md").write_text(f"# Page {number}\n\nThis is the page with the number {number}.\n")
    with use_embedder(ScriptedEmbedder()):
        yield make_corpus(
            "manual", parser="markdown", url="https://docs.example.org/{version}/{path}", source=str(tmp_path)
        )
    for version in Version.objects.all():
        drop_vector_index(version.pk)


@contextmanager
def vacuum_blocked() -> Iterator[psycopg.Connection]:
    """Another connection holds a lock that VACUUM waits for and a publish does not."""
    with psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE docs_search_posting IN SHARE UPDATE EXCLUSIVE MODE")
        yield other


def has_vector_index() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'passagevector\\_hnsw\\_%'")
        return bool(cursor.fetchone() == (1,))


def test_maintenance_that_the_database_refuses_is_a_warning_of_the_run(corpus: Corpus) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    try:
        with vacuum_blocked():
            report = ingest(corpus, "17")
    finally:
        connection.close()

    run = IndexRun.objects.get()
    assert (run.status, report.published) == (IndexRun.Status.SUCCEEDED, True)
    [warning] = run.warnings
    assert warning["page"] == "manual_17"
    assert warning["message"].startswith("The index is published, but its maintenance failed")


def test_ctrl_c_during_maintenance_leaves_a_run_that_succeeded(corpus: Corpus) -> None:
    def interrupt_vacuum() -> None:
        with psycopg.connect(database_url(), autocommit=True) as watcher:
            waiting = """SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
                         AND query LIKE 'VACUUM%' AND state = 'active' AND wait_event_type = 'Lock'"""
            while not watcher.execute(waiting).fetchone():
                time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=interrupt_vacuum, daemon=True)
    with vacuum_blocked():
        thread.start()
        with pytest.raises(KeyboardInterrupt, match="manual_17 is published"):
            ingest(corpus, "17")
    thread.join()

    assert IndexRun.objects.get().status == IndexRun.Status.SUCCEEDED
    assert Version.objects.get().publication == 1


def test_a_vector_index_that_is_missing_is_built_by_the_next_run(corpus: Corpus, settings: Settings) -> None:
    settings.VECTOR_INDEX_MIN_PASSAGES = 3
    ingest(corpus, "17")
    drop_vector_index(Version.objects.get().pk)  # as a run that was killed at this moment leaves it

    report = ingest(corpus, "17")

    assert (report.published, has_vector_index()) == (False, True)


def test_a_version_that_shrank_loses_its_vector_index(corpus: Corpus, settings: Settings) -> None:
    settings.VECTOR_INDEX_MIN_PASSAGES = 3
    ingest(corpus, "17")
    assert has_vector_index()
    (Path(corpus.source) / "page-0.md").unlink()

    ingest(corpus, "17")

    assert not has_vector_index()
