import pytest

from docs_search.documents import Kind
from docs_search.retrieval.hits import LegHit
from docs_search.retrieval.ranking import fuse, rerank


def hit(passage: int, page: int, score: float = 1.0, kind: Kind = Kind.SECTION) -> LegHit:
    return LegHit(passage, page, kind, score)


def test_a_passage_about_the_very_name_counts_like_the_first_of_both_legs() -> None:
    fused = fuse(semantic=[hit(1, 1), hit(2, 2)], keyword=[hit(1, 1), hit(3, 3)], exact=[hit(9, 9, score=4.0)])

    assert fused[9] == pytest.approx(fused[1]) == pytest.approx(2 / 61)
    assert list(fused)[2:] == [2, 3]


def test_equal_exact_matches_are_ordered_by_the_legs() -> None:
    fused = fuse(semantic=[hit(2, 2), hit(1, 1)], keyword=[], exact=[hit(1, 1), hit(2, 2)])

    assert list(fused) == [2, 1]


def test_pages_take_turns() -> None:
    hits = {1: hit(1, 10), 2: hit(2, 20), 3: hit(3, 10), 4: hit(4, 10)}

    order = rerank({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}, hits=hits, named={}, query="anything", limit=4)

    assert [passage for passage, _ in order] == [1, 3, 2, 4]
    assert [score for _, score in order] == sorted((score for _, score in order), reverse=True)


def test_release_notes_yield_to_reference_pages_unless_asked_for() -> None:
    hits = {1: hit(1, 10, kind=Kind.RELEASE_NOTE), 2: hit(2, 20)}
    fused = {1: 0.4, 2: 0.3}

    assert [passage for passage, _ in rerank(fused, hits=hits, named={}, query="parallel vacuum", limit=2)] == [2, 1]
    assert [
        passage for passage, _ in rerank(fused, hits=hits, named={}, query="release notes for vacuum", limit=2)
    ] == [1, 2]


def test_no_more_than_the_limit_is_returned() -> None:
    hits = {number: hit(number, number) for number in range(1, 9)}

    assert len(rerank({number: 1 / number for number in hits}, hits=hits, named={}, query="x", limit=3)) == 3


def test_where_the_query_is_a_name_pages_about_it_lead() -> None:
    hits = {1: hit(1, 10), 2: hit(2, 10), 3: hit(3, 20), 4: hit(4, 30)}
    fused = {1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}

    order = rerank(fused, hits=hits, named={3: 1.0, 4: 4.0}, query="work_mem", limit=4)

    assert [passage for passage, _ in order] == [4, 3, 1, 2]
