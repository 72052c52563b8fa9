"""The one gate that every request of a crawl passes: spaced out, and repeated only after a pause."""

import random
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from docs_search.outbound.fetcher import Fetcher, FetchError, Response

TRIES = 4
FIRST_PAUSE = 1.0  # seconds before the second try; doubles with each, give or take a half
MAX_PAUSE = 120.0  # seconds; a longer Retry-After is taken for this one
OVERLOADED = frozenset({429, 503})

_RETRYABLE = frozenset({408, 425, 429})


class Stopped(Exception):
    """The crawl has ended while a request waited for its turn."""


class Clock:
    """Time as a crawl sees it. `stop` ends every wait of every thread."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Raises Stopped."""
        if self._stopped.wait(seconds):
            raise Stopped

    def stop(self) -> None:
        self._stopped.set()


class Gate:
    """Lets the requests to one host through, one by one, with `interval` seconds between their beginnings."""

    def __init__(self, interval: float, clock: Clock) -> None:
        self.interval = interval
        self._clock = clock
        self._lock = threading.Lock()
        self._opens_at = clock.now()

    def enter(self) -> None:
        """Wait for a turn. Raises Stopped."""
        while True:
            with self._lock:
                wait = self._opens_at - self._clock.now()
                if wait <= 0:
                    self._opens_at = self._clock.now() + self.interval
                    break
            self._clock.wait(wait)
        self._clock.wait(0)  # no request begins after the end

    def close_for(self, seconds: float) -> None:
        """Let nobody through for so long: the host has asked for it."""
        with self._lock:
            self._opens_at = max(self._opens_at, self._clock.now() + seconds)


class PoliteClient:
    """Makes requests from several threads, no faster than `requests_per_second` to one host."""

    def __init__(self, fetcher: Fetcher, clock: Clock, *, requests_per_second: float) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._interval = 1 / requests_per_second
        self._gates: dict[str, Gate] = {}
        self._lock = threading.Lock()

    def slow_down(self, url: str, delay: float) -> None:
        """Leave at least `delay` seconds between two requests to the host of `url`."""
        gate = self._gate(url)
        gate.interval = max(gate.interval, delay)

    def get(self, url: str, *, headers: Mapping[str, str] = {}, max_bytes: int) -> Response:
        """The answer to a request, which is tried up to TRIES times while that may help.

        An answer of any status, after the last try also one that asks to come again. Raises FetchError and Stopped.
        """
        gate = self._gate(url)
        for attempt in range(1, TRIES + 1):
            gate.enter()
            pause = FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311
            try:
                response = self._fetcher.get(url, headers=headers, max_bytes=max_bytes)
            except FetchError as error:
                if not error.retryable or attempt == TRIES:
                    raise
                self._clock.wait(max(pause, min(error.retry_after or 0.0, MAX_PAUSE)))
                continue
            if response.status not in _RETRYABLE and response.status < 500:
                break
            pause = max(pause, min(retry_after(response.headers, datetime.now(UTC)), MAX_PAUSE))
            if response.status in OVERLOADED:
                gate.close_for(pause)
            elif attempt < TRIES:
                self._clock.wait(pause)
        return response

    def _gate(self, url: str) -> Gate:
        host = urlsplit(url).netloc
        with self._lock:
            return self._gates.setdefault(host, Gate(self._interval, self._clock))


def retry_after(headers: Mapping[str, str], now: datetime) -> float:
    """The seconds that a host asks to wait, 0 if it does not: a number or an HTTP date (RFC 9110, 10.2.3)."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value[:9])
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return 0.0
    return max((at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds(), 0.0)
