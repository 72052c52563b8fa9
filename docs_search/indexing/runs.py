"""The life of a run of the indexer: it claims its corpus, tells its progress and ends."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.utils import timezone

from docs_search.indexing.progress import Progress
from docs_search.models import Corpus, IndexRun

# First key of the advisory lock by which a run claims its corpus; the second is the corpus's id.
CLAIM = 0x696E6478


class IndexingError(Exception):
    """A run that cannot go on. The message says what to do; the previous index is untouched."""


@contextmanager
def claim(corpus: Corpus) -> Iterator[None]:
    """Hold the corpus for one run. Runs of it that are still marked as running have died: say so."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [CLAIM, corpus.pk])
        if cursor.fetchone() != (True,):
            raise IndexingError(f"{corpus.slug} is being indexed by another run: wait until it has ended.")
    try:
        IndexRun.objects.filter(corpus=corpus, status=IndexRun.Status.RUNNING).update(
            status=IndexRun.Status.FAILED, finished_at=timezone.now(), error="The run was interrupted."
        )
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [CLAIM, corpus.pk])


class RunProgress:
    """Writes the progress into the run's row, at most once a second, and passes it on to another listener."""

    INTERVAL = 1.0

    def __init__(self, run: IndexRun, listener: Progress) -> None:
        self._run = run
        self._listener = listener
        self._written = 0.0

    def stage(self, name: str, total: int) -> None:
        self._run.stage, self._run.done, self._run.total = name, 0, total
        self._write()
        self._listener.stage(name, total)

    def advance(self, units: int = 1) -> None:
        self._run.done += units
        if time.monotonic() - self._written >= self.INTERVAL:
            self._write()
        self._listener.advance(units)

    def _write(self) -> None:
        self._written = time.monotonic()
        self._run.save(update_fields=["stage", "done", "total"])


def finish_run(run: IndexRun, status: IndexRun.Status, *, error: str = "") -> None:
    """Close the row of a run."""
    run.status, run.finished_at, run.error = status, timezone.now(), error
    run.save()
