"""`manage.py remove CORPUS [VERSION] [--yes]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from docs_search.errors import DocentError
from docs_search.indexing.removal import remove_corpus, remove_version
from docs_search.indexing.runs import IndexingError
from docs_search.management.console import find_corpus


class Command(BaseCommand):
    help = "Remove one version of a corpus from the index; without a version, the corpus with all of its versions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus, as in corpora.toml")
        parser.add_argument("version", nargs="?", default="", help="version to remove; none for the whole corpus")
        parser.add_argument("--yes", action="store_true", help="do remove a whole corpus")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = find_corpus(options["corpus"])
        if not options["version"] and not options["yes"]:
            names = list(filter(None, corpus.versions.values_list("name", flat=True)))
            versions = f", with its versions {', '.join(names)}" if names else ""
            raise CommandError(f"This removes the corpus {corpus.slug}{versions}. If it is meant, add --yes.")
        try:
            removal = remove_version(corpus, options["version"]) if options["version"] else remove_corpus(corpus)
        except (DocentError, IndexingError) as fault:
            raise CommandError(str(fault)) from fault
        removed = [*removal.sources, *([] if options["version"] else [f"the corpus {corpus.slug}"])]
        self.stdout.write(f"removed {', '.join(removed)} ({removal.pages} pages)")
