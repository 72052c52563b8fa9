from collections.abc import Mapping, Sequence

import pytest

from docs_search.documents import Kind
from docs_search.retrieval.hits import LegHit
from docs_search.retrieval.ranking import fuse, rerank


def hit(passage: int, page: int, score: float = 1.0, kind: Kind = Kind.SECTION) -> LegHit:
    return LegHit(passage, page, kind, score)


def test_passages_far_from_the_query_earn_nothing_by_their_rank() -> None:
    semantic = [hit(1, 1, score=0.6), hit(2, 2, score=0.42), hit(3, 3, score=0.41)]

    assert fuse(semantic=semantic, keyword=[hit(3, 3, score=9.0)], exact=[]) == pytest.approx(
        {1: 1 / 61, 3: 1 / 61, 2: 1 / 62}
    )
    assert fuse(semantic=[hit(1, 1, score=0.19)], keyword=[], exact=[]) == {}


def test_a_passage_about_the_very_name_counts_like_the_first_of_both_legs() -> None:
    fused = fuse(semantic=[hit(1, 1), hit(2, 2)], keyword=[hit(1, 1), hit(3, 3)], exact=[hit(9, 9, score=4.0)])

    assert fused[9] == pytest.approx(fused[1]) == pytest.approx(2 / 61)
    assert list(fused)[2:] == [2, 3]


def test_equal_exact_matches_are_ordered_by_the_legs() -> None:
    fused = fuse(semantic=[hit(2, 2), hit(1, 1)], keyword=[], exact=[hit(1, 1), hit(2, 2)])

    assert list(fused) == [2, 1]


def order(
    fused: Mapping[int, float],
    hits: Mapping[int, LegHit],
    *,
    named: Mapping[int, float] | None = None,
    nearest: Sequence[int] = (),
    wordiest: Sequence[int] = (),
    query: str = "anything",
    limit: int = 9,
) -> list[int]:
    """The passages as they are shown; their scores must fall."""
    ranking = rerank(fused, hits=hits, named=named or {}, nearest=nearest, wordiest=wordiest, query=query, limit=limit)
    scores = [score for _, score in ranking]
    assert scores == sorted(scores, reverse=True)
    return [passage for passage, _ in ranking]


def test_pages_take_turns() -> None:
    hits = {1: hit(1, 10), 2: hit(2, 10), 3: hit(3, 10), 4: hit(4, 20)}

    assert order({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}, hits) == [1, 4, 2, 3]


def test_release_notes_yield_to_reference_pages_unless_asked_for() -> None:
    hits = {1: hit(1, 10, kind=Kind.RELEASE_NOTE), 2: hit(2, 20)}
    fused = {1: 0.4, 2: 0.3}

    assert order(fused, hits, query="parallel vacuum") == [2, 1]
    assert order(fused, hits, query="release notes for vacuum") == [1, 2]


def test_no_more_than_the_limit_is_returned() -> None:
    hits = {number: hit(number, number) for number in range(1, 9)}

    assert order({number: 1 / number for number in hits}, hits, limit=3) == [1, 2, 3]


def test_where_the_query_is_a_name_pages_about_it_lead() -> None:
    hits = {1: hit(1, 10), 2: hit(2, 10), 3: hit(3, 20), 4: hit(4, 30)}

    assert order({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}, hits, named={3: 1.0, 4: 4.0})[:3] == [4, 3, 1]


def test_a_page_that_is_near_as_a_whole_passes_one_with_a_single_better_passage() -> None:
    hits = {1: hit(1, 10), 2: hit(2, 20)}
    fused = {1: 0.4, 2: 0.3}

    assert order(fused, hits) == [1, 2]
    assert order(fused, hits, nearest=[20]) == [2, 1]


def test_a_release_note_is_not_lifted_for_being_near_as_a_whole() -> None:
    hits = {1: hit(1, 10), 2: hit(2, 20, kind=Kind.RELEASE_NOTE)}

    assert order({1: 0.4, 2: 0.3}, hits, nearest=[20]) == [1, 2]
