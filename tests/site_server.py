"""A scripted website on loopback, which remembers what it was asked for."""

import hashlib
import mimetypes
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from tests.loopback import QuietHandler, serving


@dataclass(frozen=True, slots=True)
class Reply:
    """A response in full. `delay` seconds pass before it."""

    body: str | bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for: the target as it was sent, and header fields by lower-case name. `status` is the answer."""

    path: str
    headers: Mapping[str, str]
    status: int
    at: float


Page = str | bytes | Reply | Callable[[int], Reply]


class Site:
    """`pages` may be changed while it serves. A page is HTML, bytes whose type the path tells, a Reply, or what makes
    a Reply from how often the page was asked for before. All else is 404. Pages have an ETag and answer 304 to it."""

    def __init__(self, pages: Mapping[str, Page], url: str) -> None:
        """`url` is scheme, host and port, without a slash."""
        self.pages = dict(pages)
        self.requests: list[Request] = []
        self._counts: dict[str, int] = {}
        self._lock = Lock()
        self.url = url
        self.host = url.partition("//")[2]

    @property
    def asked(self) -> list[str]:
        """The targets of all requests but those for robots.txt, in order."""
        with self._lock:
            return [request.path for request in self.requests if request.path != "/robots.txt"]

    def forget(self) -> None:
        """Forget the requests so far."""
        with self._lock:
            self.requests.clear()

    def answer(self, path: str, headers: Mapping[str, str]) -> Reply:
        with self._lock:
            count = self._counts.get(path, 0)
            self._counts[path] = count + 1
            page = self.pages.get(path, Reply("not found", 404))
        reply = _reply(page(count) if callable(page) else page, path, headers)
        with self._lock:
            self.requests.append(Request(path, headers, reply.status, time.monotonic()))
        return reply


def _reply(page: str | bytes | Reply, path: str, asked: Mapping[str, str]) -> Reply:
    if isinstance(page, str):
        page = Reply(page, headers={"Content-Type": "text/html; charset=utf-8"})
    elif isinstance(page, bytes):
        page = Reply(page, headers={"Content-Type": mimetypes.guess_type(path)[0] or "text/html"})
    body = page.body.encode() if isinstance(page.body, str) else page.body
    headers = {"Content-Type": "text/html; charset=utf-8", **page.headers}
    if page.status == 200:
        headers.setdefault("ETag", f'"{hashlib.sha256(body).hexdigest()[:16]}"')
        unchanged = asked.get("if-none-match") == headers["ETag"] or (
            "Last-Modified" in headers and asked.get("if-modified-since") == headers["Last-Modified"]
        )
        if unchanged:
            return Reply(b"", 304, headers, page.delay)
    return Reply(body, page.status, headers, page.delay)


@contextmanager
def serve_site(pages: Mapping[str, Page]) -> Iterator[Site]:
    """A site with `pages` by their paths, until the block ends."""

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            reply = site.answer(self.path, {name.lower(): value for name, value in self.headers.items()})
            time.sleep(reply.delay)
            self.answer(
                reply.status, reply.body if isinstance(reply.body, bytes) else reply.body.encode(), reply.headers
            )

    with serving(Handler) as address:
        site = Site(pages, address)
        yield site
