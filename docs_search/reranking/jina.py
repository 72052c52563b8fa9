"""Jina's `POST /v1/rerank`."""

from collections.abc import Sequence
from typing import Any

from docs_search.reranking.cohere import CohereReranker


class JinaReranker(CohereReranker):
    """As Cohere's, but the texts come back with their scores unless one asks to leave them out."""

    def request(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """Asks for all scores and no texts."""
        return {**super().request(query, texts), "return_documents": False}
