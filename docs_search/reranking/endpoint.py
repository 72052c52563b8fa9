"""What the dialects of `POST /rerank` have in common: one request in bounded time, and scores that are checked."""

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Self

import httpx
from django.conf import settings

from docs_search.outbound.faults import LASTING_FAULTS, RETRYABLE_STATUS
from docs_search.outbound.retry_after import retry_after
from docs_search.reranking.circuit_breaker import CircuitBreaker
from docs_search.reranking.reranker import RerankError

MAX_REPLY = 4_000_000  # bytes; a reply may carry the texts that were sent
# Requests under way in one process. More wait here, within their own timeout, and not at an endpoint that is busy.
REQUESTS_AT_ONCE = 8
LONGEST_TIMEOUT = 60.0  # seconds; a reader waits
# Seconds that an idle connection is kept: less than servers do (uvicorn 5), so that none is used as it is closed.
KEEPALIVE = 3.0


class RerankEndpoint(ABC):
    """A reranker behind HTTP. A dialect says what to send and where the scores stand.

    `timeout` (seconds) is for a request with everything in it, also where a server sends one byte at a time. There is
    one attempt: a reader waits for it.
    """

    score_key: ClassVar[str]
    needs_model: ClassVar[bool]

    def __init__(self, client: httpx.Client, *, model: str, timeout: float) -> None:
        self._client = client
        self._timeout = timeout
        self._breaker = CircuitBreaker()
        self._threads = ThreadPoolExecutor(REQUESTS_AT_ONCE, thread_name_prefix="rerank")
        self.model = model

    @classmethod
    def from_settings(cls) -> Self:
        """From the RERANK_* settings. Raises RerankError when one of them is missing or cannot be used."""
        needed = ["RERANK_BASE_URL", *(["RERANK_MODEL"] if cls.needs_model else [])]
        for name in needed:
            if not getattr(settings, name):
                raise RerankError(f"RERANK_PROVIDER={settings.RERANK_PROVIDER} needs {name}.", retryable=False)
        if settings.RERANK_TIMEOUT > LONGEST_TIMEOUT:
            raise RerankError(f"RERANK_TIMEOUT may be {LONGEST_TIMEOUT:g} seconds at most.", retryable=False)
        key = settings.RERANK_API_KEY
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            client = httpx.Client(
                base_url=settings.RERANK_BASE_URL,
                headers=headers,
                timeout=settings.RERANK_TIMEOUT,
                limits=httpx.Limits(keepalive_expiry=KEEPALIVE),
            )
        except httpx.InvalidURL as fault:
            raise RerankError(f"RERANK_BASE_URL is no address: {fault}", retryable=False) from fault
        except UnicodeEncodeError:
            # Whose own text would tell the key.
            raise RerankError("RERANK_API_KEY may have ASCII characters only.", retryable=False) from None
        if client.base_url.scheme not in {"http", "https"} or not client.base_url.host:
            raise RerankError("RERANK_BASE_URL is no http or https address.", retryable=False)
        return cls(client, model=settings.RERANK_MODEL, timeout=settings.RERANK_TIMEOUT)

    @abstractmethod
    def request(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """The body to send."""

    @abstractmethod
    def rows(self, reply: Any) -> Any:
        """Where the results stand in a decoded reply. May raise KeyError, TypeError or IndexError."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """See Reranker. After some failures in a row the endpoint is left alone for a while, and this fails at once."""
        if not texts:
            return []
        if refusal := self._breaker.refusal():
            raise RerankError(f"{refusal}; not tried again yet", retryable=True)
        try:
            scores = self._scores(self._answer(self.request(query, texts)), len(texts))
        except _Failure as fault:
            message = f"{self.model or 'reranker'}: {fault}"
            self._breaker.failed(message, asked=fault.asked)
            raise RerankError(message, retryable=fault.retryable) from None
        self._breaker.succeeded()
        return scores

    def _answer(self, body: dict[str, Any]) -> bytes:
        """The body of the reply. On another thread, since none of httpx's timeouts is for the whole of a request."""
        deadline = time.monotonic() + self._timeout
        answer = self._threads.submit(self._post, body, deadline)
        try:
            return answer.result(timeout=self._timeout)
        except TimeoutError:
            answer.cancel()  # where it still waits for a thread
            raise _Failure("no answer in time", retryable=True) from None

    def _post(self, body: dict[str, Any], deadline: float) -> bytes:
        received = bytearray()
        try:
            with self._client.stream("POST", "rerank", json=body) as reply:
                if not reply.is_success:
                    raise _Failure(
                        f"status {reply.status_code}",
                        retryable=reply.status_code in RETRYABLE_STATUS,
                        asked=retry_after(reply.headers),
                    )
                for piece in reply.iter_bytes():
                    received += piece
                    if len(received) > MAX_REPLY:
                        raise _Failure("the reply is too long", retryable=False)
                    if time.monotonic() > deadline:  # nobody waits for it any more
                        raise _Failure("no answer in time", retryable=True)
        except LASTING_FAULTS as fault:
            raise _Failure(type(fault).__name__, retryable=False) from None
        except httpx.HTTPError as fault:
            raise _Failure(type(fault).__name__, retryable=True) from None
        return bytes(received)

    def _scores(self, reply: bytes, count: int) -> list[float]:
        """The scores by the index of their texts: each text exactly one, a finite number."""
        scores: dict[int, float] = {}
        try:
            rows = self.rows(json.loads(reply))
            if not isinstance(rows, list):
                raise TypeError(rows)
            for row in rows:
                index, score = row["index"], row[self.score_key]
                if type(index) is not int or not 0 <= index < count or index in scores:
                    raise _Failure("the reply has an index twice, or one that was not sent", retryable=False)
                if isinstance(score, bool) or not math.isfinite(score):
                    raise _Failure("the reply has a score that is no number", retryable=False)
                scores[index] = float(score)
        except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
            raise _Failure("the reply is no list of scores", retryable=False) from None
        if len(scores) != count:
            raise _Failure(f"the reply has scores for {len(scores)} of {count} texts", retryable=False)
        return [scores[index] for index in range(count)]


class _Failure(Exception):
    """Why one request gave no scores. `asked` is how many seconds the server wants to be left alone."""

    def __init__(self, reason: str, *, retryable: bool, asked: float = 0.0) -> None:
        super().__init__(reason)
        self.retryable = retryable
        self.asked = asked
