"""Which embedder a process gets."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from docs_search.embedding import embedder
from docs_search.embedding.embedder import EmbeddingError, get_embedder
from docs_search.embedding.minilm import NAME


@pytest.fixture(autouse=True)
def _fresh_process() -> Iterator[None]:
    embedder._embedder_of_process.cache_clear()
    yield
    embedder._embedder_of_process.cache_clear()


def test_the_bundled_model_is_the_default(settings: Settings, tmp_path: Path) -> None:
    settings.MODEL_DIR = tmp_path

    chosen = get_embedder()

    assert (chosen.name, chosen.dimension, chosen.max_tokens) == (NAME, 384, 254)
    assert get_embedder() is chosen


def test_an_endpoint_is_chosen_by_settings(settings: Settings) -> None:
    settings.EMBEDDING_PROVIDER = "openai"
    settings.EMBEDDING_BASE_URL = "http://127.0.0.1:9/v1"
    settings.EMBEDDING_MODEL = "text-embedding-3-small"
    settings.EMBEDDING_DIMENSION = 1536
    settings.EMBEDDING_MAX_TOKENS = 512

    chosen = get_embedder()

    assert (chosen.name, chosen.dimension, chosen.max_tokens) == ("text-embedding-3-small/1536", 1536, 512)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("EMBEDDING_BASE_URL", "http://127.0.0.1:port/v1", "^EMBEDDING_BASE_URL is no address: "),
        ("EMBEDDING_API_KEY", "sk-…", "^EMBEDDING_API_KEY may have ASCII characters only"),
    ],
)
def test_an_address_or_a_key_that_cannot_be_used_is_named(
    settings: Settings, name: str, value: str, message: str
) -> None:
    settings.EMBEDDING_PROVIDER = "openai"
    settings.EMBEDDING_BASE_URL = "http://127.0.0.1:9/v1"
    settings.EMBEDDING_MODEL = "m"
    setattr(settings, name, value)

    with pytest.raises(EmbeddingError, match=message) as caught:
        get_embedder()

    assert not caught.value.retryable
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("missing", ["EMBEDDING_BASE_URL", "EMBEDDING_MODEL"])
def test_an_endpoint_without_address_or_model_is_refused(settings: Settings, missing: str) -> None:
    settings.EMBEDDING_PROVIDER = "openai"
    settings.EMBEDDING_BASE_URL = "http://127.0.0.1:9/v1"
    settings.EMBEDDING_MODEL = "m"
    setattr(settings, missing, "")

    with pytest.raises(EmbeddingError, match=f"EMBEDDING_PROVIDER=openai needs {missing}") as caught:
        get_embedder()

    assert not caught.value.retryable
