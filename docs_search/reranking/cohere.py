"""Cohere's `POST /v2/rerank`, which vLLM, OpenVINO Model Server and many gateways speak too."""

from collections.abc import Sequence
from typing import Any, ClassVar

from docs_search.reranking.endpoint import RerankEndpoint


class CohereReranker(RerankEndpoint):
    """`{model, query, documents, top_n}` → `{results: [{index, relevance_score}]}`, the best first."""

    score_key = "relevance_score"
    needs_model: ClassVar[bool] = True

    def request(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """Asks for all texts: some servers return a few of them otherwise."""
        return {"model": self.model, "query": query, "documents": list(texts), "top_n": len(texts)}

    def rows(self, reply: Any) -> Any:
        """The results, as they came."""
        return reply["results"]
