"""The fit finds what made the data, and the measures say how far estimates are off."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.evaluation.calibration import (
    area_under_curve,
    cross_validated,
    fit_logistic,
    reliability,
)

TRUTH = np.array([-1.5, 2.0, -0.5])


def drawn(count: int, seed: int = 7) -> tuple[list[list[float]], list[bool]]:
    """Hits whose chances to help follow TRUTH."""
    random = np.random.default_rng(seed)
    rows = np.column_stack([np.ones(count), random.uniform(0, 1, count), random.normal(0, 1, count)])
    chances = 1 / (1 + np.exp(-(rows @ TRUTH)))
    return rows.tolist(), (random.uniform(size=count) < chances).tolist()


def test_the_fit_finds_the_weights_that_made_the_data() -> None:
    assert fit_logistic(*drawn(40_000)) == pytest.approx(TRUTH, abs=0.08)


def test_the_mean_estimate_of_a_fit_is_the_share_that_helps() -> None:
    rows, outcomes = drawn(500)

    estimates = 1 / (1 + np.exp(-(np.array(rows) @ fit_logistic(rows, outcomes))))

    assert estimates.mean() == pytest.approx(np.mean(outcomes), abs=1e-6)


def test_a_constant_alone_is_fitted_to_the_log_odds() -> None:
    weights = fit_logistic([[1.0]] * 4, [True, False, False, False])

    assert weights == pytest.approx([math.log(1 / 3)])


@pytest.mark.parametrize("outcome", [True, False])
def test_outcomes_that_are_all_alike_have_a_finite_fit(outcome: bool) -> None:
    weights = fit_logistic([[1.0, 0.2], [1.0, 0.8]], [outcome] * 2)

    assert weights == pytest.approx([math.log(3) if outcome else -math.log(3), 0.0])


def test_a_predictor_that_tells_all_apart_has_a_finite_fit() -> None:
    weights = fit_logistic([[1.0, 0.0], [1.0, 0.1], [1.0, 0.9], [1.0, 1.0]], [False, False, True, True])

    assert weights[1] > 5
    assert np.isfinite(weights).all()


def test_predictors_that_say_the_same_share_the_weight() -> None:
    rows, outcomes = drawn(2_000)

    twice = fit_logistic([[*row, row[1]] for row in rows], outcomes)

    assert twice[1] == pytest.approx(twice[3])
    assert twice[1] + twice[3] == pytest.approx(fit_logistic(rows, outcomes)[1], abs=0.02)


def test_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="nothing to fit"):
        fit_logistic([], [])


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1, 1), st.booleans()), min_size=1, max_size=30))
def test_every_data_has_a_finite_fit(data: list[tuple[float, float, bool]]) -> None:
    weights = fit_logistic([[1.0, first, second] for first, second, _ in data], [outcome for _, _, outcome in data])

    assert np.isfinite(weights).all()


def test_an_estimate_does_not_know_the_hits_of_its_own_question() -> None:
    rows, outcomes = drawn(200)
    groups = [f"q{number // 10}" for number in range(200)]
    changed = [not outcome if group == "q3" else outcome for outcome, group in zip(outcomes, groups, strict=True)]

    before, after = (cross_validated(rows, some, groups) for some in (outcomes, changed))

    assert before[30:40] == after[30:40]
    assert before != after
    assert cross_validated(rows, outcomes, groups) == before


def test_the_table_has_the_mean_estimate_and_the_share_of_each_bin() -> None:
    result = reliability([0.02, 0.04, 0.95, 1.0, 0.55, 0.5], [False, False, True, True, True, False])

    assert [(one.low, one.share, one.count) for one in result.bins] == [(0.0, 0.0, 2), (0.5, 0.5, 2), (0.9, 1.0, 2)]
    assert [one.estimate for one in result.bins] == pytest.approx([0.03, 0.525, 0.975])
    assert result.error == pytest.approx((0.03 + 0.025 + 0.025) / 3)
    assert (result.auc, result.count) == (1.0, 6)


def test_estimates_that_are_always_right_and_always_wrong() -> None:
    assert reliability([0.0, 1.0], [False, True]).error == 0.0
    assert reliability([0.0, 1.0], [True, False]).error == 1.0


def test_what_cannot_be_compared_is_refused() -> None:
    for estimates in ([], [0.5]):
        with pytest.raises(ValueError, match="needs an outcome"):
            reliability(estimates, [])


def test_the_area_under_the_curve_counts_ties_as_half() -> None:
    assert area_under_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([0, 0, 1, 1])) == 0.875
    assert area_under_curve(np.array([0.5, 0.5]), np.array([0, 1])) == 0.5
    assert math.isnan(area_under_curve(np.array([0.5]), np.array([1])))
