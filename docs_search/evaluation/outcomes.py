"""How questions fared: summed up over groups of them, and held against an earlier run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from docs_search.evaluation.metrics import MEASURES, Scores, mean
from docs_search.evaluation.statistics import PairedTest, bootstrap_interval, paired_test


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question. `first` is the rank of the first page that helps, None where ten have none."""

    corpus: str
    question_id: str
    text: str
    kind: str
    first: int | None
    scores: Scores


class By(StrEnum):
    """What questions are grouped by."""

    CORPUS = "corpus"
    KIND = "kind"
    OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Group:
    """The mean scores of some questions, and the 95 % bootstrap interval of each by the name of its measure."""

    by: By
    name: str
    questions: int
    scores: Scores
    intervals: Mapping[str, tuple[float, float]]


def groups(outcomes: Sequence[Outcome]) -> list[Group]:
    """The outcomes by corpus, by kind and overall, in this order; none for no outcomes."""
    if not outcomes:
        return []
    return [
        *_grouped(By.CORPUS, outcomes, lambda outcome: outcome.corpus),
        *_grouped(By.KIND, outcomes, lambda outcome: outcome.kind),
        group(By.OVERALL, "all", outcomes),
    ]


def group(by: By, name: str, outcomes: Sequence[Outcome]) -> Group:
    """The mean over some outcomes, of which there must be one."""
    scores = [outcome.scores for outcome in outcomes]
    intervals = {name: bootstrap_interval([getattr(one, name) for one in scores]) for name in MEASURES}
    return Group(by, name, len(scores), mean(scores), intervals)


def _grouped(by: By, outcomes: Sequence[Outcome], key: Callable[[Outcome], str]) -> list[Group]:
    return [group(by, name, [one for one in outcomes if key(one) == name]) for name in sorted(set(map(key, outcomes)))]


@dataclass(frozen=True, slots=True)
class Change:
    """One question in two runs."""

    before: Outcome
    after: Outcome

    @property
    def difference(self) -> float:
        """Of nDCG@10; above 0 for a win."""
        return self.after.scores.ndcg_at_10 - self.before.scores.ndcg_at_10


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the questions that both have: the test of each measure, and by nDCG@10 the questions that one of
    them ranks better, the greatest difference first. `left_out` counts the questions that only one has.
    """

    tests: Mapping[str, PairedTest]
    wins: Sequence[Change]
    losses: Sequence[Change]
    ties: int
    left_out: int


def compare(before: Sequence[Outcome], after: Sequence[Outcome]) -> Comparison:
    """Hold a run against an earlier one. A question whose text has changed is another. Raises ValueError for runs that
    have no question in common.
    """
    earlier = {(one.corpus, one.question_id, one.text): one for one in before}
    later = {(one.corpus, one.question_id, one.text): one for one in after}
    changes = [Change(earlier[key], later[key]) for key in later if key in earlier]
    tests = {
        name: paired_test(
            [getattr(change.before.scores, name) for change in changes],
            [getattr(change.after.scores, name) for change in changes],
        )
        for name in MEASURES
    }
    wins = sorted((one for one in changes if one.difference > 0), key=lambda change: -change.difference)
    losses = sorted((one for one in changes if one.difference < 0), key=lambda change: change.difference)
    return Comparison(
        tests=tests,
        wins=wins,
        losses=losses,
        ties=len(changes) - len(wins) - len(losses),
        left_out=len(earlier.keys() ^ later.keys()),
    )
