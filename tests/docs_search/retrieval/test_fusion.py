import pytest

from docs_search.retrieval.fusion import fuse_pages, page_scores, reciprocal_rank_fusion


def test_a_passage_in_both_rankings_beats_the_first_of_either() -> None:
    fused = reciprocal_rank_fusion([1, 2], [3, 2])

    assert list(fused) == [2, 1, 3]
    assert fused[2] == pytest.approx(1 / 62 + 1 / 62)
    assert fused[1] == fused[3] == pytest.approx(1 / 61)


def test_the_weight_shifts_the_fusion_from_one_leg_to_the_other() -> None:
    fused = reciprocal_rank_fusion([1], [2], semantic_weight=0.7)

    assert fused == pytest.approx({1: 2 * 0.7 / 61, 2: 2 * 0.3 / 61})


def test_ties_keep_the_semantic_order() -> None:
    assert list(reciprocal_rank_fusion([5, 6], [6, 5])) == [5, 6]


def test_a_leg_that_found_nothing_changes_no_order() -> None:
    assert list(reciprocal_rank_fusion([], [4, 2, 9])) == [4, 2, 9]
    assert reciprocal_rank_fusion([], []) == {}


def test_several_passages_of_a_page_add_up() -> None:
    scores = page_scores([1, 2, 3], {1: 10, 2: 20, 3: 20})

    assert list(scores) == [20, 10]
    assert scores[20] == pytest.approx(1 / 4 + 1 / 5)


def test_a_long_page_does_not_win_by_its_length() -> None:
    ranking = list(range(1, 31))
    page_of = dict.fromkeys(ranking, 1) | {1: 2, 2: 2}

    scores = page_scores(ranking, page_of)

    assert list(scores) == [2, 1]
    assert scores[1] == pytest.approx(1 / 5 + 1 / 6 + 1 / 7)


def test_below_the_depth_only_the_best_passage_of_a_new_page_counts() -> None:
    ranking = list(range(1, 34))
    page_of = dict.fromkeys(ranking[:30], 1) | {31: 2, 32: 2, 33: 1}

    assert page_scores(ranking, page_of)[2] == pytest.approx(1 / 33)


def test_pages_are_ranked_by_their_passages_and_by_their_mean_vector() -> None:
    scores = fuse_pages([1, 2, 3], [3, 9])

    assert list(scores) == [3, 1, 2]
    assert scores == pytest.approx({1: 2 / 3, 2: 2 / 4, 3: 2 / 5 + 1 / 3})


def test_every_ranking_of_whole_pages_counts_alike() -> None:
    scores = fuse_pages([1, 2, 3], [3, 9], [2, 3])

    assert scores == pytest.approx({3: 2 / 5 + 1 / 3 + 1 / 4, 2: 2 / 4 + 1 / 3, 1: 2 / 3})
