"""Pages at Docent's own addresses: where the manual is published, and any indexed page in our rendering."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from docs_search.api.public_views import MARKDOWN, LimitedView
from docs_search.pages.lookup import find_page_by_path


@extend_schema(exclude=True)
class PageView(LimitedView):
    """`/pages/<source>/<path>` as Markdown; `source` names corpus and version in one."""

    def get(self, request: Request, source: str, path: str = "index", **_: Any) -> HttpResponse:
        page = find_page_by_path(source, path)
        response = HttpResponse(page.markdown, content_type=f"{MARKDOWN}; charset=utf-8")
        response["X-Robots-Tag"] = "noindex"
        return response
