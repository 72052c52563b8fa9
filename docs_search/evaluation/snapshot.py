"""What a run was made under: the models, every constant of ranking and cutting, what was published, and the code."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from django.conf import settings

from docs_search import retrieval
from docs_search.embedding.embedder import get_embedder
from docs_search.indexing import passages, postings
from docs_search.indexing.fingerprint import code_digest
from docs_search.scope import Scope


def snapshot(scopes: Mapping[str, Scope]) -> dict[str, Any]:
    """The settings that the scores of a run over `scopes` follow from, as JSON. Raises EmbeddingError."""
    embedder = get_embedder()
    ranking = (import_module(f"{retrieval.__name__}.{module.name}") for module in iter_modules(retrieval.__path__))
    return {
        "embedding": {"model": embedder.name, "dimension": embedder.dimension, "max_tokens": embedder.max_tokens},
        "chunking": _constants([passages]),
        "bm25": _constants([postings]),
        "ranking": _constants(ranking),
        "reranker": {
            "provider": settings.RERANK_PROVIDER,
            "model": settings.RERANK_MODEL,
            "depth": settings.RERANK_DEPTH,
        },
        "publications": {
            scope.version.source: "+".join(map(str, scope.publications)) for _, scope in sorted(scopes.items())
        },
        "code": {"digest": code_digest()[:12]},
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """What differs between two snapshots: name, value before and after; None where one has no such value."""
    earlier, later = _flat(before), _flat(after)
    names = dict.fromkeys([*earlier, *later])
    return [(name, earlier.get(name), later.get(name)) for name in names if earlier.get(name) != later.get(name)]


def _constants(modules: Iterable[ModuleType]) -> dict[str, int | float | list[float]]:
    """The numbers, and rows of numbers, that modules name in capitals. One that imports another's has the same."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for module in modules
        for name, value in sorted(vars(module).items())
        if name.isupper() and not name.startswith("_") and _is_numeric(value)
    }


def _is_numeric(value: object) -> bool:
    return isinstance(value, int | float) or (
        isinstance(value, tuple) and all(isinstance(item, int | float) for item in value)
    )


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{group}: {name}": value for group, entries in values.items() for name, value in entries.items()}
