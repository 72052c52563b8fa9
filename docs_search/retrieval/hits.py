"""What a search returns."""

from dataclasses import dataclass, field
from enum import StrEnum

from docs_search.documents import Kind
from docs_search.retrieval.relevance import Evidence
from docs_search.versions import Fallback


class Stage(StrEnum):
    """The stages of a search, as Server-Timing, `timing`, `debug` and `degraded` name them."""

    EMBED = "embed"
    EXACT = "exact"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    FUSE = "fuse"
    RERANK = "rerank"


@dataclass(frozen=True, slots=True)
class LegHit:
    """A passage as one retriever ranked it. `score` compares only within that retriever; higher is better."""

    passage_id: int
    page_id: int
    kind: str
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its place in a ranking.

    `score` ranks within one response; `relevance` (0–1), estimated from `evidence`, compares across queries.
    `highlights` are half-open character ranges of `snippet`. `stages` holds what each stage gave the passage, for
    `debug`.
    """

    passage_id: int
    page_id: int
    url: str
    anchor: str | None
    title: str
    heading: str
    heading_path: tuple[str, ...]
    snippet: str
    highlights: tuple[tuple[int, int], ...]
    markdown: str
    corpus: str
    version: str
    plan: str | None
    kind: Kind
    score: float
    relevance: float
    evidence: Evidence
    exact: bool
    stages: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in descending order of score. `timings` are milliseconds by stage, and `total`."""

    query: str
    corpus: str
    version: str
    fallback: Fallback | None
    hits: list[Hit]
    timings: dict[str, float]
    degraded: list[Stage]
