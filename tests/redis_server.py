"""A Redis of the tests' own, on a free port and without files; tests say so where the program is absent."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

START_SECONDS = 10.0


@contextmanager
def redis_server() -> Iterator[str]:
    """The URL of a running server. Skips the calling test where no redis-server is installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
            try:
                _wait_until_ready(port)
                yield f"redis://127.0.0.1:{port}/0"
            finally:
                process.terminate()


def _wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    with redis.Redis(port=port) as client:
        while True:
            try:
                client.ping()
                return
            except redis.ConnectionError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
