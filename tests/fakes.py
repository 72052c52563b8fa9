"""Scripted stand-ins for what lies behind an adapter."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from zlib import crc32

import numpy as np
import pytest
from django.conf import settings
from numpy.typing import NDArray

from docs_search.embedding import embedder as adapter
from docs_search.embedding.embedder import Embedder, EmbeddingError
from docs_search.reranking import reranker as reranking
from docs_search.reranking.reranker import Reranker


class ScriptedEmbedder:
    """Vectors that count words, so that texts are as similar as the words they share; the same in every run.

    A token is a word. `texts` are all the texts embedded so far.
    """

    name = "scripted"
    dimension = 384
    max_tokens = 254

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._left: int | None = None

    def fail_after(self, texts: int) -> None:
        """Let `texts` more texts be embedded; every call that would exceed them fails, until `recover`."""
        self._left = texts

    def recover(self) -> None:
        """Stop failing."""
        self._left = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self._left is not None:
            if len(texts) > self._left:
                raise EmbeddingError("the scripted embedder fails here", retryable=True)
            self._left -= len(texts)
        self.texts += texts
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in _words(text) or [""]:
                vector[crc32(word.encode()) % self.dimension] += 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed([text])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


class ConfiguredEmbedder:
    """The provider that `use_embedder` puts in the place of the one that the settings name."""

    embedder: Embedder

    @classmethod
    def from_settings(cls) -> Embedder:
        return cls.embedder


@contextmanager
def use_embedder(embedder: Embedder) -> Iterator[None]:
    """Let this process embed with `embedder`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(adapter.PROVIDERS, "minilm", "tests.fakes.ConfiguredEmbedder")
        patch.setattr(ConfiguredEmbedder, "embedder", embedder, raising=False)
        adapter.forget_embedder()
        try:
            yield
        finally:
            adapter.forget_embedder()


class ConfiguredReranker:
    """The provider that `use_reranker` puts in the place of one that settings could name."""

    reranker: Reranker

    @classmethod
    def from_settings(cls) -> Reranker:
        return cls.reranker


@contextmanager
def use_reranker(reranker: Reranker) -> Iterator[None]:
    """Let this process rerank with `reranker`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(reranking.PROVIDERS, "tei", "tests.fakes.ConfiguredReranker")
        patch.setattr(settings, "RERANK_PROVIDER", "tei")
        patch.setattr(ConfiguredReranker, "reranker", reranker, raising=False)
        reranking.forget_reranker()
        try:
            yield
        finally:
            reranking.forget_reranker()
