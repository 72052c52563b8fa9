"""`manage.py reembed CORPUS`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from docs_search.embedding.embedder import EmbeddingError
from docs_search.indexing.reembedding import reembed
from docs_search.indexing.runs import IndexingError
from docs_search.management.console import ConsoleProgress, console_on, find_corpus


class Command(BaseCommand):
    help = "Give every passage of a corpus a vector of the configured embedding model, and switch to it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus, as in corpora.toml")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = find_corpus(options["corpus"])
        try:
            with ConsoleProgress(console_on(self.stdout)) as progress:
                embedded = reembed(corpus, progress=progress)
        except (EmbeddingError, IndexingError) as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"{corpus.slug} uses {corpus.embedding_model}; {embedded} texts were embedded.")
