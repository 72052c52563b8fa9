from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.retrieval.relevance import Evidence, predictors, relevance


@given(cosine=st.none() | st.floats(-1, 1), terms=st.integers(0, 500), page_rank=st.integers(1, 1000))
def test_relevance_is_a_probability(cosine: float | None, terms: int, page_rank: int) -> None:
    assert 0 < relevance(Evidence(cosine, terms, page_rank)) < 1


def test_more_evidence_never_lowers_it() -> None:
    for cosine, terms, rank in product([None, 0.0, 0.3, 0.6, 0.9], [0, 1, 5], [2, 5, 10]):
        base = relevance(Evidence(cosine, terms, rank))
        assert relevance(Evidence(cosine, terms + 1, rank)) > base
        assert relevance(Evidence(cosine, terms, rank - 1)) > base
        if cosine is not None:
            assert relevance(Evidence(cosine + 0.1, terms, rank)) > base


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (Evidence(0.8, 8, 1), 0.90),
        (Evidence(0.6, 4, 1), 0.63),
        (Evidence(0.6, 4, 5), 0.11),
        (Evidence(0.2, 1, 1), 0.07),
        (Evidence(None, 8, 1), 0.74),
        (Evidence(None, 1, 1), 0.12),
    ],
)
def test_what_some_evidence_is_worth(evidence: Evidence, expected: float) -> None:
    assert relevance(evidence) == pytest.approx(expected, abs=0.005)


def test_without_a_vector_there_is_no_cosine_to_weigh() -> None:
    assert predictors(Evidence(0.5, 0, 2)) == (1.0, 0.5, 0.0, 0.5)
    assert predictors(Evidence(None, 0, 2)) == (1.0, 0.0, 0.5)
