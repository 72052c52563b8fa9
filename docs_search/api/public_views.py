"""What every view for readers shares: JSON for any client, the limit, and parameters that are checked."""

from typing import Any
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from docs_search.api.clients import client_address
from docs_search.errors import InvalidRequest
from docs_search.limits import Bucket, spend
from docs_search.models import Page

MARKDOWN = "text/markdown"


class AlwaysJson(DefaultContentNegotiation):
    """Answers every Accept header with JSON: something to read is more use to a client than a 406."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class PublicView(APIView):
    """A view that anyone may ask as often as they like."""

    content_negotiation_class = AlwaysJson

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        return Response(status=204)


class LimitedView(PublicView):
    """A view whose requests count towards the client's limit."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        spend(Bucket.API, client_address(request))


def markdown_response(page: Page) -> HttpResponse:
    """A page's Markdown alone, as a text file: its last line ends too."""
    return HttpResponse(page.markdown.rstrip("\n") + "\n", content_type=f"{MARKDOWN}; charset=utf-8")


def read_parameters(serializer_class: type[Serializer[Any]], request: Request, **path: str) -> dict[str, Any]:
    """The parameters in the query string and those in the path, checked.

    Raises InvalidRequest or ValidationError. What is not UTF-8 is refused rather than repaired, as Django would; so is
    a parameter that is given twice, since either value may be the one that was meant.
    """
    try:
        unquote(request.META["QUERY_STRING"], errors="strict")
    except UnicodeDecodeError:
        raise InvalidRequest("The query string is not UTF-8.") from None
    if any("\ufffd" in part for part in path.values()):
        raise InvalidRequest("The path is not UTF-8.")
    known = serializer_class().fields
    for name, values in request.query_params.lists():
        if len(values) > 1 and name in known:
            raise InvalidRequest(f"{name}: Give it once.")
    serializer = serializer_class(data={**request.query_params.dict(), **path})
    serializer.is_valid(raise_exception=True)
    checked: dict[str, Any] = serializer.validated_data
    return checked
