"""`manage.py ingest CORPUS [VERSION] [--from LOCATION] [--dry-run]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.table import Table

from docs_search.embedder import EmbeddingError
from docs_search.errors import DocentError
from docs_search.indexing import IndexReport, ingest
from docs_search.management.console import ConsoleProgress, console_on, find_corpus
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
        console = console_on(self.stdout)
        corpus = find_corpus(options["corpus"])
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
            console.print(f"{warning.page}: {warning.message}", markup=False, soft_wrap=True)
        if options["verbosity"] < 2 and len(report.warnings) > SHOWN_WARNINGS:
            console.print(f"… and {len(report.warnings) - SHOWN_WARNINGS} more; -v 2 shows all")


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
