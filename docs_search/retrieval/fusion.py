"""Rank fusion: pure functions over the rankings of the legs.

Scores of different retrievers are never added; only ranks are.
"""

from collections.abc import Mapping, Sequence

RRF_K = 60
# Measured on 254 judged questions over three manuals, and on the headings of Docent's own manual as queries: the sum
# over all passages with K = 10 gave nDCG@10 .685 and hit@1 .55, over the three best with K = 2 .701 and .65.
PAGE_K = 2
PAGE_DEPTH = 30
PAGE_PASSAGES = 3


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
    """score(page) = Σ 1 / (2 + rank) over its three best passages among the first 30, in descending order.

    A page with several good passages beats a page with one. Not all of its passages count: a long page has many by
    mere length, most of all in a small corpus, where a leg returns a good part of everything. Pages that first appear
    below that depth follow by their best passage alone.
    """
    scores: dict[int, float] = {}
    counted: dict[int, int] = {}
    for rank, passage in enumerate(ranking, start=1):
        page = page_of[passage]
        seen = counted.get(page, 0)
        if seen == 0 or (rank <= PAGE_DEPTH and seen < PAGE_PASSAGES):
            scores[page] = scores.get(page, 0.0) + 1 / (PAGE_K + rank)
            counted[page] = seen + 1
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def fuse_pages(by_passages: Sequence[int], *wholes: Sequence[int]) -> dict[int, float]:
    """score(page) = 2 / (2 + rank by its passages) + Σ 1 / (2 + rank as a whole), in descending order.

    A page that is about the matter as a whole beats one that touches it in a passage. `wholes` are rankings of whole
    pages: by their mean vectors, by BM25. Pages are those of the first ranking: one without a passage that was found
    has nothing to show.
    """
    scores = {page: 2 / (PAGE_K + rank) for rank, page in enumerate(by_passages, start=1)}
    for ranking in wholes:
        for rank, page in enumerate(ranking, start=1):
            if page in scores:
                scores[page] += 1 / (PAGE_K + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
