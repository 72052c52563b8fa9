import base64
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pytest_django.fixtures import Settings

from docs_search.documents import Source
from docs_search.sources import SourceError, SourceOptions, git, open_source
from docs_search.sources.git.process import GitLimits, _program
from docs_search.versions import SCHEMES
from tests.git_server import GitHandler, commit, git_server, make_repository
from tests.git_server import git as run_git
from tests.loopback import serving, write_certificate

ROOT = Path(__file__).parents[4]
OPEN = """
import sys, django
django.setup()
from docs_search.sources import open_source
open_source(sys.argv[1]).__enter__()
"""
DOCS = {"README.md": "# Readme", "docs/a.md": "# A", "docs/de/a.md": "# A, German", "src/code.py": "1"}


@dataclass(frozen=True, slots=True)
class Server:
    """A repository `docs.git` that is served, and what its server was asked."""

    url: str
    repository: Path
    handler: type[GitHandler]

    @property
    def seen(self) -> list[str]:
        return [path for path, _ in self.handler.seen]


@contextmanager
def _serving(folder: Path, monkeypatch: pytest.MonkeyPatch, **handler: str) -> Iterator[Server]:
    repository = make_repository(folder / "docs.git")
    with git_server(folder, **handler) as (address, handler_class, certificate):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield Server(f"{address}/docs.git", repository, handler_class)


@pytest.fixture(autouse=True)
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
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with _serving(tmp_path / "served", monkeypatch) as server:
        yield server


def _opened(location: str, **options: Any) -> AbstractContextManager[Source]:
    return open_source(location, SourceOptions(**options))


def test_the_default_branch_is_read_without_its_history(server: Server, temporary: Path) -> None:
    commit(server.repository, {"old.md": "old"})
    commit(server.repository, DOCS)
    with _opened(server.url) as source:
        assert source.paths() == sorted(DOCS)
        assert source.read("docs/a.md") == b"# A"
        [folder] = temporary.iterdir()
        assert run_git(folder / "whole", "rev-list", "--count", "refs/docent/wanted").strip() == "1"


def test_a_branch_a_tag_and_a_commit_can_be_named(server: Server) -> None:
    first = commit(server.repository, {"a.md": "1"}, tag="v1")
    commit(server.repository, {"a.md": "2"})
    commit(server.repository, {"a.md": "3"}, branch="feature/x")
    for ref, content in (("v1", b"1"), ("main", b"2"), ("feature/x", b"3"), (first, b"1"), ("refs/tags/v1", b"1")):
        with _opened(f"{server.url}#{ref}") as source:
            assert (ref, source.read("a.md")) == (ref, content)


def test_a_subfolder_is_the_top_and_nothing_else_is_downloaded(server: Server, temporary: Path) -> None:
    blob = "x" * 10_000
    commit(server.repository, {**DOCS, "src/large.txt": blob})
    with _opened(f"{server.url}#main:docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]
        [folder] = temporary.iterdir()
        missing = run_git(folder / "part", "rev-list", "--objects", "--missing=print", "refs/docent/wanted").split("\n")
        assert len([line for line in missing if line.startswith("?")]) == 3  # README.md and two below src
    with _opened(f"git+{server.url}#:docs/de") as source:
        assert source.read("a.md") == b"# A, German"


def test_the_subfolder_of_a_corpus_is_below_the_one_of_the_location_and_may_be_missing(server: Server) -> None:
    commit(server.repository, DOCS)
    with _opened(server.url, subfolder="docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]
    with _opened(f"{server.url}#:docs", subfolder="de") as source:
        assert source.paths() == ["a.md"]
    with _opened(server.url, subfolder="manual") as source:
        assert source.paths() == sorted(DOCS)
    with _opened(f"{server.url}#:docs", subfolder="manual") as source:
        assert source.paths() == ["a.md", "de/a.md"]


def test_a_server_that_gives_no_parts_is_asked_for_everything(server: Server) -> None:
    run_git(server.repository, "config", "uploadpack.allowFilter", "false")
    commit(server.repository, DOCS)
    with _opened(f"{server.url}#main:docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]


def test_the_newest_tag_of_a_version_is_read(server: Server) -> None:
    for tag in ("REL_17_1", "REL_17_2", "REL_18_0", "REL_17_RC1"):
        commit(server.repository, {"a.md": tag}, tag=tag)

    def is_release(name: str) -> bool:
        release = SCHEMES["major"].parse(name)
        return release is not None and release.name == "17"

    with _opened(f"{server.url}#{{tag}}", is_release=is_release) as source:
        assert source.read("a.md") == b"REL_17_2"
    with (
        pytest.raises(SourceError, match=r"The newest are REL_18_0, REL_17_2"),
        _opened(f"{server.url}#{{tag}}", is_release=lambda name: False),
    ):
        pass
    with pytest.raises(SourceError, match="Name the version to index"), _opened(f"{server.url}#{{tag}}"):
        pass


def test_an_unknown_ref_and_a_missing_folder_say_what_there_is(server: Server) -> None:
    commit(server.repository, DOCS, tag="v1.0")
    for fragment, message in (
        ("v1.1", r"no branch or tag 'v1\.1'. Similar ones: v1\.0"),
        ("main:manual", r"no folder 'manual'. Its folders are: docs, src\."),
        ("main:README.md", r"no folder 'README\.md'"),
        ("a" * 40, r"does not have this commit, or does not give it \(git: .*not our ref a+\)"),
    ):
        with pytest.raises(SourceError, match=message), _opened(f"{server.url}#{fragment}"):
            pass


def test_an_empty_repository_says_so(server: Server) -> None:
    with pytest.raises(SourceError, match="does not have this commit"), _opened(server.url):
        pass


def test_links_out_of_the_tree_are_left_out(server: Server, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    links = {
        "docs/in.md": "a.md",
        "docs/up.md": "../README.md",
        "docs/out.md": str(tmp_path / "secret.md"),
        "docs/config.md": "../.git/config",
        "docs/loop": ".",
    }
    commit(server.repository, DOCS, links=links)
    with _opened(f"{server.url}#:docs") as source:
        assert source.paths() == ["a.md", "de/a.md", "in.md"]
        assert source.read("in.md") == b"# A"


def test_no_link_leads_to_what_git_keeps_for_itself(server: Server) -> None:
    commit(
        server.repository, {"a.md": "# A"}, links={"config.md": ".git/config", "up.md": "../config", "in.md": "a.md"}
    )
    for fragment in ("", "#:"):
        with _opened(server.url + fragment) as source:
            assert source.paths() == ["a.md", "in.md"]


def test_a_subfolder_is_a_name_and_no_pattern(server: Server) -> None:
    commit(server.repository, {**DOCS, ":(icase)DOCS/b.md": "b", "[d]ocs/c.md": "c"})
    for subfolder, path in ((":(icase)DOCS", "b.md"), ("[d]ocs", "c.md")):
        with _opened(f"{server.url}#:{subfolder}") as source:
            assert source.paths() == [path]
    for subfolder in (":(icase)docs", "DOCS", "*", ":/docs"):
        with pytest.raises(SourceError, match=r"has no folder .*\. Its folders are: "):
            _opened(f"{server.url}#:{subfolder}").__enter__()


def test_a_submodule_is_no_folder(server: Server) -> None:
    """Its commit would be asked of the same server, which may well have it."""
    number = commit(server.repository, DOCS)
    tree = f"160000 commit {number}\tmodule\n040000 tree {run_git(server.repository, 'write-tree').strip()}\tb\n"
    top = run_git(server.repository, "mktree", stdin=tree).strip()
    outer = run_git(server.repository, "commit-tree", top, "-m", "A change").strip()
    run_git(server.repository, "update-ref", "refs/heads/outer", outer)
    with pytest.raises(SourceError, match=r"has no folder 'module'\. Its folders are: b\."):
        _opened(f"{server.url}#outer:module").__enter__()
    with _opened(f"{server.url}#outer", subfolder="module") as source:
        assert source.paths() == sorted(f"b/{path}" for path in DOCS)


def test_a_tree_that_is_very_deep_is_refused(server: Server) -> None:
    """Python walks a tree, and removes it, by calling itself for each level."""
    for levels in (100, 101):
        commit(server.repository, {"d/" * levels + "a.md": "text"}, branch=f"deep{levels}")
    with _opened(f"{server.url}#deep100") as source:
        assert source.paths() == ["d/" * 100 + "a.md"]
    with pytest.raises(SourceError, match="more than 100 folders below one another"):
        _opened(f"{server.url}#deep101").__enter__()


def test_a_private_address_is_refused_before_git_runs(server: Server, settings: Settings) -> None:
    commit(server.repository, DOCS)
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = False
    with pytest.raises(SourceError, match=r"is at 127\.0\.0\.1, .* Set SOURCES_ALLOW_PRIVATE_ADDRESSES=1"):
        _opened(server.url).__enter__()
    assert server.seen == []


def test_the_address_that_was_checked_is_the_one_that_git_connects_to(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody else could tell git where this host is: its name is reserved for never being known."""
    commit(server.repository, DOCS)
    certificate = write_certificate(tmp_path / "named.pem", "docs.invalid")
    with serving(server.handler, certificate) as address:
        port = int(address.rpartition(":")[2])
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, port, **_: [(socket.AF_INET, 1, 6, "", ("127.0.0.1", port))]
        )
        with _opened(f"https://docs.invalid:{port}/docs.git") as source:
            assert source.paths() == sorted(DOCS)


def test_a_redirect_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    commit(server.repository, DOCS)
    asked = len(server.seen)
    with _serving(tmp_path / "moved", monkeypatch, redirect=server.url.removesuffix("/docs.git")) as moved:
        with pytest.raises(SourceError, match=r"leads to another address\. Give that one"), _opened(moved.url):
            pass
        assert len(moved.seen) == 1
    assert len(server.seen) == asked


def test_a_redirect_in_the_middle_is_not_followed(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Moving(server.handler):  # type: ignore[name-defined,misc]
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(307, b"", {"Location": server.url + "/git-upload-pack"})

    commit(server.repository, DOCS)
    certificate = Path(os.environ["SSL_CERT_FILE"])
    for fragment in ("", "#main:docs"):
        with serving(Moving, certificate) as address, pytest.raises(SourceError, match="leads to another address"):
            _opened(f"{address}/docs.git{fragment}").__enter__()
    assert [path for path in server.seen if path.endswith("git-upload-pack") and "?" not in path] == []


def test_a_server_without_the_protocol_leads_nowhere_else(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain files may say that the objects are at another server's, or in a folder."""
    number = commit(server.repository, DOCS)

    class Plain(GitHandler):
        seen: ClassVar[list[tuple[str, str]]] = []

        def do_GET(self) -> None:
            self.seen.append((self.path, ""))
            files = {
                "/docs.git/info/refs": f"{number}\trefs/heads/main\n",
                "/docs.git/HEAD": "ref: refs/heads/main\n",
                "/docs.git/objects/info/http-alternates": f"{server.url}/objects\n",
                "/docs.git/objects/info/alternates": f"{server.repository}/objects\n",
            }
            body = files.get(self.path.partition("?")[0])
            self.answer(200 if body else 404, (body or "").encode(), {"Content-Type": "text/plain"})

    with serving(Plain, Path(os.environ["SSL_CERT_FILE"])) as address:
        for fragment in ("", "#main", f"#{number}", "#:docs"):
            with pytest.raises(SourceError, match="cannot be read"):
                _opened(f"{address}/docs.git{fragment}").__enter__()
    assert Plain.seen != []
    assert server.seen == []


def test_only_what_may_pass_is_worth_another_attempt(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(GitHandler):
        status: ClassVar[int]

        def do_GET(self) -> None:
            self.answer(self.status)

    outcomes = {}
    with serving(Failing, Path(os.environ["SSL_CERT_FILE"])) as address:
        for status in (403, 404, 429, 500, 503):
            Failing.status = status
            with pytest.raises(SourceError) as caught:
                _opened(f"{address}/docs.git").__enter__()
            outcomes[status] = caught.value.retryable
    assert outcomes == {403: False, 404: False, 429: True, 500: True, 503: True}
    for address in ("https://127.0.0.1:1/docs.git", "https://nowhere.invalid/docs.git"):
        with pytest.raises(SourceError) as caught:
            _opened(address).__enter__()
        assert caught.value.retryable


def test_git_ends_when_docent_is_killed(tmp_path: Path, temporary: Path) -> None:
    """The server sees it: the connection on which it does not answer is closed."""
    asked, left = threading.Event(), threading.Event()

    class Waiting(GitHandler):
        def do_GET(self) -> None:
            asked.set()
            with suppress(OSError):
                self.connection.recv(1)
            left.set()

    certificate = write_certificate(tmp_path / "own.pem")
    environment = {"SSL_CERT_FILE": str(certificate), "SOURCES_ALLOW_PRIVATE_ADDRESSES": "1", "TMPDIR": str(temporary)}
    with (
        serving(Waiting, certificate) as address,
        subprocess.Popen(
            [sys.executable, "-c", OPEN, f"{address}/docs.git"], env={**os.environ, **environment}, cwd=ROOT
        ) as docent,
    ):
        assert asked.wait(30)
        assert not left.is_set()
        docent.kill()
        assert left.wait(10)
    shutil.rmtree(next(temporary.iterdir()))


def test_a_token_is_sent_to_its_host_and_appears_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    expected = "Basic " + base64.b64encode(b"x-access-token:secret").decode()
    commands: list[str] = []

    def look(handler: GitHandler) -> None:
        commands.append(subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True).stdout)
        GitHandler.do_GET(handler)

    with _serving(tmp_path / "private", monkeypatch, authorization=expected) as server:
        commit(server.repository, DOCS)
        host = server.url.split("/")[2]
        with pytest.raises(SourceError, match=r"is not public. For the latter set GIT_TOKENS=127\.0\.0\.1=TOKEN"):
            _opened(server.url).__enter__()
        settings.GIT_TOKENS = {"git.example.com": "secret"}
        with pytest.raises(SourceError, match="is not public"):
            _opened(server.url).__enter__()
        settings.GIT_TOKENS = {host: "wrong"}
        with pytest.raises(SourceError, match="is not public") as caught:
            _opened(server.url).__enter__()
        assert "wrong" not in str(caught.value)
        for token in ("secret", "x-access-token:secret"):
            settings.GIT_TOKENS = {host: token}
            monkeypatch.setattr(server.handler, "do_GET", look)
            with _opened(f"{server.url}#:docs") as source:
                assert source.paths() == ["a.md", "de/a.md"]
        assert all("git-remote-https origin" in listing for listing in commands)
        assert not any(word in "".join(commands) for word in ("x-access-token", expected.split()[1], "Authorization"))


def test_nothing_of_the_callers_git_is_used(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commit(server.repository, DOCS)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text('[url "https://127.0.0.1:1/"]\n\tinsteadOf = https://\n')
    (home / "git").mkdir()
    (home / "git" / "config").write_text('[url "https://127.0.0.1:1/"]\n\tinsteadOf = https://\n')
    (home / ".netrc").write_text("machine 127.0.0.1 login reader password secret\n")
    trace = tmp_path / "trace"
    for name, value in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_DIR": str(tmp_path),
        "GIT_SSH_COMMAND": "/bin/false",
        "GIT_CONFIG_PARAMETERS": "'http.proxy'='http://127.0.0.1:1'",
        "GIT_TRACE": str(trace),
        "GIT_ASKPASS": "/bin/false",
        "GIT_SSL_NO_VERIFY": "1",
        "HTTPS_PROXY": "http://127.0.0.1:1",
        "https_proxy": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    with _opened(server.url) as source:
        assert source.paths() == sorted(DOCS)
    assert not trace.exists()
    assert {authorization for _, authorization in server.handler.seen} == {""}


def test_an_untrusted_certificate_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(write_certificate(tmp_path / "other.pem")))
    with pytest.raises(SourceError, match="has a certificate that is not trusted"):
        _opened(server.url).__enter__()


def test_a_repository_that_is_too_large_is_stopped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(server.repository, {"noise.md": os.urandom(3_000_000)}, tag="large")
    commit(server.repository, {"zeros.md": bytes(3_000_000)}, tag="bomb")
    monkeypatch.setattr(git, "LIMITS", GitLimits(bytes=1_000_000))
    for tag in ("large", "bomb"):
        with pytest.raises(SourceError, match=r"takes more than 1,000,000 bytes. Name the subfolder"):
            _opened(f"{server.url}#{tag}").__enter__()


def test_a_repository_of_too_many_files_is_stopped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "LIMITS", GitLimits(files=3))
    commit(server.repository, DOCS)
    with pytest.raises(SourceError, match=r"more than 3 files. Name the subfolder"):
        _opened(server.url).__enter__()
    with _opened(f"{server.url}#:docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]


def test_a_tree_that_holds_itself_many_times_is_stopped(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten levels of ten entries, each the same tree: ten thousand million files in a few kilobytes."""
    number = commit(server.repository, {"a.md": "text"})
    tree = run_git(server.repository, "rev-parse", f"{number}^{{tree}}").strip()
    for _ in range(10):
        entries = "".join(f"040000 tree {tree}\t{name}\n" for name in "abcdefghij")
        tree = run_git(server.repository, "mktree", stdin=entries).strip()
    bomb = run_git(server.repository, "commit-tree", tree, "-m", "A bomb").strip()
    run_git(server.repository, "update-ref", "refs/heads/bomb", bomb)
    started = time.monotonic()
    with pytest.raises(SourceError, match="too many names to be listed"):
        _opened(f"{server.url}#bomb").__enter__()
    assert time.monotonic() - started < 60


def test_a_server_that_hangs_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hanging(GitHandler):
        def do_GET(self) -> None:
            time.sleep(3)

    certificate = write_certificate(tmp_path / "own.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(git, "LIMITS", GitLimits(seconds=0.5))
    started = time.monotonic()
    with serving(Hanging, certificate) as address:
        with pytest.raises(SourceError, match=r"git took longer than 0\.5 s, and was stopped"):
            _opened(f"{address}/docs.git").__enter__()
        assert time.monotonic() - started < 2


def test_a_full_disk_stops_the_run(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(server.repository, DOCS)
    monkeypatch.setattr("docs_search.sources.git.process._RESERVE", 1 << 60)
    with pytest.raises(SourceError, match="is nearly full"):
        _opened(server.url).__enter__()


def test_a_machine_without_git_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="Run: apt-get install git"):
        _opened("https://127.0.0.1:1/docs.git").__enter__()
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho git version 2.34.1\n")
    program.chmod(0o755)
    with pytest.raises(SourceError, match=r"git 2\.37 or newer is needed .* 'git version 2\.34\.1'"):
        _opened("https://127.0.0.1:1/docs.git").__enter__()


def test_a_server_that_is_out_of_reach_or_unknown_says_so() -> None:
    with pytest.raises(SourceError, match=r"cannot be reached\. Try it later"):
        _opened("https://127.0.0.1:1/docs.git").__enter__()
    with pytest.raises(SourceError, match=r"The host nowhere\.invalid is not known"):
        _opened("https://nowhere.invalid/docs.git").__enter__()


def test_a_path_without_a_repository_says_so(server: Server) -> None:
    with pytest.raises(SourceError, match=r"other\.git does not exist. Check the location"):
        _opened(server.url.replace("docs.git", "other.git")).__enter__()
