"""How well relevance holds for judged hits, and what a new fit to them would give."""

from collections.abc import Sequence
from dataclasses import dataclass

from docs_search.evaluation.calibration import Reliability, cross_validated, fit_logistic, reliability
from docs_search.evaluation.judged_hits import JudgedHit
from docs_search.retrieval.relevance import predictors


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """`shown` is the reliability of relevance as search tells it, `by_corpus` for each corpus alone.

    `refitted` is that of a fit to these hits, each estimated without the hits of its own question; `weights` are those
    of the fit to all of them, in the order of `relevance.predictors`.
    """

    shown: Reliability
    by_corpus: dict[str, Reliability]
    refitted: Reliability
    weights: tuple[float, ...]


def report(hits: Sequence[JudgedHit]) -> CalibrationReport:
    """Of hits that were found with vectors, or of hits by words alone. Raises ValueError for none."""
    corpora = sorted({hit.question.corpus for hit in hits})
    # Among hits with vectors, a passage that has none yet is judged by other weights.
    fitted = [hit for hit in hits if hit.evidence.cosine is not None] or hits
    rows = [predictors(hit.evidence) for hit in fitted]
    helps = [hit.helps for hit in fitted]
    questions = [f"{hit.question.corpus} {hit.question.id}" for hit in fitted]
    return CalibrationReport(
        shown=_of(hits),
        by_corpus={corpus: _of([hit for hit in hits if hit.question.corpus == corpus]) for corpus in corpora},
        refitted=reliability(cross_validated(rows, helps, questions), helps),
        weights=tuple(float(weight) for weight in fit_logistic(rows, helps)),
    )


def _of(hits: Sequence[JudgedHit]) -> Reliability:
    return reliability([hit.relevance for hit in hits], [hit.helps for hit in hits])
