"""One run of Docent at a time, and an end to what a killed run left behind."""

import fcntl
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import psutil

from config.supervisor import GRACE_SECONDS, kill_group


class AlreadyRunningError(Exception):
    """Another run holds the lock."""


class RunLock:
    """The lock file of the present run. It holds our process id, our address and our children as JSON."""

    def __init__(self, file: BinaryIO, url: str) -> None:
        self._file = file
        self._url = url

    def note(self, children: list[int]) -> None:
        """Write down which processes belong to this run."""
        record = {"pid": os.getpid(), "url": self._url, "children": [[pid, _created(pid)] for pid in children]}
        self._file.seek(0)
        self._file.truncate()
        self._file.write(json.dumps(record).encode())
        self._file.flush()


@contextmanager
def run_lock(path: Path, url: str) -> Iterator[RunLock]:
    """Hold the lock at `path`, after ending the children of a run that was killed. Raises AlreadyRunningError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = _record(file)
            raise AlreadyRunningError(
                f"Docent already runs at {other['url']} (process {other['pid']}). Stop it first: Ctrl-C in its"
                f" terminal, or kill {other['pid']}."
            ) from None
        _end_leftovers(_record(file)["children"])
        lock = RunLock(file, url)
        lock.note([])
        yield lock


def _record(file: BinaryIO) -> dict[str, Any]:
    file.seek(0)
    try:
        record: dict[str, Any] = json.loads(file.read())
    except ValueError:  # the first run, or one that is writing just now
        return {"pid": "unknown", "url": "an unknown address", "children": []}
    return record


def _created(pid: int) -> float | None:
    """When a living process began: with its number, what tells it from a later one."""
    try:
        process = psutil.Process(pid)
        # What nobody reaps, in a container without init, is as good as gone.
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.NoSuchProcess:
        return None


def _end_leftovers(children: list[tuple[int, float | None]]) -> None:
    leftovers = [(pid, created) for pid, created in children if created is not None and _created(pid) == created]
    for pid, _ in leftovers:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while any(_created(pid) == created for pid, created in leftovers) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid, _ in leftovers:
        kill_group(pid)
