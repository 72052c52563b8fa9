"""The dialects of `/rerank` against a scripted server on loopback."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from threading import Event
from typing import Any

import httpx
import pytest

from docs_search.reranking.circuit_breaker import FAILURES, PAUSE
from docs_search.reranking.cohere import CohereReranker
from docs_search.reranking.endpoint import MAX_REPLY, RerankEndpoint
from docs_search.reranking.jina import JinaReranker
from docs_search.reranking.reranker import RerankError
from docs_search.reranking.tei import TEIReranker
from tests.loopback import QuietHandler, serving

KEY = "key-not-to-be-seen"
TEXTS = ["a", "the longest", "longer"]
Script = Callable[[dict[str, Any]], tuple[int, dict[str, str], Any]]
Dialect = type[RerankEndpoint]

every_dialect = pytest.mark.parametrize("dialect", [CohereReranker, JinaReranker, TEIReranker])


def reply(dialect: Dialect, scores: dict[Any, Any]) -> Any:
    """Scores by index, as a server of the dialect writes them."""
    rows = [{"index": index, dialect.score_key: score} for index, score in scores.items()]
    return rows if dialect is TEIReranker else {"id": "1", "results": rows, "meta": {"api_version": {"version": "2"}}}


def by_length(dialect: Dialect) -> Script:
    """The longest text first, with its length in hundredths as its score."""

    def script(body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        texts = body["texts" if dialect is TEIReranker else "documents"]
        best_first = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        return 200, {}, reply(dialect, {index: len(texts[index]) / 100 for index in best_first})

    return script


class Endpoint:
    """What the server answers, the last step again and again, and what it was asked."""

    def __init__(self) -> None:
        self.script: list[Script] = []
        self.requests: list[tuple[str, str | None, dict[str, Any]]] = []
        self.url = ""


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()

    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            step = endpoint.script[min(len(endpoint.requests), len(endpoint.script) - 1)]
            endpoint.requests.append((self.path, self.headers["Authorization"], body))
            status, headers, answer = step(body)
            payload = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(payload)), "Connection": "close", **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # from a client that did not wait
                self.wfile.write(payload)

    with serving(Handler) as url:
        endpoint.url = f"{url}/v2"
        yield endpoint


@pytest.fixture
def connect() -> Iterator[Callable[..., RerankEndpoint]]:
    with ExitStack() as clients:

        def connected(dialect: Dialect, url: str, *, timeout: float = 10.0) -> RerankEndpoint:
            client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=timeout)
            return dialect(clients.enter_context(client), model="tiny", timeout=timeout)

        yield connected


def status(code: int, **headers: str) -> Script:
    return lambda _: (code, {name.replace("_", "-"): value for name, value in headers.items()}, {"message": KEY})


def failure(reranker: RerankEndpoint, message: str) -> RerankError:
    with pytest.raises(RerankError, match=message) as caught:
        reranker.rerank("how", TEXTS)
    return caught.value


@every_dialect
def test_scores_have_the_order_of_the_texts(endpoint: Endpoint, connect: Any, dialect: Dialect) -> None:
    endpoint.script = [by_length(dialect)]

    assert connect(dialect, endpoint.url).rerank("how", TEXTS) == [0.01, 0.11, 0.06]


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        (CohereReranker, {"model": "tiny", "query": "how", "documents": TEXTS, "top_n": 3}),
        (
            JinaReranker,
            {"model": "tiny", "query": "how", "documents": TEXTS, "top_n": 3, "return_documents": False},
        ),
        (TEIReranker, {"query": "how", "texts": TEXTS, "truncate": True}),
    ],
)
def test_each_dialect_asks_in_its_own_way(
    endpoint: Endpoint, connect: Any, dialect: Dialect, body: dict[str, Any]
) -> None:
    endpoint.script = [by_length(dialect)]

    connect(dialect, endpoint.url).rerank("how", TEXTS)

    assert endpoint.requests == [("/v2/rerank", f"Bearer {KEY}", body)]


@every_dialect
def test_no_texts_make_no_request(endpoint: Endpoint, connect: Any, dialect: Dialect) -> None:
    assert connect(dialect, endpoint.url).rerank("how", []) == []
    assert endpoint.requests == []


@every_dialect
def test_whole_and_negative_numbers_are_scores_too(endpoint: Endpoint, connect: Any, dialect: Dialect) -> None:
    endpoint.script = [lambda _: (200, {}, reply(dialect, {2: 3, 0: -7.5, 1: 0}))]

    assert connect(dialect, endpoint.url).rerank("how", TEXTS) == [-7.5, 0.0, 3.0]


@every_dialect
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({}, "scores for 0 of 3 texts"),
        ({0: 0.5, 2: 0.5}, "scores for 2 of 3 texts"),
        ({0: 0.1, 1: 0.2, 3: 0.3}, "an index twice, or one that was not sent"),
        ({0: 0.1, 1: 0.2, -1: 0.3}, "an index twice, or one that was not sent"),
        ({0: 0.1, 1: 0.2, "2": 0.3}, "an index twice, or one that was not sent"),
        ({0: 0.1, 1: 0.2, 2.0: 0.3}, "an index twice, or one that was not sent"),
        ({0: 0.1, 1: 0.2, None: 0.3}, "an index twice, or one that was not sent"),
        ({0: 0.1, 1: float("nan"), 2: 0.3}, "a score that is no number"),
        ({0: 0.1, 1: float("inf"), 2: 0.3}, "a score that is no number"),
        ({0: 0.1, 1: True, 2: 0.3}, "a score that is no number"),
        ({0: 0.1, 1: "0.2", 2: 0.3}, "no list of scores"),
        ({0: 0.1, 1: None, 2: 0.3}, "no list of scores"),
        ({0: 0.1, 1: 10**400, 2: 0.3}, "no list of scores"),
    ],
)
def test_scores_that_do_not_fit_the_texts_are_an_error(
    endpoint: Endpoint, connect: Any, dialect: Dialect, scores: dict[Any, Any], message: str
) -> None:
    endpoint.script = [lambda _: (200, {}, reply(dialect, scores))]

    assert not failure(connect(dialect, endpoint.url), f"^tiny: the reply (has|is) {message}$").retryable


@every_dialect
def test_an_index_that_comes_twice_is_an_error(endpoint: Endpoint, connect: Any, dialect: Dialect) -> None:
    rows = [{"index": index, dialect.score_key: 0.5} for index in (0, 1, 1, 2)]
    endpoint.script = [lambda _: (200, {}, rows if dialect is TEIReranker else {"results": rows})]

    failure(connect(dialect, endpoint.url), "^tiny: the reply has an index twice")


@every_dialect
@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b"\xff\xfe",
        b"[" * 100_000,
        None,
        17,
        "text",
        {},
        {"results": None},
        {"results": 17},
        {"results": [0.1, 0.2, 0.3]},
        {"results": [{}]},
        {"data": []},
        [[0, 0.1]],
        ["text"],
        [{"index": 0}],
        {"error": "overloaded"},
    ],
)
def test_a_reply_of_another_form_is_an_error(endpoint: Endpoint, connect: Any, dialect: Dialect, answer: Any) -> None:
    endpoint.script = [lambda _: (200, {}, answer)]

    assert not failure(connect(dialect, endpoint.url), "^tiny: the reply is no list of scores$").retryable


def test_a_reply_without_end_is_left(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [lambda _: (200, {}, b" " * (MAX_REPLY + 1))]

    assert not failure(connect(TEIReranker, endpoint.url), "^tiny: the reply is too long$").retryable


def test_a_reply_that_cannot_be_unpacked_is_an_error(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [lambda _: (200, {"Content-Encoding": "gzip"}, b"no gzip")]

    assert not failure(connect(TEIReranker, endpoint.url), "^tiny: DecodingError$").retryable


@every_dialect
@pytest.mark.parametrize(
    ("code", "retryable"),
    [(408, True), (429, True), (500, True), (503, True), (301, False), (401, False)],
)
def test_a_status_is_an_error_and_is_not_tried_again(
    endpoint: Endpoint, connect: Any, dialect: Dialect, code: int, retryable: bool
) -> None:
    endpoint.script = [status(code)]

    assert failure(connect(dialect, endpoint.url), f"^tiny: status {code}$").retryable == retryable
    assert len(endpoint.requests) == 1


@every_dialect
def test_a_slow_server_is_left_at_the_timeout(endpoint: Endpoint, connect: Any, dialect: Dialect) -> None:
    def slow(body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        time.sleep(1)
        return by_length(dialect)(body)

    endpoint.script = [slow]

    begun = time.monotonic()
    assert failure(connect(dialect, endpoint.url, timeout=0.2), "^tiny: (no answer in time|ReadTimeout)$").retryable
    assert time.monotonic() - begun < 0.9


def test_a_server_that_sends_byte_by_byte_is_left_at_the_timeout(connect: Any) -> None:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                for _ in range(40):
                    self.wfile.write(b" ")
                    time.sleep(0.05)
            self.close_connection = True

    with serving(Handler) as url:
        begun = time.monotonic()
        assert failure(connect(TEIReranker, url, timeout=0.2), "^tiny: no answer in time$").retryable
        assert time.monotonic() - begun < 0.9


@every_dialect
def test_a_connection_that_is_closed_without_an_answer_is_an_error(connect: Any, dialect: Dialect) -> None:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.close_connection = True

    with serving(Handler) as url:
        assert failure(connect(dialect, url), "^tiny: RemoteProtocolError$").retryable


def test_an_answer_that_is_cut_off_is_an_error(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [lambda _: (200, {"Content-Length": "1000"}, b"[")]

    assert failure(connect(TEIReranker, endpoint.url), "^tiny: RemoteProtocolError$").retryable


def test_a_server_that_is_away_is_an_error(connect: Any) -> None:
    assert failure(connect(TEIReranker, "http://127.0.0.1:1"), "^tiny: ConnectError$").retryable


@pytest.mark.parametrize(
    ("url", "query", "fault"),
    [
        ("127.0.0.1:8080", "x", "UnsupportedProtocol"),
        ("ftp://127.0.0.1", "x", "UnsupportedProtocol"),
        ("http://127.0.0.1:1", "half a pair: \ud800", "UnicodeEncodeError"),
    ],
)
def test_what_cannot_be_sent_is_an_error(connect: Any, url: str, query: str, fault: str) -> None:
    with pytest.raises(RerankError, match=f"^tiny: {fault}$") as caught:
        connect(CohereReranker, url).rerank(query, TEXTS)

    assert not caught.value.retryable


def test_after_some_failures_in_a_row_the_endpoint_is_left_alone_for_a_while(
    endpoint: Endpoint, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.script = [*[status(500)] * FAILURES, by_length(TEIReranker)]
    reranker = connect(TEIReranker, endpoint.url)

    for _ in range(FAILURES):
        failure(reranker, "^tiny: status 500$")
    for _ in range(3):
        assert failure(reranker, "^tiny: status 500; not tried again yet$").retryable
    assert len(endpoint.requests) == FAILURES

    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + PAUSE)
    assert reranker.rerank("how", TEXTS) == [0.01, 0.11, 0.06]
    assert reranker.rerank("how", TEXTS) == [0.01, 0.11, 0.06]


def test_failures_that_are_not_in_a_row_change_nothing(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [status(500), status(500), by_length(TEIReranker)] * 3
    reranker = connect(TEIReranker, endpoint.url)

    for _ in range(3):
        failure(reranker, "^tiny: status 500$")
        failure(reranker, "^tiny: status 500$")
        reranker.rerank("how", TEXTS)

    assert len(endpoint.requests) == 9


def test_a_server_that_asks_to_be_left_alone_is_at_once(
    endpoint: Endpoint, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.script = [status(429, Retry_After="7"), by_length(TEIReranker)]
    reranker = connect(TEIReranker, endpoint.url)

    begun = time.monotonic()
    failure(reranker, "^tiny: status 429$")
    failure(reranker, "^tiny: status 429; not tried again yet$")
    assert time.monotonic() - begun < 3
    assert len(endpoint.requests) == 1

    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 7)
    assert reranker.rerank("how", TEXTS) == [0.01, 0.11, 0.06]


def test_while_one_call_tries_again_the_others_do_not_wait(
    endpoint: Endpoint, connect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answer = Event(), Event()

    def hanging(body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        asked.set()
        answer.wait(10)
        return by_length(TEIReranker)(body)

    endpoint.script = [status(503, Retry_After="2"), hanging]
    reranker = connect(TEIReranker, endpoint.url)
    failure(reranker, "^tiny: status 503$")
    real = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: real() + 2)

    with ThreadPoolExecutor(1) as pool:
        trying = pool.submit(reranker.rerank, "how", TEXTS)
        assert asked.wait(10)
        failure(reranker, "not tried again yet")
        answer.set()
        assert trying.result() == [0.01, 0.11, 0.06]


def test_calls_at_the_same_time_get_their_own_scores(endpoint: Endpoint, connect: Any) -> None:
    endpoint.script = [by_length(TEIReranker)]
    reranker = connect(TEIReranker, endpoint.url)
    queries = [["x" * size, "y" * (size + 1)] for size in range(1, 25)]

    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda texts: reranker.rerank("how", texts), queries))

    assert scores == [[size / 100, (size + 1) / 100] for size in range(1, 25)]


def test_neither_the_key_nor_the_query_nor_a_text_is_told(
    endpoint: Endpoint, connect: Any, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint.script = [status(401)]
    caplog.set_level(logging.DEBUG)

    with pytest.raises(RerankError) as caught:
        connect(JinaReranker, endpoint.url).rerank("a secret query", ["a secret text"])

    told = caplog.text + str(caught.value) + repr(caught.value)
    assert KEY not in told
    assert "secret" not in told
