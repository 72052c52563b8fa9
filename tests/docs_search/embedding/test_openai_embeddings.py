"""The OpenAI-compatible provider against a scripted server on loopback."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import numpy as np
import pytest

from docs_search.embedding import openai_embeddings
from docs_search.embedding.embedder import EmbeddingError
from docs_search.embedding.minilm import MiniLM
from docs_search.embedding.openai_embeddings import MAX_INPUTS, QUERY_PAUSE, OpenAIEmbedder

KEY = "sk-not-to-be-seen"
Reply = tuple[int, dict[str, str], Any]
Script = Callable[[dict[str, Any]], Reply]


def vectors(body: dict[str, Any], dimension: int = 3) -> Reply:
    """A vector per text, given in reverse order: its length in the first number, 1 in the second."""
    rows = [
        {"index": number, "embedding": [float(len(text)), 1.0, *[0.0] * (dimension - 2)]}
        for number, text in enumerate(body["input"])
    ]
    return 200, {}, {"data": rows[::-1]}


class Endpoint:
    """A server that answers each request by the next step of `script`, the last of which repeats."""

    def __init__(self) -> None:
        self.script: list[Script] = [vectors]
        self.requests: list[tuple[str, str | None, dict[str, Any]]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                step = endpoint.script[min(len(endpoint.requests), len(endpoint.script) - 1)]
                endpoint.requests.append((self.path, self.headers["Authorization"], body))
                status, headers, reply = step(body)
                payload = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(payload))}.items():
                    self.send_header(name, value)
                self.end_headers()
                with suppress(BrokenPipeError):  # from a client that did not wait
                    self.wfile.write(payload)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    thread = Thread(target=endpoint.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield endpoint
    endpoint.server.shutdown()
    thread.join()
    endpoint.server.server_close()


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., OpenAIEmbedder]]:
    monkeypatch.setattr(openai_embeddings, "FIRST_PAUSE", 0.001)
    with ExitStack() as clients:

        def connected(url: str, *, timeout: float = 10.0, query_timeout: float = 10.0) -> OpenAIEmbedder:
            client = clients.enter_context(httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}))
            return OpenAIEmbedder(
                client, model="tiny", dimension=3, max_tokens=100, timeout=timeout, query_timeout=query_timeout
            )

        yield connected


def status(code: int, **headers: str) -> Script:
    return lambda _: (code, headers, {"error": {"message": f"no: {KEY}"}})


def test_rows_have_length_one_and_the_order_of_the_texts(endpoint: Endpoint, connect: Any) -> None:
    rows = connect(endpoint.url).embed(["aaa", "a"])

    assert rows == pytest.approx(np.array([[0.9486833, 0.3162278, 0], [0.7071068, 0.7071068, 0]]))
    assert rows.dtype == np.float32
    assert endpoint.requests == [
        ("/v1/embeddings", f"Bearer {KEY}", {"model": "tiny", "input": ["aaa", "a"], "encoding_format": "float"})
    ]


def test_many_texts_go_in_several_requests(endpoint: Endpoint, connect: Any) -> None:
    rows = connect(endpoint.url).embed(["x" * (number + 1) for number in range(MAX_INPUTS * 2 + 1)])

    assert [len(body["input"]) for _, _, body in endpoint.requests] == [MAX_INPUTS, MAX_INPUTS, 1]
    assert list(rows[:, 0]) == sorted(rows[:, 0])


def test_a_request_is_bounded_by_tokens_too(endpoint: Endpoint, connect: Any) -> None:
    connect(endpoint.url).embed(["word " * 15_000] * 3)

    assert [len(body["input"]) for _, _, body in endpoint.requests] == [1, 1, 1]


def test_no_texts_make_no_request(endpoint: Endpoint, connect: Any) -> None:
    assert connect(endpoint.url).embed([]).shape == (0, 3)
    assert endpoint.requests == []


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_a_passing_failure_is_tried_again(endpoint: Endpoint, connect: Any, code: int) -> None:
    endpoint.script = [status(code), vectors]

    assert connect(endpoint.url).embed(["x"]).shape == (1, 3)
    assert len(endpoint.requests) == 2


def test_the_pause_that_the_server_asks_for_is_kept(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [status(429, **{"Retry-After": "1"}), vectors]

    begun = time.monotonic()
    connect(endpoint.url).embed(["x"])

    assert 1 <= time.monotonic() - begun < 5


@pytest.mark.parametrize("value", ["60", format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)])
def test_a_pause_beyond_the_timeout_is_not_waited_for(endpoint: Endpoint, connect: Any, value: str) -> None:
    endpoint.script = [status(429, **{"Retry-After": value})]

    begun = time.monotonic()
    with pytest.raises(EmbeddingError, match="tiny: status 429 after 1 attempts") as caught:
        connect(endpoint.url, timeout=5).embed(["x"])

    assert caught.value.retryable
    assert time.monotonic() - begun < 3


def test_it_gives_up_after_some_attempts(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [status(503, **{"Retry-After": "soon"})]

    with pytest.raises(EmbeddingError, match="tiny: status 503 after 5 attempts") as caught:
        connect(endpoint.url).embed(["x"])

    assert caught.value.retryable
    assert len(endpoint.requests) == 5


@pytest.mark.parametrize("code", [301, 400, 401, 404, 413])
def test_a_lasting_failure_is_not_tried_again(endpoint: Endpoint, connect: Any, code: int) -> None:
    endpoint.script = [status(code)]

    with pytest.raises(EmbeddingError, match=f"tiny: status {code}") as caught:
        connect(endpoint.url).embed(["x"])

    assert not caught.value.retryable
    assert len(endpoint.requests) == 1


def test_a_server_that_is_away_is_a_retryable_error(endpoint: Endpoint, connect: Any) -> None:
    with pytest.raises(EmbeddingError, match="tiny: ConnectError after 5 attempts") as caught:
        connect("http://127.0.0.1:1/v1").embed(["x"])

    assert caught.value.retryable


def slow(body: dict[str, Any]) -> Reply:
    time.sleep(1)
    return vectors(body)


def test_a_slow_server_is_left_at_the_timeout(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [slow]

    begun = time.monotonic()
    with pytest.raises(EmbeddingError, match="tiny: ReadTimeout"):
        connect(endpoint.url, timeout=0.3).embed(["x"])

    assert time.monotonic() - begun < 0.9


def test_a_query_has_the_vector_that_its_text_has(endpoint: Endpoint, connect: Any) -> None:
    embedder = connect(endpoint.url)

    assert (embedder.embed_query("aaa") == embedder.embed(["aaa"])[0]).all()


def test_a_query_waits_only_as_long_as_queries_may(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [slow]

    begun = time.monotonic()
    with pytest.raises(EmbeddingError, match="tiny: ReadTimeout after 1 attempts"):
        connect(endpoint.url, timeout=30, query_timeout=0.2).embed_query("x")

    assert time.monotonic() - begun < 0.9


def test_after_a_failure_queries_leave_the_endpoint_alone_for_a_while(
    endpoint: Endpoint, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.script = [status(503), vectors]
    embedder = connect(endpoint.url)

    for message in ("tiny: status 503 after 1 attempts$", "status 503 after 1 attempts; not tried again yet"):
        with pytest.raises(EmbeddingError, match=message) as caught:
            embedder.embed_query("x")
        assert caught.value.retryable
    assert len(endpoint.requests) == 1
    assert embedder.embed(["a batch does not mind"]).shape == (1, 3)

    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + QUERY_PAUSE)
    assert embedder.embed_query("x").shape == (3,)
    assert embedder.embed_query("x").shape == (3,)
    assert len(endpoint.requests) == 4


def test_while_one_query_tries_again_the_others_do_not_wait(
    endpoint: Endpoint, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_embeddings, "QUERY_PAUSE", 0.0)
    asked, answer = Event(), Event()

    def hanging(body: dict[str, Any]) -> Reply:
        asked.set()
        answer.wait(10)
        return vectors(body)

    endpoint.script = [status(503), hanging]
    embedder = connect(endpoint.url)
    with pytest.raises(EmbeddingError):
        embedder.embed_query("x")
    monkeypatch.setattr(openai_embeddings, "QUERY_PAUSE", 60.0)

    with ThreadPoolExecutor(1) as pool:
        trying = pool.submit(embedder.embed_query, "x")
        assert asked.wait(10)
        with pytest.raises(EmbeddingError, match="not tried again yet"):
            embedder.embed_query("x")
        answer.set()
        assert trying.result().shape == (3,)


def test_a_query_that_the_endpoint_refuses_does_not_stop_the_next(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [status(413), vectors]
    embedder = connect(endpoint.url)

    with pytest.raises(EmbeddingError, match="tiny: status 413"):
        embedder.embed_query("too long")

    assert embedder.embed_query("x").shape == (3,)


@pytest.mark.parametrize(
    "reply",
    [
        b"<html>",
        [],
        {"data": None},
        {"data": [{"embedding": [1, 2, 3]}]},
        {"data": [{"index": 1, "embedding": [1]}]},
        {"data": [{"index": 0, "embedding": ["a", 1, 1]}]},
        {"data": [{"index": 0, "embedding": [[1], 1, 1]}]},
        {"data": [{"index": 0, "embedding": [10**400, 1, 1]}]},
        {"data": [{"index": [], "embedding": [1, 1, 1]}]},
        {"data": ["vector"]},
        17,
        None,
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_reply_that_holds_no_embeddings_is_an_error(endpoint: Endpoint, connect: Any, reply: Any) -> None:
    endpoint.script = [lambda _: (200, {}, reply)]

    with pytest.raises(EmbeddingError, match="tiny: the reply is no list of embeddings") as caught:
        connect(endpoint.url).embed(["x"])

    assert not caught.value.retryable


def test_a_reply_that_cannot_be_unpacked_is_a_lasting_error(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [lambda _: (200, {"Content-Encoding": "gzip"}, b"no gzip")]

    with pytest.raises(EmbeddingError, match=r"^tiny: DecodingError$") as caught:
        connect(endpoint.url).embed(["x"])

    assert not caught.value.retryable
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("url", "text", "fault"),
    [
        ("127.0.0.1:8080/v1", "x", "UnsupportedProtocol"),
        ("ftp://127.0.0.1/v1", "x", "UnsupportedProtocol"),
        ("http://127.0.0.1:1/v1", "half a pair: \ud800", "UnicodeEncodeError"),
    ],
)
def test_what_cannot_be_sent_is_a_lasting_error(connect: Any, url: str, text: str, fault: str) -> None:
    with pytest.raises(EmbeddingError, match=f"^tiny: {fault}$") as caught:
        connect(url).embed([text])

    assert not caught.value.retryable


@pytest.mark.parametrize("value", ["Mon, 01 Jan 2024 00:00:00 +99999999999999", "9" * 400])
def test_a_pause_that_is_no_time_ends_in_an_embedding_error(endpoint: Endpoint, connect: Any, value: str) -> None:
    endpoint.script = [status(503, **{"Retry-After": value})]

    with pytest.raises(EmbeddingError, match="tiny: status 503"):
        connect(endpoint.url).embed(["x"])


def test_another_dimension_is_an_error(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [lambda body: vectors(body, dimension=4)]

    with pytest.raises(EmbeddingError, match="tiny gave vectors of 4 numbers; EMBEDDING_DIMENSION is 3"):
        connect(endpoint.url).embed(["x"])


@pytest.mark.parametrize("numbers", [[0, 0, 0], [None, 1, 1]])
def test_numbers_that_make_no_direction_are_an_error(endpoint: Endpoint, connect: Any, numbers: list[Any]) -> None:
    endpoint.script = [lambda _: (200, {}, {"data": [{"index": 0, "embedding": numbers}]})]

    with pytest.raises(EmbeddingError, match="tiny gave a vector without a direction"):
        connect(endpoint.url).embed(["x"])


def test_neither_the_key_nor_the_text_is_told(
    endpoint: Endpoint, connect: Any, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint.script = [status(401)]
    caplog.set_level(logging.DEBUG)

    with pytest.raises(EmbeddingError) as caught:
        connect(endpoint.url).embed(["a secret text"])

    told = caplog.text + str(caught.value) + repr(caught.value)
    assert KEY not in told
    assert "secret" not in told


def test_the_estimate_of_tokens_errs_upwards(connect: Any, tmp_path: Path) -> None:
    texts = [
        "",
        "hello",
        "A view can be refreshed concurrently, which needs a unique index.",
        "CREATE INDEX CONCURRENTLY sales_idx ON sales (quantity DESC NULLS LAST) WHERE quantity > 100;",
        "MB_JETTY_PORT=3000 MB_DB_CONNECTION_URI='jdbc:postgresql://localhost:5432/metabase?user=a&password=b'",
        "Größenänderung naïve façade Ελληνικά русский текст 日本語のドキュメント 🎉",
        "0x1f8b0800 3.14159265358979 2026-01-02T03:04:05Z 123e4567-e89b-12d3-a456-426614174000",
        "|---|---|\n| a | b |\n```sql\nSELECT 1;\n```",
    ]

    estimates = connect("http://127.0.0.1:1").count_tokens(texts)

    counts = MiniLM(tmp_path, threads=1).count_tokens(texts)
    assert all(estimate >= count for estimate, count in zip(estimates, counts, strict=True))
    assert sum(estimates) < 3 * sum(counts)
