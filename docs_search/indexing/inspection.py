"""Try a source: read and cut it as a run would, and tell what comes of it. Nothing is stored.

The database is not asked for anything, so that a source can be tried before there is one.
"""

import copy
import posixpath
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from docs_search.documents import Chunk, Source
from docs_search.embedding.embedder import get_embedder
from docs_search.errors import InvalidRequest
from docs_search.indexing.findings import Finding, Findings
from docs_search.indexing.ingest import is_release
from docs_search.indexing.page_faults import Titles, find_faults
from docs_search.indexing.prepared import PreparedPage
from docs_search.indexing.reading import Documents, find_documents, read_pages
from docs_search.models import Corpus, Version
from docs_search.pages.addresses import lookup_path, served
from docs_search.parsing.detection.families import family_of
from docs_search.progress import SILENT, Progress
from docs_search.sources import SourceError, SourceOptions, has_password, open_source
from docs_search.versions import SCHEMES

UNPUBLISHED = "https://docs.invalid/{path}"  # addresses of pages where nothing tells better ones (RFC 6761)
NO_PAGE = "documents that make no page: redirects, duplicates, or with nothing to read"
SITE_SAMPLE = 20  # pages of a site that are fetched


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A page as it would be stored. `document` is its path in the source."""

    document: str
    path: str
    url: str
    title: str
    summary: str | None
    markdown: str
    chunks: list[Chunk]


@dataclass(slots=True)
class Inspection:
    """What comes of a source.

    `parser` is the name that was asked for; `formats` names the parsers that read the source, and `root` the folder
    that paths begin below. `files` counts all files, `documents` those that were parsed, `partials` those of the same
    formats that are no pages by themselves. `longest` is the size of the largest passage in tokens. `warnings` are
    those of a run, `problems` what a look at the pages shows.
    """

    location: str
    parser: str
    formats: list[str]
    root: str
    reasons: tuple[str, ...]
    files: int = 0
    documents: int = 0
    partials: int = 0
    pages: int = 0
    passages: int = 0
    tokens: int = 0
    longest: int = 0
    warnings: list[Finding] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)
    samples: list[SamplePage] = field(default_factory=list)

    def count(self, page: PreparedPage) -> None:
        """Add one page."""
        sizes = [chunk.token_count for chunk in page.chunks]
        self.pages += 1
        self.passages += len(sizes)
        self.tokens += sum(sizes)
        self.longest = max(self.longest, *sizes, 0)


def inspect(
    location: str,
    *,
    corpus: Corpus | None = None,
    parser: str | None = None,
    subfolder: str | None = None,
    version: str = "",
    page: str | None = None,
    pages: int = 3,
    progress: Progress = SILENT,
) -> Inspection:
    """Read the source at a location, and show some of its pages.

    `corpus` gives addresses, parser, subfolder and plans, as far as these are not named here. `pages` is how many are
    shown, evenly from the whole source, unless one is named by its path. Raises SourceError where nothing can be read,
    and InvalidRequest for a page or a version that is not there.
    """
    if has_password(location):
        raise InvalidRequest("The location has a user name or password in it, which would be shown. Give it without.")
    corpus = copy.copy(corpus) if corpus else Corpus(slug="inspected", title=location, url=UNPUBLISHED)
    corpus.parser = parser or corpus.parser
    corpus.subfolder = corpus.subfolder if subfolder is None else subfolder
    release = Version(corpus=corpus, name=_version_name(corpus, version))
    embedder = get_embedder()
    warnings, problems, titles = Findings(), Findings(), Titles()
    options = SourceOptions(
        subfolder=corpus.subfolder,
        progress=progress,
        is_release=partial(is_release, corpus, release.name),
        sample=max(SITE_SAMPLE, pages),
    )
    with open_source(location, options) as source:
        if corpus.url == UNPUBLISHED:
            corpus.url = _pattern_of(source)
        documents = find_documents(corpus, release, source)
        inspection = _before_reading(location, corpus, documents)
        choice = _Choice(len(documents.paths), page, pages)
        waiting = deque(enumerate(documents.paths))
        for prepared in read_pages(
            corpus, release, source, embedder=embedder, progress=progress, warn=warnings.add_warning
        ):
            place, document = waiting.popleft()
            while document != prepared.document:
                problems.add(NO_PAGE, document)
                place, document = waiting.popleft()
            inspection.count(prepared)
            titles.add(prepared)
            for message, detail in find_faults(prepared, documents.source):
                problems.add(message, prepared.path, detail)
            if choice.wants(prepared, place):
                inspection.samples.append(_sample(prepared))
    for _, document in waiting:
        problems.add(NO_PAGE, document)
    for message, path, detail in titles.faults():
        problems.add(message, path, detail)
    inspection.warnings, inspection.problems = list(warnings), list(problems)
    if not inspection.pages:
        raise SourceError(_nothing_read(inspection))
    if page is not None and not inspection.samples:
        raise InvalidRequest(f"There is no page {page!r} in {location}. Give the path of a page or of a document.")
    return inspection


class _Choice:
    """Which pages are shown: the one that is named, else `number` of them, evenly from all `documents`."""

    def __init__(self, documents: int, page: str | None, number: int) -> None:
        self._page = None if page is None else lookup_path(page.strip("/"))
        # One from the middle of each part, since the first pages of a manual are seldom typical.
        number = min(number, documents)
        self._places = deque((2 * part + 1) * documents // (2 * number) for part in range(number))

    def wants(self, page: PreparedPage, place: int) -> bool:
        """Whether to show the page of the document at this place; documents come in order."""
        if self._page is not None:
            return self._page in {lookup_path(page.path), lookup_path(page.document)}
        if not page.chunks or not self._places or place < self._places[0]:
            return False
        self._places.popleft()
        return True


def _before_reading(location: str, corpus: Corpus, documents: Documents) -> Inspection:
    paths, detection = documents.source.paths(), documents.detection
    known = sum(family_of(path) is not None for path in paths) if detection is None else len(detection.documents)
    return Inspection(
        location=location,
        parser=corpus.parser,
        formats=[corpus.parser] if detection is None else list(detection.parsers.values()),
        root=detection.root if detection else "",
        reasons=detection.reasons if detection else (),
        files=len(paths),
        documents=len(documents.paths),
        partials=max(0, known - len(documents.paths)),
    )


def _sample(page: PreparedPage) -> SamplePage:
    columns = page.columns
    return SamplePage(
        document=page.document,
        path=page.path,
        url=served(columns["url"]),
        title=columns["title"],
        summary=columns["summary"],
        markdown=served(columns["markdown"]),
        chunks=page.chunks,
    )


def _version_name(corpus: Corpus, version: str) -> str:
    """The name of a version under the corpus's scheme; as it is given where there is no corpus to go by."""
    scheme = SCHEMES[corpus.version_scheme]
    if not version or not scheme.versioned:
        return version
    release = scheme.parse(version)
    if release is None:
        raise InvalidRequest(f"{version!r} is no version of {corpus.slug}. Give one such as {scheme.example}.")
    return release.name


def _pattern_of(source: Source) -> str:
    """The pattern of the addresses that documents were fetched from; of files there is none to be known."""
    addresses = [address for path in source.paths() if (address := source.address(path))]
    if not addresses:
        return UNPUBLISHED
    parts = urlsplit(addresses[0])
    site = f"{parts.scheme}://{parts.netloc}/"
    common = posixpath.commonprefix([address for address in addresses if address.startswith(site)])
    return f"{common[: common.rfind('/') + 1]}{{path}}"


def _nothing_read(inspection: Inspection) -> str:
    found = [*inspection.reasons, *(finding.message for finding in inspection.warnings)]
    return (
        f"No page was found in {inspection.location}. Files: {inspection.files:,}, read as"
        f" {' and '.join(inspection.formats) or 'documents'}: {inspection.documents:,}."
        + "".join(f"\n- {reason}" for reason in found[:10])
        + "\nIs it the right folder (--subfolder)? Is it another format (--parser)?"
    )
