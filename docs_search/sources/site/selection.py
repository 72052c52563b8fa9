"""Which of the fetched pages become documents, and under which paths."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from docs_search.documents import PageWarning
from docs_search.outbound.fetcher import shown
from docs_search.sources.site.addresses import INDEX_FILE, Scope, extension
from docs_search.sources.site.answers import Outcome
from docs_search.sources.site.media import MARKDOWN
from docs_search.sources.site.store import Row

MAX_CHAIN = 10  # canonical addresses that are followed from a page
MAX_ROOT_CLAIMS = 5  # pages that may say that they are the start page; where more do, it is a mistake of the site

_MARKDOWN_ENDINGS = frozenset({"md", "mdx", "markdown"})
_WARNED = frozenset({Outcome.GONE, Outcome.OUTSIDE, Outcome.FAILED})


@dataclass(frozen=True, slots=True)
class Selection:
    """`documents` maps paths to addresses, `outcomes` counts what came of all addresses."""

    documents: dict[str, str]
    warnings: list[PageWarning]
    outcomes: Counter[Outcome]


def select(rows: Iterable[Row], scope: Scope) -> Selection:
    """One document for each page of a site, whatever addresses it has."""
    pages: dict[str, Row] = {}
    redirects: dict[str, str] = {}
    warnings: list[PageWarning] = []
    outcomes: Counter[Outcome] = Counter()
    for row in rows:
        outcomes[row.outcome] += 1
        if row.has_body:
            pages[row.url] = row
        if row.outcome is Outcome.REDIRECT and row.target:
            redirects[row.url] = row.target
        if row.outcome in _WARNED:
            warnings.append(_warning(row, scope))
    warnings += _circles(redirects, scope)
    warnings += _ignore_root_claims(pages, scope)
    documents: dict[str, str] = {}
    for url in sorted({_representative(url, pages) for url in pages}):
        if _is_twin(url, pages):
            continue
        path = _path(pages[url], scope)
        rival = documents.setdefault(path, url)
        if rival != url:
            kept, left = _preferred(pages[rival], pages[url])
            documents[path] = kept.url
            if kept.digest != left.digest:
                warnings.append(PageWarning(path, f"is the path of {kept.url} and of {left.url}, which was left out"))
    return Selection(dict(sorted(documents.items())), sorted(warnings, key=lambda it: (it.page, it.message)), outcomes)


def _warning(row: Row, scope: Scope) -> PageWarning:
    """What is wrong with an address, told to whoever links to it."""
    if row.has_body:
        return PageWarning(_shown_path(scope.path(row.url)), f"is an older copy, since its address {row.reason}")
    place = row.url if row.found_on is None else row.found_on
    return PageWarning(_shown_path(scope.path(place)), f"links to {shown(row.url)}, which {row.reason}")


def _circles(redirects: dict[str, str], scope: Scope) -> list[PageWarning]:
    """Redirects that lead back to where they began."""
    warnings = []
    clear: set[str] = set()
    for start in redirects:
        chain: dict[str, None] = {start: None}
        url = start
        while url not in clear and (target := redirects.get(url)) is not None:
            if target in chain:
                warnings.append(PageWarning(_shown_path(scope.path(target)), f"redirects in a circle: {target}"))
                break
            chain[target] = None
            url = target
        clear |= chain.keys()
    return warnings


def _ignore_root_claims(pages: dict[str, Row], scope: Scope) -> list[PageWarning]:
    """Where a template lets every page name the start page as its canonical address, let each be its own."""
    claims = [row for row in pages.values() if row.target is not None and not scope.path(row.target)]
    if len(claims) <= MAX_ROOT_CLAIMS:
        return []
    for row in claims:
        pages[row.url] = replace(row, target=None)
    message = f"is named as their canonical address by {len(claims)} pages, which was not believed"
    return [PageWarning(_shown_path(""), message)]


def _representative(url: str, pages: dict[str, Row]) -> str:
    """The page that stands for a page by their canonical addresses; in a circle, the first by name."""
    chain = [url]
    while len(chain) <= MAX_CHAIN and (target := pages[chain[-1]].target) in pages and target is not None:
        if target in chain:
            return min(chain[chain.index(target) :])
        chain.append(target)
    return chain[-1]


def _is_twin(url: str, pages: dict[str, Row]) -> bool:
    """Whether this is the file of an index (`guide/index.html`) that is known by its folder (`guide/`) as well."""
    folder = INDEX_FILE.sub("/", url)
    return folder != url and folder in pages and pages[folder].digest == pages[url].digest


def _path(row: Row, scope: Scope) -> str:
    path = scope.path(row.url)
    if row.media == MARKDOWN:
        return path if path and extension(row.url) in _MARKDOWN_ENDINGS else f"{path or 'index'}.md"
    return _shown_path(path)


def _shown_path(path: str) -> str:
    return path or "index.html"


def _preferred(first: Row, second: Row) -> tuple[Row, Row]:
    """Two pages with the same path, the one to keep before the other: the folder, where one of them is."""
    return (second, first) if second.url.endswith("/") and not first.url.endswith("/") else (first, second)
