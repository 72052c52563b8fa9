"""Temporary folders for what is unpacked or fetched, and what a process that was killed left of them."""

import fcntl
import logging
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from docs_search.sources.base import SourceError

logger = logging.getLogger(__name__)

MAX_LEVELS = 100  # of folders in a temporary one: Python walks a tree, and removes it, by calling itself for each

_PREFIX = "docent-archive-"
_STALE = 24 * 3600.0  # seconds since a folder was last used


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new folder, removed when the block ends. What dead processes left more than a day ago is removed first.

    Raises SourceError where there can be none.
    """
    try:
        _remove_stale(Path(tempfile.gettempdir()))
        folder = tempfile.TemporaryDirectory(prefix=_PREFIX)
    except OSError as error:
        raise SourceError(f"No temporary folder can be made: {error}. Free some of the disk, or set TMPDIR.") from error
    with folder as name, _locked(Path(name)):
        yield Path(name)


def _remove_stale(place: Path) -> None:
    """Only folders with our prefix that belong to this account and that no process holds. Others stay."""
    for folder in place.glob(f"{_PREFIX}*"):
        try:
            status = folder.lstat()
            ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
            if ours and time.time() - status.st_mtime > _STALE:
                with _locked(folder):
                    shutil.rmtree(folder, ignore_errors=True)
                logger.info("removed %s, which a run left that was killed", folder)
        except OSError:  # another process uses it, or was faster
            continue


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder until the block ends or the process dies. Raises BlockingIOError where another one does."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
