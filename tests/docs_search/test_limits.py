import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from pytest_django import Settings

from docs_search.limits import Bucket, RateLimited, check_rates, spend
from tests.redis_server import redis_server

CLIENT = "203.0.113.9"
REDIS = {"BACKEND": "django.core.cache.backends.redis.RedisCache"}


def allowed(address: str, *, calls: int, bucket: Bucket = Bucket.API) -> int:
    """How many of so many calls in a row are let through."""
    count = 0
    for _ in range(calls):
        try:
            spend(bucket, address)
            count += 1
        except RateLimited:
            pass
    return count


@pytest.fixture(autouse=True)
def _long_window(settings: Settings) -> None:
    """No test runs across the end of a window."""
    settings.RATE_LIMIT = "3/d"
    settings.RATE_LIMIT_ASK = "2/d"


@pytest.mark.django_db
def test_the_limit_is_exact() -> None:
    assert allowed(CLIENT, calls=5) == 3


@pytest.mark.django_db
def test_clients_are_counted_apart() -> None:
    assert allowed(CLIENT, calls=5) == 3
    assert allowed("203.0.113.10", calls=5) == 3


@pytest.mark.django_db
def test_buckets_are_counted_apart() -> None:
    assert allowed(CLIENT, calls=5) == 3
    assert allowed(CLIENT, calls=5, bucket=Bucket.ASK) == 2


@pytest.mark.django_db
def test_a_whole_ipv6_network_is_one_client() -> None:
    assert allowed("2001:db8::1", calls=3) == 3
    assert allowed("2001:db8::ffff:2", calls=3) == 0
    assert allowed("2001:db8:0:1::1", calls=3) == 3


@pytest.mark.django_db
def test_clients_without_an_address_share_a_count() -> None:
    assert allowed("", calls=5) == 3


@pytest.mark.django_db
def test_refusal_says_when_to_come_back(settings: Settings) -> None:
    settings.RATE_LIMIT = "0/m"
    with pytest.raises(RateLimited) as refusal:
        spend(Bucket.API, CLIENT)

    assert refusal.value.code == "rate_limited"
    assert 1 <= refusal.value.retry_after <= 60
    assert refusal.value.message == f"Too many requests. Try again in {refusal.value.retry_after} s."


@pytest.mark.django_db
def test_only_the_first_refusal_of_a_window_says_so(settings: Settings) -> None:
    settings.RATE_LIMIT = "1/d"
    spend(Bucket.API, CLIENT)
    first = []
    for _ in range(3):
        with pytest.raises(RateLimited) as refusal:
            spend(Bucket.API, CLIENT)
        first.append(refusal.value.first)

    assert first == [True, False, False]


def allowed_of_racing(calls: int) -> int:
    """How many of so many calls from each of eight threads are let through."""

    def run(_: int) -> int:
        try:
            return allowed(CLIENT, calls=calls)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        return sum(pool.map(run, range(8)))


@pytest.mark.django_db(transaction=True)
def test_racing_calls_are_let_through_up_to_the_limit(settings: Settings) -> None:
    settings.RATE_LIMIT = "50/d"

    assert allowed_of_racing(calls=25) == 50


@pytest.mark.redis
def test_redis_counts_as_exactly(settings: Settings) -> None:
    settings.RATE_LIMIT = "50/d"
    with redis_server() as url:
        settings.CACHES = {**settings.CACHES, "limits": {**REDIS, "LOCATION": url}}

        assert allowed_of_racing(calls=25) == 50
        assert allowed(CLIENT, calls=1) == 0


def test_limits_stay_open_while_redis_is_down(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.CACHES = {
        **settings.CACHES,
        "limits": {**REDIS, "LOCATION": "redis://127.0.0.1:1"},
    }
    with caplog.at_level(logging.WARNING, logger="docs_search.limits"):
        assert allowed(CLIENT, calls=5) == 5

    assert "Rate limits are off" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_limits_stay_open_without_their_table(settings: Settings) -> None:
    settings.RATE_LIMIT = "1/d"
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE docs_search_counter RENAME TO away")
        try:
            assert allowed(CLIENT, calls=3) == 3
        finally:
            cursor.execute("ALTER TABLE away RENAME TO docs_search_counter")


@pytest.mark.parametrize("rate", ["120/m", "10/30s", "1/h", "0/d", "1000000/s"])
def test_rates_that_can_be_read_pass_the_check(settings: Settings, rate: str) -> None:
    settings.RATE_LIMIT = settings.RATE_LIMIT_ASK = rate

    assert check_rates() == []


@pytest.mark.parametrize("rate", ["", "120", "120/minute", "120/0m", "-1/m", "1.5/m", "m", "120/m ", "many"])
def test_rates_that_cannot_be_read_fail_the_check(settings: Settings, rate: str) -> None:
    settings.RATE_LIMIT_ASK = rate
    errors = check_rates()

    assert [(error.id, error.msg) for error in errors] == [("docs_search.E001", f"RATE_LIMIT_ASK={rate!r} is no rate.")]


def test_the_rates_are_checked_at_every_start(settings: Settings) -> None:
    settings.RATE_LIMIT = "120"

    with pytest.raises(SystemCheckError, match=r"docs_search\.E001"):
        call_command("check")
