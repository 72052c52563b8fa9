"""What `manage.py check` says of the reranker; of embedding models, see the tests of reembedding."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django.fixtures import Settings

from docs_search.checks import check_reranker
from docs_search.reranking.reranker import forget_reranker


@pytest.fixture(autouse=True)
def _fresh_process() -> Iterator[None]:
    forget_reranker()
    yield
    forget_reranker()


def told(settings: Settings, **values: str) -> list[tuple[str | None, str]]:
    for name, value in values.items():
        setattr(settings, name, value)
    return [(message.id, message.msg) for message in check_reranker()]


def test_no_reranker_and_a_whole_one_pass(settings: Settings) -> None:
    assert told(settings) == []
    assert told(settings, RERANK_PROVIDER="tei", RERANK_BASE_URL="http://127.0.0.1:9") == []


def test_a_reranker_without_an_address_is_an_error(settings: Settings) -> None:
    assert told(settings, RERANK_PROVIDER="tei") == [("docs_search.E003", "RERANK_PROVIDER=tei needs RERANK_BASE_URL.")]


def test_settings_of_a_reranker_without_one_are_a_warning(settings: Settings) -> None:
    assert told(settings, RERANK_BASE_URL="http://127.0.0.1:9", RERANK_MODEL="m") == [
        ("docs_search.W002", "No reranker is asked, though RERANK_BASE_URL, RERANK_MODEL is set.")
    ]


def test_the_reranker_is_checked_at_every_start(settings: Settings) -> None:
    settings.RERANK_PROVIDER = "cohere"

    with pytest.raises(SystemCheckError, match=r"docs_search\.E003"):
        call_command("check")
