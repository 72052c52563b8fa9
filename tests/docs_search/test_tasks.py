"""Background work by a real worker over real brokers: Redis, and the folder of messages of a single machine."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray
from pgvector import HalfVector
from pytest_django.fixtures import Settings

from docs_search.embedding.embedder import EmbeddingError
from docs_search.indexing import runs
from docs_search.indexing.runs import claim
from docs_search.models import Corpus, Counter, Embedding, IndexRun, Page, SearchLog
from docs_search.sources.site.store import CrawlStore
from docs_search.tasks import (
    MAX_RETRIES,
    MAX_WAITS,
    ingest_version,
    prune_counters,
    prune_crawls,
    prune_embeddings,
    prune_logs,
)
from tests.factories import make_corpus, make_passage, make_search_log
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.live_server import database_url
from tests.loopback import QuietHandler, serving
from tests.redis_server import redis_server

WAIT_SECONDS = 120.0
SEND = """
import sys, django
django.setup()
from docs_search.tasks import ingest_version
ingest_version.delay(*sys.argv[1:])
"""


def index_by_worker(folder: Path, environment: dict[str, str]) -> IndexRun:
    """Send a run to a worker, each in a process of its own on the tests' database, and wait until it has ended."""
    (folder / "start.md").write_text("# Start\n\nA worker has read this page about the first steps.\n")
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    variables = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        **environment,
    }
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1", "--loglevel", "ERROR"]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=variables) as worker:
        try:
            send = [sys.executable, "-c", SEND, "manual", "17", str(folder)]
            subprocess.run(send, cwd=settings.BASE_DIR, env=variables, check=True, timeout=60)
            return wait_for_run()
        finally:
            worker.terminate()


def wait_for_run() -> IndexRun:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        run = IndexRun.objects.exclude(status=IndexRun.Status.RUNNING).first()
        if run:
            return run
        time.sleep(0.2)
    raise AssertionError("the worker did not end its run")


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_a_worker_indexes_what_comes_over_redis(tmp_path: Path) -> None:
    with redis_server() as url:
        run = index_by_worker(tmp_path, {"REDIS_URL": url})

    assert (run.status, run.error, run.counts["pages"]) == (IndexRun.Status.SUCCEEDED, "", 1)
    assert Page.objects.get().url == "https://docs.example.org/17/start"


@pytest.mark.django_db(transaction=True)
def test_a_worker_indexes_what_comes_over_a_folder(tmp_path: Path) -> None:
    var = tmp_path / "var"
    docs = tmp_path / "docs"
    docs.mkdir()
    var.mkdir()
    settings.MODEL_DIR.mkdir(parents=True, exist_ok=True)
    (var / "models").symlink_to(settings.MODEL_DIR)

    run = index_by_worker(docs, {"REDIS_URL": "", "DOCENT_VAR": str(var)})

    assert (run.status, run.error, run.counts["pages"]) == (IndexRun.Status.SUCCEEDED, "", 1)


class UnreliableEmbedder(ScriptedEmbedder):
    """Fails in the first calls, as many as it is told."""

    def __init__(self, failures: int, *, retryable: bool) -> None:
        super().__init__()
        self.failures = failures
        self.retryable = retryable

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failures:
            self.failures -= 1
            raise EmbeddingError("the provider is busy", retryable=self.retryable)
        return super().embed(texts)


@pytest.mark.parametrize(
    ("failures", "retryable", "runs", "outcome"),
    [(2, True, 3, "SUCCESS"), (99, True, 1 + MAX_RETRIES, "FAILURE"), (1, False, 1, "FAILURE")],
)
@pytest.mark.django_db(transaction=True)
def test_a_provider_that_may_recover_is_tried_again_a_few_times(
    failures: int, retryable: bool, runs: int, outcome: str, tmp_path: Path
) -> None:
    (tmp_path / "start.md").write_text("# Start\n\nThis page is about the first steps.\n")
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    with use_embedder(UnreliableEmbedder(failures, retryable=retryable)):
        result = ingest_version.apply(("manual", "17", str(tmp_path)))

    assert (IndexRun.objects.count(), result.state) == (runs, outcome)


@pytest.mark.parametrize(("status", "requests"), [(503, 1 + MAX_RETRIES), (404, 1)])
@pytest.mark.django_db(transaction=True)
def test_a_source_that_may_answer_later_is_tried_again(status: int, requests: int, settings: Settings) -> None:
    class Busy(QuietHandler):
        asked: ClassVar[int] = 0

        def do_GET(self) -> None:
            type(self).asked += 1
            self.answer(status)

    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    with serving(Busy) as address, use_embedder(ScriptedEmbedder()):
        result = ingest_version.apply(("manual", "17", f"{address}/manual.zip"))

    assert (Busy.asked, IndexRun.objects.count(), result.state) == (requests, requests, "FAILURE")


@contextmanager
def another_run_of(corpus: Corpus, attempts: int) -> Iterator[list[str]]:
    """Hold the corpus against as many attempts to claim it. What was asked of the database is in the list."""
    seen: list[str] = []
    other = connection.copy()
    take = other.cursor()
    take.execute("SELECT pg_advisory_lock(%s, %s)", [runs.CLAIM, corpus.pk])

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if "pg_try_advisory_lock" in sql:
            seen.append(sql)
            if len(seen) == attempts:
                take.execute("SELECT pg_advisory_unlock(%s, %s)", [runs.CLAIM, corpus.pk])
        return answer

    try:
        with connection.execute_wrapper(watch):
            yield seen
    finally:
        other.close()


@pytest.mark.parametrize(
    ("held", "failures", "attempts", "outcome"),
    [
        (3, 0, 4, "SUCCESS"),
        (MAX_WAITS, 0, MAX_WAITS + 1, "SUCCESS"),
        (MAX_WAITS + 1, 0, MAX_WAITS + 1, "FAILURE"),
        (MAX_RETRIES + 1, MAX_RETRIES, 2 * (MAX_RETRIES + 1), "SUCCESS"),
        (2, 99, 2 + 1 + MAX_RETRIES, "FAILURE"),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_a_run_waits_for_another_one_of_its_corpus(
    held: int, failures: int, attempts: int, outcome: str, tmp_path: Path
) -> None:
    """Waiting takes nothing from the attempts that a passing failure is worth."""
    (tmp_path / "start.md").write_text("# Start\n\nThis page is about the first steps.\n")
    corpus = make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    with (
        another_run_of(corpus, held) as seen,
        use_embedder(UnreliableEmbedder(failures, retryable=True)),
    ):
        result = ingest_version.apply(("manual", "17", str(tmp_path)))

    assert (len(seen), result.state) == (attempts, outcome)


@pytest.mark.django_db(transaction=True)
def test_an_indexed_version_is_one_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "start.md").write_text("# Start\n\nThis page is about the first steps.\n")
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    with caplog.at_level(logging.INFO, logger="docs_search"), use_embedder(ScriptedEmbedder()):
        ingest_version.apply(("manual", "17", str(tmp_path)))

    assert [record.getMessage() for record in caplog.records if record.name == "docs_search.tasks"] == [
        "manual_17 was indexed: pages 1, passages 1, embedded 1, reused 0, unchanged 0, removed 0"
    ]


@pytest.mark.parametrize(
    ("corpus", "location", "reason"),
    [
        ("manual", "/no/such/folder", "/no/such/folder does not exist"),
        ("manual", None, "manual has no source yet"),
        ("other", None, "There is no corpus 'other'."),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_an_expected_failure_is_one_line_in_the_log_without_a_traceback(
    corpus: str, location: str | None, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    with caplog.at_level(logging.INFO), use_embedder(ScriptedEmbedder()):
        result = ingest_version.apply((corpus, "17", location))

    assert result.state == "FAILURE"
    assert not any(record.exc_info for record in caplog.records)
    [line] = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert line.startswith(f"{corpus}_17 was not indexed: {reason}")


@pytest.mark.django_db
def test_logs_are_blanked_after_the_retention_period() -> None:
    make_search_log("an old question", at=timezone.now() - timedelta(days=365))
    make_search_log("a new question", at=timezone.now())

    assert prune_logs() == 1
    assert sorted(SearchLog.objects.values_list("query", flat=True)) == ["", "a new question"]


@pytest.mark.django_db
def test_vectors_that_no_passage_uses_are_deleted_after_a_week() -> None:
    used = make_passage()
    Corpus.objects.update(embedding_model="present")
    week_ago = timezone.now() - timedelta(days=7, hours=1)
    for content_hash, model, created_at in (
        (used.content_hash, "present", week_ago),
        (used.content_hash, "former", week_ago),
        ("0" * 64, "present", week_ago),
        ("1" * 64, "present", timezone.now() - timedelta(days=6)),
    ):
        Embedding.objects.create(
            model=model, content_hash=content_hash, vector=HalfVector([1.0]), created_at=created_at
        )

    assert prune_embeddings() == 2
    assert set(Embedding.objects.values_list("model", "content_hash")) == {
        ("present", used.content_hash),
        ("present", "1" * 64),
    }


@pytest.mark.django_db
def test_no_vector_is_deleted_while_a_corpus_is_indexed() -> None:
    Embedding.objects.create(
        model="any", content_hash="0" * 64, vector=HalfVector([1.0]), created_at=timezone.now() - timedelta(days=8)
    )
    with claim(make_corpus()):
        assert prune_embeddings() == 0

    assert prune_embeddings() == 1


@pytest.mark.django_db
def test_expired_counters_are_deleted() -> None:
    now = timezone.now()
    Counter.objects.create(key="old", value=1, expires_at=now - timedelta(seconds=1))
    Counter.objects.create(key="live", value=1, expires_at=now + timedelta(minutes=1))

    assert prune_counters() == 1
    assert Counter.objects.get().key == "live"


def test_websites_that_no_run_reads_any_longer_are_deleted(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    for name in ("old", "young"):
        with CrawlStore.open(tmp_path / "crawls" / f"{name}.sqlite"):
            pass
    os.utime(tmp_path / "crawls" / "old.sqlite", (0, 0))

    assert prune_crawls() == 1
    assert [path.name for path in (tmp_path / "crawls").iterdir()] == ["young.sqlite"]
