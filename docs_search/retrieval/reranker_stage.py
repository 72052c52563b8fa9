"""Asking the configured reranker, whose failure costs a search nothing but its order."""

from collections.abc import Collection, Mapping, Sequence

from django.conf import settings
from django.db import Error

from docs_search.models import Passage
from docs_search.reranking.reranker import RerankError, get_reranker
from docs_search.retrieval.hits import Stage
from docs_search.retrieval.legs import Trace, release_connection
from docs_search.retrieval.reordering import candidates, reorder

# Characters of one text, its heading path included: about 500 tokens, which is what cross-encoders read.
MAX_TEXT = 2000


def ask_reranker(
    query: str,
    ranking: Sequence[tuple[int, float]],
    page_of: Mapping[int, int],
    *,
    leading: Collection[int],
    trace: Trace,
) -> tuple[list[tuple[int, float]], dict[int, float]]:
    """The ranking as the reranker has it, and its scores by passage; as it was, and none, without a whole answer.

    `leading` pages keep their places. No connection to the database is held while the reranker is waited for.
    """
    unchanged = list(ranking)
    try:
        reranker = get_reranker()
        asked = candidates(ranking, page_of, leading=leading, depth=settings.RERANK_DEPTH)
        if reranker is None or not asked:
            return unchanged, {}
        texts = dict(Passage.objects.filter(pk__in=asked).values_list("pk", "text"))
        # One that a publish removed meanwhile is not sent.
        asked = [passage for passage in asked if passage in texts]
        release_connection()
        answer = reranker.rerank(query, [texts[passage][:MAX_TEXT] for passage in asked])
    except RerankError as fault:
        trace.leave_out(Stage.RERANK, f"{fault}")
        return unchanged, {}
    except Error as fault:
        trace.fail(Stage.RERANK, fault)
        return unchanged, {}
    scores = dict(zip(asked, answer, strict=True))
    return reorder(ranking, scores, page_of, leading=leading), scores
