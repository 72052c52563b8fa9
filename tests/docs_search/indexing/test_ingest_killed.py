"""An indexing run is killed at several moments of its life; readers must never see anything but a whole index."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from docs_search.indexing.publish import PUBLISH_LOCK
from docs_search.models import Embedding, Identifier, IndexRun, Page, Passage, PassageVector, Posting, Version
from docs_search.retrieval.search import search
from tests.factories import make_corpus
from tests.live_server import database_url

PAGES = 150
DETAIL = (
    "It goes on for a while about things that matter to nobody but the people who have to run the machine at night,"
    " so that every part of it is long enough to become a passage of its own in the index."
)


def write_manual(folder: Path, word: str) -> None:
    """A manual whose every page says `word`, so that a page of another state would give itself away."""
    folder.mkdir()
    for number in range(PAGES):
        parts = "".join(f"## Part {part}\n\nThe {word} part {part} of page {number}. {DETAIL}\n\n" for part in range(3))
        (folder / f"page-{number}.md").write_text(f"# Page {number}\n\nThe {word} edition. {DETAIL}\n\n{parts}")


def start(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "ingest", "manual", "17", "--from", str(folder)]
    return subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": database_url()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def assert_serves(word: str) -> None:
    """The published index holds this edition, all of it, and search finds it."""
    version = Version.objects.get(source="manual_17")
    texts = Passage.objects.filter(version=version).values_list("text", flat=True)
    assert len(texts) == version.passage_count
    assert all(f"The {word} " in text for text in texts)
    assert Page.objects.filter(version=version).count() == version.page_count == PAGES
    assert PassageVector.objects.filter(version=version).count() == version.passage_count
    passages = set(Passage.objects.filter(version=version).values_list("pk", flat=True))
    assert set(Posting.objects.filter(version=version).values_list("passage_id", flat=True)) == passages
    assert set(Identifier.objects.filter(version=version).values_list("passage_id", flat=True)) <= passages
    result = search(query=f"{word} edition of page 7", corpus="manual")
    assert not result.degraded
    assert result.hits
    assert all(f"The {word} " in hit.markdown for hit in result.hits)


def parsing() -> bool:
    return IndexRun.objects.filter(status="running", stage="parse").exists()


def embedding() -> bool:
    """Some vectors of the second edition are kept."""
    return Embedding.objects.count() > Passage.objects.count()


def publishing() -> bool:
    """The run holds the lock that is taken inside the publishing transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND granted", [PUBLISH_LOCK])
        return cursor.fetchone() is not None


@pytest.mark.django_db(transaction=True)
def test_a_killed_run_leaves_the_previous_index_serving_and_complete(tmp_path: Path) -> None:
    write_manual(tmp_path / "first", "first")
    write_manual(tmp_path / "second", "second")
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    assert start(tmp_path / "first").wait() == 0
    assert_serves("first")

    for moment in (parsing, embedding, publishing):
        run = start(tmp_path / "second")
        while not moment():
            assert run.poll() is None, f"the run ended before the moment of {moment.__name__}"
            time.sleep(0.001)
        run.kill()
        assert run.wait() == -signal.SIGKILL
        assert_serves("first")

    kept = Embedding.objects.count()
    assert kept == 2 * Passage.objects.count()
    assert start(tmp_path / "second").wait() == 0
    assert_serves("second")
    assert IndexRun.objects.filter(status="running").count() == 0
    # The run that was killed while it published had embedded every text already.
    assert IndexRun.objects.latest("started_at").counts["embedded"] == 0
    assert Embedding.objects.count() == kept
