"""The one entry point of search: web page, API, MCP and answers all call `search`.

resolve the version → exact, keyword and semantic legs at the same time → fuse → rerank by page, and by the reranker if
there is one → read what is shown. A leg that fails is left out and named in `degraded`.
"""

from collections.abc import Mapping

from django.db import Error

from docs_search.documents import Kind
from docs_search.errors import InvalidRequest, UnknownSection
from docs_search.models import Page
from docs_search.retrieval.exact import asks_for_names
from docs_search.retrieval.hits import Hit, SearchResult, Stage
from docs_search.retrieval.legs import Legs, Trace, run_legs
from docs_search.retrieval.passage_rows import read_passages
from docs_search.retrieval.ranking import NEAREST_PAGES, fuse, rerank
from docs_search.retrieval.relevance import Evidence, relevance
from docs_search.retrieval.reranker_stage import ask_reranker
from docs_search.retrieval.semantic import nearest_pages
from docs_search.retrieval.snippets import best_window, count_terms, query_stems
from docs_search.scope import Scope, resolve_scope
from docs_search.search_log import SearchLogEntry, enqueue

MAX_QUERY = 1000
MAX_LIMIT = 100
# As deep as the largest limit of the API asks for, so that its first results do not depend on the limit.
MIN_DEPTH = 120


def search(
    *,
    query: str,
    corpus: str | None = None,
    version: str | None = None,
    section: str | None = None,
    limit: int = 8,
    surface: str = "api",
    client: str = "",
) -> SearchResult:
    """The passages of one version that answer `query` best.

    Raises InvalidRequest, UnknownCorpus, UnknownVersion or UnknownSection. `surface` and `client` are for the log.
    """
    if not query.strip() or len(query) > MAX_QUERY or "\0" in query:
        raise InvalidRequest(f"The query must have 1 to {MAX_QUERY} characters, and no NUL.")
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidRequest(f"The limit must lie between 1 and {MAX_LIMIT}.")
    trace = Trace()
    for _ in range(2):
        scope = resolve_scope(corpus, version)
        if section is not None:
            _check_section(section, scope)
        shown, complete = _search_scope(query, scope, section=section, limit=limit, trace=trace)
        if complete:  # else a publish replaced passages between two statements: search what is there now
            break
    result = SearchResult(
        query=query,
        corpus=scope.corpus.slug,
        version=scope.version.name,
        fallback=scope.fallback,
        hits=shown,
        timings=trace.finished(),
        degraded=trace.degraded,
    )
    enqueue(
        SearchLogEntry(
            surface=surface,
            client=client,
            corpus=result.corpus,
            version=result.version,
            requested_version=version or "",
            query=query,
            section=section or "",
            results=len(shown),
            top_relevance=max((hit.relevance for hit in shown), default=None),
            timings=result.timings,
            degraded=[stage.value for stage in trace.degraded],
        )
    )
    return result


def _search_scope(query: str, scope: Scope, *, section: str | None, limit: int, trace: Trace) -> tuple[list[Hit], bool]:
    """The best hits, and whether all of them could still be read."""
    legs = run_legs(query, scope, depth=depth_for(limit), section=section, trace=trace)
    return best_hits(query, scope, legs, section=section, limit=limit, trace=trace)


def best_hits(
    query: str, scope: Scope, legs: Legs, *, section: str | None, limit: int, trace: Trace
) -> tuple[list[Hit], bool]:
    """The best hits of what the legs found, and whether all of them could still be read."""
    with trace.stage(Stage.FUSE):
        fused = fuse(semantic=legs.semantic, keyword=legs.keyword, exact=legs.exact)
    with trace.stage(Stage.RERANK):
        ranking = rank(query, scope, legs, fused, section=section, trace=trace)
        ranking, reranked = rank_again(query, legs, ranking, trace=trace)
        best = ranking[:limit]
        shown = _render(best, legs, fused, reranked, scope, query, trace)
    return shown, len(shown) == len(best)


def depth_for(limit: int) -> int:
    """How deep the legs look for so many results."""
    return max(4 * limit, MIN_DEPTH)


def rank(
    query: str, scope: Scope, legs: Legs, fused: Mapping[int, float], *, section: str | None, trace: Trace
) -> list[tuple[int, float]]:
    """All passages that the legs found with their scores, best first: reranked by page."""
    return rerank(
        fused,
        hits=legs.hits,
        named=_named(query, legs),
        nearest=_nearest_pages(legs, scope, section, trace),
        wordiest=legs.keyword_pages,
        query=query,
        limit=len(fused),
    )


def rank_again(
    query: str, legs: Legs, ranking: list[tuple[int, float]], *, trace: Trace
) -> tuple[list[tuple[int, float]], dict[int, float]]:
    """The ranking as the configured reranker has it, and what it scored; as it was where there is none."""
    page_of = {passage: hit.page_id for passage, hit in legs.hits.items()}
    leading = {page_of[passage] for passage in _named(query, legs)}
    return ask_reranker(query, ranking, page_of, leading=leading, trace=trace)


def _named(query: str, legs: Legs) -> dict[int, float]:
    """The exact scores of passages, by which their pages lead, where the query is nothing but names; else none."""
    return {hit.passage_id: hit.score for hit in legs.exact} if asks_for_names(query, legs.exact) else {}


def _nearest_pages(legs: Legs, scope: Scope, section: str | None, trace: Trace) -> list[int]:
    """The pages nearest to the query as a whole; none without a query vector."""
    if legs.vector is None:
        return []
    try:
        return nearest_pages(legs.vector, version_ids=scope.version_ids, limit=NEAREST_PAGES, section=section)
    except Error as fault:
        trace.fail(Stage.RERANK, fault)
        return []


def _check_section(section: str, scope: Scope) -> None:
    if "\0" in section or not Page.objects.filter(version_id__in=scope.version_ids, section=section).exists():
        known = (
            Page.objects.filter(version_id__in=scope.version_ids, section__isnull=False)
            .order_by("section").values_list("section", flat=True).distinct()
        )  # fmt: skip
        names = ", ".join(name for name in known if name)
        raise UnknownSection(f"There is no such section. Sections of this version: {names or 'none'}.")


def _render(
    ranking: list[tuple[int, float]],
    legs: Legs,
    fused: Mapping[int, float],
    reranked: Mapping[int, float],
    scope: Scope,
    query: str,
    trace: Trace,
) -> list[Hit]:
    """Read the passages to show. One that a publish removed since the legs ran is dropped."""
    ids = [passage for passage, _ in ranking]
    try:
        rows = read_passages(ids, vector=legs.vector)
    except Error as fault:  # another model's vectors took their place since the legs ran
        if legs.vector is None:
            raise
        trace.fail(Stage.SEMANTIC, fault)
        rows = read_passages(ids, vector=None)
    stems = query_stems(query)
    exact = {hit.passage_id for hit in legs.exact}
    ranks = {
        stage: {hit.passage_id: (place, hit.score) for place, hit in enumerate(leg, start=1)}
        for stage, leg in ((Stage.EXACT, legs.exact), (Stage.KEYWORD, legs.keyword), (Stage.SEMANTIC, legs.semantic))
    }
    page_ranks: dict[int, int] = {}
    hits = []
    for passage, score in ranking:
        row = rows.get(passage)
        if row is None:
            continue
        snippet = best_window(row.content, stems)
        page_rank = page_ranks.setdefault(row.page_id, len(page_ranks) + 1)
        evidence = Evidence(row.cosine, count_terms(row.text, stems), page_rank)
        hits.append(
            Hit(
                passage_id=passage,
                page_id=row.page_id,
                url=row.url,
                anchor=row.anchor,
                title=row.title,
                heading=row.heading,
                heading_path=tuple(row.heading_path),
                snippet=snippet.text,
                highlights=snippet.highlights,
                markdown=row.markdown,
                corpus=scope.corpus.slug,
                version=row.version,
                plan=row.plan,
                kind=Kind(row.kind),
                score=score,
                relevance=relevance(evidence),
                evidence=evidence,
                exact=passage in exact,
                stages={
                    name: value
                    for stage, places in ranks.items()
                    if passage in places
                    for name, value in ((f"{stage}_rank", places[passage][0]), (f"{stage}_score", places[passage][1]))
                }
                | {"fuse_score": fused[passage], "rerank_score": score}
                | ({"reranker_score": reranked[passage]} if passage in reranked else {}),
            )
        )
    return hits
