"""Search end to end over its own floor: one query embedding and the SQL that finds candidates, run bare."""

import time
from collections.abc import Callable
from statistics import median, quantiles

from bench.data import questions
from docs_search.embedding.embedder import get_embedder
from docs_search.retrieval.exact import exact_leg
from docs_search.retrieval.keyword import keyword_leg, keyword_pages
from docs_search.retrieval.legs import KEYWORD_PAGES
from docs_search.retrieval.ranking import NEAREST_PAGES
from docs_search.retrieval.search import MIN_DEPTH, search
from docs_search.retrieval.semantic import nearest_pages, semantic_leg
from docs_search.scope import resolve_scope

ROUNDS = 3


def time_searching(corpus: str, version: str) -> None:
    queries = questions(corpus)
    scope = resolve_scope(corpus, version)
    embedder = get_embedder()

    def floor(query: str) -> None:
        vector = embedder.embed_query(query)
        exact_leg(query, version_ids=scope.version_ids, limit=MIN_DEPTH)
        keyword_leg(query, version_ids=scope.version_ids, limit=MIN_DEPTH)
        keyword_pages(query, version_ids=scope.version_ids, limit=KEYWORD_PAGES)
        semantic_leg(vector, version_ids=scope.version_ids, limit=MIN_DEPTH)
        nearest_pages(vector, version_ids=scope.version_ids, limit=NEAREST_PAGES)

    def whole(query: str) -> None:
        search(query=query, corpus=corpus, version=version)

    timed: dict[str, list[float]] = {"floor": [], "search": []}
    for measured in (False, *[True] * ROUNDS):
        for query in queries:
            for name, work in (("floor", floor), ("search", whole)):
                elapsed = milliseconds(work, query)
                if measured:
                    timed[name].append(elapsed)
    bare, full = median(timed["floor"]), median(timed["search"])
    p95 = quantiles(timed["search"], n=20)[-1]
    print(f"search over {len(queries)} questions: p50 {full:.1f} ms, p95 {p95:.1f} ms, floor p50 {bare:.1f} ms")
    print(f"  over its floor                         {full / bare:.2f}   (aim <= 1.5)")
    print(f"  p95 over p50                           {p95 / full:.2f}   (aim <= 3)")


def milliseconds(work: Callable[[str], object], query: str) -> float:
    begun = time.perf_counter()
    work(query)
    return (time.perf_counter() - begun) * 1000
