"""How likely a hit helps with the query, on a scale that compares across queries and corpora.

Two logistics, fitted on the ten best pages for each of 379 judged questions over four manuals (89 of the questions have
no answer there; 3,780 hits, of which 384 are on a page that is judged to help): one for where the query has a vector,
one for where it has none. `evaluation.calibration` has made the constants and measures how well they hold.

Other evidence was tried: the share of the terms instead of their number, terms by rarity, BM25 scores, the distance to
the best cosine, the distance to the next page, exact names, ranks by page vectors and by words. It was left out where
it gained nothing beyond noise, or where it says different things in corpora of other sizes.
"""

import math
from dataclasses import dataclass

# By the predictors below. More digits than these would follow the sample, not the truth.
WITH_VECTOR = (-7.65, 5.07, 1.14, 3.30)
BY_WORDS = (-6.64, 2.03, 3.23)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a hit: its cosine to the query (None without vectors), the number of the query's different terms
    in it, and the place of its page among the pages found, from 1.
    """

    cosine: float | None
    terms: int
    page_rank: int


def relevance(evidence: Evidence) -> float:
    """Estimated probability (0–1) that the passage's page helps, as judges see it."""
    weights = BY_WORDS if evidence.cosine is None else WITH_VECTOR
    total = sum(weight * value for weight, value in zip(weights, predictors(evidence), strict=True))
    return 1 / (1 + math.exp(-total))


def predictors(evidence: Evidence) -> tuple[float, ...]:
    """What the weights are for: 1, the cosine if there is one, log(1 + terms), and 1 / rank of the page.

    The number of terms serves queries of any length: half of twelve terms says more than one of two.
    """
    words = (math.log1p(evidence.terms), 1 / evidence.page_rank)
    return (1.0, *words) if evidence.cosine is None else (1.0, evidence.cosine, *words)
