"""Pages by what a reranker says of their best passages."""

from hypothesis import given
from hypothesis import strategies as st

from docs_search.retrieval.reordering import candidates, reorder

# Passages 10, 11 of page 1; 20, 21 of page 2; 30 of page 3.
PAGE_OF = {10: 1, 11: 1, 20: 2, 21: 2, 30: 3}
RANKING = [(10, 0.8), (20, 0.6), (11, 0.4), (21, 0.3), (30, 0.2)]


def test_pages_come_by_their_best_passage_and_take_the_scores_of_the_ranking() -> None:
    scores = {10: -5.0, 11: -9.0, 20: -7.0, 21: 3.0, 30: 1.0}

    assert reorder(RANKING, scores, PAGE_OF, leading=()) == [(21, 0.8), (30, 0.6), (20, 0.4), (10, 0.2), (11, 0.1)]


def test_what_was_not_scored_follows_as_it_was() -> None:
    assert reorder(RANKING, {20: 0.1}, PAGE_OF, leading=()) == [(20, 0.8), (10, 0.6), (21, 0.4), (11, 0.3), (30, 0.2)]


def test_equal_scores_change_nothing() -> None:
    assert reorder(RANKING, dict.fromkeys(PAGE_OF, 0.5), PAGE_OF, leading=()) == RANKING


def test_leading_pages_stay_first_in_their_order() -> None:
    scores = {30: 9.0}

    assert reorder(RANKING, scores, PAGE_OF, leading={1, 2}) == RANKING
    assert [passage for passage, _ in reorder(RANKING, scores, PAGE_OF, leading={2})] == [20, 30, 21, 10, 11]


def test_nothing_found_is_nothing_to_reorder() -> None:
    assert reorder([], {}, {}, leading=()) == []


def test_candidates_are_the_best_passages_of_pages_that_may_move() -> None:
    assert candidates(RANKING, PAGE_OF, leading=(), depth=3) == [10, 20, 11]
    assert candidates(RANKING, PAGE_OF, leading={1}, depth=2) == [20, 21]
    assert candidates(RANKING, PAGE_OF, leading={1, 2, 3}, depth=2) == []


@given(
    pages=st.lists(st.integers(0, 6), max_size=25),
    scores=st.dictionaries(st.integers(0, 24), st.floats(-1e6, 1e6), max_size=25),
    leading=st.sets(st.integers(0, 6)),
)
def test_passages_are_only_moved(pages: list[int], scores: dict[int, float], leading: set[int]) -> None:
    seen: dict[int, int] = {}
    ranking = []
    for passage, page in enumerate(pages):
        seen[page] = seen.get(page, 0) + 1
        ranking.append((passage, (1 / (1 + page)) * 0.5 ** (seen[page] - 1)))
    ranking.sort(key=lambda item: -item[1])
    page_of = dict(enumerate(pages))
    known = {passage: score for passage, score in scores.items() if passage in page_of}

    after = reorder(ranking, known, page_of, leading=leading)

    assert sorted(passage for passage, _ in after) == sorted(page_of)
    assert [score for _, score in after] == sorted((score for _, score in after), reverse=True)
    best: dict[int, float] = {}
    for passage, score in known.items():
        best[page_of[passage]] = max(score, best.get(page_of[passage], score))
    shown = dict.fromkeys(page_of[passage] for passage, _ in after)
    moved = [best[page] for page in shown if page not in leading and page in best]
    assert moved == sorted(moved, reverse=True)
