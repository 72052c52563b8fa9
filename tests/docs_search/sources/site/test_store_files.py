import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from docs_search.sources.base import SourceError
from docs_search.sources.site.answers import Answer, Document, Outcome
from docs_search.sources.site.store import CrawlStore
from docs_search.sources.site.store_files import KEPT_SECONDS, prune_stores

PAGE = Document(b"<p>text", "html", "utf-8", '"1"', None)
A = "https://example.com/a"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawls" / "site.sqlite"


def test_a_store_is_open_once(path: Path) -> None:
    with (
        CrawlStore.open(path),
        pytest.raises(SourceError, match="is being crawled by another run"),
        CrawlStore.open(path),
    ):
        pass


def test_a_store_of_another_process_is_not_opened(path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from docs_search.sources.site.store import CrawlStore\n"
        "with CrawlStore.open(Path(sys.argv[1])): print('open', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(SourceError, match="is being crawled by another run"), CrawlStore.open(path):
            pass
        process.kill()
    with CrawlStore.open(path) as store:
        assert store.begin(0.0) is False


@pytest.mark.parametrize("content", [b"no database at all" * 100, b""])
def test_a_damaged_store_is_begun_anew(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with CrawlStore.open(path) as store:
        store.begin(1000.0)
        assert store.find([(A, "")], None) == 1


def test_a_store_of_another_release_is_begun_anew(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE page (something TEXT)")
        database.execute("PRAGMA user_version = 99")
    database.close()
    with CrawlStore.open(path) as store:
        store.begin(1000.0)
        assert store.find([(A, "")], None) == 1


def test_a_folder_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "site.sqlite"
    with pytest.raises(SourceError, match=r"file/site\.sqlite cannot be written"), CrawlStore.open(path):
        pass


def test_a_store_without_a_path_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with CrawlStore.open(None) as store:
        store.begin(1000.0)
        store.find([(A, "")], None)
        store.record(store.waiting(1)[0], Answer(Outcome.PAGE, document=PAGE))
        assert store.document(A) == PAGE
    assert list(tmp_path.iterdir()) == []


def test_stores_that_nobody_opens_any_longer_are_pruned(tmp_path: Path) -> None:
    now = 2 * KEPT_SECONDS
    for name, age in (("old", KEPT_SECONDS + 1), ("young", KEPT_SECONDS - 1), ("open", KEPT_SECONDS + 1)):
        with CrawlStore.open(tmp_path / f"{name}.sqlite"):
            pass
        os.utime(tmp_path / f"{name}.sqlite", (now - age, now - age))
    (tmp_path / "broken.sqlite").write_bytes(b"no database" * 100)
    os.utime(tmp_path / "broken.sqlite", (0, 0))
    with CrawlStore.open(tmp_path / "open.sqlite"):
        os.utime(tmp_path / "open.sqlite", (0, 0))
        assert prune_stores(tmp_path, now) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["open.sqlite", "young.sqlite"]
    assert prune_stores(tmp_path / "missing", now) == 0
