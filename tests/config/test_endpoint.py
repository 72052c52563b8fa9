"""Where the server listens, and whether it does."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from config.endpoint import Endpoint


class Handler(BaseHTTPRequestHandler):
    """Answers /404 with 404, and so on."""

    def do_GET(self) -> None:
        self.send_response(int(self.path[1:]))
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield Endpoint("127.0.0.1", server.server_port)
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("0.0.0.0", "http://127.0.0.1:8000/"),
        ("::1", "http://[::1]:8000/"),
        ("::", "http://[::1]:8000/"),
        ("docs.example.com", "http://docs.example.com:8000/"),
    ],
)
def test_the_url_is_one_that_a_browser_here_can_open(host: str, url: str) -> None:
    assert Endpoint(host, 8000).url == url


def test_a_port_is_free_until_somebody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        endpoint = Endpoint("127.0.0.1", taken.getsockname()[1])
        with pytest.raises(OSError, match="Address already in use"):
            endpoint.check_free()
    endpoint.check_free()


@pytest.mark.parametrize(("status", "answers"), [(200, True), (400, True), (503, False)])
def test_a_server_answers_unless_it_fails(server: Endpoint, status: int, answers: bool) -> None:
    assert server.answers(f"/{status}") is answers


def test_nobody_answers_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        endpoint = Endpoint("127.0.0.1", closed.getsockname()[1])
    assert endpoint.answers("/") is False
