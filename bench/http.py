"""What HTTP adds: the same searches through daphne on loopback, over `search` in its process."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing
from statistics import median

import httpx

from bench.data import questions


def time_http(corpus: str, version: str) -> None:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port), "config.asgi:application"]
    with subprocess.Popen(
        [sys.executable, "-m", *command], env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10) as client:
                _wait(client)
                whole, inside = _measure(client, corpus, version)
        finally:
            server.terminate()
    print(f"search over HTTP: p50 {median(whole):.1f} ms")
    print(f"  over search() in that process          {median(whole) / median(inside):.2f}")


def _wait(client: httpx.Client) -> None:
    for _ in range(100):
        try:
            if client.get("/v1/health").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    sys.exit("The server did not answer within 20 s.")


def _measure(client: httpx.Client, corpus: str, version: str) -> tuple[list[float], list[float]]:
    """Milliseconds as the client sees them, and as the server's own timing does, query by query."""
    whole, inside = [], []
    for measured in (False, True, True):
        for query in questions(corpus):
            begun = time.perf_counter()
            answer = client.get("/v1/search", params={"q": query, "corpus": corpus, "version": version, "debug": "1"})
            elapsed = (time.perf_counter() - begun) * 1000
            answer.raise_for_status()
            if measured:
                whole.append(elapsed)
                inside.append(answer.json()["timing"]["total"])
    return whole, inside
