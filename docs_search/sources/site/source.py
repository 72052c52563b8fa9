"""A website as a source of documents."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from docs_search.documents import PageWarning, Source
from docs_search.outbound.fetcher import Fetcher, shown
from docs_search.sources.base import MISSING_SUBFOLDER, SourceError, SourceKind, SourceOptions, is_address
from docs_search.sources.git.location import repository_of_page
from docs_search.sources.site.answers import Outcome
from docs_search.sources.site.crawl import Crawl, CrawlLimits
from docs_search.sources.site.location import SiteLocation
from docs_search.sources.site.politeness import Clock, PoliteClient
from docs_search.sources.site.selection import Selection, select
from docs_search.sources.site.store import CrawlStore


class SiteSource:
    """The pages of a site as they were when it was opened. They stay on disk until one of them is read."""

    def __init__(self, store: CrawlStore, documents: dict[str, str], warnings: list[PageWarning]) -> None:
        """`documents` maps paths to addresses."""
        self._store = store
        self._documents = documents
        self._warnings = warnings

    def paths(self) -> list[str]:
        return sorted(self._documents)

    def read(self, path: str) -> bytes:
        if path not in self._documents:
            raise FileNotFoundError(path)
        return self._store.document(self._documents[path]).body

    def address(self, path: str) -> str | None:
        return self._documents.get(path)

    def warnings(self) -> list[PageWarning]:
        return list(self._warnings)


def stores_folder() -> Path:
    """Where the stores of all crawls are."""
    return Path(settings.VAR_DIR) / "crawls"


@contextmanager
def _open(location: str, options: SourceOptions) -> Iterator[Source]:
    if repository := repository_of_page(location):
        raise SourceError(f"{shown(location)} is the page of a git repository. To read that, give {repository}")
    site = SiteLocation.parse(location)
    file = None if options.sample else stores_folder() / f"{site.digest}.sqlite"
    limits = CrawlLimits(
        pages=settings.CRAWL_MAX_PAGES,
        total_bytes=settings.CRAWL_MAX_BYTES,
        concurrency=settings.CRAWL_CONCURRENCY,
        sample=options.sample,
    )
    clock = Clock()
    with CrawlStore.open(file) as store:
        with Fetcher(allow_private=settings.SOURCES_ALLOW_PRIVATE_ADDRESSES) as fetcher:
            client = PoliteClient(fetcher, clock, requests_per_second=settings.CRAWL_REQUESTS_PER_SECOND)
            crawl = Crawl(site, store, client, limits, options.progress)
            crawl.run(clock)
        selection = select(store.rows(), site.scope)
        if not selection.documents:
            raise SourceError(_nothing(site, selection))
        documents = _below(selection.documents, options.subfolder)
        warnings = [*crawl.warnings, *selection.warnings]
        if options.subfolder and not documents:
            documents = selection.documents
            warnings.append(PageWarning(options.subfolder, MISSING_SUBFOLDER))
        yield SiteSource(store, documents, warnings)


def _below(documents: dict[str, str], subfolder: str) -> dict[str, str]:
    """The documents of a folder by their paths in it; all for a blank folder."""
    folder = f"{subfolder.strip('/')}/".lstrip("/")
    return {path.removeprefix(folder): url for path, url in documents.items() if path.startswith(folder)}


def _nothing(site: SiteLocation, selection: Selection) -> str:
    reasons = {
        Outcome.DISALLOWED: "robots.txt does not allow {} to be fetched",
        Outcome.NOINDEX: "{} must not be indexed (noindex)",
        Outcome.OTHER: "{} are no text",
        Outcome.GONE: "{} do not exist",
        Outcome.OUTSIDE: "{} redirect out of the site",
        Outcome.FAILED: "{} could not be fetched",
    }
    counts = selection.outcomes
    why = "; ".join(reason.format(counts[outcome]) for outcome, reason in reasons.items() if counts[outcome])
    return f"{shown(site.url)} leads to no page below {site.scope.root} that can be read. Of {counts.total()}: {why}."


SITE = SourceKind(name="site", accepts=is_address, open=_open)
