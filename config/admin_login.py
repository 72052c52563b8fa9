"""The sign-in form of the admin, against programs that try passwords."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from docs_search.api.clients import client_address
from docs_search.limits import Bucket, RateLimited, spend


def login(request: HttpRequest) -> HttpResponse:
    """Django's sign-in page. What is sent to it counts towards a limit of its own for each client."""
    if request.method == "POST":
        try:
            spend(Bucket.LOGIN, client_address(request))
        except RateLimited as refusal:
            return HttpResponse(
                refusal.message,
                status=429,
                content_type="text/plain; charset=utf-8",
                headers={"Retry-After": str(refusal.retry_after)},
            )
    return admin.site.login(request)
