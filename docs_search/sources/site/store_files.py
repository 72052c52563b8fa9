"""The files in which crawls keep what they have fetched: SQLite databases, one for each location."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from docs_search.sources.base import SourceError

KEPT_SECONDS = 90 * 24 * 3600  # how long a file is kept that no run has opened

_FORMAT = 1
_TABLES = f"""
CREATE TABLE crawl (number INTEGER NOT NULL, begun_at REAL NOT NULL, complete INTEGER NOT NULL);
INSERT INTO crawl VALUES (0, 0, 1);
CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    found_on TEXT,
    crawl INTEGER NOT NULL,
    waiting INTEGER NOT NULL,
    lastmod TEXT NOT NULL DEFAULT '',
    known_lastmod TEXT NOT NULL DEFAULT '',
    outcome TEXT,
    reason TEXT NOT NULL DEFAULT '',
    target TEXT,
    media TEXT,
    charset TEXT,
    etag TEXT,
    modified TEXT,
    fetched_at REAL,
    digest BLOB,
    size INTEGER NOT NULL DEFAULT 0,
    body BLOB
);
CREATE INDEX page_waiting ON page (waiting) WHERE waiting = 1;
PRAGMA user_version = {_FORMAT};
"""


@contextmanager
def open_database(path: Path | None) -> Iterator[sqlite3.Connection]:
    """The database at `path` for this process alone, or without a path one that is gone when it is closed.

    Raises SourceError where another process has it open, or where the disk does not take it.
    """
    try:
        database = _connect(path)
    except (sqlite3.Error, OSError) as error:
        if _code(error) == sqlite3.SQLITE_BUSY:
            raise SourceError(
                "This site is being crawled by another run. Wait until it has ended, then try again.", retryable=True
            ) from error
        raise SourceError(f"{path} cannot be written: {error}. Mend that, then try again.") from error
    with closing(database):
        try:
            yield database
        except sqlite3.Error as error:  # a full disk, for instance
            raise SourceError(f"What is fetched cannot be kept: {error}. Mend that, then try again.") from error


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is None:
        return _prepared(sqlite3.connect(""))
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return _prepared(sqlite3.connect(path, timeout=0))
    except sqlite3.DatabaseError as error:
        if _code(error) not in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
            raise
    _delete(path)  # it holds nothing that the site does not have
    return _prepared(sqlite3.connect(path, timeout=0))


def _prepared(database: sqlite3.Connection) -> sqlite3.Connection:
    try:
        # The lock of the file lasts until it is closed, or its process dies.
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN IMMEDIATE")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version != _FORMAT:
            for table in ("crawl", "page"):
                database.execute(f"DROP TABLE IF EXISTS {table}")
        database.commit()
        if version != _FORMAT:
            database.executescript(f"BEGIN; {_TABLES} COMMIT;")
    except BaseException:
        database.close()
        raise
    return database


def _code(error: Exception) -> int | None:
    """The error code of SQLite, where it comes from there."""
    return getattr(error, "sqlite_errorcode", None)


def prune_stores(folder: Path, now: float) -> int:
    """Delete the stores in `folder` that no run has opened for KEPT_SECONDS; returns how many."""
    stale = [path for path in folder.glob("*.sqlite") if now - path.stat().st_mtime > KEPT_SECONDS]
    pruned = 0
    for path in stale:
        try:
            with closing(_prepared(sqlite3.connect(path, timeout=0))):
                _delete(path)  # while nobody else can have it open
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_BUSY:
                continue
            _delete(path)
        pruned += 1
    return pruned


def _delete(path: Path) -> None:
    for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        file.unlink(missing_ok=True)
