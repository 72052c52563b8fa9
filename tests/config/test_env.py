from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import database, limit_statements, pairs

DEAD_HOST = {"connect_timeout": 5, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}


@pytest.mark.parametrize("url", ["", "postgresql://reader@db.example.org/docent"])
def test_a_database_that_does_not_answer_is_not_waited_for_long(url: str) -> None:
    assert database(url, pool_size=0)["OPTIONS"] == DEAD_HOST


def test_parameters_in_the_url_go_before_ours() -> None:
    url = "postgresql://db.example.org/docent?connect_timeout=20&sslmode=require"
    assert database(url, pool_size=0)["OPTIONS"] == DEAD_HOST | {"connect_timeout": "20", "sslmode": "require"}


@pytest.mark.parametrize(
    ("given", "milliseconds", "limited"),
    [
        ({}, 0, {}),
        ({}, 250, {"options": "-c statement_timeout=250"}),
        # The last of two wins.
        ({"options": "-c work_mem=1MB"}, 250, {"options": "-c statement_timeout=250 -c work_mem=1MB"}),
    ],
)
def test_a_limit_of_statements_leaves_other_options(
    given: dict[str, Any], milliseconds: int, limited: dict[str, Any]
) -> None:
    description = {"OPTIONS": given}
    limit_statements(description, milliseconds)
    assert description == {"OPTIONS": limited}


def test_pairs_are_values_by_name_which_may_hold_the_sign_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENS", " a.example = one==, b.example:8443=reader:two ,")
    assert pairs("TOKENS") == {"a.example": "one==", "b.example:8443": "reader:two"}
    monkeypatch.delenv("TOKENS")
    assert pairs("TOKENS") == {}


@pytest.mark.parametrize("value", ["secret", "a.example=", "=secret", "a.example=one,secret"])
def test_what_is_no_pair_is_refused_without_telling_it(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENS", value)
    with pytest.raises(ImproperlyConfigured, match=r"^TOKENS: expected words like host=token") as caught:
        pairs("TOKENS")
    assert "secret" not in str(caught.value)
