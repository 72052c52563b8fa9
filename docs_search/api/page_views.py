"""Pages at Docent's own addresses: where the manual is published, and any indexed page in our rendering."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from docs_search.api.public_views import LimitedView, markdown_response
from docs_search.pages.lookup import find_page_by_path


@extend_schema(exclude=True)
class PageView(LimitedView):
    """`/pages/<source>/<path>` as Markdown; `source` names corpus and version in one."""

    def get(self, request: Request, source: str, path: str = "index", **_: Any) -> HttpResponse:
        response = markdown_response(find_page_by_path(source, path))
        response["X-Robots-Tag"] = "noindex"
        return response
