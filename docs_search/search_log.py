"""Keep a row of every search without making any search wait for it.

Rows are written in batches by one daemon thread per process, which lives while rows are waiting. They are the ground
of statistics and no accounts: what does not fit the queue, or meets a database that is down, is dropped with a warning.
"""

import atexit
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from docs_search.masking import mask_secrets
from docs_search.models import SearchLog
from docs_search.storable_text import storable

logger = logging.getLogger(__name__)

QUEUE_ROWS = 10_000
BATCH_ROWS = 100
WARN_EVERY = 60.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLogEntry:
    """One search; the fields are those of `models.SearchLog`, not yet masked."""

    surface: str
    client: str = ""
    corpus: str = ""
    version: str = ""
    requested_version: str = ""
    query: str = ""
    section: str = ""
    results: int = 0
    top_relevance: float | None = None
    timings: Mapping[str, float] = field(default_factory=dict)
    degraded: Sequence[str] = ()
    limited: bool = False
    at: datetime = field(default_factory=timezone.now)


_MAX_LENGTHS = {item.name: item.max_length for item in SearchLog._meta.fields}
_TYPED_BY_READERS = frozenset({"query", "section", "requested_version"})


def enqueue(entry: SearchLogEntry) -> None:
    """Hand over a row. Never waits for the database, and never raises."""
    _writer.put(entry)


def flush() -> None:
    """Write what is waiting, in the calling thread and its transaction; returns when all of it is written."""
    _writer.flush()


def discard() -> None:
    """Forget what is waiting and what was dropped. A test uses it to leave nothing to the next one."""
    _writer.discard()


def prune(now: datetime) -> int:
    """Blank the text of searches older than the retention period, and keep their rows; returns how many changed."""
    oldest = now - timedelta(days=settings.SEARCH_LOG_RETENTION_DAYS)
    return SearchLog.objects.filter(at__lt=oldest).exclude(query="").update(query="")


class _Writer:
    """The rows that wait, and the thread that writes them."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start anew: a forked child has no thread, locks in any state, and rows that its parent writes."""
        self._rows: deque[SearchLogEntry] = deque()
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None
        self._dropped = 0
        self._warn_at = 0.0

    def put(self, entry: SearchLogEntry) -> None:
        with self._changed:
            if len(self._rows) >= QUEUE_ROWS:
                self._drop(1, "the queue is full")
                return
            self._rows.append(entry)
            if len(self._rows) == BATCH_ROWS:
                self._changed.notify()
            if settings.SEARCH_LOG_INTERVAL and not (self._thread and self._thread.is_alive()):
                self._start()

    def discard(self) -> None:
        with self._changed:
            self._rows.clear()
            self._dropped, self._warn_at = 0, 0.0

    def flush(self) -> None:
        with self._writing:
            with self._changed:
                rows, self._rows = self._rows, deque()
            while rows:
                batch = [rows.popleft() for _ in range(min(BATCH_ROWS, len(rows)))]
                try:
                    SearchLog.objects.bulk_create(_row(entry) for entry in batch)
                except (DatabaseError, InterfaceError) as fault:
                    with self._changed:
                        self._drop(len(batch), str(fault).partition("\n")[0])

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="search-log", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            # The interpreter is on its way out, or out of threads: the rows wait for the exit, or for the next row.
            self._thread = None

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: len(self._rows) >= BATCH_ROWS, timeout=settings.SEARCH_LOG_INTERVAL)
            try:
                self.flush()
            finally:
                connection.close()
            with self._changed:
                if not self._rows:
                    self._thread = None
                    return

    def _drop(self, rows: int, reason: str) -> None:
        self._dropped += rows
        if time.monotonic() >= self._warn_at:
            logger.warning("%d searches were not logged: %s", self._dropped, reason)
            self._dropped, self._warn_at = 0, time.monotonic() + WARN_EVERY


def _row(entry: SearchLogEntry) -> SearchLog:
    values: dict[str, Any] = {item.name: getattr(entry, item.name) for item in fields(entry)}
    for name, value in values.items():
        if isinstance(value, str):
            text = storable(value)
            masked = mask_secrets(text) if name in _TYPED_BY_READERS else text
            values[name] = masked[: _MAX_LENGTHS[name]]
    return SearchLog(**values | {"degraded": list(entry.degraded), "timings": dict(entry.timings)})


_writer = _Writer()
os.register_at_fork(after_in_child=_writer.reset)
atexit.register(flush)
