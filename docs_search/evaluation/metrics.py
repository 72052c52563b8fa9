"""The measures of one ranking of pages against its judgments, as TREC's evaluation tools compute them.

A ranking is the grade of each of its pages, best page first; 0 is the grade of a page that is not judged to help.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Scores:
    """Each from 0 to 1: of one query, or their mean over many."""

    hit_at_1: float
    hit_at_5: float
    recall_at_10: float
    mrr_at_10: float
    ndcg_at_10: float


MEASURES = tuple(field.name for field in fields(Scores))
LABELS = {
    "hit_at_1": "hit@1",
    "hit_at_5": "hit@5",
    "recall_at_10": "recall@10",
    "mrr_at_10": "MRR@10",
    "ndcg_at_10": "nDCG@10",
}


def score(ranking: Sequence[int], judged: Sequence[int]) -> Scores:
    """The measures of one query; `judged` are the grades of all pages that help, found or not.

    An empty ranking scores 0. Raises ValueError where no page is judged to help.
    """
    helping = sorted((grade for grade in judged if grade > 0), reverse=True)
    if not helping:
        raise ValueError("a query without a relevant page cannot be scored")
    first = first_hit(ranking)
    return Scores(
        hit_at_1=float(first == 1),
        hit_at_5=float(first is not None and first <= 5),
        recall_at_10=sum(grade > 0 for grade in ranking[:DEPTH]) / len(helping),
        mrr_at_10=1 / first if first else 0.0,
        ndcg_at_10=_gain(ranking[:DEPTH]) / _gain(helping[:DEPTH]),
    )


def first_hit(ranking: Sequence[int]) -> int | None:
    """The rank, from 1, of the first page that helps; None where the first ten have none."""
    return next((rank for rank, grade in enumerate(ranking[:DEPTH], start=1) if grade > 0), None)


def mean(scores: Sequence[Scores]) -> Scores:
    """The mean over all queries. Raises ValueError for none."""
    if not scores:
        raise ValueError("no query was scored")
    return Scores(**{name: sum(getattr(one, name) for one in scores) / len(scores) for name in MEASURES})


def _gain(grades: Iterable[int]) -> float:
    """Discounted cumulative gain with the grade itself as gain (Järvelin and Kekäläinen 2002, as trec_eval has it)."""
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, start=1))
