"""Any endpoint that speaks OpenAI's `POST /embeddings`: OpenAI, vLLM, Ollama, text-embeddings-inference and others."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any, Self

import httpx
import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from docs_search.embedding.embedder import EmbeddingError
from docs_search.outbound.faults import LASTING_FAULTS, RETRYABLE_STATUS
from docs_search.outbound.retry_after import retry_after

# Well within every known server's limits (OpenAI: 2048 inputs and 300,000 tokens; text-embeddings-inference: 32).
MAX_INPUTS = 32
MAX_BATCH_TOKENS = 50_000
ATTEMPTS = 5
FIRST_PAUSE = 0.5  # seconds; doubles with each attempt
QUERY_PAUSE = 15.0  # seconds in which queries leave an endpoint alone that failed

_PIECE = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")


class OpenAIEmbedder:
    """`timeout` (seconds) bounds each request for a batch with all its retries, `query_timeout` the one for a query."""

    def __init__(
        self,
        client: httpx.Client,
        *,
        model: str,
        dimension: int,
        max_tokens: int,
        timeout: float,
        query_timeout: float,
    ) -> None:
        self._client = client
        self._model = model
        self._timeout = timeout
        self._query_timeout = query_timeout
        self._query_failure = ""
        self._next_query_at = 0.0
        self.name = f"{model}/{dimension}"
        self.dimension = dimension
        self.max_tokens = max_tokens

    @classmethod
    def from_settings(cls) -> Self:
        """From the EMBEDDING_* settings. Raises EmbeddingError when one of them is missing or cannot be used."""
        for name in ("EMBEDDING_BASE_URL", "EMBEDDING_MODEL"):
            if not getattr(settings, name):
                raise EmbeddingError(f"EMBEDDING_PROVIDER=openai needs {name}.", retryable=False)
        key = settings.EMBEDDING_API_KEY
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            client = httpx.Client(base_url=settings.EMBEDDING_BASE_URL, headers=headers)
        except httpx.InvalidURL as fault:
            raise EmbeddingError(f"EMBEDDING_BASE_URL is no address: {fault}", retryable=False) from fault
        except UnicodeEncodeError:
            # Whose own text would tell the key.
            raise EmbeddingError("EMBEDDING_API_KEY may have ASCII characters only.", retryable=False) from None
        return cls(
            client,
            model=settings.EMBEDDING_MODEL,
            dimension=settings.EMBEDDING_DIMENSION,
            max_tokens=settings.EMBEDDING_MAX_TOKENS,
            timeout=settings.EMBEDDING_TIMEOUT,
            query_timeout=settings.EMBEDDING_QUERY_TIMEOUT,
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See Embedder. Messages of errors hold neither texts nor the key."""
        matrix = np.empty((len(texts), self.dimension), np.float32)
        done = 0
        for batch in self._batches(texts):
            matrix[done : done + len(batch)] = self._vectors(batch, timeout=self._timeout, attempts=ATTEMPTS)
            done += len(batch)
        return matrix

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One attempt. After a failure that may pass, one query in QUERY_PAUSE tries, and the others fail at once."""
        if self._query_failure:
            now = time.monotonic()
            if now < self._next_query_at:
                raise EmbeddingError(f"{self._query_failure}; not tried again yet", retryable=True)
            self._next_query_at = now + QUERY_PAUSE
        try:
            vector: NDArray[np.float32] = self._vectors([text], timeout=self._query_timeout, attempts=1)[0]
        except EmbeddingError as fault:
            # A lasting failure may be due to this query alone, and comes without a wait.
            if fault.retryable:
                self._query_failure, self._next_query_at = str(fault), time.monotonic() + QUERY_PAUSE
            raise
        self._query_failure = ""
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """An estimate on the safe side, since the model's tokenizer is not at hand: a token for every three letters,
        each digit, each sign, and each byte of anything that is not ASCII."""
        return [sum(map(_most_tokens, _PIECE.findall(text))) for text in texts]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        room = MAX_BATCH_TOKENS
        for text, tokens in zip(texts, self.count_tokens(texts), strict=True):
            if batch and (len(batch) == MAX_INPUTS or tokens > room):
                yield batch
                batch, room = [], MAX_BATCH_TOKENS
            batch.append(text)
            room -= tokens
        if batch:
            yield batch

    def _vectors(self, batch: list[str], *, timeout: float, attempts: int) -> NDArray[np.float32]:
        """The rows of one request, scaled to length 1."""
        body = {"model": self._model, "input": batch, "encoding_format": "float"}
        reply = self._post(body, timeout=timeout, attempts=attempts)
        try:
            rows = {row["index"]: row["embedding"] for row in reply.json()["data"]}
            vectors = np.array([rows[number] for number in range(len(batch))], np.float32)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as fault:
            raise EmbeddingError(f"{self._model}: the reply is no list of embeddings.", retryable=False) from fault
        if vectors.shape != (len(batch), self.dimension):
            raise EmbeddingError(
                f"{self._model} gave vectors of {vectors.shape[-1]} numbers; EMBEDDING_DIMENSION is {self.dimension}.",
                retryable=False,
            )
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise EmbeddingError(f"{self._model} gave a vector without a direction.", retryable=False)
        vectors /= lengths
        return vectors

    def _post(self, body: Mapping[str, Any], *, timeout: float, attempts: int) -> httpx.Response:
        deadline = time.monotonic() + timeout
        for attempt in range(attempts):
            try:
                reply = self._client.post("embeddings", json=body, timeout=max(deadline - time.monotonic(), 0.1))
            except LASTING_FAULTS as fault:
                raise EmbeddingError(f"{self._model}: {type(fault).__name__}", retryable=False) from None
            except httpx.HTTPError as fault:
                failure, pause = type(fault).__name__, 0.0
            else:
                if reply.is_success:
                    return reply
                failure, pause = f"status {reply.status_code}", retry_after(reply.headers)
                if reply.status_code not in RETRYABLE_STATUS:
                    raise EmbeddingError(f"{self._model}: {failure}", retryable=False)
            pause = max(pause, FIRST_PAUSE * 2**attempt)
            if attempt + 1 == attempts or time.monotonic() + pause >= deadline:
                break
            time.sleep(pause)
        raise EmbeddingError(f"{self._model}: {failure} after {attempt + 1} attempts", retryable=True)


def _most_tokens(piece: str) -> int:
    if not piece.isascii():
        return len(piece.encode(errors="replace"))
    return ceil(len(piece) / 3) if piece.isalpha() else len(piece)
