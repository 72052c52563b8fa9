import pytest

from docs_search.evaluation.metrics import MEASURES, Scores, score
from docs_search.evaluation.outcomes import By, Outcome, compare, groups


def make_outcome(number: int, rank: int | None, *, corpus: str = "manual", kind: str = "howto") -> Outcome:
    """A question with one judged page, found at a rank."""
    scores = score([] if rank is None else [0] * (rank - 1) + [1], [1])
    return Outcome(corpus, f"q{number}", f"question {number}", kind, rank, scores)


def test_outcomes_are_summed_up_by_corpus_by_kind_and_overall() -> None:
    summed = groups([make_outcome(1, 1), make_outcome(2, None, kind="error"), make_outcome(3, 2, corpus="guide")])

    assert [(one.by, one.name, one.questions) for one in summed] == [
        (By.CORPUS, "guide", 1),
        (By.CORPUS, "manual", 2),
        (By.KIND, "error", 1),
        (By.KIND, "howto", 2),
        (By.OVERALL, "all", 3),
    ]
    assert [one.scores.mrr_at_10 for one in summed] == [0.5, 0.5, 0.0, 0.75, 0.5]
    assert summed[0].intervals == {name: (value, value) for name in MEASURES for value in [_of(summed[0].scores, name)]}
    assert summed[-1].intervals["mrr_at_10"] == (0.0, 1.0)
    assert groups([]) == []


def _of(scores: Scores, name: str) -> float:
    return float(getattr(scores, name))


def test_runs_are_compared_question_by_question() -> None:
    before = [make_outcome(1, 2), make_outcome(2, 1), make_outcome(3, None), make_outcome(4, 3), make_outcome(5, 1)]
    after = [make_outcome(1, 1), make_outcome(2, 4), make_outcome(3, 5), make_outcome(4, 3), make_outcome(6, 1)]

    comparison = compare(before, after)

    assert [change.after.question_id for change in comparison.wins] == ["q3", "q1"]
    assert [(change.before.first, change.after.first) for change in comparison.losses] == [(1, 4)]
    assert (comparison.ties, comparison.left_out) == (1, 2)
    assert set(comparison.tests) == set(MEASURES)
    assert comparison.tests["hit_at_1"].difference == 0.0
    assert comparison.tests["recall_at_10"].difference == 0.25


def test_a_question_with_another_text_is_another_question() -> None:
    with pytest.raises(ValueError, match="no query in common"):
        compare(
            [make_outcome(1, 1)],
            [Outcome("manual", "q1", "another text", "howto", 1, make_outcome(1, 1).scores)],
        )
