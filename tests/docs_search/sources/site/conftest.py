"""Crawls of a site on loopback, without the pauses that a site on the web is owed."""

from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from docs_search.sources.site import politeness


@pytest.fixture(autouse=True)
def crawls_on_loopback(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path / "var"
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    settings.CRAWL_REQUESTS_PER_SECOND = 1000.0
    monkeypatch.setattr(politeness, "FIRST_PAUSE", 0.01)
