import os
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_search.documents import PageWarning
from docs_search.sources import SourceError, SourceOptions, open_source


def _write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"content of {path}")


def test_paths_are_sorted_relative_and_without_hidden_files(tmp_path: Path) -> None:
    _write(tmp_path, "b.md", "a/z.md", "a/b/c.md", ".hidden.md", ".git/config", "a/.cache/x")
    with open_source(tmp_path) as source:
        assert source.paths() == ["a/b/c.md", "a/z.md", "b.md"]
        assert source.read("a/b/c.md") == b"content of a/b/c.md"


@pytest.mark.parametrize("path", ["missing.md", "../secret.txt", ".hidden.md", "a", ""])
def test_only_listed_paths_can_be_read(tmp_path: Path, path: str) -> None:
    _write(tmp_path, "secret.txt", "docs/a/page.md", "docs/.hidden.md")
    with open_source(tmp_path / "docs") as source, pytest.raises(FileNotFoundError):
        source.read(path)


def test_a_subfolder_restricts_the_source_where_it_exists(tmp_path: Path) -> None:
    _write(tmp_path, "LICENSE.txt", "docs/page.md")
    with open_source(tmp_path, SourceOptions(subfolder="docs/")) as source:
        assert source.paths() == ["page.md"]
    with open_source(tmp_path, SourceOptions(subfolder="manual")) as source:
        assert source.paths() == ["LICENSE.txt", "docs/page.md"]
        assert source.warnings() == [PageWarning("manual", "is no folder of the source, so all of it was read")]


def test_links_out_of_the_folder_to_nothing_and_to_themselves_are_left_out(tmp_path: Path) -> None:
    _write(tmp_path, "outside.md", "docs/page.md")
    docs = tmp_path / "docs"
    (docs / "twin.md").symlink_to("page.md")
    (docs / "out.md").symlink_to("../outside.md")
    (docs / "dangling.md").symlink_to("gone.md")
    (docs / "loop.md").symlink_to("loop.md")
    (docs / "folder").symlink_to(".")
    with open_source(docs) as source:
        assert source.paths() == ["page.md", "twin.md"]
        assert source.read("twin.md") == b"content of docs/page.md"


def test_a_name_in_another_encoding_is_left_out(tmp_path: Path) -> None:
    _write(tmp_path, "page.md")
    (tmp_path / "caf\udce9.md").write_text("latin-1 name")
    (tmp_path / "folder\udce9").mkdir()
    (tmp_path / "folder\udce9" / "page.md").write_text("below a latin-1 name")
    with open_source(tmp_path) as source:
        assert source.paths() == ["page.md"]


def test_paths_are_composed_whatever_form_the_file_system_keeps(tmp_path: Path) -> None:
    paths = ["\u00fcber/caf\u00e9.md", "\u00fcber/page.md"]
    _write(tmp_path, *(unicodedata.normalize("NFD", path) for path in paths))
    with open_source(tmp_path) as source:
        assert source.paths() == paths
        assert source.read(paths[0]).decode() == "content of " + unicodedata.normalize("NFD", paths[0])


def test_one_of_two_files_with_one_name_in_two_forms_is_read(tmp_path: Path) -> None:
    _write(tmp_path, "caf\u00e9.md", "cafe\u0301.md")
    with open_source(tmp_path) as source:
        assert source.paths() == ["caf\u00e9.md"]


@pytest.fixture
def folder_of_nobody() -> Iterator[Path]:
    """A folder that is written and read without root's power to read everything."""
    as_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        if as_root:
            os.chown(name, 65534, 65534)
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            if as_root:
                os.seteuid(0)


def test_a_subfolder_or_file_without_permission_is_refused_by_name(folder_of_nobody: Path) -> None:
    _write(folder_of_nobody, "page.md", "locked/page.md")
    locked = folder_of_nobody / "locked"
    for mode in (0o000, 0o400, 0o100):  # neither listed nor entered, listed only, entered only
        locked.chmod(mode)
        with pytest.raises(SourceError, match=r"cannot be read: .*/locked"), open_source(folder_of_nobody):
            pass
    locked.chmod(0o700)
    (locked / "page.md").chmod(0o000)
    with (
        open_source(folder_of_nobody) as source,
        pytest.raises(SourceError, match=r"locked/page\.md cannot be read: Permission denied"),
    ):
        source.read("locked/page.md")


def test_a_hidden_subfolder_needs_no_permission(folder_of_nobody: Path) -> None:
    _write(folder_of_nobody, "page.md", ".locked/page.md")
    (folder_of_nobody / ".locked").chmod(0o000)
    with open_source(folder_of_nobody) as source:
        assert source.paths() == ["page.md"]
    (folder_of_nobody / ".locked").chmod(0o700)


def test_a_location_without_documents_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere does not exist\. Give a folder, a \.tar"):
        open_source(tmp_path / "nowhere")
    with pytest.raises(SourceError, match=r"holds no files\. Give the folder"), open_source(tmp_path):
        pass
    (tmp_path / "page.md").write_text("text")
    with pytest.raises(SourceError, match=r"page\.md is neither a folder nor an archive\. Give a folder"):
        open_source(tmp_path / "page.md")
    with pytest.raises(SourceError, match="cannot be read"):
        open_source(tmp_path / ("long" * 100))
    with pytest.raises(SourceError, match="cannot be read"):
        open_source("~nobody-of-this-name/docs")


def test_a_subfolder_cannot_lead_out(tmp_path: Path) -> None:
    _write(tmp_path, "docs/page.md", "other/page.md")
    with (
        pytest.raises(SourceError, match="is not below"),
        open_source(tmp_path / "docs", SourceOptions(subfolder="../other")),
    ):
        pass


def test_a_relative_path_is_looked_for_in_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=rf"^manual/docs does not exist in {tmp_path}\. Give a folder"):
        open_source("manual/docs").__enter__()
