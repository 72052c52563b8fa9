from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from tests.git_server import Served, served


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[Path]:
    """The folder for temporary ones, which must be empty again in the end. Loopback may be connected to."""
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    settings.GIT_TOKENS = {}
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    with served(tmp_path / "served", monkeypatch) as server:
        yield server
