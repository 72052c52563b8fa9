from collections.abc import Sequence

import bm25s
import numpy as np
import pytest
from django.db import connection

from docs_search.indexing.postings import PAGE_B, TITLE_WEIGHT, rebuild_postings
from docs_search.models import Version
from docs_search.retrieval.keyword import keyword_leg, keyword_pages
from tests.factories import make_page, make_passage, make_version

VOCABULARY = (
    "vacuum index table lock scan buffer replica cluster trigger column partition cursor sequence schema role grant"
).split()


def write_passages(texts: Sequence[str]) -> tuple[Version, list[int]]:
    """A version with one page that holds these texts; the ids of its passages in their order."""
    version = make_version()
    page = make_page(version)
    ids = [make_passage(page, text).pk for text in texts]
    rebuild_postings(version.pk)
    return version, ids


def found(query: str, version: Version, limit: int = 50, section: str | None = None) -> list[int]:
    return [hit.passage_id for hit in keyword_leg(query, version_ids=[version.pk], limit=limit, section=section)]


def random_texts(count: int) -> list[str]:
    random = np.random.default_rng(7)
    return [" ".join(random.choice(VOCABULARY, size=random.integers(1, 40))) for _ in range(count)]


def tokens(text: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT lexeme, cardinality(positions) FROM unnest(to_tsvector('docent', %s)) ORDER BY lexeme""", [text]
        )
        return [term for term, count in cursor.fetchall() for _ in range(count)]


@pytest.mark.django_db
def test_ranking_and_scores_equal_those_of_bm25s() -> None:
    texts = random_texts(120)
    version, ids = write_passages(texts)
    reference = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    reference.index([tokens(text) for text in texts], show_progress=False)

    for query in ["vacuum", "index scan", "replica lock partition", "grant role schema table", "sequences of cursors"]:
        terms = sorted({term for term in tokens(query) if term != "of"})
        rows, scores = reference.retrieve([terms], k=len(texts), show_progress=False)
        expected = {ids[row]: score for row, score in zip(rows[0], scores[0], strict=True) if score > 0}

        hits = keyword_leg(query, version_ids=[version.pk], limit=len(texts))

        assert {hit.passage_id: hit.score for hit in hits} == pytest.approx(expected, rel=1e-5)
        order = [expected[hit.passage_id] for hit in hits]
        assert order == sorted(order, reverse=True)


@pytest.mark.django_db
def test_only_passages_with_a_term_of_the_query_are_found() -> None:
    version, ids = write_passages(["vacuum a table", "lock a table", "grant a role"])

    assert found("vacuuming", version) == [ids[0]]
    assert found("unheard of", version) == []
    assert found("", version) == []


@pytest.mark.django_db
def test_stop_words_count_only_when_the_query_holds_nothing_else() -> None:
    version, ids = write_passages(["the FROM clause", "values NOT IN a list", "a clause"])

    assert found("from", version) == [ids[0]]
    assert found("not in", version) == [ids[1]]
    assert found("from a clause", version) == [ids[2], ids[0]]


@pytest.mark.django_db
def test_a_version_has_statistics_of_its_own() -> None:
    first, ids = write_passages(["vacuum table"])
    other = make_version(first.corpus, "18")
    page = make_page(other)
    for _ in range(5):
        make_passage(page, "vacuum vacuum")
    before = keyword_leg("vacuum", version_ids=[first.pk], limit=5)

    rebuild_postings(other.pk)

    assert keyword_leg("vacuum", version_ids=[first.pk], limit=5) == before
    assert [hit.passage_id for hit in before] == ids
    assert len(keyword_leg("vacuum", version_ids=[first.pk, other.pk], limit=50)) == 6


@pytest.mark.django_db
def test_a_section_narrows_the_search() -> None:
    version = make_version()
    inside = make_passage(make_page(version, "admin/backup.html"), "dump the cluster")
    make_passage(make_page(version, "sql/select.html"), "a cluster of rows")
    rebuild_postings(version.pk)

    assert found("cluster", version, section="admin") == [inside.pk]


@pytest.mark.django_db
def test_one_statement_and_the_limit_holds() -> None:
    version, _ = write_passages(["vacuum"] * 4)

    assert len(found("vacuum", version, limit=3)) == 3


@pytest.mark.django_db
def test_pages_are_ranked_as_bm25s_ranks_their_passages_and_titles_together() -> None:
    version = make_version()
    random = np.random.default_rng(11)
    texts: dict[int, str] = {}
    for number in range(40):
        page = make_page(version, f"page-{number}.html", title=" ".join(random.choice(VOCABULARY, size=2)))
        passages = [" ".join(random.choice(VOCABULARY, size=size)) for size in random.integers(1, 30, size=3)]
        for passage in passages:
            make_passage(page, passage)
        texts[page.pk] = " ".join([*passages, *[page.title] * TITLE_WEIGHT])
    make_page(version, "empty.html", title="vacuum")
    rebuild_postings(version.pk)
    reference = bm25s.BM25(method="lucene", k1=1.2, b=PAGE_B)
    reference.index([tokens(text) for text in texts.values()], show_progress=False)

    for query in ["vacuum", "replica lock partition"]:
        scores = reference.get_scores(tokens(query))
        expected = {page: score for page, score in zip(texts, scores, strict=True) if score > 0}

        pages = keyword_pages(query, version_ids=[version.pk], limit=100)

        assert sorted(pages) == sorted(expected)
        assert [expected[page] for page in pages] == pytest.approx(sorted(expected.values(), reverse=True), rel=1e-5)


@pytest.mark.django_db
def test_pages_of_a_section_alone_are_ranked_within_it() -> None:
    version = make_version()
    inside = make_page(version, "admin/backup.html")
    make_passage(inside, "dump the cluster")
    make_passage(make_page(version, "sql/select.html"), "a cluster of rows")
    rebuild_postings(version.pk)

    assert keyword_pages("cluster", version_ids=[version.pk], limit=9, section="admin") == [inside.pk]
