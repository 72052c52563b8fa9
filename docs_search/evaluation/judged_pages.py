"""The pages that a person may judge a question by."""

from docs_search.errors import DocentError
from docs_search.models import Page
from docs_search.pages.lookup import find_page, find_page_by_path
from docs_search.retrieval.ablation import ranked_pages
from docs_search.scope import resolve_scope

CANDIDATES = 10


def find_judged_page(corpus: str, text: str) -> Page:
    """The page of the newest version of a corpus at a path, or at an address of the published site.

    Raises DocentError, which names the nearest page, where there is none.
    """
    if text.startswith(("http://", "https://")):
        page = find_page(text)
        if page.version.corpus.slug == corpus:
            return page
        raise DocentError(f"{text} is a page of {page.version.corpus}.")
    return find_page_by_path("", text, corpus=corpus)


def candidates(corpus: str, query: str) -> list[Page]:
    """The first pages that search finds for a query now, best first; none where the corpus is not indexed."""
    try:
        scope = resolve_scope(corpus)
    except DocentError:
        return []
    ids = ranked_pages(query, scope, limit=CANDIDATES)
    pages = Page.objects.only("path", "title").in_bulk(ids)
    return [pages[page] for page in ids if page in pages]
