"""`POST /rerank` of Hugging Face's text-embeddings-inference, which serves one model."""

from collections.abc import Sequence
from typing import Any, ClassVar

from docs_search.reranking.endpoint import RerankEndpoint


class TEIReranker(RerankEndpoint):
    """`{query, texts, truncate}` → `[{index, score}]`, the best first."""

    score_key = "score"
    needs_model: ClassVar[bool] = False

    def request(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        """Has what is longer than the model reads cut off; the server would refuse it otherwise."""
        return {"query": query, "texts": list(texts), "truncate": True}

    def rows(self, reply: Any) -> Any:
        """The reply, as it came."""
        return reply
