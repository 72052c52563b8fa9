"""A crawl of one site: what leads where, until nothing is left to ask."""

import time
from collections import defaultdict
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from docs_search.documents import PageWarning
from docs_search.outbound.fetcher import shown
from docs_search.progress import Progress
from docs_search.sources.base import SourceError
from docs_search.sources.site.addresses import MAX_DATES, calendar_of
from docs_search.sources.site.answers import Answer, Outcome
from docs_search.sources.site.lists import pages_of
from docs_search.sources.site.location import SiteLocation
from docs_search.sources.site.politeness import Clock, PoliteClient
from docs_search.sources.site.robots import Robots, fetch_robots
from docs_search.sources.site.sitemap import changed_before
from docs_search.sources.site.store import CrawlStore, Waiting
from docs_search.sources.site.visiting import read, visit

MAX_FAILURES = 10  # addresses in a row that fail, before the host is taken to be out of order
ADDRESSES_PER_PAGE = 3  # addresses that may be found for each page that is allowed: others redirect or are no pages
TOLERATED = 0.01  # the part of the pages that may be stale because their addresses fail
TOLERATED_NEW = 0.1  # the part of the pages that may be missing because their addresses fail
FEW = 5  # pages that may be missing of any site

_NO_START = frozenset({Outcome.GONE, Outcome.FAILED, Outcome.OUTSIDE, Outcome.DISALLOWED, Outcome.OTHER})


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLimits:
    """`pages` and `total_bytes` end a crawl with an error; with `sample`, so many pages end it without one."""

    pages: int
    total_bytes: int
    concurrency: int
    sample: int | None = None


class Crawl:
    """Asks for addresses, several at a time. The store is touched by the calling thread alone."""

    def __init__(
        self, location: SiteLocation, store: CrawlStore, client: PoliteClient, limits: CrawlLimits, progress: Progress
    ) -> None:
        self._location = location
        self._store = store
        self._client = client
        self._limits = limits
        self._progress = progress
        self._found = self._asked = self._pages = self._bytes = 0
        self._failures = 0
        self._calendars: dict[str, set[str]] = defaultdict(set)
        self.warnings: list[PageWarning] = []

    def run(self, clock: Clock) -> None:
        """Fetch what there is. Raises SourceError; what was fetched until then stays in the store."""
        scope = self._location.scope
        robots = fetch_robots(scope.origin, self._client)
        self._client.slow_down(scope.root, robots.delay)
        self._store.begin(time.time())
        self._found, self._asked, self._pages, self._bytes = self._store.totals()
        self._progress.stage("fetch", self._found)
        self._progress.advance(self._asked)
        self._begin(robots)
        pool = ThreadPoolExecutor(self._limits.concurrency, thread_name_prefix="crawl")
        try:
            self._ask_all(pool, robots)
        finally:
            clock.stop()
            pool.shutdown(cancel_futures=True)
        self._check_failures()
        if self._limits.sample is None:
            self._store.complete()

    def _begin(self, robots: Robots) -> None:
        url, scope = self._location.url, self._location.scope
        if not self._location.is_list:
            self._grow(self._store.find([(url, "")], None))
            return

        def warn(message: str) -> None:
            self.warnings.append(PageWarning(scope.path(url), message))

        for pages in pages_of(url, self._client, robots, scope, warn):
            self._grow(self._store.find(pages, url))
            if self._limits.sample is not None and self._found >= self._limits.sample * ADDRESSES_PER_PAGE:
                break
            if self._found > self._limits.pages and self._limits.sample is None:
                raise self._too_many()
        if not self._found:
            raise SourceError(f"{shown(url)} lists no pages below {scope.root}.")

    def _ask_all(self, pool: ThreadPoolExecutor, robots: Robots) -> None:
        pending: dict[Future[Answer], Waiting] = {}
        while True:
            while len(pending) < self._room() and (asked := self._next(pending)):
                if not robots.allows(asked.url):
                    self._record(asked, Answer(Outcome.DISALLOWED, "may not be fetched, as its robots.txt says"))
                elif self._is_unchanged(asked):
                    self._grow(self._store.skip(asked))
                    self._count(asked.size)
                else:
                    pending[pool.submit(visit, self._client, asked, self._location.scope)] = asked
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                self._record(pending.pop(future), future.result())

    def _room(self) -> int:
        """How many requests may be under way."""
        if self._limits.sample is None:
            return self._limits.concurrency
        if self._asked >= self._limits.sample * ADDRESSES_PER_PAGE:
            return 0
        return min(self._limits.concurrency, self._limits.sample - self._pages)

    def _next(self, pending: dict[Future[Answer], Waiting]) -> Waiting | None:
        under_way = {asked.url for asked in pending.values()}
        return next((asked for asked in self._store.waiting(len(pending) + 1) if asked.url not in under_way), None)

    def _is_unchanged(self, asked: Waiting) -> bool:
        """Whether the sitemap says that the stored page is still the present one."""
        return (
            asked.size > 0
            and asked.fetched_at is not None
            and asked.lastmod == asked.known_lastmod
            and changed_before(asked.lastmod, datetime.fromtimestamp(asked.fetched_at, UTC))
        )

    def _record(self, asked: Waiting, answer: Answer) -> None:
        if answer.outcome is Outcome.UNCHANGED:
            stored = read(self._store.document(asked.url), asked.url, self._location.scope)
            if stored.outcome is Outcome.PAGE:
                stored = replace(stored, outcome=Outcome.UNCHANGED, document=None)
            answer = stored
        links = () if self._location.is_list else tuple(filter(self._is_no_calendar, answer.links))
        self._grow(self._store.record(asked, replace(answer, links=links)))
        if answer.document is not None:
            self._count(len(answer.document.body))
        else:
            self._count(asked.size if answer.outcome in {Outcome.UNCHANGED, Outcome.FAILED} else 0)
        if asked.url == self._location.url and not self._location.is_list and answer.outcome in _NO_START:
            raise SourceError(f"{shown(asked.url)} {answer.reason or 'is no page'}. {answer.advice}".rstrip())
        self._failures = self._failures + 1 if answer.outcome is Outcome.FAILED else 0
        if self._failures >= MAX_FAILURES:
            raise SourceError(
                f"{shown(asked.url)} {answer.reason}, and {MAX_FAILURES - 1} addresses before it failed as well. Try"
                " again later: what was fetched is kept."
            )
        self._check_limits()

    def _is_no_calendar(self, url: str) -> bool:
        """Whether a link may be followed. Of those that differ by a date alone, MAX_DATES may."""
        if (calendar := calendar_of(url)) is None:
            return True
        days = self._calendars[calendar]
        if len(days) < MAX_DATES:
            days.add(url)
        return url in days

    def _count(self, size: int) -> None:
        """An address was asked, and there is a page of so many bytes; 0 for none."""
        self._asked += 1
        self._pages += size > 0
        self._bytes += size
        self._progress.advance()

    def _grow(self, addresses: int) -> None:
        self._found += addresses
        self._progress.grow(addresses)

    def _check_limits(self) -> None:
        if self._limits.sample is not None:
            return
        if self._pages > self._limits.pages or self._found > self._limits.pages * ADDRESSES_PER_PAGE:
            raise self._too_many()
        if self._bytes > self._limits.total_bytes:
            raise SourceError(
                f"The pages of {shown(self._location.url)} have more than {self._limits.total_bytes:,} bytes. Name a"
                " folder of the site, or set CRAWL_MAX_BYTES higher: what was fetched is kept."
            )

    def _too_many(self) -> SourceError:
        return SourceError(
            f"{shown(self._location.url)} leads to more than {self._limits.pages:,} pages. Name a folder of the site,"
            " or set CRAWL_MAX_PAGES higher: what was fetched is kept."
        )

    def _check_failures(self) -> None:
        """Pages that were there and cannot be had must not pass for deleted; of a few, the stored copy will do.

        Of pages that never were had, a few more may fail: some sites link to what only their own people may see.
        """
        failed = [row for row in self._store.rows() if row.outcome is Outcome.FAILED]
        stale = [row for row in failed if row.has_body]
        if stale and len(stale) >= self._pages * TOLERATED:
            raise SourceError(
                f"{len(stale)} of {self._pages} pages cannot be fetched any longer, among them"
                f" {shown(stale[0].url)}, which {stale[0].reason}. Try again later: what was fetched is kept."
            )
        missing = [row for row in failed if not row.has_body]
        pages = self._pages + len(missing)
        if len(missing) > max(FEW, pages * TOLERATED_NEW) and self._limits.sample is None:
            raise SourceError(
                f"{len(missing)} of {pages} pages cannot be fetched, among them {shown(missing[0].url)}, which"
                f" {missing[0].reason}. Try again later, or give a sitemap or a folder of the site without them: what"
                " was fetched is kept."
            )
