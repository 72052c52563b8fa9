"""How likely a passage answers the query, on a scale that compares across queries.

A first logistic over three features. The coefficients were fitted on judged questions over four manuals; the
evaluation command is where they are to be calibrated.
"""

import math

INTERCEPT = -4.2
COSINE = 5.0
COVERAGE = 1.6
EXACT = 0.8
# Where the semantic leg did not run, the coverage of the query's terms has to stand in for the cosine.
TYPICAL_COSINE_BASE = 0.25
TYPICAL_COSINE_SLOPE = 0.3


def relevance(*, cosine: float | None, coverage: float, exact: bool) -> float:
    """Estimated probability (0–1) that the passage helps. `cosine` is None where no query vector is at hand."""
    similarity = TYPICAL_COSINE_BASE + TYPICAL_COSINE_SLOPE * coverage if cosine is None else cosine
    return 1 / (1 + math.exp(-(INTERCEPT + COSINE * similarity + COVERAGE * coverage + EXACT * exact)))
