"""What `evaluate` shows: tables for people, and the same as JSON for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from docs_search.evaluation.evaluate import Evaluation
from docs_search.evaluation.metrics import LABELS, MEASURES
from docs_search.evaluation.outcomes import By, Change, Comparison, Group, group, groups
from docs_search.models import EvaluationRun
from docs_search.retrieval.ablation import Ranking

SHOWN_LINES = 20
SHOWN_CHARACTERS = 60  # of a question in a table


def show_scores(console: Console, evaluation: Evaluation) -> None:
    """Mean scores by corpus, by kind and overall, each above its interval, and what was left out."""
    summed = groups(evaluation.outcomes)
    table = _scores_table(f"{evaluation.name}: {', '.join(_versions(evaluation))}", "")
    for place, one in enumerate(summed):
        ends = place + 1 == len(summed) or summed[place + 1].by is not one.by
        table.add_row(one.name, str(one.questions), *_measures(one), end_section=ends)
    console.print(table)
    console.print("Below each mean, its 95 % bootstrap interval.", style="dim")
    for stage, searches in evaluation.degraded.items():
        console.print(f"Searches that went on without {stage}, which failed: {searches}", style="bold")
    if evaluation.unanswerable:
        console.print(f"Questions that no page answers, which are not scored: {evaluation.unanswerable}")


def show_missing(console: Console, evaluation: Evaluation, *, every: bool) -> None:
    """The judged pages that the index lacks."""
    for version, pages in evaluation.missing.items():
        console.print(f"Judged pages that {version} lacks, which count as not found: {len(pages)}")
        show_lines(console, [f"  {page}" for page in pages], every=every)


def show_ablation(console: Console, evaluations: Mapping[Ranking, Evaluation]) -> None:
    """One row of scores for each ranking."""
    table = _scores_table("What each stage earns", "ranking")
    for ranking, evaluation in evaluations.items():
        one = group(By.OVERALL, ranking.label, evaluation.outcomes)
        table.add_row(f"{ranking.value}\n[dim]{ranking.label}[/dim]", str(one.questions), *_measures(one))
    console.print(table)


def show_comparison(console: Console, name: str, comparison: Comparison, *, every: bool) -> None:
    """The paired test of each measure, and the questions that changed."""
    table = Table(title=f"Against {name}", title_justify="left")
    for heading in ("measure", "difference", "95 % interval", "p", ""):
        table.add_column(heading, justify="left" if heading in {"measure", ""} else "right")
    for measure, test in comparison.tests.items():
        low, high = test.interval
        verdict = "within noise" if test.is_noise else "better" if test.difference > 0 else "worse"
        table.add_row(
            LABELS[measure], f"{test.difference:+.3f}", f"{low:+.3f} to {high:+.3f}", f"{test.p_value:.3f}", verdict
        )
    console.print(table)
    console.print(
        f"By nDCG@10: wins {len(comparison.wins)}, losses {len(comparison.losses)}, ties {comparison.ties}"
        + (f"; questions that only one of the runs has: {comparison.left_out}" if comparison.left_out else ""),
        soft_wrap=True,
    )
    for title, changes in (("wins", comparison.wins), ("losses", comparison.losses)):
        if changes:
            console.print(_changes_table(title, changes if every else changes[:SHOWN_LINES]))
            if not every and len(changes) > SHOWN_LINES:
                console.print(f"… and {len(changes) - SHOWN_LINES} more {title}; -v 2 shows all")


def show_lines(console: Console, lines: Sequence[str], *, every: bool) -> None:
    for line in lines if every else lines[:SHOWN_LINES]:
        console.print(line, markup=False, soft_wrap=True)
    if not every and len(lines) > SHOWN_LINES:
        console.print(f"  … and {len(lines) - SHOWN_LINES} more; -v 2 shows all")


def as_json(
    evaluation: Evaluation,
    ablation: Mapping[Ranking, Evaluation],
    comparison: Comparison | None,
    run: EvaluationRun | None,
) -> dict[str, Any]:
    """All that the tables show, and the outcome of every question."""
    return {
        "questions": evaluation.name,
        "run": run and run.pk,
        "versions": _versions(evaluation),
        "scores": [asdict(one) for one in groups(evaluation.outcomes)],
        "unanswerable": evaluation.unanswerable,
        "degraded": evaluation.degraded,
        "missing": evaluation.missing,
        "ablation": {
            ranking.value: asdict(group(By.OVERALL, ranking.label, one.outcomes)) for ranking, one in ablation.items()
        },
        "comparison": comparison
        and {
            "tests": {measure: asdict(test) for measure, test in comparison.tests.items()},
            "wins": [asdict(change) for change in comparison.wins],
            "losses": [asdict(change) for change in comparison.losses],
            "ties": comparison.ties,
            "left_out": comparison.left_out,
        },
        "results": [
            {**asdict(result.outcome), "version": result.version, "ranked": [asdict(page) for page in result.ranked]}
            for result in evaluation.results
        ],
    }


def _versions(evaluation: Evaluation) -> list[str]:
    return sorted(scope.version.source for scope in evaluation.scopes.values())


def _scores_table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first, overflow="fold")
    for heading in ("n", *LABELS.values()):
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _measures(one: Group) -> list[str]:
    return [f"{getattr(one.scores, name):.3f}\n[dim]{_interval(one.intervals[name])}[/dim]" for name in MEASURES]


def _interval(interval: tuple[float, float]) -> str:
    """Without the zero before the point: `.64–.77`."""
    return "–".join(f"{bound:.2f}".removeprefix("0") for bound in interval)


def _changes_table(title: str, changes: Sequence[Change]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("question")
    table.add_column("nDCG@10", justify="right", no_wrap=True)
    table.add_column("first hit", justify="right", no_wrap=True)
    for change in changes:
        text = change.after.text
        table.add_row(
            f"{change.after.corpus}: {text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + '…'}",
            f"{change.before.scores.ndcg_at_10:.3f} → {change.after.scores.ndcg_at_10:.3f}",
            f"{change.before.first or '–'} → {change.after.first or '–'}",
        )
    return table
