"""`manage.py evaluate [QUESTIONS …] [--corpus SLUG] [--version V] [--ablation] [--save [NAME]] [--compare RUN] …`."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from docs_search.errors import InvalidRequest
from docs_search.evaluation.beir import DEFAULT_SPLIT, is_collection, read_collection
from docs_search.evaluation.evaluate import evaluate, scopes_for
from docs_search.evaluation.gate import parse_threshold, shortfalls
from docs_search.evaluation.metrics import mean
from docs_search.evaluation.outcomes import compare
from docs_search.evaluation.questions import QuestionsError, QuestionSet, joined, read_questions
from docs_search.evaluation.regression_set import regression_set
from docs_search.evaluation.runs import find_run, outcomes_of, save_run
from docs_search.evaluation.trial_corpus import trial_corpus
from docs_search.management.console import INTERRUPTED, ConsoleProgress, console_on, readable_faults
from docs_search.management.evaluation_tables import (
    as_json,
    show_ablation,
    show_comparison,
    show_missing,
    show_scores,
)
from docs_search.progress import Progress
from docs_search.retrieval.ablation import Ranking
from docs_search.scope import Scope


class Command(BaseCommand):
    help = "Measure how well search finds the pages that answer judged questions."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """With our own --version in the place of Django's, which tells the version of Django."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "questions",
            nargs="*",
            type=Path,
            help="files of questions, or the folder of a collection; none for the regression set",
        )
        parser.add_argument("--corpus", action="append", default=[], metavar="SLUG", help="ask its questions alone")
        parser.add_argument(
            "--version", action="append", default=[], metavar="V", help="version to search, such as postgres_17"
        )
        parser.add_argument("--ablation", action="store_true", help="measure with fewer stages, too")
        parser.add_argument("--save", nargs="?", const="", metavar="NAME", help="keep the run")
        parser.add_argument("--compare", metavar="RUN", help="number or name of an earlier run, or 'last'")
        parser.add_argument(
            "--fail-under",
            action="append",
            default=[],
            type=_threshold,
            metavar="MEASURE=VALUE",
            help="end with status 1 below it, such as ndcg@10=0.7",
        )
        parser.add_argument(
            "--split", default=DEFAULT_SPLIT, metavar="NAME", help="judgments of a collection to use: qrels/NAME.tsv"
        )
        parser.add_argument("--keep", action="store_true", help="keep the index of a collection for the next time")
        parser.add_argument("--format", choices=["table", "json"], default="table", help="what to print")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with readable_faults():
                self._evaluate(options)
        except QuestionsError as fault:
            raise CommandError(str(fault)) from fault
        except KeyboardInterrupt:
            raise CommandError("Interrupted.", returncode=INTERRUPTED) from None

    def _evaluate(self, options: dict[str, Any]) -> None:
        # Before anything is measured, since that takes time.
        earlier = find_run(options["compare"]) if options["compare"] is not None else None
        console = console_on(self.stdout)
        shown = options["verbosity"] > 0 and options["format"] == "table"
        with ExitStack() as stack:
            progress = stack.enter_context(ConsoleProgress(console, shown=shown))
            questions, scopes = _subject(options, stack, progress)
            rankings = list(Ranking) if options["ablation"] else [Ranking.RERANKED]
            evaluations = {
                ranking: evaluate(questions, scopes, ranking=ranking, progress=progress) for ranking in rankings
            }
            evaluation = evaluations[Ranking.RERANKED]
            if not evaluation.results:
                raise InvalidRequest("There is nothing to measure: no question has a page that answers it.")
            comparison = compare(outcomes_of(earlier), evaluation.outcomes) if earlier else None
            run = save_run(evaluation, options["save"]) if options["save"] is not None else None
        ablation = evaluations if options["ablation"] else {}
        if options["format"] == "json":
            self.stdout.write(json.dumps(as_json(evaluation, ablation, comparison, run), indent=2, ensure_ascii=False))
        else:
            every = options["verbosity"] > 1
            show_scores(console, evaluation)
            show_missing(console, evaluation, every=every)
            if ablation:
                show_ablation(console, ablation)
            if earlier and comparison:
                show_comparison(console, str(earlier), comparison, every=every)
            if run:
                console.print(f"Saved as run {run.pk}{f': {run.name}' if run.name else ''}.")
        if missed := shortfalls(mean([one.scores for one in evaluation.outcomes]), dict(options["fail_under"])):
            raise CommandError(f"{evaluation.name}: {'; '.join(missed)}.")


def _subject(options: dict[str, Any], stack: ExitStack, progress: Progress) -> tuple[QuestionSet, dict[str, Scope]]:
    """What is asked, and what is searched for it. A collection is indexed until the stack is closed."""
    files: list[Path] = options["questions"]
    collections = [file for file in files if is_collection(file)]
    if not collections:
        questions = joined([read_questions(file) for file in files]) if files else regression_set()
        questions = questions.of(options["corpus"]) if options["corpus"] else questions
        return questions, scopes_for(questions, options["version"])
    if len(files) > 1 or options["corpus"] or options["version"]:
        raise InvalidRequest(
            "A test collection is measured by itself: name its folder alone, without a corpus or version."
        )
    collection = read_collection(files[0], options["split"])
    trial = trial_corpus(collection.slug, collection.pages(), keep=options["keep"], progress=progress)
    return collection.questions, {collection.slug: stack.enter_context(trial)}


def _threshold(text: str) -> tuple[str, float]:
    try:
        return parse_threshold(text)
    except ValueError as fault:
        raise ArgumentTypeError(str(fault)) from None
