"""Fixtures that every test may use."""

import os
import signal
from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from docs_search import search_log
from tests.fakes import ScriptedEmbedder
from tests.published_manual import published_manual


def pytest_configure() -> None:
    """Ctrl-C is part of some tests, and a shell starts what runs in its background with it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """Lets several runs of the suite share one server: TEST_DB names this run's database."""
    if name := os.environ.get("TEST_DB"):
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = name


@pytest.fixture(autouse=True)
def search_log_by_hand(settings: Settings) -> Iterator[None]:
    """Searches are logged by `search_log.flush()` alone: a thread would not see a test's transaction."""
    settings.SEARCH_LOG_INTERVAL = 0
    yield
    search_log.discard()


@pytest.fixture(scope="module")
def manual(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """A small manual, published for all tests of a module, which only read, so that legs can run side by side."""
    with django_db_blocker.unblock(), published_manual(tmp_path_factory.mktemp("manual"), ScriptedEmbedder()):
        yield
