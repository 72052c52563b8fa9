from pathlib import Path

import pytest

from docs_search.sources import SourceError, open_source


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
    with open_source(tmp_path, "docs/") as source:
        assert source.paths() == ["page.md"]
    with open_source(tmp_path, "manual") as source:
        assert source.paths() == ["LICENSE.txt", "docs/page.md"]


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


def test_a_file_name_in_another_encoding_is_left_out(tmp_path: Path) -> None:
    _write(tmp_path, "page.md")
    (tmp_path / "caf\udce9.md").write_text("latin-1 name")
    with open_source(tmp_path) as source:
        assert source.paths() == ["page.md"]


def test_a_location_without_documents_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere does not exist\. Give a folder or a \.tar"):
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
    with pytest.raises(SourceError, match="is not below"), open_source(tmp_path / "docs", "../other"):
        pass
