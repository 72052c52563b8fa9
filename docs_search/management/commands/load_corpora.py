"""manage.py load_corpora"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from docs_search.corpora import CorporaError, load_corpora


class Command(BaseCommand):
    help = "Create the corpora that corpora.toml declares and the database lacks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--file", type=Path, default=settings.CORPORA_FILE, help="Another file than CORPORA_FILE.")
        parser.add_argument("--force", action="store_true", help="Overwrite what was changed in the database.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = load_corpora(options["file"], force=options["force"])
        except CorporaError as fault:
            raise CommandError(str(fault)) from None
        if not options["verbosity"]:
            return
        for outcome in ("created", "updated", "unchanged"):
            if slugs := getattr(report, outcome):
                self.stdout.write(f"{outcome}: {', '.join(slugs)}")
        if report.kept:
            self.stdout.write(
                f"kept as the database has them: {', '.join(report.kept)} (--force takes them from the file)"
            )
