"""What Docent stores: corpora and their versions, pages and passages, the search index, and logs."""

from docs_search.models.corpora import Corpus, Version
from docs_search.models.evaluation import EvaluationResult, EvaluationRun, JudgedQuestion
from docs_search.models.index import (
    Counter,
    Embedding,
    Identifier,
    PagePosting,
    PageVector,
    PassageVector,
    Posting,
    Term,
)
from docs_search.models.logs import IndexRun, SearchLog
from docs_search.models.pages import Page, Passage

__all__ = [
    "Corpus",
    "Counter",
    "Embedding",
    "EvaluationResult",
    "EvaluationRun",
    "Identifier",
    "IndexRun",
    "JudgedQuestion",
    "Page",
    "PagePosting",
    "PageVector",
    "Passage",
    "PassageVector",
    "Posting",
    "SearchLog",
    "Term",
    "Version",
]
