"""Runs that are kept, to be looked at and to be held against later ones."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.db import transaction

from docs_search.errors import InvalidRequest
from docs_search.evaluation.evaluate import Evaluation, Result
from docs_search.evaluation.metrics import Scores
from docs_search.evaluation.outcomes import Outcome, groups
from docs_search.evaluation.snapshot import snapshot
from docs_search.models import EvaluationResult, EvaluationRun
from docs_search.storable_text import storable

LAST = "last"
MAX_NAME = 100


@transaction.atomic
def save_run(evaluation: Evaluation, name: str = "") -> EvaluationRun:
    """Keep an evaluation with its results and what it was made under. Raises InvalidRequest for one without results
    and for a name that cannot be stored.
    """
    if not evaluation.results:
        raise InvalidRequest("There is nothing to save: no question has a page that answers it.")
    if len(name) > MAX_NAME or storable(name) != name or name.isdigit() or name == LAST:
        raise InvalidRequest(
            f"The name of a run has at most {MAX_NAME} characters, and is neither a number nor {LAST!r}."
        )
    summed = groups(evaluation.outcomes)
    run = EvaluationRun.objects.create(
        name=name,
        questions=storable(evaluation.name)[:500],
        ranking=evaluation.ranking,
        settings=snapshot(evaluation.scopes) | {"degraded searches": dict(evaluation.degraded)},
        scores=[asdict(group) for group in summed],
        ndcg_at_10=summed[-1].scores.ndcg_at_10,
        question_count=len(evaluation.results),
        unanswerable=evaluation.unanswerable,
        missing=evaluation.missing,
    )
    EvaluationResult.objects.bulk_create((_row(run, result) for result in evaluation.results), batch_size=1000)
    return run


def find_run(named: str) -> EvaluationRun:
    """The run with this number or name, the newest of several; `last` is the newest of all. Raises InvalidRequest."""
    runs = EvaluationRun.objects.order_by("-pk")
    if named == LAST:
        run = runs.first()
    elif named.isdecimal() and len(named) < 19:
        run = runs.filter(pk=int(named)).first()
    else:
        run = runs.filter(name=storable(named)).first()
    if run is None:
        known = ", ".join(f"{run.pk} {run.name}".rstrip() for run in runs[:10]) or "none; save one with --save"
        raise InvalidRequest(f"There is no run {named!r}. The newest runs: {known}.")
    return run


def outcomes_of(run: EvaluationRun) -> list[Outcome]:
    """What became of the questions of a run."""
    return [
        Outcome(
            corpus=result.corpus,
            question_id=result.question_id,
            text=result.text,
            kind=result.kind,
            first=result.first,
            scores=Scores(**result.scores),
        )
        for result in run.results.order_by("pk")
    ]


def _row(run: EvaluationRun, result: Result) -> EvaluationResult:
    outcome = result.outcome
    return EvaluationResult(
        run=run,
        question_id=outcome.question_id,
        text=outcome.text,
        corpus=outcome.corpus,
        version=result.version,
        kind=outcome.kind,
        judged=_graded(result.question.relevant),
        ranked=[asdict(page) for page in result.ranked],
        first=outcome.first,
        scores=asdict(outcome.scores),
    )


def _graded(pages: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"page": page, "grade": grade} for page, grade in pages.items()]
