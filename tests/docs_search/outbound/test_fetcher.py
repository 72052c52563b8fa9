import gzip
import io
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs_search.outbound.fetcher import USER_AGENT, Fetcher, FetchError, shown
from docs_search.outbound.redirects import redirect_target
from tests.loopback import QuietHandler, serving, write_certificate

BOMB = gzip.compress(bytes(20_000_000))


class Site(QuietHandler):
    seen: list[tuple[str, dict[str, str], Any]]

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.seen.append((self.path, headers, self.client_address))
        match self.path.partition("?")[0]:
            case "/page":
                self.answer(200, b"A page.", {"ETag": '"1"'})
            case "/tagged":  # http.server sends one byte for each letter
                self.answer(302, b"", {"ETag": '"\xc3\xa9"', "Location": "/caf\xc3\xa9", "Server": "caf\xe9"})
            case "/moved":
                self.answer(302, b"", {"Location": "/page"})
            case "/bomb":
                self.answer(200, BOMB, {"Content-Encoding": "gzip"})
            case "/drip":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                for _ in range(100):
                    self.wfile.write(b"x")
                    time.sleep(0.05)
            case "/cut":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b"x")
                self.close_connection = True
            case "/twice":
                self.send_response(200)
                for value in ("a", "b"):
                    self.send_header("X-Tag", value)
                self.send_header("Content-Length", "0")
                self.end_headers()
            case "/mute":
                time.sleep(2)
            case _:
                self.answer(404, b"Nothing.")


@pytest.fixture
def site() -> Iterator[str]:
    Site.seen = []
    with serving(Site) as address:
        yield address


@pytest.fixture
def fetcher() -> Iterator[Fetcher]:
    with Fetcher(allow_private=True, read_timeout=5, total_timeout=10) as fetcher:
        yield fetcher


def test_an_answer_holds_the_status_the_headers_and_the_body(site: str, fetcher: Fetcher) -> None:
    response = fetcher.get(f"{site}/page?q=1#part", headers={"If-None-Match": '"0"'}, max_bytes=7)

    assert (response.url, response.status, response.body) == (f"{site}/page?q=1#part", 200, b"A page.")
    assert response.headers["etag"] == '"1"'
    [(path, headers, _)] = Site.seen
    assert path == "/page?q=1"
    assert headers == {
        "host": site.removeprefix("http://"),
        "user-agent": USER_AGENT,
        "accept": "*/*",
        "accept-encoding": "gzip",
        "if-none-match": '"0"',
    }


def test_statuses_and_redirects_are_answers_like_others(site: str, fetcher: Fetcher) -> None:
    moved = fetcher.get(f"{site}/moved", max_bytes=100)
    assert (moved.status, moved.headers["location"]) == (302, "/page")
    gone = fetcher.get(f"{site}/gone", max_bytes=100)
    assert (gone.status, gone.body) == (404, b"Nothing.")


def test_values_of_a_repeated_header_are_joined(site: str, fetcher: Fetcher) -> None:
    assert fetcher.get(f"{site}/twice", max_bytes=100).headers["x-tag"] == "a, b"


def test_letters_beyond_ascii_in_headers_are_read_and_sent_as_browsers_do(site: str, fetcher: Fetcher) -> None:
    response = fetcher.get(f"{site}/tagged", max_bytes=100)
    assert response.headers["etag"] == '"\u00e9"'
    assert response.headers["server"].endswith("caf\u00e9")  # not UTF-8
    target = redirect_target(response)
    assert target == f"{site}/caf\u00e9"
    fetcher.get(target, headers={"If-None-Match": response.headers["etag"], "X-Odd": "\udc80\u20ac"}, max_bytes=100)
    path, headers, _ = Site.seen[-1]
    assert path == "/caf%C3%A9"
    assert (headers["if-none-match"], headers["x-odd"]) == ('"\xc3\xa9"', "?\xe2\x82\xac")


def test_a_connection_is_kept_for_the_next_request(site: str, fetcher: Fetcher) -> None:
    for _ in range(3):
        fetcher.get(f"{site}/page", max_bytes=100)
    assert len({client for _, _, client in Site.seen}) == 1


def test_threads_share_a_fetcher(site: str, fetcher: Fetcher) -> None:
    bodies: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: bodies.append(fetcher.get(f"{site}/page", max_bytes=100).body))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bodies == [b"A page."] * 8


def test_a_body_over_the_limit_is_an_error(site: str, fetcher: Fetcher) -> None:
    for path in ("/page?key=secret", "/bomb?key=secret"):
        with pytest.raises(FetchError, match=r"is larger than 6 bytes\.$") as caught:
            fetcher.get(site + path, max_bytes=6)
        assert not caught.value.retryable
        assert "secret" not in caught.value.message


def test_a_server_that_drips_is_left_after_the_total_time(site: str) -> None:
    started = time.monotonic()
    with (
        Fetcher(allow_private=True, read_timeout=5, total_timeout=0.4) as fetcher,
        pytest.raises(FetchError, match=r"/drip did not answer in time\.$") as caught,
    ):
        fetcher.get(f"{site}/drip", max_bytes=10_000)
    assert caught.value.retryable
    assert time.monotonic() - started < 2


def test_a_server_that_is_silent_is_left_after_the_time_for_a_read(site: str) -> None:
    with (
        Fetcher(allow_private=True, read_timeout=0.2) as fetcher,
        pytest.raises(FetchError, match="did not answer in time"),
    ):
        fetcher.get(f"{site}/mute", max_bytes=100)


def test_an_answer_that_is_cut_off_may_be_asked_for_again(site: str, fetcher: Fetcher) -> None:
    with pytest.raises(FetchError, match=r"/cut cannot be reached: peer closed connection") as caught:
        fetcher.get(f"{site}/cut", max_bytes=10_000)
    assert caught.value.retryable


def test_a_body_is_saved_only_of_an_answer_that_succeeded(site: str, fetcher: Fetcher) -> None:
    file = io.BytesIO()
    assert fetcher.save(f"{site}/gone", file, max_bytes=100).status == 404
    assert file.getvalue() == b""
    response = fetcher.save(f"{site}/page", file, max_bytes=100)
    assert (response.status, response.body, file.getvalue()) == (200, b"", b"A page.")


def test_a_private_address_is_refused_before_anything_is_sent(site: str) -> None:
    with (
        Fetcher(allow_private=False) as fetcher,
        pytest.raises(FetchError, match=r"127\.0\.0\.1 is not .* Set SOURCES_ALLOW_PRIVATE_ADDRESSES=1") as caught,
    ):
        fetcher.get(f"{site}/page", max_bytes=100)
    assert not caught.value.retryable
    assert Site.seen == []


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name resolves once. A second look-up, which may answer otherwise, would be an error."""
    port = int(site.rpartition(":")[2])
    known = socket.getaddrinfo
    asked: list[object] = []

    def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        if host == "127.0.0.1":
            return known(host, *arguments, **options)
        asked.append(host)
        assert len(asked) == 1
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with Fetcher(allow_private=True) as fetcher:
        assert fetcher.get(f"http://docs.example.com:{port}/page", max_bytes=100).body == b"A page."
    assert asked == [b"docs.example.com"]
    assert Site.seen[0][1]["host"] == f"docs.example.com:{port}"


def test_the_certificate_is_checked_against_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Site.seen = []
    own = write_certificate(tmp_path / "own.pem")
    other = write_certificate(tmp_path / "other.pem", "other.example.com")
    for certificate, trusted, message in (
        (own, own, None),
        (own, other, r"its certificate is not trusted \(self"),
        (other, other, r"its certificate is not trusted \(IP address mismatch"),
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        with serving(Site, certificate) as address, Fetcher(allow_private=True) as fetcher:
            if message is None:
                assert fetcher.get(f"{address}/page", max_bytes=100).body == b"A page."
                continue
            with pytest.raises(FetchError, match=message) as caught:
                fetcher.get(f"{address}/page", max_bytes=100)
            assert not caught.value.retryable


def test_proxies_and_passwords_of_the_environment_are_not_used(
    site: str, fetcher: Fetcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login reader password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert fetcher.get(f"{site}/page", max_bytes=100).status == 200
    assert "authorization" not in Site.seen[0][1]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://docs.example.com/a",
        "file:///etc/passwd",
        "//docs.example.com/a",
        "docs.example.com",
        "http://",
        "http:///path",
        "http://docs.example.com:0/",
        "http://docs.example.com:99999/",
        "http://docs.example.com:x/",
        "http://docs.example.com/\n",
        "http://\udc80/",
        "http://[::1/",
        "",
    ],
)
def test_what_is_no_address_of_the_web_is_refused(fetcher: Fetcher, url: str) -> None:
    with pytest.raises(FetchError, match=r"is no (http or https )?address") as caught:
        fetcher.get(url, max_bytes=100)
    assert not caught.value.retryable


def test_an_address_with_a_password_is_refused_without_telling_it(fetcher: Fetcher) -> None:
    for url in (
        "http://reader:secret@docs.example.com/",
        "http://reader:secret@docs.example.com:x/",
        "http://reader:secret@xn--/",
        "http://docs.example.com\\reader:secret@127.0.0.1/",
    ):
        with pytest.raises(FetchError) as caught:
            fetcher.get(url, max_bytes=100)
        assert "secret" not in caught.value.message


def test_an_unknown_host_and_a_closed_port_may_be_asked_again(fetcher: Fetcher) -> None:
    with pytest.raises(FetchError, match="the host is not known") as caught:
        fetcher.get("http://nowhere.invalid/", max_bytes=100)
    assert caught.value.retryable
    with pytest.raises(FetchError, match="the host is not known"):
        fetcher.get("http://xn--/", max_bytes=100)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(FetchError, match="Connection refused") as caught:
            fetcher.get(f"http://127.0.0.1:{port}/", max_bytes=100)
        assert caught.value.retryable


def test_a_header_that_cannot_be_sent_is_an_error(site: str, fetcher: Fetcher) -> None:
    with pytest.raises(FetchError, match="cannot be reached") as caught:
        fetcher.get(f"{site}/page", headers={"X-A": "a\r\nX-B: b"}, max_bytes=100)
    assert not caught.value.retryable
    assert Site.seen == []


def test_an_address_is_told_without_what_may_be_secret() -> None:
    assert shown("https://reader:secret@docs.example.com/a@b?key=secret#secret") == "https://docs.example.com/a@b"
