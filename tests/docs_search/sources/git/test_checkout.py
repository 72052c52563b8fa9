from pathlib import Path

import pytest

from docs_search.documents import PageWarning
from docs_search.sources import SourceError
from docs_search.versions import SCHEMES
from tests.git_server import DOCS, Served, commit, opened
from tests.git_server import git as run_git

pytestmark = pytest.mark.usefixtures("temporary")


def test_the_default_branch_is_read_without_its_history(server: Served, temporary: Path) -> None:
    commit(server.repository, {"old.md": "old"})
    commit(server.repository, DOCS)
    with opened(server.url) as source:
        assert source.paths() == sorted(DOCS)
        assert source.read("docs/a.md") == b"# A"
        [folder] = temporary.iterdir()
        assert run_git(folder / "whole", "rev-list", "--count", "refs/docent/wanted").strip() == "1"


def test_a_branch_a_tag_and_a_commit_can_be_named(server: Served) -> None:
    first = commit(server.repository, {"a.md": "1"}, tag="v1")
    commit(server.repository, {"a.md": "2"})
    commit(server.repository, {"a.md": "3"}, branch="feature/x")
    for ref, content in (("v1", b"1"), ("main", b"2"), ("feature/x", b"3"), (first, b"1"), ("refs/tags/v1", b"1")):
        with opened(f"{server.url}#{ref}") as source:
            assert (ref, source.read("a.md")) == (ref, content)


def test_a_subfolder_is_the_top_and_nothing_else_is_downloaded(server: Served, temporary: Path) -> None:
    blob = "x" * 10_000
    commit(server.repository, {**DOCS, "src/large.txt": blob})
    with opened(f"{server.url}#main:docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]
        [folder] = temporary.iterdir()
        missing = run_git(folder / "part", "rev-list", "--objects", "--missing=print", "refs/docent/wanted").split("\n")
        assert len([line for line in missing if line.startswith("?")]) == 3  # README.md and two below src
    with opened(f"git+{server.url}#:docs/de") as source:
        assert source.read("a.md") == b"# A, German"


def test_the_subfolder_of_a_corpus_is_below_the_one_of_the_location_and_may_be_missing(server: Served) -> None:
    commit(server.repository, DOCS)
    with opened(server.url, subfolder="docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]
    with opened(f"{server.url}#:docs", subfolder="de/") as source:
        assert (source.paths(), source.warnings()) == (["a.md"], [])
    missing = [PageWarning("manual", "is no folder of the source, so all of it was read")]
    with opened(server.url, subfolder="manual") as source:
        assert (source.paths(), source.warnings()) == (sorted(DOCS), missing)
    with opened(f"{server.url}#:docs", subfolder="manual") as source:
        assert (source.paths(), source.warnings()) == (["a.md", "de/a.md"], missing)


def test_a_server_that_gives_no_parts_is_asked_for_everything(server: Served) -> None:
    run_git(server.repository, "config", "uploadpack.allowFilter", "false")
    commit(server.repository, DOCS)
    with opened(f"{server.url}#main:docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]


def test_the_newest_tag_of_a_version_is_read(server: Served) -> None:
    for tag in ("REL_17_1", "REL_17_2", "REL_18_0", "REL_17_RC1"):
        commit(server.repository, {"a.md": tag}, tag=tag)

    def is_release(name: str) -> bool:
        release = SCHEMES["major"].parse(name)
        return release is not None and release.name == "17"

    with opened(f"{server.url}#{{tag}}", is_release=is_release) as source:
        assert source.read("a.md") == b"REL_17_2"
    with (
        pytest.raises(SourceError, match=r"The newest are REL_18_0, REL_17_2"),
        opened(f"{server.url}#{{tag}}", is_release=lambda name: False),
    ):
        pass
    with pytest.raises(SourceError, match="Name the version to index"), opened(f"{server.url}#{{tag}}"):
        pass


def test_an_unknown_ref_and_a_missing_folder_say_what_there_is(server: Served) -> None:
    commit(server.repository, DOCS, tag="v1.0")
    for fragment, message in (
        ("v1.1", r"no branch or tag 'v1\.1'. Similar ones: v1\.0"),
        ("main:manual", r"no folder 'manual'. Its folders are: docs, src\."),
        ("main:README.md", r"no folder 'README\.md'"),
        ("a" * 40, r"does not have this commit, or does not give it \(git: .*not our ref a+\)"),
    ):
        with pytest.raises(SourceError, match=message), opened(f"{server.url}#{fragment}"):
            pass


def test_an_empty_repository_says_so(server: Served) -> None:
    with pytest.raises(SourceError, match="does not have this commit"), opened(server.url):
        pass


def test_links_out_of_the_tree_are_left_out(server: Served, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    links = {
        "docs/in.md": "a.md",
        "docs/up.md": "../README.md",
        "docs/out.md": str(tmp_path / "secret.md"),
        "docs/config.md": "../.git/config",
        "docs/loop": ".",
    }
    commit(server.repository, DOCS, links=links)
    with opened(f"{server.url}#:docs") as source:
        assert source.paths() == ["a.md", "de/a.md", "in.md"]
        assert source.read("in.md") == b"# A"


def test_no_link_leads_to_what_git_keeps_for_itself(server: Served) -> None:
    commit(
        server.repository, {"a.md": "# A"}, links={"config.md": ".git/config", "up.md": "../config", "in.md": "a.md"}
    )
    for fragment in ("", "#:"):
        with opened(server.url + fragment) as source:
            assert source.paths() == ["a.md", "in.md"]


def test_a_subfolder_is_a_name_and_no_pattern(server: Served) -> None:
    commit(server.repository, {**DOCS, ":(icase)DOCS/b.md": "b", "[d]ocs/c.md": "c"})
    for subfolder, path in ((":(icase)DOCS", "b.md"), ("[d]ocs", "c.md")):
        with opened(f"{server.url}#:{subfolder}") as source:
            assert source.paths() == [path]
    for subfolder in (":(icase)docs", "DOCS", "*", ":/docs"):
        with pytest.raises(SourceError, match=r"has no folder .*\. Its folders are: "):
            opened(f"{server.url}#:{subfolder}").__enter__()


def test_a_submodule_is_no_folder(server: Served) -> None:
    """Its commit would be asked of the same server, which may well have it."""
    number = commit(server.repository, DOCS)
    tree = f"160000 commit {number}\tmodule\n040000 tree {run_git(server.repository, 'write-tree').strip()}\tb\n"
    top = run_git(server.repository, "mktree", stdin=tree).strip()
    outer = run_git(server.repository, "commit-tree", top, "-m", "A change").strip()
    run_git(server.repository, "update-ref", "refs/heads/outer", outer)
    with pytest.raises(SourceError, match=r"has no folder 'module'\. Its folders are: b\."):
        opened(f"{server.url}#outer:module").__enter__()
    with opened(f"{server.url}#outer", subfolder="module") as source:
        assert source.paths() == sorted(f"b/{path}" for path in DOCS)


def test_a_tree_that_is_very_deep_is_refused(server: Served) -> None:
    """Python walks a tree, and removes it, by calling itself for each level."""
    for levels in (100, 101):
        commit(server.repository, {"d/" * levels + "a.md": "text"}, branch=f"deep{levels}")
    with opened(f"{server.url}#deep100") as source:
        assert source.paths() == ["d/" * 100 + "a.md"]
    with pytest.raises(SourceError, match="more than 100 folders below one another"):
        opened(f"{server.url}#deep101").__enter__()
