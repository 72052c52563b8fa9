"""Taking a version, or a whole corpus, out of the index."""

from dataclasses import dataclass

from django.db import connection, transaction

from docs_search.errors import InvalidRequest
from docs_search.indexing.runs import claim
from docs_search.indexing.vectors import drop_vector_index
from docs_search.models import Corpus, Version
from docs_search.versions import SCHEMES

# What holds rows of a version, each after those that point at it.
TABLES = ("posting", "pageposting", "identifier", "passagevector", "pagevector", "passage", "page")


@dataclass(frozen=True, slots=True)
class Removal:
    """What was removed: the sources of versions, and how many pages they had."""

    sources: list[str]
    pages: int


def remove_version(corpus: Corpus, name: str) -> Removal:
    """Remove a version by any spelling of its name, `cloud` and `shared` among them, and keep the corpus.

    Vectors of texts are kept for a while, so that indexing it again is quick. Raises InvalidRequest where the index
    has no such version, and IndexingError where a run holds the corpus.
    """
    release = SCHEMES[corpus.version_scheme].parse(name)
    with claim(corpus):
        versions = list(corpus.versions.filter(name=release.name if release else name))
        if not versions:
            known = ", ".join(version.name for version in corpus.versions.all() if version.name) or "none"
            raise InvalidRequest(f"{corpus.slug} has no version {name!r}. Versions: {known}.")
        return _remove(versions)


def remove_corpus(corpus: Corpus) -> Removal:
    """Remove a corpus with its versions and its runs. Raises IndexingError where a run holds it."""
    with claim(corpus):
        return _remove(list(corpus.versions.all()), corpus)


def _remove(versions: list[Version], corpus: Corpus | None = None) -> Removal:
    """Delete without Django's collector, which would read a million rows; readers see all of it or nothing."""
    ids = [version.pk for version in versions]
    for version in ids:
        drop_vector_index(version)
    with transaction.atomic():
        with connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(f"DELETE FROM docs_search_{table} WHERE version_id = ANY (%s)", [ids])
                pages = cursor.rowcount
            cursor.execute("DELETE FROM docs_search_version WHERE id = ANY (%s)", [ids])
        if corpus:  # its runs go with it
            Corpus.objects.filter(pk=corpus.pk).delete()
    return Removal([version.source for version in versions], pages)
