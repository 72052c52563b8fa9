"""`manage.py calibrate [QUESTIONS …] [--corpus SLUG] [--version V] [--by-words]`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from docs_search.evaluation.calibration import BINS
from docs_search.evaluation.calibration_report import CalibrationReport, report
from docs_search.evaluation.evaluate import scopes_for
from docs_search.evaluation.judged_hits import judged_hits
from docs_search.evaluation.questions import QuestionsError, joined, read_questions
from docs_search.evaluation.regression_set import regression_set
from docs_search.management.console import INTERRUPTED, ConsoleProgress, console_on, readable_faults


class Command(BaseCommand):
    help = "Measure whether relevance is the share of results that help, with judged questions."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """With our own --version in the place of Django's, which tells the version of Django."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "questions", nargs="*", type=Path, help="files of questions; none for the judged ones of the database"
        )
        parser.add_argument("--corpus", action="append", default=[], metavar="SLUG", help="ask its questions alone")
        parser.add_argument(
            "--version", action="append", default=[], metavar="V", help="version to search, such as postgres_17"
        )
        parser.add_argument("--by-words", action="store_true", help="search without vectors")

    def handle(self, *args: Any, **options: Any) -> None:
        files: list[Path] = options["questions"]
        console = console_on(self.stdout)
        try:
            with readable_faults(), ConsoleProgress(console, shown=options["verbosity"] > 0) as progress:
                questions = joined([read_questions(file) for file in files]) if files else regression_set()
                questions = questions.of(options["corpus"]) if options["corpus"] else questions
                scopes = scopes_for(questions, options["version"])
                hits = judged_hits(questions, scopes, by_words=options["by_words"], progress=progress)
        except QuestionsError as fault:
            raise CommandError(str(fault)) from fault
        except KeyboardInterrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from None
        if not hits:
            raise CommandError("There is nothing to measure: no question found anything.")
        _show(console, report(hits), questions.name)


def _show(console: Console, result: CalibrationReport, name: str) -> None:
    bins = _table(name, "relevance", "results", "mean relevance", "share that helps")
    for one in result.shown.bins:
        bins.add_row(
            f"{one.low:.1f}–{one.low + 1 / BINS:.1f}", str(one.count), f"{one.estimate:.3f}", f"{one.share:.3f}"
        )
    console.print(bins)
    totals = _table("", "", "results", "calibration error", "AUC")
    rows = [*result.by_corpus.items(), ("overall", result.shown), ("fitted anew, cross-validated", result.refitted)]
    for label, part in rows:
        totals.add_row(label, str(part.count), f"{part.error:.3f}", f"{part.auc:.3f}")
    console.print(totals)
    console.print(f"Weights of a new fit: {', '.join(f'{weight:.2f}' for weight in result.weights)}")


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left")
    return table
