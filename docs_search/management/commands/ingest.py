"""`manage.py ingest CORPUS [VERSION] [--from LOCATION] [--allow-shrink] [--dry-run]`."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from docs_search.indexing.ingest import IndexReport, ingest
from docs_search.management.console import ConsoleProgress, IndexingCommand, console_on, find_corpus, readable_faults

SHOWN_LINES = 20


class Command(IndexingCommand):
    help = "Index one version of a corpus and publish it. Nothing changes for readers until it is complete."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus, as in corpora.toml")
        parser.add_argument("version", nargs="?", default="", help="version to index; none for an unversioned corpus")
        parser.add_argument("--from", dest="location", help="where to read it from, instead of the corpus's source")
        parser.add_argument(
            "--allow-shrink", action="store_true", help="delete pages also where a website has lost most of its own"
        )
        parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        console = console_on(self.stdout)
        brief = options["verbosity"] == 0
        with readable_faults(), ConsoleProgress(console, shown=not brief) as progress:
            report = ingest(
                find_corpus(options["corpus"]),
                options["version"],
                location=options["location"],
                dry_run=options["dry_run"],
                allow_shrink=options["allow_shrink"],
                progress=progress,
            )
        if brief:
            self.stdout.write(_line(report, dry_run=options["dry_run"]))
            return
        every = options["verbosity"] > 1
        console.print(_summary(report, dry_run=options["dry_run"]))
        if options["dry_run"]:
            _list(console, [f"would write {page}" for page in report.pages_written], every=every)
            _list(console, [f"would delete {page}" for page in report.pages_deleted], every=every)
        _list(console, [f"{warning.page}: {warning.message}" for warning in report.warnings], every=every)


def _list(console: Console, lines: Sequence[str], *, every: bool) -> None:
    """Print lines, only the first ones unless every line is wanted."""
    for line in lines if every else lines[:SHOWN_LINES]:
        console.print(line, markup=False, soft_wrap=True)
    if not every and len(lines) > SHOWN_LINES:
        console.print(f"… and {len(lines) - SHOWN_LINES} more; -v 2 shows all")


def _title(report: IndexReport, *, dry_run: bool) -> str:
    outcome = "nothing was changed (dry run)" if dry_run else "published" if report.published else "already up to date"
    return f"{report.version}: {outcome}"


def _line(report: IndexReport, *, dry_run: bool) -> str:
    warnings = f", warnings: {len(report.warnings)}" if report.warnings else ""
    return f"{_title(report, dry_run=dry_run)} ({report.pages} pages{warnings})"


def _summary(report: IndexReport, *, dry_run: bool) -> Table:
    table = Table(title=_title(report, dry_run=dry_run), title_justify="left")
    for name in report.counts:
        table.add_column(name, justify="right")
    table.add_column("warnings", justify="right")
    table.add_row(*(str(count) for count in report.counts.values()), str(len(report.warnings)))
    return table
