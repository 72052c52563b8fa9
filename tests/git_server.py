"""A git server on loopback: bare repositories behind `git http-backend` over HTTPS."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from docs_search.documents import Source
from docs_search.sources import SourceOptions, open_source
from tests.loopback import QuietHandler, serving, write_certificate

DOCS = {"README.md": "# Readme", "docs/a.md": "# A", "docs/de/a.md": "# A, German", "src/code.py": "1"}
GIT_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A Writer",
    "GIT_AUTHOR_EMAIL": "writer@example.com",
    "GIT_COMMITTER_NAME": "A Writer",
    "GIT_COMMITTER_EMAIL": "writer@example.com",
}


def git(folder: Path, *arguments: str, stdin: str | bytes = "") -> str:
    """What git writes to its standard output when run in `folder`."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    command = ["git", *arguments]
    finished = subprocess.run(command, cwd=folder, env=GIT_ENVIRONMENT, check=True, capture_output=True, input=data)
    return finished.stdout.decode()


def make_repository(folder: Path) -> Path:
    """An empty bare repository, served with parts (`--filter`) as the large hosts do."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
    git(folder, "config", "uploadpack.allowFilter", "true")
    return folder


def commit(
    repository: Path,
    files: Mapping[str, str | bytes],
    *,
    tag: str = "",
    branch: str = "main",
    links: Mapping[str, str] = {},
) -> str:
    """Add a commit whose tree is `files` and symbolic `links`, and return its number."""
    modes = {"100644": files, "120000": links}
    entries = ""
    for mode, contents in modes.items():
        for path, content in contents.items():
            blob = git(repository, "hash-object", "-w", "--stdin", stdin=content).strip()
            entries += f"{mode} {blob}\t{path}\n"
    (repository / "index").unlink(missing_ok=True)
    git(repository, "update-index", "--index-info", stdin=entries)
    tree = git(repository, "write-tree").strip()
    ref = f"refs/heads/{branch}"
    known = git(repository, "for-each-ref", "--format=%(objectname)", ref).strip()
    parents = ["-p", known] if known else []
    number = git(repository, "commit-tree", tree, *parents, "-m", "A change").strip()
    git(repository, "update-ref", ref, number)
    if tag:
        git(repository, "tag", "-a", tag, "-m", "A release", number)
    return number


class GitHandler(QuietHandler):
    """Serves the repositories below `root`. `seen` are the requests, with their Authorization header."""

    root: ClassVar[Path]
    seen: ClassVar[list[tuple[str, str]]]
    redirect: ClassVar[str] = ""
    authorization: ClassVar[str] = ""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self.seen.append((self.path, self.headers.get("Authorization", "")))
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.redirect:
            return self.answer(302, b"", {"Location": self.redirect + self.path})
        if self.authorization and self.headers.get("Authorization") != self.authorization:
            return self.answer(401, b"", {"WWW-Authenticate": 'Basic realm="git"'})
        environment = {
            **GIT_ENVIRONMENT,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        reply = subprocess.run(
            ["git", "http-backend"], env=environment, input=body, capture_output=True, check=False, timeout=60
        ).stdout
        head, _, content = reply.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        status = int(headers.pop("Status", "200").split()[0])
        return self.answer(status, content, headers)

    do_POST = do_GET


@contextmanager
def git_server(folder: Path, **settings: str) -> Iterator[tuple[str, type[GitHandler], Path]]:
    """Serve the repositories below `folder`: the address, the handler with what it has seen, and the certificate."""
    handler = type("Handler", (GitHandler,), {"root": folder, "seen": [], **settings})
    certificate = write_certificate(folder.with_suffix(".pem"))
    with serving(handler, certificate) as address:
        yield address, handler, certificate


@dataclass(frozen=True, slots=True)
class Served:
    """A repository `docs.git` that is served, and what its server was asked."""

    url: str
    repository: Path
    handler: type[GitHandler]

    @property
    def seen(self) -> list[str]:
        return [path for path, _ in self.handler.seen]


@contextmanager
def served(folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: str) -> Iterator[Served]:
    """An empty repository below a new folder, behind a server that is trusted."""
    repository = make_repository(folder / "docs.git")
    with git_server(folder, **settings) as (address, handler, certificate):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield Served(f"{address}/docs.git", repository, handler)


def opened(location: str, **options: Any) -> AbstractContextManager[Source]:
    """The source at a location, with `options` as SourceOptions has them."""
    return open_source(location, SourceOptions(**options))
