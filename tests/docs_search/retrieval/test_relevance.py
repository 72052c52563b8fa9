from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.retrieval.relevance import relevance

SHARES = st.floats(0, 1)


@given(cosine=st.none() | st.floats(-1, 1), coverage=SHARES, exact=st.booleans())
def test_relevance_is_a_probability(cosine: float | None, coverage: float, exact: bool) -> None:
    assert 0 < relevance(cosine=cosine, coverage=coverage, exact=exact) < 1


def test_more_evidence_never_lowers_it() -> None:
    steps = [0.0, 0.3, 0.6, 0.9]
    for cosine, coverage in product(steps, steps):
        base = relevance(cosine=cosine, coverage=coverage, exact=False)
        assert relevance(cosine=cosine + 0.1, coverage=coverage, exact=False) > base
        assert relevance(cosine=cosine, coverage=coverage + 0.1, exact=False) > base
        assert relevance(cosine=cosine, coverage=coverage, exact=True) > base


def test_without_a_vector_the_coverage_stands_in_for_the_cosine() -> None:
    assert relevance(cosine=None, coverage=1.0, exact=False) == pytest.approx(
        relevance(cosine=0.63, coverage=1.0, exact=False)
    )
    assert relevance(cosine=None, coverage=0.0, exact=False) < 0.1
