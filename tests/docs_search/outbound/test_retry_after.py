from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from docs_search.outbound.retry_after import retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 7 ", 7.0),
        ("-7", 0.0),
        ("1.5", 0.0),
        ("soon", 0.0),
        ("", 0.0),
        ("9" * 400, float("inf")),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999", 0.0),
        ("Mon, 01 Jan 2024 00:00:00 GMT", 0.0),
    ],
)
def test_a_number_of_seconds_is_read_and_nothing_else_is(value: str, seconds: float) -> None:
    assert retry_after({"Retry-After": value}) == seconds


def test_a_date_is_as_far_away_as_it_is() -> None:
    value = format_datetime(datetime.now(UTC) + timedelta(minutes=5), usegmt=True)

    assert retry_after({"Retry-After": value}) == pytest.approx(300, abs=10)


def test_without_the_header_there_is_nothing_to_wait_for() -> None:
    assert retry_after({}) == 0.0
