"""What is known of a site, on disk: the pages as they were fetched, and the addresses that are still to be asked.

A crawl is numbered. The number stands with each address that it has found, so that a crawl which was killed goes on
where it was, and addresses that nothing leads to any longer are told from the others at the end.
"""

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from docs_search.sources.site.answers import Answer, Document, Outcome
from docs_search.sources.site.store_files import open_database

RESUMED_SECONDS = 24 * 3600  # how old a crawl may be to be gone on with; an older one is begun anew


@dataclass(frozen=True, slots=True)
class Waiting:
    """An address that is to be asked, with what is stored of it.

    `size` counts the bytes of the stored body, 0 where there is none. `lastmod` is what a sitemap says now,
    `known_lastmod` what it said when the body was fetched, at `fetched_at` (seconds since 1970).
    """

    url: str
    lastmod: str
    known_lastmod: str
    etag: str | None
    modified: str | None
    fetched_at: float | None
    size: int


@dataclass(frozen=True, slots=True)
class Row:
    """An address of the present crawl and what came of it. `has_body` where there is a page to read."""

    url: str
    found_on: str | None
    outcome: Outcome
    reason: str
    target: str | None
    media: str | None
    digest: bytes | None
    has_body: bool


class CrawlStore:
    """One file for one location. Only one process at a time has it open, and one thread of that."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._number = 0

    @classmethod
    @contextmanager
    def open(cls, path: Path | None) -> Iterator[Self]:
        """The store at `path`, or without a path one that is gone when it is closed.

        Raises SourceError where another process has it open, or where the disk does not take it.
        """
        with open_database(path) as database:
            yield cls(database)

    def begin(self, now: float) -> bool:
        """Go on with the crawl that was cut off, or begin a new one. Whether it is the former."""
        number, begun_at, complete = self._database.execute("SELECT number, begun_at, complete FROM crawl").fetchone()
        resumed = not complete and now - begun_at < RESUMED_SECONDS
        self._number = number if resumed else number + 1
        with self._database:
            if resumed:
                self._database.execute(
                    "UPDATE page SET waiting = 1 WHERE crawl = ? AND outcome = ?", [number, Outcome.FAILED]
                )
            else:
                self._database.execute("UPDATE crawl SET number = ?, begun_at = ?, complete = 0", [self._number, now])
                self._database.execute("UPDATE page SET waiting = 0 WHERE waiting = 1")
        return bool(resumed)

    def find(self, found: Iterable[tuple[str, str]], found_on: str | None) -> int:
        """Let addresses with their `lastmod` wait to be asked, if this crawl does not know them. How many those are."""
        with self._database:
            return self._find(found, found_on)

    def _find(self, found: Iterable[tuple[str, str]], found_on: str | None) -> int:
        return self._database.executemany(
            "INSERT INTO page (url, found_on, crawl, waiting, lastmod) VALUES (?, ?, ?, 1, ?)"
            " ON CONFLICT (url) DO UPDATE SET found_on = excluded.found_on, crawl = excluded.crawl, waiting = 1,"
            " lastmod = excluded.lastmod WHERE crawl < excluded.crawl",
            [(url, found_on, self._number, lastmod) for url, lastmod in found],
        ).rowcount

    def waiting(self, count: int) -> list[Waiting]:
        """The next addresses to ask, in the order in which they were found."""
        rows = self._database.execute(
            "SELECT url, lastmod, known_lastmod, etag, modified, fetched_at, size FROM page"
            " WHERE waiting = 1 ORDER BY id LIMIT ?",
            [count],
        )
        return [Waiting(*row) for row in rows]

    def record(self, asked: Waiting, answer: Answer) -> int:
        """Keep an answer, and let what it leads to wait. How many addresses of the latter are new to this crawl."""
        values: dict[str, object] = {
            "waiting": 0,
            "outcome": answer.outcome,
            "reason": answer.reason,
            "target": answer.target,
        }
        if answer.document is not None:
            values |= _stored(answer.document) | {"known_lastmod": asked.lastmod, "fetched_at": time.time()}
        elif answer.outcome is Outcome.UNCHANGED:
            values |= {"known_lastmod": asked.lastmod, "fetched_at": time.time()}
        elif answer.outcome is not Outcome.FAILED:
            values |= _NOTHING
        assignments = ", ".join(f"{name} = :{name}" for name in values)
        with self._database:
            self._database.execute(f"UPDATE page SET {assignments} WHERE url = :url", values | {"url": asked.url})
            return self._find([(url, "") for url in answer.leads_to], asked.url)

    def skip(self, asked: Waiting) -> int:
        """Take the stored page for the present one without asking. How many addresses this makes wait, as `record`."""
        with self._database:
            (target,) = self._database.execute(
                "UPDATE page SET waiting = 0, outcome = ? WHERE url = ? RETURNING target",
                [Outcome.UNCHANGED, asked.url],
            ).fetchone()
            return self._find([(target, "")], asked.url) if target else 0

    def document(self, url: str) -> Document:
        """The stored page. Raises FileNotFoundError."""
        row = self._database.execute(
            "SELECT body, media, charset, etag, modified FROM page WHERE url = ? AND size", [url]
        ).fetchone()
        if row is None:
            raise FileNotFoundError(url)
        return Document(zlib.decompress(row[0]), *row[1:])

    def totals(self) -> tuple[int, int, int, int]:
        """Of the present crawl: addresses found, addresses asked, pages with a body, and the bytes of the latter."""
        row = self._database.execute(
            "SELECT count(*), count(*) FILTER (WHERE NOT waiting), count(*) FILTER (WHERE size AND NOT waiting),"
            " coalesce(sum(size) FILTER (WHERE NOT waiting), 0) FROM page WHERE crawl = ?",
            [self._number],
        ).fetchone()
        return row[0], row[1], row[2], row[3]

    def rows(self) -> Iterator[Row]:
        """The addresses of the present crawl that were asked, in the order of their text."""
        for url, found_on, outcome, reason, target, media, digest, size in self._database.execute(
            "SELECT url, found_on, outcome, reason, target, media, digest, size FROM page"
            " WHERE crawl = ? AND NOT waiting ORDER BY url",
            [self._number],
        ):
            yield Row(url, found_on, Outcome(outcome), reason, target, media, digest, size > 0)

    def complete(self) -> None:
        """Drop what this crawl did not find, and let the next one be a new one."""
        with self._database:
            self._database.execute("DELETE FROM page WHERE crawl < ?", [self._number])
            self._database.execute("UPDATE crawl SET complete = 1")


_NOTHING = dict.fromkeys(("media", "charset", "etag", "modified", "digest", "body"), None) | {"size": 0}


def _stored(document: Document) -> dict[str, object]:
    return {
        "media": document.media,
        "charset": document.charset,
        "etag": document.etag,
        "modified": document.modified,
        "digest": hashlib.sha256(document.body).digest(),
        "size": len(document.body),
        "body": zlib.compress(document.body),
    }
