"""A small manual of our own, published for as long as a group of tests needs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command

from docs_search.indexing import ingest
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder

PAGE = "https://docs.example.org/17/guide/{}"
DOCUMENTS = {
    "guide/backup.md": "# Backup\n\nA copy of the cluster that outlives the machine; see [tuning](tuning.md).\n\n"
    "## Dump\n\nRun `pg_dump` every night, and copy the file to another building.\n\n"
    "## Restore\n\nStop the service, then read the dump back into an empty cluster.\n",
    "guide/tuning.md": "# Tuning\n\n## Memory\n\nSet `shared_buffers` to a quarter of the memory before a dump.\n",
}


@contextmanager
def published_manual(folder: Path) -> Iterator[None]:
    """Version 17 of the corpus `manual`. It is committed, since publishing ends in a VACUUM; afterwards all is deleted.

    The scripted embedder gives the vectors, and those of queries in this process.
    """
    for path, text in DOCUMENTS.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    embedder = ScriptedEmbedder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("docs_search.indexing.get_embedder", lambda: embedder)
        patch.setattr("docs_search.legs.get_embedder", lambda: embedder)
        try:
            corpus = make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
            ingest(corpus, "17", location=str(folder))
            yield
        finally:
            call_command("flush", interactive=False, verbosity=0)
