"""One GET request to an address that a stranger may have written."""

import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Self

import httpcore
import httpx

from docs_search.outbound.addresses import RefusedAddress
from docs_search.outbound.bodies import BodyTooLarge, BodyUnreadable, bounded_body
from docs_search.outbound.connections import CheckedBackend, Deadline

USER_AGENT = "Docent/0.1 (documentation search)"
MAX_CONNECTIONS = 32

_USER = re.compile(r"(?<=//)[^/]*@")


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of whatever status. `url` is what was asked for, the names of `headers` are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class FetchError(Exception):
    """Why there is no answer, or none that can be used. The message names the address without its query.

    `retryable` says whether the same request may succeed later, `retry_after` after how many seconds at the earliest.
    """

    def __init__(self, message: str, *, retryable: bool, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
        self.retry_after = retry_after


class Fetcher:
    """Makes requests, from any number of threads, over connections that it keeps open until it is closed.

    Nothing but http and https to public addresses, unless `allow_private`; no proxy, no password file, no cookies.
    Redirects are not followed: where one leads is for the caller to judge. Times are in seconds; `total_timeout` is
    for a request with everything in it, also where a server sends one byte at a time.
    """

    def __init__(
        self,
        *,
        allow_private: bool,
        user_agent: str = USER_AGENT,
        connect_timeout: float = 10.0,
        read_timeout: float = 30.0,
        total_timeout: float = 120.0,
    ) -> None:
        self._headers = {"user-agent": user_agent, "accept": "*/*", "accept-encoding": "gzip"}
        self._timeouts = {
            "connect": connect_timeout,
            "read": read_timeout,
            "write": read_timeout,
            "pool": total_timeout,
        }
        self._total_timeout = total_timeout
        self._deadline = Deadline()
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),  # honours SSL_CERT_FILE and SSL_CERT_DIR
            max_connections=MAX_CONNECTIONS,
            keepalive_expiry=30.0,
            network_backend=CheckedBackend(self._deadline, allow_private=allow_private),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._pool.close()

    def get(self, url: str, *, headers: Mapping[str, str] = {}, max_bytes: int) -> Response:
        """The answer to one request, of any status, with a body of at most `max_bytes` after decompression.

        Raises FetchError.
        """
        with self._answer(url, headers, max_bytes) as (response, body):
            return Response(url, response.status, response.headers, b"".join(body))

    def save(self, url: str, file: IO[bytes], *, headers: Mapping[str, str] = {}, max_bytes: int) -> Response:
        """As `get`, but the body of an answer of status 200 is written to `file`, and no other body is read."""
        with self._answer(url, headers, max_bytes) as (response, body):
            if response.status == 200:
                for piece in body:
                    file.write(piece)
            return response

    @contextmanager
    def _answer(
        self, url: str, headers: Mapping[str, str], max_bytes: int
    ) -> Iterator[tuple[Response, Iterator[bytes]]]:
        address = _parsed(url)
        place = shown(url)
        self._deadline.start(self._total_timeout)
        try:
            with self._pool.stream(
                "GET",
                httpcore.URL(
                    scheme=address.raw_scheme, host=address.raw_host, port=address.port, target=address.raw_path
                ),
                headers=_encoded({"host": address.netloc.decode("ascii")} | self._headers | _lowered(headers)),
                extensions={"timeout": self._timeouts},
            ) as answer:
                received = _joined(answer.headers)
                if received.get("content-length", "").isdecimal() and int(received["content-length"]) > max_bytes:
                    raise BodyTooLarge
                body = bounded_body(answer.iter_stream(), received.get("content-encoding", ""), max_bytes)
                yield Response(url, answer.status, received, b""), body
        except RefusedAddress as error:
            raise FetchError(f"{place}: {error}", retryable=False) from None
        except BodyTooLarge:
            raise FetchError(f"{place} is larger than {max_bytes:,} bytes.", retryable=False) from None
        except BodyUnreadable as error:
            raise FetchError(f"{place} cannot be read: {error}.", retryable=False) from None
        except httpcore.TimeoutException as error:
            raise FetchError(f"{place} did not answer in time.", retryable=True) from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            lasting = isinstance(error, httpcore.LocalProtocolError) or isinstance(
                _cause(error), ssl.SSLCertVerificationError
            )
            raise FetchError(f"{place} cannot be reached: {_reason(error)}.", retryable=not lasting) from error


def shown(url: str) -> str:
    """An address as it may be told and logged: without user, password and query, which may be secret, and not long."""
    return _USER.sub("", url[:1000].partition("#")[0].partition("?")[0])[:200]


def _parsed(url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise FetchError(f"{shown(url)!r} is no address.", retryable=False) from error
    if address.userinfo:
        raise FetchError(
            f"The address at {address.raw_host.decode('ascii')} has a user name or password in it. Give it without.",
            retryable=False,
        )
    if address.scheme not in {"http", "https"} or not address.raw_host or not _is_port(address.port):
        raise FetchError(f"{shown(url)!r} is no http or https address.", retryable=False)
    return address


def _is_port(port: int | None) -> bool:
    return port is None or 0 < port < 1 << 16


def _lowered(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Values of other letters than ASCII's come from the server itself, such as the tag of a page."""
    return [(name.encode("ascii"), value.encode(errors="replace")) for name, value in headers.items()]


def _joined(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Header fields by lower-case name; the values of one that comes more than once are joined by commas (RFC 9110)."""
    joined: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("ascii").lower(), _text(raw_value)
        joined[name] = f"{joined[name]}, {value}" if name in joined else value
    return joined


def _text(value: bytes) -> str:
    """Letters beyond ASCII are UTF-8, as browsers take those of a redirect, or else what they are by the standard."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _cause(error: Exception) -> object:
    """What httpcore wrapped; it cuts the chain of exceptions and keeps it as the argument."""
    return error.args[0] if error.args else error


def _reason(error: Exception) -> str:
    """Why, in one short line: an error of the TLS library or the system says it better than its wrapper."""
    cause = _cause(error)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message}); for one of your own set SSL_CERT_FILE"
    text = getattr(cause, "strerror", None) or str(error)
    return " ".join(str(text).split())[:200].rstrip(".") or type(error).__name__
