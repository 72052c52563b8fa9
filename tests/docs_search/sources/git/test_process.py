import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from docs_search.sources import SourceError, git
from docs_search.sources.git.process import GitLimits, _program
from tests.git_server import DOCS, GitHandler, Served, commit, opened
from tests.git_server import git as run_git
from tests.loopback import serving, write_certificate

pytestmark = pytest.mark.usefixtures("temporary")

ROOT = Path(__file__).parents[4]
OPEN = """
import sys, django
django.setup()
from docs_search.sources import open_source
open_source(sys.argv[1]).__enter__()
"""


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


def test_nothing_of_the_callers_git_is_used(server: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
    with opened(server.url) as source:
        assert source.paths() == sorted(DOCS)
    assert not trace.exists()
    assert {authorization for _, authorization in server.handler.seen} == {""}


def test_a_repository_that_is_too_large_is_stopped(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(server.repository, {"noise.md": os.urandom(3_000_000)}, tag="large")
    commit(server.repository, {"zeros.md": bytes(3_000_000)}, tag="bomb")
    monkeypatch.setattr(git, "LIMITS", GitLimits(bytes=1_000_000))
    for tag in ("large", "bomb"):
        with pytest.raises(SourceError, match=r"takes more than 1,000,000 bytes. Name the subfolder"):
            opened(f"{server.url}#{tag}").__enter__()


def test_a_repository_of_too_many_files_is_stopped(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "LIMITS", GitLimits(files=3))
    commit(server.repository, DOCS)
    with pytest.raises(SourceError, match=r"more than 3 files. Name the subfolder"):
        opened(server.url).__enter__()
    with opened(f"{server.url}#:docs") as source:
        assert source.paths() == ["a.md", "de/a.md"]


def test_a_tree_that_holds_itself_many_times_is_stopped(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
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
        opened(f"{server.url}#bomb").__enter__()
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
            opened(f"{address}/docs.git").__enter__()
        assert time.monotonic() - started < 2


def test_a_full_disk_stops_the_run(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(server.repository, DOCS)
    monkeypatch.setattr("docs_search.sources.git.process._RESERVE", 1 << 60)
    with pytest.raises(SourceError, match="is nearly full"):
        opened(server.url).__enter__()


def test_a_machine_without_git_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="Run: apt-get install git"):
        opened("https://127.0.0.1:1/docs.git").__enter__()
    program = tmp_path / "git"
    program.write_text("#!/bin/sh\necho git version 2.34.1\n")
    program.chmod(0o755)
    with pytest.raises(SourceError, match=r"git 2\.37 or newer is needed .* 'git version 2\.34\.1'"):
        opened("https://127.0.0.1:1/docs.git").__enter__()
