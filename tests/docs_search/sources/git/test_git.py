import base64
import os
import socket
import subprocess
from pathlib import Path
from typing import ClassVar

import pytest
from pytest_django.fixtures import Settings

from docs_search.sources import SourceError
from tests.git_server import DOCS, GitHandler, Served, commit, opened, served
from tests.loopback import serving, write_certificate

pytestmark = pytest.mark.usefixtures("temporary")


def test_a_private_address_is_refused_before_git_runs(server: Served, settings: Settings) -> None:
    commit(server.repository, DOCS)
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = False
    with pytest.raises(SourceError, match=r"127\.0\.0\.1 is not .* Set SOURCES_ALLOW_PRIVATE_ADDRESSES=1"):
        opened(server.url).__enter__()
    assert server.seen == []


def test_the_address_that_was_checked_is_the_one_that_git_connects_to(
    server: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
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
        with opened(f"https://docs.invalid:{port}/docs.git") as source:
            assert source.paths() == sorted(DOCS)


def test_a_redirect_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Served) -> None:
    commit(server.repository, DOCS)
    asked = len(server.seen)
    with served(tmp_path / "moved", monkeypatch, redirect=server.url.removesuffix("/docs.git")) as moved:
        with pytest.raises(SourceError, match=r"leads to another address\. Give that one"), opened(moved.url):
            pass
        assert len(moved.seen) == 1
    assert len(server.seen) == asked


def test_a_redirect_in_the_middle_is_not_followed(
    server: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Moving(server.handler):  # type: ignore[name-defined,misc]
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(307, b"", {"Location": server.url + "/git-upload-pack"})

    commit(server.repository, DOCS)
    certificate = Path(os.environ["SSL_CERT_FILE"])
    for fragment in ("", "#main:docs"):
        with serving(Moving, certificate) as address, pytest.raises(SourceError, match="leads to another address"):
            opened(f"{address}/docs.git{fragment}").__enter__()
    assert [path for path in server.seen if path.endswith("git-upload-pack") and "?" not in path] == []


def test_a_server_without_the_protocol_leads_nowhere_else(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
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
                opened(f"{address}/docs.git{fragment}").__enter__()
    assert Plain.seen != []
    assert server.seen == []


def test_a_token_is_sent_to_its_host_and_appears_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    expected = "Basic " + base64.b64encode(b"x-access-token:secret").decode()
    commands: list[str] = []

    def look(handler: GitHandler) -> None:
        commands.append(subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True, check=True).stdout)
        GitHandler.do_GET(handler)

    with served(tmp_path / "private", monkeypatch, authorization=expected) as server:
        commit(server.repository, DOCS)
        host = server.url.split("/")[2]
        with pytest.raises(SourceError, match=r"is not public. For the latter set GIT_TOKENS=127\.0\.0\.1=TOKEN"):
            opened(server.url).__enter__()
        settings.GIT_TOKENS = {"git.example.com": "secret"}
        with pytest.raises(SourceError, match="is not public"):
            opened(server.url).__enter__()
        settings.GIT_TOKENS = {host: "wrong"}
        with pytest.raises(SourceError, match="is not public") as caught:
            opened(server.url).__enter__()
        assert "wrong" not in str(caught.value)
        for token in ("secret", "x-access-token:secret"):
            settings.GIT_TOKENS = {host: token}
            monkeypatch.setattr(server.handler, "do_GET", look)
            with opened(f"{server.url}#:docs") as source:
                assert source.paths() == ["a.md", "de/a.md"]
        assert all("git-remote-https origin" in listing for listing in commands)
        assert not any(word in "".join(commands) for word in ("x-access-token", expected.split()[1], "Authorization"))
