"""Rank fusion: pure functions over the rankings of the legs.

Scores of different retrievers are never added; only ranks are.
"""

from collections.abc import Mapping, Sequence

RRF_K = 60
PAGE_K = 10
PAGE_DEPTH = 30


def reciprocal_rank_fusion(
    semantic: Sequence[int], keyword: Sequence[int], *, semantic_weight: float = 0.5
) -> dict[int, float]:
    """rrf_score = 2 · (w / (60 + r_semantic) + (1 - w) / (60 + r_keyword)), ranks from 1, in descending order.

    Cormack, Clarke and Büttcher 2009, with a weight. Ties keep the semantic order, then the keyword order. A passage
    that a leg did not return gets nothing from it.
    """
    scores: dict[int, float] = {}
    for ranking, weight in ((semantic, semantic_weight), (keyword, 1 - semantic_weight)):
        for rank, passage in enumerate(ranking, start=1):
            scores[passage] = scores.get(passage, 0.0) + 2 * weight / (RRF_K + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def page_scores(ranking: Sequence[int], page_of: Mapping[int, int]) -> dict[int, float]:
    """score(page) = Σ 1 / (10 + rank) over its passages among the first 30, in descending order.

    A page with several good passages beats a page with one. Pages that first appear below that depth follow by their
    best passage alone.
    """
    scores: dict[int, float] = {}
    for rank, passage in enumerate(ranking, start=1):
        page = page_of[passage]
        if rank <= PAGE_DEPTH or page not in scores:
            scores[page] = scores.get(page, 0.0) + 1 / (PAGE_K + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
