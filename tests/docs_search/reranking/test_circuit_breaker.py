import time

import pytest

from docs_search.reranking.circuit_breaker import FAILURES, LONGEST_PAUSE, PAUSE, CircuitBreaker


class Clock:
    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        patch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_nothing_is_refused_before_enough_failures_in_a_row(clock: Clock) -> None:
    breaker = CircuitBreaker()

    for _ in range(FAILURES - 1):
        assert breaker.refusal() == ""
        breaker.failed("slow")

    assert breaker.refusal() == ""
    breaker.failed("slow again")
    assert breaker.refusal() == "slow again"


def test_after_the_pause_one_call_tries_and_the_rest_are_refused(clock: Clock) -> None:
    breaker = CircuitBreaker()
    for _ in range(FAILURES):
        breaker.failed("slow")

    clock.now += PAUSE - 1
    assert breaker.refusal() == "slow"
    clock.now += 1
    assert [breaker.refusal() for _ in range(3)] == ["", "slow", "slow"]

    breaker.failed("still slow")
    clock.now += PAUSE - 1
    assert breaker.refusal() == "still slow"
    clock.now += 1
    assert breaker.refusal() == ""

    breaker.succeeded()
    assert [breaker.refusal() for _ in range(3)] == ["", "", ""]


def test_a_try_whose_end_is_never_told_blocks_the_next_no_longer_than_a_pause(clock: Clock) -> None:
    breaker = CircuitBreaker()
    breaker.failed("busy", asked=5)
    clock.now += 5
    assert breaker.refusal() == ""

    clock.now += PAUSE
    assert breaker.refusal() == ""


def test_a_pause_that_the_server_asks_for_begins_at_once_and_has_a_limit(clock: Clock) -> None:
    breaker = CircuitBreaker()

    breaker.failed("busy", asked=float("inf"))

    clock.now += LONGEST_PAUSE - 1
    assert breaker.refusal() == "busy"
    clock.now += 1
    assert breaker.refusal() == ""
