"""`manage.py reembed CORPUS`."""

from argparse import ArgumentParser
from typing import Any

from docs_search.indexing.reembedding import reembed
from docs_search.management.console import ConsoleProgress, IndexingCommand, console_on, find_corpus, readable_faults


class Command(IndexingCommand):
    help = "Give every passage of a corpus a vector of the configured embedding model, and switch to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus, as in corpora.toml")

    def handle(self, *args: Any, **options: Any) -> None:
        with readable_faults(), ConsoleProgress(console_on(self.stdout)) as progress:
            corpus = find_corpus(options["corpus"])
            embedded = reembed(corpus, progress=progress)
        self.stdout.write(f"{corpus.slug} uses {corpus.embedding_model}; {embedded} texts were embedded.")
