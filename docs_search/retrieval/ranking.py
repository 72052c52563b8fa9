"""From the rankings of the legs to one ranking of passages: fuse, then rerank by page.

Pure functions: `search` brings what the legs found and takes what to show.
"""

from collections.abc import Mapping, Sequence

from docs_search.documents import Kind
from docs_search.retrieval.fusion import fuse_pages, page_scores, reciprocal_rank_fusion
from docs_search.retrieval.hits import LegHit

SEMANTIC_WEIGHT = 0.5
# The semantic leg fills its depth with whatever there is, in a small corpus with a good part of it. What is much
# farther from the query than the best is no match, and earns nothing by its rank. On 254 judged questions nDCG@10 is
# .717 without this and .722 with it; with the headings of Docent's own manual as queries, hit@1 is .63 and .69.
NEAR_SHARE = 0.7
LEAST_COSINE = 0.2
# In a sentence, a passage about one of its names counts like a first place in one more leg, a mention like half of it.
# Measured on 254 questions: more weight, or names of one plain word, cost nDCG@10 (.671 with 1.0, .683 with 0.5).
EXACT_WEIGHT = 0.5
EXACT_K = 60
# So many pages count as near by their mean vector.
NEAREST_PAGES = 15
# Further passages of a page yield to other pages: each counts half of the one before.
REPEAT_DECAY = 0.5
RELEASE_NOTE_FACTOR = 0.5
ASKS_FOR_RELEASES = frozenset(
    "release releases released changelog changes changed new upgrade upgrading migrate deprecated removed".split()
)


def fuse(*, semantic: Sequence[LegHit], keyword: Sequence[LegHit], exact: Sequence[LegHit]) -> dict[int, float]:
    """Passage → fused score, descending: reciprocal ranks of the two legs, and of the exact matches on top.

    Exact matches with equal scores share a rank, so that the legs decide among them.
    """
    near = [hit.passage_id for hit in semantic if hit.score >= max(LEAST_COSINE, NEAR_SHARE * semantic[0].score)]
    scores = reciprocal_rank_fusion(near, [hit.passage_id for hit in keyword], semantic_weight=SEMANTIC_WEIGHT)
    rank, previous = 0, None
    for place, hit in enumerate(exact, start=1):
        if hit.score != previous:
            rank, previous = place, hit.score
        scores[hit.passage_id] = scores.get(hit.passage_id, 0.0) + EXACT_WEIGHT * hit.score / (EXACT_K + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def rerank(
    fused: Mapping[int, float],
    *,
    hits: Mapping[int, LegHit],
    named: Mapping[int, float],
    nearest: Sequence[int],
    wordiest: Sequence[int],
    query: str,
    limit: int,
) -> list[tuple[int, float]]:
    """(passage, score) in the order to show: by the score of its page, halved for each better passage of that page.

    `nearest` are the pages whose mean vectors are nearest to the query, `wordiest` those that have most of its words,
    both best first. `named` has the exact scores of passages where the query is nothing but names: then pages with such
    a passage lead, the best match first. Release notes yield to reference pages unless the query asks for them.
    """
    demote = not ASKS_FOR_RELEASES & set(query.lower().split())
    ranking = list(fused)
    if demote:
        ranking.sort(key=lambda passage: -fused[passage] * _factor(hits[passage]))
        notes = {hit.page_id for hit in hits.values() if hit.kind == Kind.RELEASE_NOTE}
        nearest = [page for page in nearest if page not in notes]
        wordiest = [page for page in wordiest if page not in notes]
    by_passages = page_scores(ranking, {passage: hits[passage].page_id for passage in ranking})
    pages = fuse_pages(list(by_passages), nearest, wordiest)
    best: dict[int, float] = {}
    for passage, score in named.items():
        page = hits[passage].page_id
        best[page] = max(score, best.get(page, 0.0))
    for page, score in best.items():
        pages[page] = pages.get(page, 0.0) + score
    shown: dict[int, int] = {}
    scored: list[tuple[int, float]] = []
    for passage in ranking:
        page = hits[passage].page_id
        if page in pages:
            scored.append((passage, pages[page] * REPEAT_DECAY ** shown.get(page, 0)))
            shown[page] = shown.get(page, 0) + 1
    return sorted(scored, key=lambda item: -item[1])[:limit]


def _factor(hit: LegHit) -> float:
    return RELEASE_NOTE_FACTOR if hit.kind == Kind.RELEASE_NOTE else 1.0
