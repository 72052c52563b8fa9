import logging

import psycopg
import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from docs_search.api.error_responses import ErrorReply, Unavailable, error_reply
from docs_search.errors import (
    DocentError,
    InvalidRequest,
    PageNotFound,
    UnknownCorpus,
    UnknownSection,
    UnknownVersion,
)
from docs_search.limits import RateLimited
from tests.live_server import database_url

ORIGIN = {"origin": "https://reader.example.org"}


@pytest.mark.parametrize(
    ("error", "reply"),
    [
        (InvalidRequest("Why."), ErrorReply(400, {"error": "invalid_request", "message": "Why."})),
        (UnknownCorpus("Why."), ErrorReply(400, {"error": "unknown_corpus", "message": "Why."})),
        (UnknownSection("Why."), ErrorReply(400, {"error": "unknown_section", "message": "Why."})),
        (
            UnknownVersion("Why.", ["17", "16"]),
            ErrorReply(400, {"error": "unknown_version", "message": "Why.", "versions": ["17", "16"]}),
        ),
        (PageNotFound("Why."), ErrorReply(404, {"error": "not_found", "message": "Why."})),
        (
            RateLimited(7),
            ErrorReply(
                429,
                {"error": "rate_limited", "message": "Too many requests. Try again in 7 s.", "retryAfter": 7},
                {"Retry-After": "7"},
            ),
        ),
        (
            Unavailable(7),
            ErrorReply(
                503,
                {
                    "error": "unavailable",
                    "message": "The database is down or too busy. Try again in 7 s.",
                    "retryAfter": 7,
                },
                {"Retry-After": "7"},
            ),
        ),
    ],
)
def test_each_domain_error_has_a_status_and_a_body(error: DocentError, reply: ErrorReply) -> None:
    assert error_reply(error) == reply


@pytest.mark.django_db
def test_limited_client_is_told_when_to_come_back(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT = "1/d"
    address = "/v1/docs?url=nonsense"
    assert client.get(address).status_code == 400
    response = client.get(address, headers=ORIGIN)

    assert response.status_code == 429
    body = response.json()
    assert body.keys() == {"error", "message", "retryAfter"}
    assert body["error"] == "rate_limited"
    assert 1 <= body["retryAfter"] <= 24 * 3600
    assert response.headers["Retry-After"] == str(body["retryAfter"])
    assert response.headers["Access-Control-Expose-Headers"] == "Server-Timing, Retry-After"


@pytest.mark.django_db
def test_search_docs_and_related_share_one_count(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT = "4/d"
    statuses = [client.get(f"/v1/{name}").status_code for name in ("search", "docs", "docs/17", "related", "search")]

    assert statuses == [400, 400, 400, 400, 429]


@pytest.mark.django_db
def test_health_and_the_api_document_are_free(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT = "0/d"

    assert client.get("/v1/health").json() == {"ok": True}
    assert client.get("/v1/openapi.json").status_code == 200


@pytest.mark.parametrize(
    "address", ["/v1", "/v1/", "/v1/nothing", "/v1/search/", "/v1/health/", "/v1/nothing/%FF", "/v1/%00"]
)
def test_unknown_address_of_the_api_is_a_json_404(client: Client, address: str) -> None:
    response = client.get(address, headers=ORIGIN)

    assert response.status_code == 404
    assert response.json() == {
        "error": "not_found",
        "message": "There is nothing at this address; /v1/openapi.json lists what there is.",
    }
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("address", ["/nothing", "/v1nothing"])
def test_unknown_address_elsewhere_is_an_html_404(client: Client, address: str) -> None:
    response = client.get(address, headers=ORIGIN)

    assert response.status_code == 404
    assert response.headers["Content-Type"].startswith("text/html")
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["health", "search", "docs", "docs/17/x", "related", "openapi.json"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_other_methods_are_refused(client: Client, name: str, method: str) -> None:
    response = client.generic(method, f"/v1/{name}", headers=ORIGIN)

    assert response.status_code == 405
    assert response.json() == {"error": "method_not_allowed", "message": f'Method "{method}" not allowed.'}
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.django_db
def test_options_lists_the_methods(client: Client) -> None:
    response = client.options("/v1/search")

    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("name", ["search", "ask", "nothing"])
def test_preflight_allows_any_origin_without_credentials(client: Client, name: str) -> None:
    response = client.options(
        f"/v1/{name}",
        headers={
            **ORIGIN,
            "access-control-request-method": "GET",
            "access-control-request-headers": "x-docent-client",
        },
    )

    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS, POST"
    assert response.headers["Access-Control-Allow-Headers"] == "accept, content-type, x-docent-client"
    assert "Access-Control-Allow-Credentials" not in response.headers


def test_foreign_host_is_a_json_400(client: Client) -> None:
    response = client.get("/v1/health", headers={"host": "evil.example.org", **ORIGIN})

    assert response.status_code == 400
    assert response.json() == {"error": "invalid_request", "message": "The request cannot be read."}
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.django_db
def test_far_too_many_parameters_are_a_json_400(client: Client) -> None:
    response = client.get("/v1/docs?" + "&".join(f"p{number}=1" for number in range(2000)))

    assert response.status_code == 400
    assert response.json() == {"error": "invalid_request", "message": "The request cannot be read."}


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/v1/search?q=x", "/v1/docs?url=x", "/v1/related?url=x"])
def test_database_that_cannot_serve_is_a_503_and_no_traceback(
    client: Client, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = 10")
    with psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE docs_search_counter")
        response = client.get(address, headers=ORIGIN)

    assert response.status_code == 503
    assert response.json() == {
        "error": "unavailable",
        "message": "The database is down or too busy. Try again in 5 s.",
        "retryAfter": 5,
    }
    assert response.headers["Retry-After"] == "5"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert [(record.getMessage(), record.exc_info) for record in caplog.records] == [
        ("The database cannot serve: canceling statement due to lock timeout", None),
        (f"Service Unavailable: {address.partition('?')[0]}", None),
    ]


@pytest.mark.django_db
def test_fault_of_ours_says_nothing_about_it(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.RATE_LIMIT = "no rate"
    client.raise_request_exception = False
    with caplog.at_level(logging.ERROR, logger="django.request"):
        response = client.get("/v1/docs?url=x", headers=ORIGIN)

    assert response.status_code == 500
    assert response.json() == {"error": "internal_error", "message": "The server has failed; this is its fault."}
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert "Internal Server Error: /v1/docs" in caplog.text
