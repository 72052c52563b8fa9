"""The order of pages after a reranker has read their best passages. Pure functions."""

from collections.abc import Collection, Mapping, Sequence

from docs_search.retrieval.ranking import REPEAT_DECAY

Ranking = Sequence[tuple[int, float]]


def candidates(ranking: Ranking, page_of: Mapping[int, int], *, leading: Collection[int], depth: int) -> list[int]:
    """The passages that a reranker is to read: the `depth` best of pages that it may move, which `leading` ones are
    not."""
    return [passage for passage, _ in ranking if page_of[passage] not in leading][:depth]


def reorder(
    ranking: Ranking, scores: Mapping[int, float], page_of: Mapping[int, int], *, leading: Collection[int]
) -> list[tuple[int, float]]:
    """(passage, score) in the order to show, from a ranking by page and the reranker's scores of some of its passages.

    Pages come by their best score, those without one behind them as they were; `leading` pages stay first. In a page
    passages come by their scores, then as they were. Rerankers score on scales of their own, so the best page takes
    the ranking's best score, the next its next, and further passages of a page yield by REPEAT_DECAY as before.
    """
    passages: dict[int, list[int]] = {}
    values: dict[int, float] = {}
    for passage, value in ranking:
        page = page_of[passage]
        passages.setdefault(page, []).append(passage)
        values.setdefault(page, value)
    best = {
        page: max(found)
        for page, members in passages.items()
        if (found := [scores[passage] for passage in members if passage in scores])
    }
    # Python sorts stably: where the keys are equal, the ranking's order stays.
    pages = sorted(values, key=lambda page: (page not in leading, page not in best, -best.get(page, 0.0)))
    reordered = []
    for page, value in zip(pages, sorted(values.values(), reverse=True), strict=True):
        members = sorted(passages[page], key=lambda passage: (passage not in scores, -scores.get(passage, 0.0)))
        reordered += [(passage, value * REPEAT_DECAY**place) for place, passage in enumerate(members)]
    return sorted(reordered, key=lambda item: -item[1])
