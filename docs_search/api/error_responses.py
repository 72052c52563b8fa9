"""Every error of the API in its one shape: {error, message} and, where they help, retryAfter and versions."""

import logging
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler as framework_exception_handler

from docs_search.errors import DocentError, PageNotFound, UnknownVersion
from docs_search.limits import RateLimited

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
NO_SUCH_ADDRESS = "There is nothing at this address; /v1/openapi.json lists what there is."


class Unavailable(DocentError):
    """The database cannot serve the request now: it is down, or too busy; `retry_after` is in seconds."""

    code = "unavailable"

    def __init__(self, retry_after: int = RETRY_SECONDS) -> None:
        super().__init__(f"The database is down or too busy. Try again in {retry_after} s.")
        self.retry_after = retry_after


STATUSES: dict[type[DocentError], HTTPStatus] = {
    PageNotFound: HTTPStatus.NOT_FOUND,
    RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """An error as HTTP says it, whatever the transport is."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


def error_reply(error: DocentError) -> ErrorReply:
    """How the API says that a request cannot be served."""
    body: dict[str, Any] = {"error": error.code, "message": error.message}
    headers = {}
    if isinstance(error, UnknownVersion):
        body["versions"] = error.versions
    if isinstance(error, RateLimited | Unavailable):
        body["retryAfter"] = error.retry_after
        headers["Retry-After"] = str(error.retry_after)
    return ErrorReply(STATUSES.get(type(error), HTTPStatus.BAD_REQUEST), body, headers)


def exception_handler(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Turns what an API view raises into a response; None leaves it to `server_error` and the log.

    A database that is out of reach is no fault in our code, so the log gets its reason and no traceback.
    """
    if isinstance(exception, OperationalError | InterfaceError):
        # The lines after the first quote the statement, and with it what a reader has typed.
        logger.error("The database cannot serve: %s", str(exception).partition("\n")[0])
        exception = Unavailable()
    if isinstance(exception, DocentError):
        reply = error_reply(exception)
        return Response(reply.body, status=reply.status, headers=reply.headers)
    response = framework_exception_handler(exception, context)
    if response is None:
        return None
    if isinstance(exception, ValidationError):
        response.data = {"error": DocentError.code, "message": _faults(response.data)}
    else:
        detail = response.data["detail"]
        response.data = {"error": detail.code, "message": str(detail)}
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that no view saw: a foreign Host, far too many parameters."""
    if _in_api(request):
        return _error(HTTPStatus.BAD_REQUEST, DocentError.code, "The request cannot be read.")
    return defaults.bad_request(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _in_api(request):
        return _error(HTTPStatus.NOT_FOUND, PageNotFound.code, NO_SUCH_ADDRESS)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours. Django has logged it; the reader learns nothing about our insides."""
    if _in_api(request):
        return _error(HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", "The server has failed; this is its fault.")
    return defaults.server_error(request)


def _in_api(request: HttpRequest) -> bool:
    return re.match(settings.API_PATHS, request.path) is not None


def _error(status: HTTPStatus, code: str, message: str) -> JsonResponse:
    return JsonResponse({"error": code, "message": message}, status=status)


def _faults(faults: dict[str, list[str]]) -> str:
    """`limit: Ensure this value is at most 30.` for each parameter that is wrong."""
    return " ".join(f"{name}: {' '.join(messages)}" for name, messages in faults.items())
