"""Docent as it is deployed: daphne in a process of its own on the tests' database."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.message import Message
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo

START_SECONDS = 30.0


@contextmanager
def live_server(**environment: str) -> Iterator[str]:
    """The address of a running server, which sees what the tests have committed. `environment` overrides settings."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port), "config.asgi:application"]
    variables = {**os.environ, "DATABASE_URL": database_url(), "DATABASE_POOL_SIZE": "10", **environment}
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=variables) as process:
        try:
            _wait_until_ready(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: Message
    body: bytes


def request(server: str, target: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> Reply:
    """The reply to a request whose target is sent byte for byte, where other clients would tidy it up."""
    with closing(http.client.HTTPConnection(urlsplit(server).netloc, timeout=30)) as client:
        client.putrequest(method, target, skip_accept_encoding=True)
        for name, value in (headers or {}).items():
            client.putheader(name, value)
        client.endheaders()
        response = client.getresponse()
        return Reply(response.status, response.headers, response.read())


def database_url() -> str:
    parameters = connection.get_connection_params()
    named = ("dbname", "user", "password", "host", "port")
    return make_conninfo(**{name: str(parameters[name]) for name in named if parameters.get(name)})


def _wait_until_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port)):
                return
        except ConnectionRefusedError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
