"""From a location to a published version: read → parse → cut → embed → publish.

Everything before the publish happens outside a transaction and leaves only vectors behind, so that a run that dies
loses nothing but time. The command, the task and the admin all call `ingest`.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from shlex import quote

from django.conf import settings
from django.db import transaction

from docs_search.documents import PageWarning
from docs_search.embedding.embedder import Embedder, get_embedder
from docs_search.errors import InvalidRequest
from docs_search.indexing.embeddings import count_missing, embed_missing
from docs_search.indexing.fingerprint import content_digest, fingerprint
from docs_search.indexing.maintenance import maintain
from docs_search.indexing.prepared import Spool
from docs_search.indexing.publish import Changes, compare, publish
from docs_search.indexing.reading import read_pages, scope_of
from docs_search.indexing.runs import IndexingError, RunProgress, bookkeeping, claim, last_warnings, recorded
from docs_search.indexing.shrinkage import shrinkage
from docs_search.models import Corpus, Version
from docs_search.pages.addresses import page_url, served
from docs_search.progress import SILENT, Progress
from docs_search.sources import SourceOptions, has_password, is_address, open_source, without_query
from docs_search.storable_text import storable
from docs_search.uploads import is_upload
from docs_search.versions import SCHEMES, Release, source_slug

MAX_WARNINGS = 1000
MAX_LOCATION = 1000  # characters, as models.IndexRun stores it


@dataclass(slots=True)
class IndexReport:
    """What a run did, or with `dry_run` would do.

    `reused` counts new passages whose text had a vector already; `pages_written` are new or differ from what is stored.
    """

    version: str
    pages: int = 0
    passages: int = 0
    embedded: int = 0
    reused: int = 0
    unchanged: int = 0
    removed: int = 0
    published: bool = False
    added: int = 0
    pages_written: list[str] = field(default_factory=list)
    pages_deleted: list[str] = field(default_factory=list)
    warnings: list[PageWarning] = field(default_factory=list)

    def warn(self, page: str, message: str) -> None:
        """Keep a warning about a page, up to a bound."""
        if len(self.warnings) < MAX_WARNINGS:
            self.warnings.append(PageWarning(storable(page), storable(message)))

    def count(self, pages: Spool, changes: Changes) -> None:
        """Add what becomes of one version."""
        self.pages += pages.count
        self.passages += pages.passages
        self.unchanged += changes.unchanged
        self.added += changes.added
        self.removed += changes.removed
        self.pages_written += sorted(changes.changed)
        self.pages_deleted += sorted(changes.gone)

    def repeat(self, versions: Sequence[Version], warnings: Sequence[dict[str, str]]) -> None:
        """Nothing has changed since the last run, which had these warnings."""
        self.pages = sum(version.page_count for version in versions)
        self.passages = self.unchanged = sum(version.passage_count for version in versions)
        self.warnings = [PageWarning(**warning) for warning in warnings]

    @property
    def counts(self) -> dict[str, int]:
        return {
            name: getattr(self, name) for name in ("pages", "passages", "embedded", "reused", "unchanged", "removed")
        }


def ingest(
    corpus: Corpus,
    version_name: str = "",
    *,
    location: str | None = None,
    dry_run: bool = False,
    allow_shrink: bool = False,
    progress: Progress = SILENT,
) -> IndexReport:
    """Index one version of a corpus and publish it.

    `version_name` is any spelling that the corpus's scheme understands, blank for an unversioned corpus. `location`
    is a folder, an archive, a git repository or a website, by default the corpus's own source. A run from a website
    that would delete most of the published pages needs `allow_shrink`. Raises IndexingError, SourceError or
    InvalidRequest.
    """
    version = _version(corpus, version_name)
    location = own_source(corpus, version) if location is None else location
    _check_location(location)
    embedder = get_embedder()
    _check_model(corpus, embedder)
    with claim(corpus):
        if dry_run:
            return _run(corpus, version, location, embedder, progress, dry_run=True, allow_shrink=allow_shrink)
        with recorded(corpus, version.name, without_query(location)) as run:
            run_progress = RunProgress(run, progress)
            report = _run(corpus, version, location, embedder, run_progress, dry_run=False, allow_shrink=allow_shrink)
            run.counts, run.warnings = report.counts, [asdict(warning) for warning in report.warnings]
        # The run has succeeded: neither a refusal of the database nor Ctrl-C can change that from here on.
        try:
            warning = maintain(corpus, published=report.published)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"{report.version} is published. Only its maintenance was cut off:"
                " searches may be slower until the next run."
            ) from None
        if warning:
            report.warn(version.source, warning)
            with bookkeeping(f"add a warning to the run of {corpus}"):
                run.warnings = [asdict(warning) for warning in report.warnings]
                run.save(update_fields=["warnings"])
        return report


@dataclass(slots=True)
class Target:
    """A version that this run publishes, and what was prepared for it."""

    version: Version
    pages: Spool
    changes: Changes = field(default_factory=Changes)


def _run(
    corpus: Corpus,
    version: Version,
    location: str,
    embedder: Embedder,
    progress: Progress,
    *,
    dry_run: bool,
    allow_shrink: bool,
) -> IndexReport:
    report = IndexReport(version=version.source)
    with ExitStack() as stack:
        options = SourceOptions(
            subfolder=corpus.subfolder, progress=progress, is_release=partial(is_release, corpus, version.name)
        )
        source = stack.enter_context(open_source(location, options))
        versions = _targets(corpus, version)
        content = content_digest(source)
        if version.fingerprint == fingerprint(content, corpus=corpus, versions=versions, embedder=embedder):
            report.repeat(versions, last_warnings(corpus, version.name))
            return report
        targets = {target.scope: Target(target, stack.enter_context(Spool())) for target in versions}
        for page in read_pages(corpus, version, source, embedder=embedder, progress=progress, warn=report.warn):
            if target := targets.get(scope_of(corpus, page.path)):
                target.pages.append(page)
        if not targets[Version.Scope.RELEASE].pages.count:
            place = Path(location).name if is_upload(location) else without_query(location)
            raise IndexingError(
                f"No page was found in {place}. To see what it holds and how that is read, run: manage.py inspect"
                f" {quote(place)} --corpus {corpus.slug}"
            )
        for target in targets.values():
            target.changes = compare(target.version, target.pages)
            report.count(target.pages, target.changes)
            if not allow_shrink and (fault := shrinkage(source, target.version, target.changes)):
                if not dry_run:
                    raise IndexingError(fault)
                report.warn(target.version.source, fault)
        if dry_run:
            report.embedded = sum(count_missing(target.pages.texts(), embedder.name) for target in targets.values())
        else:
            progress.stage("embed", report.passages)
            report.embedded = sum(
                embed_missing(target.pages.texts(), embedder, progress) for target in targets.values()
            )
            report.published = _publish(corpus, list(targets.values()), embedder, progress)
            version.fingerprint = fingerprint(content, corpus=corpus, versions=versions, embedder=embedder)
            version.save(update_fields=["fingerprint"])
        report.reused = max(0, report.added - report.embedded)
    return report


def _publish(corpus: Corpus, targets: list[Target], embedder: Embedder, progress: Progress) -> bool:
    """Publish the versions that change, all in one transaction; returns whether there were any."""
    pending = [target for target in targets if target.changes or not target.version.publication]
    progress.stage("publish", len(pending))
    if not pending:
        return False
    with transaction.atomic():
        corpus.embedding_model, corpus.embedding_dimension = embedder.name, embedder.dimension
        corpus.save(update_fields=["embedding_model", "embedding_dimension"])
        for target in pending:
            target.version.save()
            publish(target.version, target.pages, target.changes, model=embedder.name)
            progress.advance()
    return True


def _targets(corpus: Corpus, version: Version) -> list[Version]:
    """What this run publishes, not saved where it is new.

    Pages that apply to every release come from the newest release alone. Where the corpus has no prefixes for them any
    longer, what is stored of them is published as empty.
    """
    if corpus.versions.releases().published().filter(release__gt=version.release).exists():
        return [version]
    known = {known.scope: known for known in corpus.versions.exclude(scope=Version.Scope.RELEASE)}
    prefixes = {Version.Scope.CLOUD: corpus.cloud_prefixes, Version.Scope.SHARED: corpus.shared_prefixes}
    new = {
        scope: Version(corpus=corpus, name=scope, scope=scope, source=source_slug(corpus.slug, scope))
        for scope, given in prefixes.items()
        if given
    }
    return [version, *(new | known).values()]


def _version(corpus: Corpus, name: str) -> Version:
    """The version of that name, not saved where it is new. Raises InvalidRequest for what is no version."""
    scheme = SCHEMES[corpus.version_scheme]
    if not scheme.versioned and name:
        raise InvalidRequest(f"{corpus.slug} has no versions: leave the version out.")
    release = scheme.parse(name) if scheme.versioned else Release((), "")
    if release is None:
        fault = f"{name!r} is no version of {corpus.slug}. Name one" if name.strip() else "Name the version to index"
        raise InvalidRequest(f"{fault}, for example: ingest {corpus.slug} {scheme.example}")
    known = corpus.versions.filter(name=release.name).first()
    return known or Version(
        corpus=corpus,
        name=release.name,
        source=source_slug(corpus.slug, release.name),
        release=list(release.numbers),
    )


def is_release(corpus: Corpus, version_name: str, tag: str) -> bool:
    """Whether a tag's name is a release of this version; all are of a corpus without versions."""
    scheme = SCHEMES[corpus.version_scheme]
    release = scheme.parse(tag)
    return not scheme.versioned or (release is not None and release.name == version_name)


def own_source(corpus: Corpus, version: Version) -> str:
    """The location that a corpus declares for a version. Raises IndexingError where it declares none."""
    if not corpus.source:
        raise IndexingError(f"{corpus.slug} has no source yet: name one with --from, such as a folder or an archive.")
    site = served(page_url(corpus, version.name, ""))
    location = corpus.source.replace("{version}", version.name).replace("{site}", site)
    return location if is_address(location) else str(settings.BASE_DIR / location)


def _check_location(location: str) -> None:
    """Raises InvalidRequest for what cannot be the name of a folder or an archive, or cannot be stored as one."""
    if not location.strip():
        raise InvalidRequest("The location is empty: name a folder or an archive with --from, or leave --from out.")
    if len(location) > MAX_LOCATION:
        raise InvalidRequest(f"The location has more than {MAX_LOCATION:,} characters: use a shorter one, or a link.")
    if has_password(location):
        raise InvalidRequest(
            "The location has a user name or password in it, which would be stored with the run. Give it without; for a"
            " git repository that is not public, set GIT_TOKENS."
        )
    if storable(location) != location:
        raise InvalidRequest("The location is not UTF-8: rename the folder or archive, or use a link to it.")


def _check_model(corpus: Corpus, embedder: Embedder) -> None:
    if corpus.embedding_model and corpus.embedding_model != embedder.name:
        raise IndexingError(
            f"{corpus.slug} was embedded with {corpus.embedding_model}, and {embedder.name} is configured."
            f" Set the former model again, or run: manage.py reembed {corpus.slug}"
        )
