"""Hosts of the internet on loopback: their names lead to 127.0.0.1, where one HTTPS server answers for all of them."""

import gzip
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.git_server import GitHandler
from tests.loopback import serving, write_certificate

HTTPS = 443
TYPES = {".xml": "application/xml", ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8"}


class _Handler(GitHandler):
    """Pages by host and path; what is none of them is asked of the git repositories."""

    hosts: ClassVar[Mapping[str, Mapping[str, bytes]]]

    def do_GET(self) -> None:
        pages = self.hosts.get(self.headers.get("Host", ""))
        if pages is None:
            return super().do_GET()
        body = pages.get(self.path)
        if body is None:
            return self.answer(404, b"not found", {"Content-Type": "text/plain"})
        extension = os.path.splitext(self.path)[1]
        headers = {"Content-Type": TYPES.get(extension, "text/html; charset=utf-8"), "Content-Encoding": "gzip"}
        return self.answer(200, gzip.compress(body, 1), headers)


@contextmanager
def internet(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    sites: Mapping[str, Mapping[str, bytes]] = {},
    git_hosts: tuple[str, ...] = (),
) -> Iterator[None]:
    """Serve `sites` (host → path → page) and the git repositories below `folder` at `git_hosts`.

    Skips the calling test where the port of HTTPS may not be taken: addresses are tested as they stand.
    """
    names = (*sites, *git_hosts)
    certificate = write_certificate(folder.with_suffix(".pem"), *names)
    handler = type("Handler", (_Handler,), {"root": folder, "seen": [], "hosts": sites})
    known = socket.getaddrinfo

    def getaddrinfo(host: bytes | str | None, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        return known("127.0.0.1" if name in names else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    try:
        server = serving(handler, certificate, port=HTTPS)
        with server:
            yield
    except PermissionError:
        pytest.skip("only root may serve HTTPS at its own port")
