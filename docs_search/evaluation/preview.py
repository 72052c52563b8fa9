"""What a search shows and why, beside what it was judged to find."""

from collections.abc import Sequence
from dataclasses import dataclass

from docs_search.evaluation.judging import PageIndex
from docs_search.evaluation.questions import Question
from docs_search.retrieval.hits import Hit
from docs_search.retrieval.search import search
from docs_search.scope import resolve_scope

PASSAGES = 20


@dataclass(frozen=True, slots=True)
class StageValue:
    """What one stage gave a passage: its rank there, from 1, and its score; None where the stage gives no such."""

    rank: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class PreviewHit:
    """A hit with what each of `Preview.stages` gave it. `judged` is the path its page is judged by, blank for none."""

    hit: Hit
    values: tuple[StageValue, ...]
    judged: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The first passages. `stages` are those that gave any of them something. `unseen` are judged pages without a
    passage among them, `missing` those that the index lacks; `degraded` are stages that failed.
    """

    version: str
    hits: tuple[PreviewHit, ...]
    stages: tuple[str, ...]
    unseen: tuple[str, ...]
    missing: tuple[str, ...]
    degraded: tuple[str, ...]


def preview(query: str, *, corpus: str, version: str, judged: Sequence[str]) -> Preview:
    """Search as a reader does. Raises InvalidRequest, UnknownCorpus or UnknownVersion."""
    result = search(query=query, corpus=corpus, version=version, limit=PASSAGES, surface="admin")
    scope = resolve_scope(corpus, version)
    question = Question("", query, corpus, "", dict.fromkeys(judged, 1))
    judgments = PageIndex([question], version_ids=scope.version_ids, aliases={}).judgments(question)
    stages = tuple(dict.fromkeys(name.rpartition("_")[0] for hit in result.hits for name in hit.stages))
    hits = tuple(
        PreviewHit(hit, tuple(_value(hit, stage) for stage in stages), judgments.judged.get(hit.page_id, ""))
        for hit in result.hits
    )
    seen = {hit.judged for hit in hits}
    return Preview(
        version=scope.version.source,
        hits=hits,
        stages=stages,
        unseen=tuple(path for path in judgments.grades if path not in {*seen, *judgments.missing}),
        missing=judgments.missing,
        degraded=tuple(result.degraded),
    )


def _value(hit: Hit, stage: str) -> StageValue:
    rank = hit.stages.get(f"{stage}_rank")
    return StageValue(None if rank is None else int(rank), hit.stages.get(f"{stage}_score"))
