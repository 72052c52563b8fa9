import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from docs_search import uploads


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.UPLOAD_DIR = tmp_path / "var" / "uploads"
    return tmp_path / "var" / "uploads"


def test_an_upload_is_kept_where_only_we_can_read_it_under_its_own_name(folder: Path) -> None:
    first, second = (uploads.store([b"ab", b"c"], "../my docs.zip") for _ in range(2))
    assert first.read_bytes() == second.read_bytes() == b"abc"
    assert first.parent.parent == second.parent.parent == folder
    assert first.parent != second.parent
    assert first.name == second.name == "-my-docs.zip"
    assert (first.stat().st_mode & 0o777, first.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_an_upload_has_a_name_that_every_file_system_takes() -> None:
    for letter in ("a", "\u00e9", "\u6f22", "\U0001f4d6"):
        assert uploads.store([b"x"], letter * 300 + ".zip").suffix == ".zip"


def test_nothing_is_left_of_an_upload_that_breaks_off(folder: Path) -> None:
    def breaking() -> "list[bytes]":
        raise OSError("the connection is gone")

    with pytest.raises(OSError, match="the connection is gone"):
        uploads.store((breaking() for _ in range(1)), "docs.zip")  # type: ignore[misc]
    assert list(folder.iterdir()) == []


def test_only_uploads_are_discarded(folder: Path, tmp_path: Path) -> None:
    upload, other = uploads.store([b"x"], "docs.zip"), tmp_path / "docs.zip"
    other.write_bytes(b"x")
    below = folder / ".." / "other.zip"
    below.write_bytes(b"x")
    for location in (str(upload), str(upload), str(other), str(below), "https://example.com/docs.zip", "", None):
        uploads.discard(location)
    assert [file.exists() for file in (upload, other, below)] == [False, True, True]
    assert list(folder.iterdir()) == []


def test_uploads_are_pruned_after_a_week(folder: Path) -> None:
    now = datetime.now(UTC)
    assert uploads.prune(now) == 0  # nothing was uploaded yet
    old, new = uploads.store([b"x"], "old.zip"), uploads.store([b"x"], "new.zip")
    strange = folder / "folder"
    strange.mkdir()
    for file, days in ((strange, 8), (old, 8), (new, 6)):
        moment = (now - timedelta(days=days)).timestamp()
        os.utime(file, (moment, moment))
    assert uploads.prune(now) == 1
    assert [file.exists() for file in (strange, old.parent, new)] == [True, False, True]
