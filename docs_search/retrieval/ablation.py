"""The same query with fewer stages, to see what each of them earns."""

from enum import StrEnum

from docs_search.retrieval.legs import Legs, Trace, run_legs
from docs_search.retrieval.ranking import fuse, rerank
from docs_search.retrieval.search import depth_for, rank, rank_again
from docs_search.scope import Scope


class Ranking(StrEnum):
    """How pages are ranked, each with all that stands before the stage it is named after."""

    EXACT = "exact"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    FUSED = "fused"
    PAGES = "pages"
    WHOLES = "wholes"
    RERANKED = "reranked"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS = {
    Ranking.EXACT: "exact names and phrases alone",
    Ranking.KEYWORD: "BM25 alone",
    Ranking.SEMANTIC: "vectors alone",
    Ranking.FUSED: "the three legs fused by rank",
    Ranking.PAGES: "+ pages by their best passages",
    Ranking.WHOLES: "+ pages as a whole",
    Ranking.RERANKED: "+ the reranker, if there is one: all that search does",
}


def ranked_pages(
    query: str, scope: Scope, ranking: Ranking = Ranking.RERANKED, *, limit: int = 10, trace: Trace | None = None
) -> list[int]:
    """Ids of the pages found for a query, best first, each once. `limit` counts pages; `trace` notes what failed."""
    trace = trace or Trace()
    legs = run_legs(query, scope, depth=depth_for(limit), section=None, trace=trace)
    passages = _passages(query, scope, legs, ranking, trace)
    hits = legs.hits
    return list(dict.fromkeys(hits[passage].page_id for passage in passages))[:limit]


def _passages(query: str, scope: Scope, legs: Legs, ranking: Ranking, trace: Trace) -> list[int]:
    """What a ranking shows, as far as its legs look."""
    match ranking:
        case Ranking.EXACT:
            return [hit.passage_id for hit in legs.exact]
        case Ranking.KEYWORD:
            return [hit.passage_id for hit in legs.keyword]
        case Ranking.SEMANTIC:
            return [hit.passage_id for hit in legs.semantic]
    fused = fuse(semantic=legs.semantic, keyword=legs.keyword, exact=legs.exact)
    everything = len(fused)
    match ranking:
        case Ranking.FUSED:
            return list(fused)
        case Ranking.PAGES:
            shown = rerank(fused, hits=legs.hits, named={}, nearest=[], wordiest=[], query=query, limit=everything)
        case Ranking.WHOLES:
            shown = rank(query, scope, legs, fused, section=None, trace=trace)
        case Ranking.RERANKED:
            shown = rank(query, scope, legs, fused, section=None, trace=trace)
            shown, _ = rank_again(query, legs, shown, trace=trace)
    return [passage for passage, _ in shown]
