"""A small manual of our own, published for as long as a group of tests needs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command

from docs_search.embedding.embedder import Embedder
from docs_search.indexing.ingest import ingest
from tests.factories import make_corpus
from tests.fakes import use_embedder

PAGE = "https://docs.example.org/17/guide/{}"
# A section of less than 30 words would join its neighbour.
DOCUMENTS = {
    "guide/backup.md": """# Backup

A copy of the cluster that outlives the machine; see [tuning](tuning.md).

## Dump

Run `pg_dump` every night, when nobody works. Then copy the file that it wrote to another building, and keep the copies
of the last four weeks, so that a mistake which nobody noticed for some days can still be undone.

## Restore

Stop the service first, since nothing may be written meanwhile. Then read the newest dump back into an empty cluster,
compare the number of rows in the largest tables with yesterday's report, and start the service again.
""",
    "guide/tuning.md": """# Tuning

## Memory

Set `shared_buffers` to a quarter of the memory. More is seldom better, since the operating system keeps pages of its
own; a dump reads each table once, and neither of the two caches makes that any faster than the disk is.
""",
}


@contextmanager
def published_manual(folder: Path, embedder: Embedder) -> Iterator[None]:
    """Version 17 of the corpus `manual`, with `embedder` for its vectors and for those of queries in this process.

    It is committed, since publishing ends in a VACUUM; afterwards all is deleted.
    """
    for path, text in DOCUMENTS.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    with use_embedder(embedder):
        try:
            corpus = make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
            ingest(corpus, "17", location=str(folder))
            yield
        finally:
            call_command("flush", interactive=False, verbosity=0)
