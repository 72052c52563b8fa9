"""Find a page by any address it ever had, or by its version and path.

A look-up never answers from another release than the one it names: whoever has an address wants that page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import reduce
from heapq import nlargest
from itertools import pairwise
from operator import or_

from django.db.models import Case, Q, Value, When

from docs_search.errors import InvalidRequest, PageNotFound, UnknownVersion
from docs_search.models import Page, Version
from docs_search.pages.addresses import checked_path, lookup_path, parse_url, served, split_url
from docs_search.scope import IndexedCorpus, indexed_corpora, indexed_corpus
from docs_search.versions import COMMON

MAX_CANDIDATES = 5000  # pages among which the nearest is looked for
MAX_COMPARED = 50  # of these, how many are compared letter by letter
MAX_SHOWN = 200  # characters of a reader's path that a message repeats
SIMILAR = 0.6  # least difflib ratio of two paths that may be meant for each other


@dataclass(frozen=True, slots=True)
class _Target:
    """A path, and the versions in which it may be, in order of preference.

    Where the release is not indexed there are none: `missing` says so, and `instead` holds the versions nearest to it.
    """

    versions: Sequence[Version]
    path: str
    missing: str = ""
    instead: Sequence[Version] = ()


def find_page(url: str) -> Page:
    """The page that has, or once had, this address, as it is served; its version and corpus are loaded with it.

    Raises InvalidRequest for what is no address, and PageNotFound, whose message names the nearest page.
    """
    corpora = indexed_corpora()
    addresses = parse_url(url, [indexed.corpus for indexed in corpora.values()])
    if not addresses:
        newest = [version for indexed in corpora.values() for version in _newest(indexed)]
        # Elsewhere a path may be shaped in any way, but its last part is still the name of a page.
        host, path = split_url(url)
        raise _not_found(f"No documentation from {host[:MAX_SHOWN]} is indexed.", _namesake(newest, path))
    targets = [_target(corpora[address.corpus], address.version, address.path) for address in addresses]
    return _find(targets)


def find_page_by_path(version: str, path: str, *, corpus: str | None = None) -> Page:
    """The page at `path` in a version, as it is served; its version and corpus are loaded with it.

    `version` is a release in any spelling, `latest`, `cloud`, `shared` or a source slug. Raises InvalidRequest for a
    path that no page can have, UnknownCorpus, and PageNotFound, whose message names the nearest page.
    """
    path = checked_path(path)
    if not path:
        raise InvalidRequest("The path is missing.")
    try:
        indexed, requested = indexed_corpus(corpus, version)
        return _find([_target(indexed, requested, path)])
    except UnknownVersion as fault:
        raise PageNotFound(fault.message) from None


def _target(indexed: IndexedCorpus, requested: str | None, path: str) -> _Target:
    if requested and requested.lower() in COMMON and (named := indexed.named(requested.lower())):
        return _Target(named, path)
    resolution = indexed.resolve(requested)
    versions = indexed.searched_with(resolution.version)
    if resolution.fallback:
        return _Target((), path, missing=resolution.fallback.note, instead=versions)
    return _Target(versions, path)


def _find(targets: Sequence[_Target]) -> Page:
    """The page of the first target that has one. A miss is explained by the first target."""
    indexed = [(target.versions, target.path) for target in targets if target.versions]
    page = _first_match(indexed) if indexed else None
    if page:
        page.url, page.markdown = served(page.url), served(page.markdown)
        return page
    first = targets[0]
    if first.missing:
        page = _first_match([(first.instead, first.path)])
        raise _not_found(first.missing, page.url if page else _similar(first.instead, first.path))
    where = first.versions[0].source
    raise _not_found(f"{where} has no page {first.path[:MAX_SHOWN]!r}.", _similar(first.versions, first.path))


def _first_match(targets: Iterable[tuple[Sequence[Version], str]]) -> Page | None:
    """The best page for the first target that has any: by its path, else another spelling of it, else an alias."""
    order = [
        Q(version=version) & condition
        for versions, path in targets
        for condition in _conditions(path)
        for version in versions
    ]
    rank = Case(*(When(condition, then=Value(place)) for place, condition in enumerate(order)))
    found = Page.objects.filter(reduce(or_, order)).select_related("version__corpus")
    return found.order_by(rank, "path").first()


def _conditions(path: str) -> list[Q]:
    """What makes a page the one at `path`, the surest first. At a path from the root of a site (`/…`) it only was."""
    lookup = lookup_path(path)
    alias = Q(
        aliases__overlap=[path.removeprefix("/"), *(f"{lookup}{extension}" for extension in ("", ".html", ".md"))]
    )
    return [alias] if path.startswith("/") else [Q(path=path), Q(lookup_path=lookup), alias]


def _newest(indexed: IndexedCorpus) -> list[Version]:
    return indexed.searched_with(indexed.resolve(None).version)


def _similar(versions: Sequence[Version], path: str) -> str | None:
    """The address of the page whose path is most like this one, or None where none is like it."""
    if namesake := _namesake(versions, path):
        return namesake
    wanted = lookup_path(path).casefold()
    if len(wanted) > MAX_SHOWN:
        return None
    return _nearest(_candidates(versions), wanted, cutoff=SIMILAR)


def _namesake(versions: Sequence[Version], path: str) -> str | None:
    """The address of a page whose path ends in the same name, in folders as like as possible."""
    wanted = lookup_path(path).casefold()[-MAX_SHOWN:]
    name = wanted.rpartition("/")[2]
    if not name:
        return None
    same_name = Q(lookup_path__iexact=name) | Q(lookup_path__iendswith=f"/{name}")
    return _nearest(_candidates(versions, same_name), wanted, cutoff=0)


def _nearest(candidates: Sequence[tuple[str, str]], wanted: str, *, cutoff: float) -> str | None:
    """The address of the candidate whose path has the best difflib ratio to `wanted`, `cutoff` at least.

    difflib takes 0.1 ms a path, so only those are compared that share most letters and pairs of letters with it.
    """
    urls = {lookup.casefold(): url for lookup, url in reversed(candidates)}
    parts = {*wanted, *map("".join, pairwise(wanted))}
    promising = nlargest(MAX_COMPARED, urls, key=lambda lookup: sum(part in lookup for part in parts) - len(lookup) / 2)
    close = get_close_matches(wanted, promising, n=1, cutoff=cutoff)
    return urls[close[0]] if close else None


def _candidates(versions: Sequence[Version], *conditions: Q) -> list[tuple[str, str]]:
    """Look-up path and address of pages that may be the nearest."""
    pages = Page.objects.filter(*conditions, version__in=versions).order_by("path", "version_id")
    return list(pages.values_list("lookup_path", "url")[:MAX_CANDIDATES])


def _not_found(reason: str, nearest: str | None) -> PageNotFound:
    return PageNotFound(f"{reason} The nearest page is {served(nearest)}" if nearest else reason)
