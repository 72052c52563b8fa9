"""Each ranking shows what it is named after."""

from collections.abc import Iterator

import pytest

from docs_search.indexing.postings import rebuild_postings
from docs_search.models import Page, Version
from docs_search.retrieval.ablation import Ranking, ranked_pages
from docs_search.retrieval.search import search
from docs_search.scope import resolve_scope
from tests.factories import make_page, make_passage, make_version
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _scripted_embedder() -> Iterator[None]:
    with use_embedder(ScriptedEmbedder()):
        yield


def _publish(version: Version) -> None:
    rebuild_postings(version.pk)


def _page(version: Version, path: str, *texts: str) -> Page:
    page = make_page(version, path)
    for text in texts:
        make_passage(page, text)
    return page


def test_bm25_alone_ranks_pages_by_their_best_passage_each_once() -> None:
    version = make_version()
    twice = _page(version, "a.html", "vacuum vacuum", "vacuum the table and many other things besides")
    once = _page(version, "b.html", "a table to vacuum now and then")
    _page(version, "c.html", "nothing of the kind")
    _publish(version)
    scope = resolve_scope(version.corpus.slug, version.name)

    assert ranked_pages("vacuum", scope, Ranking.KEYWORD) == [twice.pk, once.pk]
    assert ranked_pages("vacuum", scope, Ranking.KEYWORD, limit=1) == [twice.pk]
    assert ranked_pages("unheard", scope, Ranking.KEYWORD) == []
    assert ranked_pages("unheard", scope, Ranking.EXACT) == []


def test_the_last_ranking_is_that_of_search() -> None:
    version = make_version()
    for number in range(6):
        _page(version, f"{number}.html", f"vacuum {'table ' * number}", f"index {'scan ' * number}")
    _publish(version)
    shown = search(query="vacuum table scan", corpus=version.corpus.slug, version=version.name, limit=50).hits

    pages = ranked_pages("vacuum table scan", resolve_scope(version.corpus.slug, version.name))

    assert pages == list(dict.fromkeys(hit.page_id for hit in shown))


def test_every_ranking_has_a_label() -> None:
    assert len({ranking.label for ranking in Ranking}) == len(Ranking)
