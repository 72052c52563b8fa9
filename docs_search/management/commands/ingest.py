"""`manage.py ingest CORPUS [VERSION] [--from LOCATION] [--dry-run]`."""

from argparse import ArgumentParser
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.table import Table

from docs_search.embedder import EmbeddingError
from docs_search.errors import DocentError
from docs_search.indexing import IndexReport, ingest
from docs_search.models import Corpus
from docs_search.runs import IndexingError
from docs_search.sources import SourceError

SHOWN_WARNINGS = 20


class Command(BaseCommand):
    help = "Index one version of a corpus and publish it. Nothing changes for readers until it is complete."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus, as in corpora.toml")
        parser.add_argument("version", nargs="?", default="", help="version to index; none for an unversioned corpus")
        parser.add_argument("--from", dest="location", help="folder or archive to read instead of the corpus's source")
        parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console(file=cast(IO[str], self.stdout), highlight=False)
        corpus = Corpus.objects.filter(slug=options["corpus"]).first()
        if corpus is None:
            known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none; run load_corpora first"
            raise CommandError(f"There is no corpus {options['corpus']!r}. Corpora: {known}.")
        try:
            with ConsoleProgress(console) as progress:
                report = ingest(
                    corpus,
                    options["version"],
                    location=options["location"],
                    dry_run=options["dry_run"],
                    progress=progress,
                )
        except (DocentError, EmbeddingError, IndexingError, SourceError) as fault:
            raise CommandError(str(fault)) from fault
        console.print(_summary(report, dry_run=options["dry_run"]))
        for warning in report.warnings[:SHOWN_WARNINGS] if options["verbosity"] < 2 else report.warnings:
            console.print(f"{warning.page}: {warning.message}", markup=False)
        if options["verbosity"] < 2 and len(report.warnings) > SHOWN_WARNINGS:
            console.print(f"… and {len(report.warnings) - SHOWN_WARNINGS} more; -v 2 shows all")


class ConsoleProgress:
    """One bar per stage, with rate and time left."""

    def __init__(self, console: Console) -> None:
        self._bars = Bars(
            TextColumn("{task.description:8}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:>8}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> "ConsoleProgress":
        self._bars.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._bars.stop()

    def stage(self, name: str, total: int) -> None:
        self._task = self._bars.add_task(name, total=total, rate="")

    def advance(self, units: int = 1) -> None:
        if self._task is not None:
            self._bars.update(self._task, advance=units)
            speed = self._bars.tasks[self._task].speed
            self._bars.update(self._task, rate=f"{speed:.0f}/s" if speed else "")


def _summary(report: IndexReport, *, dry_run: bool) -> Table:
    title = f"{report.version}: " + (
        "nothing was changed (dry run)" if dry_run else "published" if report.published else "already up to date"
    )
    table = Table(title=title, title_justify="left")
    for name in report.counts:
        table.add_column(name, justify="right")
    table.add_column("warnings", justify="right")
    table.add_row(*(str(count) for count in report.counts.values()), str(len(report.warnings)))
    return table
