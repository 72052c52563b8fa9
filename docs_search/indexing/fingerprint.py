"""Whether a run would do again exactly what the last one did: then there is nothing to parse."""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from django.forms.models import model_to_dict

import docs_search
from docs_search.documents import Source
from docs_search.embedding.embedder import Embedder
from docs_search.models import Corpus, Version


def content_digest(source: Source) -> str:
    """SHA-256 of every document with its path."""
    digest = hashlib.sha256()
    for path in source.paths():
        data = source.read(path)
        digest.update(f"{path}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def fingerprint(content: str, *, corpus: Corpus, versions: Sequence[Version], embedder: Embedder) -> str:
    """SHA-256 of all that the outcome of a run follows from: the documents (`content`), how the corpus is declared, the
    model, our own code, and the publications of the `versions` that the run publishes.
    """
    declared = model_to_dict(corpus)
    published = [(version.source, version.publication) for version in versions]
    everything = [content, declared, published, embedder.name, embedder.max_tokens, code_digest()]
    return hashlib.sha256(json.dumps(everything, sort_keys=True, default=str).encode()).hexdigest()


@cache
def code_digest() -> str:
    """SHA-256 of our own code, hexadecimal.

    A better parser must reach documents that have not changed, without anybody having to count revisions.
    """
    digest = hashlib.sha256()
    for file in sorted(Path(docs_search.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
