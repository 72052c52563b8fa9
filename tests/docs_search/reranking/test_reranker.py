"""Which reranker a process gets."""

from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from docs_search.reranking.cohere import CohereReranker
from docs_search.reranking.jina import JinaReranker
from docs_search.reranking.reranker import PROVIDERS, RerankError, forget_reranker, get_reranker
from docs_search.reranking.tei import TEIReranker


@pytest.fixture(autouse=True)
def _fresh_process(settings: Settings) -> Iterator[None]:
    settings.RERANK_BASE_URL = "http://127.0.0.1:9/v1"
    settings.RERANK_MODEL = "m"
    forget_reranker()
    yield
    forget_reranker()


def test_none_is_the_default() -> None:
    assert get_reranker() is None


@pytest.mark.parametrize(
    ("provider", "kind"), [("cohere", CohereReranker), ("jina", JinaReranker), ("tei", TEIReranker)]
)
def test_a_provider_is_chosen_by_settings_and_kept(settings: Settings, provider: str, kind: type) -> None:
    settings.RERANK_PROVIDER = provider

    chosen = get_reranker()

    assert type(chosen) is kind
    assert get_reranker() is chosen


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("RERANK_BASE_URL", "", "^RERANK_PROVIDER=.* needs RERANK_BASE_URL"),
        ("RERANK_BASE_URL", "http://127.0.0.1:port/v1", "^RERANK_BASE_URL is no address: "),
        ("RERANK_BASE_URL", "127.0.0.1:8080", "^RERANK_BASE_URL is no http or https address"),
        ("RERANK_BASE_URL", "file:///v1", "^RERANK_BASE_URL is no http or https address"),
        ("RERANK_API_KEY", "key-…", "^RERANK_API_KEY may have ASCII characters only"),
        ("RERANK_TIMEOUT", 61.0, "^RERANK_TIMEOUT may be 60 seconds at most"),
        ("RERANK_TIMEOUT", float("inf"), "^RERANK_TIMEOUT may be 60 seconds at most"),
    ],
)
def test_what_cannot_be_used_is_named(settings: Settings, provider: str, name: str, value: str, message: str) -> None:
    settings.RERANK_PROVIDER = provider
    setattr(settings, name, value)

    with pytest.raises(RerankError, match=message) as caught:
        get_reranker()

    assert not caught.value.retryable
    assert "key-" not in str(caught.value)


def test_a_server_of_one_model_needs_no_name_of_it(settings: Settings) -> None:
    settings.RERANK_PROVIDER, settings.RERANK_MODEL = "tei", ""
    assert isinstance(get_reranker(), TEIReranker)


@pytest.mark.parametrize("provider", ["cohere", "jina"])
def test_a_server_of_many_models_needs_the_name_of_one(settings: Settings, provider: str) -> None:
    settings.RERANK_PROVIDER, settings.RERANK_MODEL = provider, ""

    with pytest.raises(RerankError, match=f"RERANK_PROVIDER={provider} needs RERANK_MODEL"):
        get_reranker()
