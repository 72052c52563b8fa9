"""Making a prepared version the one that readers see.

Everything here runs inside one transaction that the caller opens: until it commits, readers see the old index.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import F
from django.utils import timezone

from docs_search.documents import Role
from docs_search.indexing.postings import rebuild_postings
from docs_search.indexing.prepared import PreparedPage, Spool
from docs_search.indexing.vectors import attach_vectors
from docs_search.models import Page, Passage, Version

BATCH = 200
# Publishes take turns: two of them would wait for each other's new terms.
PUBLISH_LOCK = 0x646F6365


@dataclass(slots=True)
class Changes:
    """What publishing a spool would do to a version. Paths are of pages; the numbers count passages."""

    changed: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    unchanged: int = 0
    added: int = 0
    removed: int = 0

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone)


def compare(version: Version, spool: Spool) -> Changes:
    """Hold what was prepared against what is stored; a version that is not saved yet has nothing stored."""
    changes = Changes()
    seen: set[str] = set()
    pages = version.pages.all() if version.pk else Page.objects.none()
    passages = version.passages.all() if version.pk else Passage.objects.none()
    for batch in spool.batches(BATCH):
        seen |= {page.path for page in batch}
        stored = dict(pages.filter(path__in=[page.path for page in batch]).values_list("path", "content_hash"))
        different = [page for page in batch if stored.get(page.path) != page.content_hash]
        known = set(
            passages.filter(page__path__in=[page.path for page in different]).values_list(
                "page__path", "content_hash", "ordinal"
            )
        )
        wanted = {(page.path, chunk.content_hash, n) for page in different for chunk, n in page.identified()}
        changes.changed |= {page.path for page in different}
        changes.unchanged += sum(len(page.chunks) for page in batch) - len(wanted - known)
        changes.added += len(wanted - known)
        changes.removed += len(known - wanted)
    changes.gone = set(pages.values_list("path", flat=True)) - seen
    changes.removed += passages.filter(page__path__in=changes.gone).count()
    return changes


def publish(version: Version, spool: Spool, changes: Changes, *, model: str) -> None:
    """Write the changed pages with their passages, vectors, identifiers and postings, and count the publication.

    Raises MissingVectors if a text was not embedded.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [PUBLISH_LOCK])
    for batch in spool.batches(BATCH):
        _write_pages(version, [page for page in batch if page.path in changes.changed])
    _delete_pages(version, changes.gone)
    attach_vectors(version, model)
    rebuild_postings(version.id)
    count_publication(version)


def count_publication(version: Version) -> None:
    """Note that readers find something else in the version from now on; what was computed before is out of date."""
    version.publication = F("publication") + 1
    version.published_at = timezone.now()
    version.page_count = version.pages.count()
    version.passage_count = version.passages.count()
    version.save()
    version.refresh_from_db()


def _write_pages(version: Version, prepared: Sequence[PreparedPage]) -> None:
    """Insert or update pages and their passages. Passages with a known identity keep their ids."""
    if not prepared:
        return
    pages = Page.objects.bulk_create(
        [Page(version=version, path=page.path, content_hash=page.content_hash, **page.columns) for page in prepared],
        update_conflicts=True,
        unique_fields=["version", "path"],
        update_fields=[*prepared[0].columns, "content_hash"],
    )
    passages = [
        Passage(
            version=version,
            page=page,
            position=position,
            heading=chunk.heading,
            heading_path=list(chunk.heading_path),
            anchor=chunk.anchor,
            markdown=chunk.markdown,
            text=chunk.text,
            kind=chunk.kind,
            plan=chunk.plan,
            token_count=chunk.token_count,
            content_hash=chunk.content_hash,
            ordinal=ordinal,
        )
        for page, source in zip(pages, prepared, strict=True)
        for position, (chunk, ordinal) in enumerate(source.identified())
    ]
    stored = Passage.objects.bulk_create(
        passages,
        update_conflicts=True,
        unique_fields=["page", "content_hash", "ordinal"],
        update_fields=["position", "heading", "heading_path", "anchor", "markdown", "kind", "plan", "token_count"],
        batch_size=1000,
    )
    kept = [passage.pk for passage in stored]
    left = Passage.objects.filter(page__in=pages).exclude(pk__in=kept).values_list("pk", flat=True)
    _delete_passages(list(left))
    _write_identifiers(version, stored, [found for page in prepared for found in page.identifiers])


def _write_identifiers(
    version: Version, passages: Sequence[Passage], identifiers: Sequence[Mapping[str, Role]]
) -> None:
    """Replace the identifiers of passages."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM docs_search_identifier WHERE passage_id = ANY (%s)", [[passage.pk for passage in passages]]
        )
        # Tens of thousands of narrow rows: building them as objects would take longer than storing them.
        with cursor.copy("COPY docs_search_identifier (version_id, name, passage_id, role) FROM STDIN") as copy:
            for passage, found in zip(passages, identifiers, strict=True):
                for name, role in found.items():
                    copy.write_row((version.pk, name, passage.pk, int(role)))


def _delete_pages(version: Version, paths: Collection[str]) -> None:
    pages = list(Page.objects.filter(version=version, path__in=paths).values_list("pk", flat=True))
    _delete_passages(list(Passage.objects.filter(page__in=pages).values_list("pk", flat=True)))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM docs_search_pagevector WHERE page_id = ANY (%s)", [pages])
        cursor.execute("DELETE FROM docs_search_page WHERE id = ANY (%s)", [pages])


def _delete_passages(ids: list[int]) -> None:
    """Delete without Django's collector, which would scan the postings; those are written anew in any case."""
    with connection.cursor() as cursor:
        for table in ("identifier", "passagevector"):
            cursor.execute(f"DELETE FROM docs_search_{table} WHERE passage_id = ANY (%s)", [ids])
        cursor.execute("DELETE FROM docs_search_passage WHERE id = ANY (%s)", [ids])
