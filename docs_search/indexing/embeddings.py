"""An embedding is computed once per text: looked up by (model, content hash) first, and kept as soon as computed."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from django.db import connection
from pgvector import HalfVector

from docs_search.embedding.embedder import Embedder
from docs_search.indexing.runs import CLAIM
from docs_search.models import Embedding
from docs_search.progress import SILENT, Progress

# Texts that are looked up at once, and texts whose vectors are kept at once: what a killed run can lose.
LOOKUP = 512
KEEP = 64
# The age from which a vector that no passage uses is deleted: a version that was removed may come back.
UNUSED = timedelta(weeks=1)


class Text(NamedTuple):
    """What is embedded, and the hash by which its vector is found again."""

    content_hash: str
    text: str


def embed_missing(texts: Iterable[Text], embedder: Embedder, progress: Progress = SILENT) -> int:
    """Compute and store the vectors that the texts still lack; returns how many. Progress counts every text.

    Each group is committed by itself, so that a run that died is resumed where it was.
    """
    embedded = 0
    texts = iter(texts)
    while batch := list(islice(texts, LOOKUP)):
        missing = _without_vector(batch, embedder.name)
        progress.advance(len(batch) - len(missing))
        for start in range(0, len(missing), KEEP):
            group = missing[start : start + KEEP]
            vectors = embedder.embed([item.text for item in group])
            Embedding.objects.bulk_create(
                [
                    Embedding(model=embedder.name, content_hash=item.content_hash, vector=HalfVector(vector))
                    for item, vector in zip(group, vectors, strict=True)
                ],
                ignore_conflicts=True,
            )
            embedded += len(group)
            progress.advance(len(group))
    return embedded


def count_missing(texts: Iterable[Text], model: str) -> int:
    """How many different texts have no vector under `model` yet."""
    texts = iter(texts)
    missing: set[str] = set()
    while batch := list(islice(texts, LOOKUP)):
        missing |= {item.content_hash for item in _without_vector(batch, model)}
    return len(missing)


def prune(now: datetime) -> int:
    """Delete vectors that are older than a week that no passage uses under its corpus's model; returns how many.

    Nothing is deleted while any corpus is being indexed, since a run may count on vectors that it has found.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
               WHERE locktype = 'advisory' AND classid = %s AND datname = current_database()""",
            [CLAIM],
        )
        if cursor.fetchone():
            return 0
        cursor.execute(
            """DELETE FROM docs_search_embedding embedding
               WHERE created_at < %s AND NOT EXISTS (
                   SELECT FROM docs_search_passage passage
                          JOIN docs_search_version version ON version.id = passage.version_id
                          JOIN docs_search_corpus corpus ON corpus.id = version.corpus_id
                   WHERE passage.content_hash = embedding.content_hash AND corpus.embedding_model = embedding.model)""",
            [now - UNUSED],
        )
        return int(cursor.rowcount)


def _without_vector(texts: Sequence[Text], model: str) -> list[Text]:
    """Each text without a vector once, the shortest first, so that a group pads little."""
    distinct = {item.content_hash: item for item in texts}
    known = set(Embedding.objects.filter(model=model, content_hash__in=distinct).values_list("content_hash", flat=True))
    return sorted((item for key, item in distinct.items() if key not in known), key=lambda item: len(item.text))
