"""An embedding is computed once per text: looked up by (model, content hash) first, and kept as soon as computed."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from pgvector import HalfVector

from docs_search.embedding.embedder import Embedder
from docs_search.indexing.progress import SILENT, Progress
from docs_search.models import Embedding

# Texts that are looked up at once, and texts whose vectors are kept at once: what a killed run can lose.
LOOKUP = 512
KEEP = 64


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


def _without_vector(texts: Sequence[Text], model: str) -> list[Text]:
    """Each text without a vector once, the shortest first, so that a group pads little."""
    distinct = {item.content_hash: item for item in texts}
    known = set(Embedding.objects.filter(model=model, content_hash__in=distinct).values_list("content_hash", flat=True))
    return sorted((item for key, item in distinct.items() if key not in known), key=lambda item: len(item.text))
