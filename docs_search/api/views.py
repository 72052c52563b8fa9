"""The HTTP API below /v1/. Each view reads its parameters, calls one function and renders what that returns."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any, NoReturn

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from docs_search.api.clients import client_address, client_hash, client_surface
from docs_search.api.public_views import MARKDOWN, LimitedView, PublicView, markdown_response, read_parameters
from docs_search.api.schemas import (
    DocPageSerializer,
    DocParametersSerializer,
    DocPathParametersSerializer,
    ErrorSerializer,
    RelatedParametersSerializer,
    RelatedResponseSerializer,
    SearchParametersSerializer,
    SearchResponseSerializer,
)
from docs_search.errors import InvalidRequest
from docs_search.limits import RateLimited
from docs_search.models import Page
from docs_search.pages.lookup import find_page, find_page_by_path
from docs_search.pages.related import related
from docs_search.retrieval.search import MAX_QUERY, search
from docs_search.search_log import SearchLogEntry, enqueue

RETRY_AFTER = OpenApiParameter(
    "Retry-After", int, OpenApiParameter.HEADER, response=[429], description="Seconds to wait."
)
ERRORS = {
    400: OpenApiResponse(ErrorSerializer, description="A parameter is missing or cannot be used."),
    404: OpenApiResponse(ErrorSerializer, description="No page of the index has this address."),
    429: OpenApiResponse(
        ErrorSerializer, description="Too many requests of this client. Wait for `Retry-After` seconds."
    ),
}


class HealthView(PublicView):
    @extend_schema(
        operation_id="health",
        summary="Whether the server is up",
        responses=OpenApiResponse(
            {"type": "object", "required": ["ok"], "properties": {"ok": {"const": True}}}, description="It is."
        ),
    )
    def get(self, request: Request) -> Response:
        return Response({"ok": True})


class SearchView(LimitedView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        try:
            super().initial(request, *args, **kwargs)
        except RateLimited as refusal:
            if refusal.first:  # a flood that is refused must not fill the database
                query = request.query_params.get("q", "")[:MAX_QUERY]
                enqueue(
                    SearchLogEntry(
                        surface=client_surface(request), client=hashed_client(request), query=query, limited=True
                    )
                )
            raise

    @extend_schema(
        operation_id="search",
        summary="Search the docs by identifiers, words and meaning",
        description="Passages of the docs in one version, ranked, and the same passages by page. Nothing is generated."
        " The `Server-Timing` header tells how long each stage took.",
        parameters=[SearchParametersSerializer, RETRY_AFTER],
        responses={
            200: OpenApiResponse(SearchResponseSerializer, description="Ranked passages."),
            400: OpenApiResponse(
                ErrorSerializer, description="A parameter is missing or cannot be used, or there is no such version."
            ),
            429: ERRORS[429],
        },
    )
    def get(self, request: Request) -> Response:
        parameters = read_parameters(SearchParametersSerializer, request)
        result = search(
            query=parameters["q"],
            corpus=parameters.get("corpus") or None,
            version=parameters.get("version") or None,
            section=parameters.get("section") or None,
            limit=parameters["limit"],
            surface=client_surface(request),
            client=hashed_client(request),
        )
        response = SearchResponseSerializer(result, context={"debug": "debug" in parameters})
        return Response(response.data, headers={"Server-Timing": server_timing(result.timings)})


class DocView(LimitedView):
    @extend_schema(
        operation_id="getDoc",
        summary="One page as Markdown, by its address",
        description="With `Accept: text/markdown` the Markdown alone.",
        parameters=[DocParametersSerializer, RETRY_AFTER],
        responses={
            (200, "application/json"): OpenApiResponse(DocPageSerializer, description="The page."),
            (200, MARKDOWN): OpenApiResponse(str, description="The page."),
            **ERRORS,
        },
    )
    def get(self, request: Request) -> HttpResponse:
        parameters = read_parameters(DocParametersSerializer, request)
        return page_response(request, find_page(parameters["url"]))


class DocByPathView(LimitedView):
    @extend_schema(
        operation_id="getDocByPath",
        summary="One page as Markdown, by version and path",
        description="With `Accept: text/markdown` the Markdown alone.",
        parameters=[
            OpenApiParameter("version", str, OpenApiParameter.PATH, description="In any usual spelling, or `latest`."),
            OpenApiParameter("path", str, OpenApiParameter.PATH, description="Under the version; it may have slashes."),
            DocPathParametersSerializer,
            RETRY_AFTER,
        ],
        responses={
            (200, "application/json"): OpenApiResponse(DocPageSerializer, description="The page."),
            (200, MARKDOWN): OpenApiResponse(str, description="The page."),
            **ERRORS,
        },
    )
    def get(self, request: Request, version: str, path: str) -> HttpResponse:
        parameters = read_parameters(DocPathParametersSerializer, request, version=version, path=path)
        page = find_page_by_path(version, path, corpus=parameters.get("corpus") or None)
        return page_response(request, page)


class RelatedView(LimitedView):
    @extend_schema(
        operation_id="related",
        summary="What else to read after a page",
        parameters=[RelatedParametersSerializer, RETRY_AFTER],
        responses={
            200: OpenApiResponse(RelatedResponseSerializer, description="Related pages, the most related first."),
            **ERRORS,
        },
    )
    def get(self, request: Request) -> Response:
        page = find_page(read_parameters(RelatedParametersSerializer, request)["url"])
        return Response(RelatedResponseSerializer({"page": page, "related": related(page)}).data)


class OpenApiView(PublicView):
    @extend_schema(
        operation_id="openapi",
        summary="This document",
        responses=OpenApiResponse({"type": "object"}, description="The API as OpenAPI 3.1."),
    )
    def get(self, request: Request) -> HttpResponse:
        return HttpResponse(openapi_document(), content_type="application/json")


@extend_schema(exclude=True)
class MissingPathView(LimitedView):
    def get(self, request: Request) -> NoReturn:
        raise InvalidRequest("Give a version and a path: /v1/docs/{version}/{path}.")


def hashed_client(request: Request) -> str:
    """What stands for the client in today's logs."""
    return client_hash(client_address(request), datetime.now(UTC).date())


def page_response(request: Request, page: Page) -> HttpResponse:
    """A page as JSON, or as Markdown where the client prefers that."""
    if request.get_preferred_type(["application/json", MARKDOWN]) == MARKDOWN:
        response = markdown_response(page)
    else:
        response = Response(DocPageSerializer(page).data)
    patch_vary_headers(response, ["Accept"])
    return response


def server_timing(timings: dict[str, float]) -> str:
    """The value of a Server-Timing header; durations are milliseconds."""
    return ", ".join(f"{stage};dur={duration:.1f}" for stage, duration in timings.items())


@cache
def openapi_document() -> bytes:
    """The OpenAPI document of every app's endpoints. It follows from code and settings, so it is made once."""
    document = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return json.dumps(document).encode()
