"""Which versions a request is about: every search, answer and look-up of a page by path begins here.

Nothing is remembered between requests, so that a version which another process publishes is seen at once.
"""

import re
from dataclasses import dataclass

from django.conf import settings

from docs_search.errors import DocentError, InvalidRequest, UnknownCorpus, UnknownVersion
from docs_search.models import Corpus, Version
from docs_search.versions import SCHEMES, Fallback, Release, Resolution, resolve

_SLUG = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class IndexedCorpus:
    """A corpus and its published versions (one at least), read in one query."""

    corpus: Corpus
    versions: tuple[Version, ...]

    def resolve(self, requested: str | None) -> Resolution:
        """See `versions.resolve`."""
        available = [
            Release(tuple(version.release), version.name)
            for version in self.versions
            if version.scope == Version.Scope.RELEASE
        ]
        scheme = SCHEMES[self.corpus.version_scheme]
        return resolve(requested, corpus=self.corpus.slug, scheme=scheme, available=available)

    def named(self, name: str) -> list[Version]:
        """The version of that name alone, or none."""
        return [version for version in self.versions if version.name == name]

    def searched_with(self, name: str) -> list[Version]:
        """The version of that name, then those whose pages apply to every release."""
        common = [version for version in self.versions if version.scope != Version.Scope.RELEASE]
        return [*self.named(name), *(version for version in common if version.name != name)]


@dataclass(frozen=True, slots=True)
class Scope:
    """What a request searches: a release, and with it the pages that apply to every release.

    `publications` tells, version by version as in `version_ids`, how often each was published: what was computed under
    equal numbers was computed from the same index.
    """

    corpus: Corpus
    version: Version
    version_ids: list[int]
    publications: list[int]
    fallback: Fallback | None


def resolve_scope(corpus: str | None = None, version: str | None = None) -> Scope:
    """What a request for this corpus and version searches, in one query.

    Either may be absent: without a corpus it is the default one, without a version the newest. A source slug
    (`postgres_17`) given as version names both. Raises UnknownCorpus, UnknownVersion or InvalidRequest.
    """
    indexed, requested = indexed_corpus(corpus, version)
    resolution = indexed.resolve(requested)
    searched = indexed.searched_with(resolution.version)
    return Scope(
        corpus=indexed.corpus,
        version=searched[0],
        version_ids=[one.pk for one in searched],
        publications=[one.publication for one in searched],
        fallback=resolution.fallback,
    )


def indexed_corpora(slugs: set[str] | None = None) -> dict[str, IndexedCorpus]:
    """The corpora of which something is published, by slug; of all, or of those with the given slugs. One query."""
    published = Version.objects.published().select_related("corpus")
    versions: dict[str, list[Version]] = {}
    for version in published if slugs is None else published.filter(corpus__slug__in=slugs):
        versions.setdefault(version.corpus.slug, []).append(version)
    return {slug: IndexedCorpus(found[0].corpus, tuple(found)) for slug, found in versions.items()}


def indexed_corpus(corpus: str | None, version: str | None) -> tuple[IndexedCorpus, str | None]:
    """The corpus that a request names or leaves to the default, and what its version text says of the version.

    Raises UnknownCorpus, UnknownVersion where nothing of it is indexed, and InvalidRequest where corpus and version
    disagree.
    """
    named = (corpus or "").strip().lower()
    prefix, separator, rest = (version or "").strip().partition("_")
    prefix = prefix.lower()
    defaults = [settings.DEFAULT_CORPUS, settings.MANUAL_CORPUS]
    indexed = indexed_corpora({slug for slug in (prefix, *([named] if named else defaults)) if _SLUG.fullmatch(slug)})
    # The name of a corpus by itself is a source slug only where there are no versions to choose from.
    is_source = prefix in indexed and (separator or not SCHEMES[indexed[prefix].corpus.version_scheme].versioned)
    if is_source and named not in {"", prefix}:
        raise InvalidRequest(f"The version is one of {prefix}, but the corpus is {named}. Leave one of them out.")
    chosen = named or (prefix if is_source else next((slug for slug in defaults if slug in indexed), ""))
    if chosen not in indexed:
        raise _not_indexed(chosen)
    return indexed[chosen], rest if is_source else version


def _not_indexed(slug: str) -> DocentError:
    """Why nothing can be searched. This alone may take further queries."""
    indexed = ", ".join(indexed_corpora())
    if _SLUG.fullmatch(slug) and (corpus := Corpus.objects.filter(slug=slug).first()):
        return UnknownVersion(f"Nothing of {slug} is indexed yet. Index it with: {_ingest_command(corpus)}", [])
    if not indexed:
        return UnknownVersion(f"Nothing is indexed yet. Index it with: manage.py ingest {settings.MANUAL_CORPUS}", [])
    if slug:
        return UnknownCorpus(f"There is no corpus {slug[:40]!r}. Indexed are: {indexed}.")
    return InvalidRequest(f"Name a corpus, since the default one is not indexed. Indexed are: {indexed}.")


def _ingest_command(corpus: Corpus) -> str:
    """The command that indexes a corpus, with what its owner has to fill in."""
    version = " VERSION" if SCHEMES[corpus.version_scheme].versioned else ""
    location = "" if corpus.source else " --from FOLDER_OR_ARCHIVE"
    return f"manage.py ingest {corpus.slug}{version}{location}"
