"""How far a measured mean can be trusted, and whether two runs differ by more than chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 10_000
SEED = 20_240_607  # the same figures for the same scores
ROUNDING = 1e-9  # sums of the same numbers in another order differ by less
BLOCK = 1_000_000  # drawn numbers that are held at once


def bootstrap_interval(values: Sequence[float], *, share: float = 0.95) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean (Efron 1979); (nan, nan) for no values."""
    if not values:
        return float("nan"), float("nan")
    sample = np.asarray(values, dtype=float)
    random = np.random.default_rng(SEED)
    means = np.concatenate(
        [sample[random.integers(0, len(sample), (rows, len(sample)))].mean(axis=1) for rows in _blocks(len(sample))]
    )
    low, high = np.quantile(means, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The mean difference of two runs over the same queries, its 95 % interval, and how likely chance makes as much."""

    difference: float
    interval: tuple[float, float]
    p_value: float

    @property
    def is_noise(self) -> bool:
        """Whether the interval holds zero."""
        return self.interval[0] <= 0 <= self.interval[1]


def paired_test(before: Sequence[float], after: Sequence[float]) -> PairedTest:
    """Fisher's randomisation test with random sign flips (Smucker, Allan and Carterette 2007), two-sided.

    Both sequences hold one value a query, in the same order. Raises ValueError for different lengths or none.
    """
    if len(before) != len(after):
        raise ValueError("the runs have different queries")
    differences = np.asarray(after, dtype=float) - np.asarray(before, dtype=float)
    if not len(differences):
        raise ValueError("the runs have no query in common")
    random = np.random.default_rng(SEED)
    observed = abs(differences.sum())
    as_much = sum(
        int(
            np.count_nonzero(
                np.abs(random.choice([-1.0, 1.0], (rows, len(differences))) @ differences) >= observed - ROUNDING
            )
        )
        for rows in _blocks(len(differences))
    )
    return PairedTest(
        difference=float(differences.mean()),
        interval=bootstrap_interval(differences.tolist()),
        p_value=(as_much + 1) / (RESAMPLES + 1),
    )


def _blocks(columns: int) -> Iterator[int]:
    """The resamples in groups of as many rows as may be held at once."""
    size = max(1, BLOCK // columns)
    for start in range(0, RESAMPLES, size):
        yield min(size, RESAMPLES - start)
