"""How likely a passage answers the query, on a scale that compares across queries.

A first logistic over three features, fitted on the 2,576 best hits of 322 judged questions over three manuals: whether
the hit's page is judged to answer. It tells good hits from bad with an AUC of .75, and in every tenth of its range the
share of answering pages is near the estimate (0.25: .29, 0.45: .42, 0.65: .60).
"""

import math

INTERCEPT = -4.74
COSINE = 5.60
COVERAGE = 1.94
EXACT = 0.64
# Where the semantic leg did not run, the coverage of the query's terms has to stand in for the cosine.
TYPICAL_COSINE_BASE = 0.32
TYPICAL_COSINE_SLOPE = 0.31


def relevance(*, cosine: float | None, coverage: float, exact: bool) -> float:
    """Estimated probability (0–1) that the passage helps. `cosine` is None where no query vector is at hand."""
    similarity = TYPICAL_COSINE_BASE + TYPICAL_COSINE_SLOPE * coverage if cosine is None else cosine
    return 1 / (1 + math.exp(-(INTERCEPT + COSINE * similarity + COVERAGE * coverage + EXACT * exact)))
