from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection

from docs_search.counter_cache import PostgresCounterCache
from docs_search.models import Counter

THREADS = 8


@pytest.fixture
def counters() -> PostgresCounterCache:
    return PostgresCounterCache("docs_search_counter", {})


def race(call: Callable[[], Any]) -> list[Any]:
    """What `call` returns in threads that start at the same moment, each with a connection of its own."""
    barrier = Barrier(THREADS)

    def run(_: int) -> Any:
        barrier.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


@pytest.mark.django_db
def test_add_starts_a_counter_only_once(counters: PostgresCounterCache) -> None:
    assert counters.add("key", 1, timeout=60) is True
    assert counters.add("key", 7, timeout=60) is False
    assert counters.get("key") == 1


@pytest.mark.django_db
def test_incr_returns_the_new_value(counters: PostgresCounterCache) -> None:
    counters.add("key", 1, timeout=60)

    assert counters.incr("key") == 2
    assert counters.incr("key", 5) == 7
    assert counters.get("key") == 7


@pytest.mark.django_db
def test_incr_of_an_absent_counter_is_an_error(counters: PostgresCounterCache) -> None:
    with pytest.raises(ValueError, match="no counter 'key'"):
        counters.incr("key")


@pytest.mark.django_db
def test_get_of_an_absent_counter_is_the_default(counters: PostgresCounterCache) -> None:
    assert counters.get("key") is None
    assert counters.get("key", 0) == 0


@pytest.mark.django_db
def test_expired_counter_starts_again(counters: PostgresCounterCache) -> None:
    counters.add("key", 5, timeout=-1)

    assert counters.get("key") is None
    assert counters.add("key", 1, timeout=60) is True
    assert counters.get("key") == 1


@pytest.mark.django_db
def test_clear_removes_every_counter(counters: PostgresCounterCache) -> None:
    counters.add("one", 1)
    counters.add("two", 1)
    counters.clear()

    assert Counter.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_racing_adds_start_one_counter() -> None:
    assert sorted(race(lambda: caches["limits"].add("key", 1, timeout=60))) == [False] * (THREADS - 1) + [True]


@pytest.mark.django_db(transaction=True)
def test_racing_adds_restart_an_expired_counter_once() -> None:
    caches["limits"].add("key", 9, timeout=-1)

    assert sorted(race(lambda: caches["limits"].add("key", 1, timeout=60))) == [False] * (THREADS - 1) + [True]


@pytest.mark.django_db(transaction=True)
def test_racing_increments_are_all_counted() -> None:
    caches["limits"].add("key", 0, timeout=60)

    assert sorted(race(lambda: caches["limits"].incr("key"))) == list(range(1, THREADS + 1))
