"""The three retrievers of one search, run at the same time, each free to fail by itself."""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

import numpy as np
from django.db import Error, connection
from numpy.typing import NDArray

from docs_search.embedding.embedder import EmbeddingError, get_embedder
from docs_search.retrieval.exact import exact_leg
from docs_search.retrieval.hits import LegHit, Stage
from docs_search.retrieval.keyword import keyword_leg, keyword_pages
from docs_search.retrieval.semantic import semantic_leg
from docs_search.scope import Scope

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

KEYWORD_PAGES = 40  # pages that the keyword leg ranks as a whole
WARN_EVERY = 60.0  # seconds
_quiet_until: dict[str, float] = {}
_warning = Lock()

# Legs of all requests share these threads. None of them waits for another, so a full pool delays and cannot deadlock.
_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="search-leg")


@dataclass(slots=True)
class Trace:
    """Milliseconds by stage, and the stages that failed; several threads add to both."""

    started: float = field(default_factory=time.perf_counter)
    timings: dict[str, float] = field(default_factory=dict)
    failed: set[Stage] = field(default_factory=set)

    @contextmanager
    def stage(self, stage: Stage) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = (time.perf_counter() - begun) * 1000

    @property
    def degraded(self) -> list[Stage]:
        """The stages that failed, in the order of Stage."""
        return [stage for stage in Stage if stage in self.failed]

    def finished(self) -> dict[str, float]:
        """The timings so far in the order of Stage, and the time since the search began as `total`."""
        timings: dict[str, float] = {stage: self.timings[stage] for stage in Stage if stage in self.timings}
        timings["total"] = (time.perf_counter() - self.started) * 1000
        return {stage: round(ms, 2) for stage, ms in timings.items()}

    def attempt(self, stage: Stage, leg: Callable[[], Result]) -> Result | None:
        """What the leg found; None, and the stage marked as failed, where the database did."""
        with self.stage(stage):
            try:
                return leg()
            except Error as fault:
                self.fail(stage, fault)
                return None

    def leave_out(self, stage: Stage, reason: str) -> None:
        """Note that a stage failed outside the database; `reason` holds nothing of the query."""
        self.failed.add(stage)
        _warn(f"{stage} by a provider", f"search stage {stage} failed: {reason}")

    def fail(self, stage: Stage, fault: Error) -> None:
        """Note that the database failed in a stage."""
        self.failed.add(stage)
        # Neither the message nor a traceback: PostgreSQL quotes the statement, and the query with it.
        state = getattr(fault.__cause__, "sqlstate", None)
        _warn(stage, f"search stage {stage} failed: {type(fault).__name__} {state or ''}".rstrip())


@dataclass(frozen=True, slots=True)
class Legs:
    """What each leg found, best first, and the query's vector (unit length) where it could be computed.

    `keyword_pages` are the pages that the keyword leg ranks as a whole.
    """

    exact: list[LegHit]
    keyword: list[LegHit]
    semantic: list[LegHit]
    keyword_pages: list[int]
    vector: NDArray[np.float32] | None

    @property
    def hits(self) -> dict[int, LegHit]:
        """Everything that was found, by passage."""
        return {hit.passage_id: hit for hit in [*self.exact, *self.keyword, *self.semantic]}


def run_legs(query: str, scope: Scope, *, depth: int, section: str | None, trace: Trace) -> Legs:
    """Run the three legs, each `depth` deep: exact and keyword on one thread, embedding and semantic on this one.

    A request gives its connection back before it waits for the other thread: with a bounded pool, threads that hold
    one connection while they wait for a second would lock each other out. Inside a transaction the legs run one
    after the other, so that they see its rows.
    """
    versions = scope.version_ids

    def by_words() -> tuple[list[LegHit], list[LegHit], list[int]]:
        exact = trace.attempt(Stage.EXACT, lambda: exact_leg(query, version_ids=versions, limit=depth, section=section))
        by_bm25 = trace.attempt(
            Stage.KEYWORD,
            lambda: (
                keyword_leg(query, version_ids=versions, limit=depth, section=section),
                keyword_pages(query, version_ids=versions, limit=KEYWORD_PAGES, section=section),
            ),
        )
        keyword, pages = by_bm25 or ([], [])
        return exact or [], keyword, pages

    if connection.in_atomic_block:
        exact, keyword, pages = by_words()
        vector, semantic = _by_meaning(query, scope, depth=depth, section=section, trace=trace)
    else:
        release_connection()
        words: Future[tuple[list[LegHit], list[LegHit], list[int]]] = _threads.submit(_on_own_connection, by_words)
        vector, semantic = _by_meaning(query, scope, depth=depth, section=section, trace=trace)
        release_connection()
        exact, keyword, pages = words.result()
    return Legs(exact=exact, keyword=keyword, semantic=semantic, keyword_pages=pages, vector=vector)


def _by_meaning(
    query: str, scope: Scope, *, depth: int, section: str | None, trace: Trace
) -> tuple[NDArray[np.float32] | None, list[LegHit]]:
    """Embed the query and find the nearest passages.

    Vectors of another model would rank at random, so a corpus that was embedded with one is searched without them.
    """
    try:
        embedder = get_embedder()
        if scope.corpus.embedding_model != embedder.name:
            trace.failed.add(Stage.SEMANTIC)
            corpus = scope.corpus
            _warn(corpus.slug, f"{corpus} has vectors of {corpus.embedding_model}, not of {embedder.name}")
            return None, []
        with trace.stage(Stage.EMBED):
            vector = embedder.embed_query(query)
    except EmbeddingError as fault:
        trace.leave_out(Stage.EMBED, str(fault))
        return None, []
    semantic = trace.attempt(
        Stage.SEMANTIC, lambda: semantic_leg(vector, version_ids=scope.version_ids, limit=depth, section=section)
    )
    # Where vectors cannot be compared with the query's, nothing after this leg may try.
    return (None, []) if semantic is None else (vector, semantic)


def _warn(subject: str, message: str) -> None:
    """Log the message, unless there was one on `subject` in the last minute: a lasting failure meets every search."""
    now = time.monotonic()
    with _warning:
        if now < _quiet_until.get(subject, 0.0):
            return
        _quiet_until[subject] = now + WARN_EVERY
    logger.warning("%s", message)


def _on_own_connection(work: Callable[[], Result]) -> Result:
    try:
        return work()
    finally:
        connection.close()


def release_connection() -> None:
    """Give the thread's connection back to the pool, if there is one, before a wait; not within a transaction."""
    if connection.settings_dict["OPTIONS"].get("pool") and not connection.in_atomic_block:
        connection.close()
