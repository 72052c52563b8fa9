"""The life of a run of the indexer: it claims its corpus, tells its progress and ends."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils import timezone

from docs_search.models import Corpus, IndexRun
from docs_search.progress import Progress
from docs_search.storable_text import storable

logger = logging.getLogger(__name__)

# First key of the advisory lock by which a run claims its corpus; the second is the corpus's id.
CLAIM = 0x696E6478
# Seconds before each new attempt to close a run's row: a database that crashed recovers meanwhile.
FINISH_PAUSES = (0, 1, 2)


class IndexingError(Exception):
    """A run that cannot go on. The message says what to do; the previous index is untouched."""


class CorpusBusy(IndexingError):
    """Another run holds the corpus; when it has ended, the same run may go on."""


@contextmanager
def claim(corpus: Corpus) -> Iterator[None]:
    """Hold the corpus for one run. Runs of it that are still marked as running have died: say so."""
    with connection.cursor() as cursor:
        # The server would notice that this process was killed only after the statement, and keep the claim until then.
        cursor.execute("SET client_connection_check_interval = '1s'")
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [CLAIM, corpus.pk])
        if cursor.fetchone() != (True,):
            raise CorpusBusy(f"{corpus.slug} is being indexed by another run: wait until it has ended.")
    try:
        IndexRun.objects.filter(corpus=corpus, status=IndexRun.Status.RUNNING).update(
            status=IndexRun.Status.FAILED, finished_at=timezone.now(), error="The run was interrupted."
        )
        yield
    finally:
        with bookkeeping(f"release {corpus}"), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [CLAIM, corpus.pk])


def last_warnings(corpus: Corpus, version_name: str) -> list[dict[str, str]]:
    """The warnings of the last run of a version that succeeded."""
    run = IndexRun.objects.filter(corpus=corpus, version=version_name, status=IndexRun.Status.SUCCEEDED).first()
    return run.warnings if run else []


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

    def grow(self, units: int) -> None:
        self._run.total += units  # written with the next step
        self._listener.grow(units)

    def _write(self) -> None:
        self._written = time.monotonic()
        self._run.save(update_fields=["stage", "done", "total"])


@contextmanager
def recorded(corpus: Corpus, version_name: str, location: str) -> Iterator[IndexRun]:
    """A row for a run, closed when the block ends: as failed where it raised, whatever it raised."""
    run = IndexRun.objects.create(corpus=corpus, version=version_name, location=location)
    try:
        yield run
        _finish(run, IndexRun.Status.SUCCEEDED)
    except BaseException as fault:
        with bookkeeping(f"mark the run of {corpus} as failed"):
            run.counts, run.warnings = {}, []  # what could not be stored must not stand in the way of the rest
            _finish(run, IndexRun.Status.FAILED, error=_reason(fault))
        raise


@contextmanager
def bookkeeping(purpose: str) -> Iterator[None]:
    """A write about a run, over a new connection where the old one died. If it fails, that is logged and not raised."""
    try:
        # A connection may be dead, or still busy with the command that Ctrl-C interrupted.
        if connection.connection and not connection.in_atomic_block and not connection.is_usable():
            connection.close()
        yield
    except (DatabaseError, InterfaceError) as fault:
        logger.warning("could not %s: %s", purpose, fault)


def _reason(fault: BaseException) -> str:
    return "interrupted" if isinstance(fault, KeyboardInterrupt) else str(fault) or type(fault).__name__


def _finish(run: IndexRun, status: IndexRun.Status, *, error: str = "") -> None:
    """Close the row, over a new connection where the database has restarted or is just doing so."""
    run.status, run.finished_at, run.error = status, timezone.now(), storable(error)
    for pause in FINISH_PAUSES:
        try:
            return run.save()
        except (OperationalError, InterfaceError):
            if connection.in_atomic_block or connection.is_usable():
                raise
        connection.close()
        time.sleep(pause)
    run.save()
