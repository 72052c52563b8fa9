"""Turning texts into vectors, whichever provider does it."""

import os
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Protocol

import numpy as np
from django.conf import settings
from django.utils.module_loading import import_string
from numpy.typing import NDArray

# By value of EMBEDDING_PROVIDER. Imported when chosen, so that a process which embeds nothing loads no runtime.
PROVIDERS = {
    "minilm": "docs_search.embedding.minilm.MiniLM",
    "openai": "docs_search.embedding.openai_embeddings.OpenAIEmbedder",
}

_one_at_a_time = Lock()


class EmbeddingError(Exception):
    """A provider gave no vectors. `retryable` says whether the same call may succeed later.

    The message goes to the log: it holds neither a text that was to be embedded nor a key.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


class Embedder(Protocol):
    """One embedding model. Safe to use from several threads; never call it on an event loop.

    `name` is stored with every vector and changes when the vectors of a text would change. `max_tokens` is the
    longest text that is read whole, as `count_tokens` counts it.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text: (texts, dimension). May wait and retry for long. Raises EmbeddingError."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of length 1 of a reader's query: (dimension,). Raises EmbeddingError rather than wait for long."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text without the model's own marks; where it can only be estimated, on the safe side."""


def get_embedder() -> Embedder:
    """The embedder that the settings choose; one for each process. Raises EmbeddingError."""
    with _one_at_a_time:
        # A forked worker makes its own: threads and connections do not survive a fork.
        return _embedder_of_process(os.getpid())


def forget_embedder() -> None:
    """Make the next call of `get_embedder` read the settings again."""
    _embedder_of_process.cache_clear()


@cache
def _embedder_of_process(_pid: int) -> Embedder:
    provider = import_string(PROVIDERS[settings.EMBEDDING_PROVIDER])
    embedder: Embedder = provider.from_settings()
    return embedder
