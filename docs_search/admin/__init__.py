"""The admin: corpora are edited here; what the indexer and the searches write is there to be read."""

from django.contrib import admin

from docs_search.admin.corpora import CorpusAdmin
from docs_search.admin.evaluation import EvaluationResultAdmin, EvaluationRunAdmin
from docs_search.admin.judged_questions import JudgedQuestionAdmin
from docs_search.admin.pages import PageAdmin
from docs_search.admin.runs import IndexRunAdmin
from docs_search.admin.searches import SearchLogAdmin
from docs_search.admin.versions import VersionAdmin

__all__ = [
    "CorpusAdmin",
    "EvaluationResultAdmin",
    "EvaluationRunAdmin",
    "IndexRunAdmin",
    "JudgedQuestionAdmin",
    "PageAdmin",
    "SearchLogAdmin",
    "VersionAdmin",
]

admin.site.site_header = admin.site.site_title = "Docent"
admin.site.index_title = "Administration"
admin.site.site_url = None  # there is no page of ours at /
