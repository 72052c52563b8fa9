"""Fitting the estimate of relevance, and measuring whether it means what it says.

An estimate is calibrated where, among the hits that get 0.3, three of ten help. Judges list some of the pages that help
and not all of them, so the share that is measured is a lower bound of the truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docs_search.evaluation.statistics import SEED

BINS = 10
FOLDS = 10
# A little shrinkage, so that a fit exists where one predictor tells all hits apart.
RIDGE = 0.01
STEPS = 100
PRECISION = 1e-9

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """The hits with an estimate from `low` to `low` + 1 / BINS: their mean estimate, the share that helps, a count."""

    low: float
    estimate: float
    share: float
    count: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """`bins` without the empty ones. `error` is the expected calibration error: the mean over all hits of the distance
    between estimate and share in their bin. `auc` is the probability that a hit that helps has a higher estimate than
    one that does not; nan where there are none of either.
    """

    bins: tuple[Bin, ...]
    error: float
    auc: float
    count: int


def fit_logistic(predictors: Sequence[Sequence[float]], outcomes: Sequence[bool]) -> Numbers:
    """The weights of a logistic regression by Newton's method (iteratively reweighted least squares).

    The first predictor is the constant 1, whose weight is not shrunk. Raises ValueError for no hits.
    """
    rows, target = np.asarray(predictors, dtype=float), np.asarray(outcomes, dtype=float)
    if not len(rows):
        raise ValueError("there is nothing to fit")
    penalty = np.diag([0.0, *[RIDGE] * (rows.shape[1] - 1)])
    # Where all outcomes are the same, the constant has no finite best weight: half a hit of the other kind bounds it.
    helped = np.clip(target.mean(), 0.5 / len(rows), 1 - 0.5 / len(rows))
    weights = np.zeros(rows.shape[1])
    weights[0] = np.log(helped / (1 - helped))
    if target.min() == target.max():
        return weights
    for _ in range(STEPS):
        estimates = _logistic(rows @ weights)
        gradient = rows.T @ (target - estimates) - penalty @ weights
        curvature = (rows * (estimates * (1 - estimates))[:, None]).T @ rows + penalty
        step = np.linalg.lstsq(curvature, gradient, rcond=None)[0]
        weights = weights + step * min(1.0, 5.0 / max(float(np.abs(step).max()), PRECISION))
        if np.abs(step).max() < PRECISION:
            break
    return weights


def cross_validated(
    predictors: Sequence[Sequence[float]], outcomes: Sequence[bool], groups: Sequence[str]
) -> list[float]:
    """The estimate of each hit by weights that were fitted without any hit of its group, the question."""
    rows, target = np.asarray(predictors, dtype=float), np.asarray(outcomes, dtype=bool)
    names = sorted(set(groups))
    shuffled = np.random.default_rng(SEED).permutation(len(names))
    fold_of = {names[name]: place % FOLDS for place, name in enumerate(shuffled)}
    folds = np.array([fold_of[group] for group in groups])
    estimates = np.zeros(len(rows))
    for fold in range(min(FOLDS, len(names))):
        rest = folds != fold
        if rest.any():
            estimates[~rest] = _logistic(rows[~rest] @ fit_logistic(rows[rest], target[rest]))
    return [float(estimate) for estimate in estimates]


def reliability(estimates: Sequence[float], outcomes: Sequence[bool]) -> Reliability:
    """How far estimates (0–1) are from what came out. Raises ValueError for no hits, or lists of different lengths."""
    predicted, came = np.asarray(estimates, dtype=float), np.asarray(outcomes, dtype=float)
    if not len(predicted) or len(predicted) != len(came):
        raise ValueError("each estimate needs an outcome, and there must be some")
    places = np.clip((predicted * BINS).astype(int), 0, BINS - 1)
    bins = tuple(
        Bin(place / BINS, float(predicted[inside].mean()), float(came[inside].mean()), int(inside.sum()))
        for place in range(BINS)
        if (inside := places == place).any()
    )
    error = sum(abs(one.estimate - one.share) * one.count for one in bins) / len(predicted)
    return Reliability(bins, error, area_under_curve(predicted, came), len(predicted))


def area_under_curve(estimates: Numbers, outcomes: Numbers) -> float:
    """The area under the ROC curve by rank sums (Mann and Whitney 1947); ties count half."""
    helped = outcomes > 0
    positive, negative = int(helped.sum()), int((~helped).sum())
    if not positive or not negative:
        return float("nan")
    _, inverse, counts = np.unique(estimates, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[helped].sum() - positive * (positive + 1) / 2) / (positive * negative))


def _logistic(values: Numbers) -> Numbers:
    # exp of a large number overflows; beyond this the result is 0 or 1 anyway.
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -500, 500))), dtype=float)
