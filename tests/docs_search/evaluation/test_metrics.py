import math

import pytest

from docs_search.evaluation.metrics import DEPTH, Scores, first_hit, mean, score


def test_a_perfect_ranking_scores_one() -> None:
    assert score([2, 1, 0], [2, 1]) == Scores(1.0, 1.0, 1.0, 1.0, 1.0)


def test_measures_are_those_of_trec() -> None:
    # Worked by hand: the page of grade 1 at rank 2, that of grade 2 at rank 4, and one of grade 1 not found.
    gain = 1 / math.log2(3) + 2 / math.log2(5)
    ideal = 2 + 1 / math.log2(3) + 1 / math.log2(4)

    scores = score([0, 1, 0, 2, 0], [1, 2, 1])

    assert (scores.hit_at_1, scores.hit_at_5, scores.mrr_at_10) == (0.0, 1.0, 0.5)
    assert scores.recall_at_10 == pytest.approx(2 / 3)
    assert scores.ndcg_at_10 == pytest.approx(gain / ideal)
    assert scores.ndcg_at_10 == pytest.approx(0.4766, abs=1e-4)


def test_an_empty_ranking_scores_nothing() -> None:
    assert score([], [2]) == Scores(0.0, 0.0, 0.0, 0.0, 0.0)


def test_what_stands_below_the_tenth_place_does_not_count() -> None:
    assert score([0] * DEPTH + [2], [2]) == Scores(0.0, 0.0, 0.0, 0.0, 0.0)
    tenth = score([0] * 9 + [2], [2])
    assert (tenth.hit_at_5, tenth.recall_at_10, tenth.mrr_at_10) == (0.0, 1.0, 0.1)
    assert tenth.ndcg_at_10 == pytest.approx(1 / math.log2(11))


def test_recall_is_of_all_that_helps_and_the_ideal_of_ten() -> None:
    scores = score([1] * 10, [1] * 20)
    assert (scores.recall_at_10, scores.ndcg_at_10) == (0.5, 1.0)


@pytest.mark.parametrize("judged", [[], [0]])
def test_a_query_that_nothing_answers_is_not_scored(judged: list[int]) -> None:
    with pytest.raises(ValueError, match="without a relevant page"):
        score([1], judged)


@pytest.mark.parametrize(("ranking", "rank"), [([], None), ([0, 0], None), ([0, 1, 2], 2), ([0] * 10 + [1], None)])
def test_rank_of_the_first_hit(ranking: list[int], rank: int | None) -> None:
    assert first_hit(ranking) == rank


def test_the_mean_is_over_all_queries() -> None:
    scores = [Scores(1.0, 1.0, 1.0, 1.0, 1.0), Scores(0.0, 1.0, 0.5, 0.25, 0.5)]
    assert mean(scores) == Scores(0.5, 1.0, 0.75, 0.625, 0.75)
    with pytest.raises(ValueError, match="no query"):
        mean([])
