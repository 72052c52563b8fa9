import math

import numpy as np
import pytest

from docs_search.evaluation import statistics
from docs_search.evaluation.statistics import bootstrap_interval, paired_test


def test_an_interval_of_equal_values_is_that_value() -> None:
    assert bootstrap_interval([0.5] * 20) == (0.5, 0.5)


def test_there_is_no_interval_of_nothing() -> None:
    assert [math.isnan(bound) for bound in bootstrap_interval([])] == [True, True]


def test_an_interval_is_near_that_of_the_normal_distribution() -> None:
    values = [1.0] * 60 + [0.0] * 40
    width = 1.96 * math.sqrt(0.6 * 0.4 / 100)

    low, high = bootstrap_interval(values)

    assert (low, high) == pytest.approx((0.6 - width, 0.6 + width), abs=0.011)
    assert bootstrap_interval(values) == (low, high)


def test_many_values_are_resampled_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "BLOCK", 7000)  # not a divisor of the resamples
    values = np.random.default_rng(1).random(3).tolist()

    low, high = bootstrap_interval(values)

    assert min(values) <= low < np.mean(values) < high <= max(values)


def test_runs_that_do_not_differ_are_noise() -> None:
    test = paired_test([0.2, 0.8, 0.5], [0.2, 0.8, 0.5])
    assert (test.difference, test.interval, test.p_value, test.is_noise) == (0.0, (0.0, 0.0), 1.0, True)


def test_the_probability_is_that_of_random_signs() -> None:
    # Five differences of one sign: of the 32 ways to set the signs, two give as much.
    test = paired_test([0.0] * 5, [0.1, 0.2, 0.3, 0.4, 0.5])

    assert test.difference == pytest.approx(0.3)
    assert test.p_value == pytest.approx(2 / 32, abs=0.01)
    assert not test.is_noise


def test_the_sign_of_the_difference_does_not_change_the_probability() -> None:
    before, after = [0.1, 0.4, 0.9, 0.3], [0.6, 0.2, 1.0, 0.9]
    forth, back = paired_test(before, after), paired_test(after, before)
    assert (forth.difference, forth.p_value) == (-back.difference, back.p_value)


def test_only_the_same_queries_can_be_compared() -> None:
    with pytest.raises(ValueError, match="no query in common"):
        paired_test([], [])
    with pytest.raises(ValueError, match="different queries"):
        paired_test([0.1], [0.1, 0.2])
