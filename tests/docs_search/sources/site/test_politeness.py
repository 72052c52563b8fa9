from collections.abc import Mapping
from datetime import UTC, datetime
from threading import Thread

import pytest

from docs_search.outbound.fetcher import Fetcher, FetchError
from docs_search.sources.site import politeness
from docs_search.sources.site.politeness import MAX_PAUSE, TRIES, Clock, Gate, PoliteClient, Stopped, retry_after
from tests.site_server import Page, Reply, Site, serve_site


class ScriptedClock(Clock):
    """Time that passes by waiting alone."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        super().wait(0)
        if seconds:
            self.waits.append(seconds)
        self.time += seconds


def test_a_gate_leaves_time_between_requests() -> None:
    clock = ScriptedClock()
    gate = Gate(0.5, clock)
    entered = []
    for _ in range(3):
        gate.enter()
        entered.append(clock.time)
    clock.time += 10
    gate.enter()
    assert [*entered, clock.time] == [0.0, 0.5, 1.0, 11.0]


def test_a_closed_gate_lets_nobody_through_until_it_opens() -> None:
    clock = ScriptedClock()
    gate = Gate(0.5, clock)
    gate.close_for(20)
    gate.close_for(5)
    gate.enter()
    assert clock.time == 20.0


def test_a_gate_is_left_by_all_who_wait_when_the_crawl_ends() -> None:
    clock = Clock()
    gate = Gate(3600, clock)
    gate.enter()
    left: list[str] = []

    def enter() -> None:
        try:
            gate.enter()
        except Stopped:
            left.append("stopped")

    threads = [Thread(target=enter) for _ in range(3)]
    for thread in threads:
        thread.start()
    clock.stop()
    for thread in threads:
        thread.join(timeout=10)
    assert left == ["stopped"] * 3


def test_threads_share_the_gate_of_a_host() -> None:
    with serve_site({f"/{n}": "x" for n in range(12)}) as site, Fetcher(allow_private=True) as fetcher:
        client = PoliteClient(fetcher, Clock(), requests_per_second=50)
        threads = [Thread(target=client.get, args=[f"{site.url}/{n}"], kwargs={"max_bytes": 100}) for n in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    times = sorted(request.at for request in site.requests)
    assert times[-1] - times[0] > 0.9 * 11 / 50


def _get(pages: Mapping[str, Page], clock: Clock, *, delay: float = 0.0) -> tuple[int, Site]:
    """The status of the answer to a request for `/`, and the site that was asked."""
    with serve_site(pages) as site, Fetcher(allow_private=True) as fetcher:
        client = PoliteClient(fetcher, clock, requests_per_second=1000)
        client.slow_down(site.url, delay)
        return client.get(f"{site.url}/", max_bytes=100).status, site


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_request_is_tried_again_until_it_succeeds(status: int) -> None:
    status, site = _get({"/": lambda count: Reply("x", 200 if count == 2 else status)}, ScriptedClock())
    assert (status, len(site.asked)) == (200, 3)


@pytest.mark.parametrize(("status", "tries"), [(503, TRIES), (500, TRIES), (404, 1), (403, 1), (304, 1), (301, 1)])
def test_what_does_not_pass_is_answered_at_last(status: int, tries: int) -> None:
    answered, site = _get({"/": Reply("x", status)}, ScriptedClock())
    assert (answered, len(site.asked)) == (status, tries)


def test_pauses_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(politeness, "FIRST_PAUSE", 1.0)
    monkeypatch.setattr("random.uniform", lambda low, high: (low + high) / 2)
    clock = ScriptedClock()
    _get({"/": Reply("x", 500)}, clock)
    assert [wait for wait in clock.waits if wait >= 0.5] == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(("asked", "waited"), [("7", 7.0), ("100000", MAX_PAUSE)])
def test_an_overloaded_host_is_left_alone_for_as_long_as_it_asks(asked: str, waited: float) -> None:
    clock = ScriptedClock()
    status, _ = _get({"/": lambda count: Reply("x", 200 if count else 429, {"Retry-After": asked})}, clock)
    assert (status, clock.time) == (200, waited)


def test_a_host_that_wants_more_time_between_requests_gets_it() -> None:
    clock = ScriptedClock()
    _get({"/": lambda count: Reply("x", 200 if count else 429)}, clock, delay=30)
    assert clock.time == 30.0


def test_a_connection_that_fails_is_tried_again_and_a_refusal_is_not() -> None:
    with serve_site({}) as site:
        pass
    for fetcher, waits in ((Fetcher(allow_private=True), TRIES - 1), (Fetcher(allow_private=False), 0)):
        clock = ScriptedClock()
        client = PoliteClient(fetcher, clock, requests_per_second=10_000)
        with fetcher, pytest.raises(FetchError):
            client.get(site.url, max_bytes=100)
        assert len([wait for wait in clock.waits if wait > 0.001]) == waits


NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("Fri, 17 May 2024 12:01:30 GMT", 90.0),
        ("Fri, 17 May 2024 11:00:00 GMT", 0.0),
        ("Friday, 17-May-24 12:01:30 GMT", 90.0),
        ("soon", 0.0),
        ("-5", 0.0),
        ("1.5", 0.0),
        ("", 0.0),
        ("9" * 5000, 999999999.0),
        ("Fri, 99 May 99999 12:01:30 GMT", 0.0),
    ],
)
def test_retry_after_is_a_number_or_a_date(value: str, seconds: float) -> None:
    assert retry_after({"retry-after": value}, NOON) == seconds
    assert retry_after({}, NOON) == 0.0
