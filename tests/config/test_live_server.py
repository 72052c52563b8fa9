"""The API over a real socket, through daphne and every middleware."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from pytest_django import DjangoDbBlocker

from docs_search.embedding.embedder import get_embedder
from tests.live_server import live_server, request
from tests.published_manual import PAGE, published_manual

CONFIGURATION = Path(__file__).resolve().parents[1] / "data" / "schemathesis.toml"
ADDRESS = PAGE.format("backup")
NO_LIMIT = "1000000/m"


@pytest.fixture(scope="module")
def manual(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    with django_db_blocker.unblock(), published_manual(tmp_path_factory.mktemp("manual"), get_embedder()):
        yield


@pytest.fixture(scope="module")
def server(manual: None) -> Iterator[str]:
    with live_server(RATE_LIMIT=NO_LIMIT, DEFAULT_CORPUS="manual") as address:
        yield address


def test_schemathesis_finds_no_violation(server: str, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIGURATION), "--no-color"]
    run = subprocess.run(
        [*command, "run", f"{server}/v1/openapi.json", "--url", server, "--workers", "2"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/v1/health", {}),
        ("/v1/search", {"q": "nightly dump"}),
        ("/v1/search", {"q": "nightly dump", "version": "18", "limit": "30", "debug": "1"}),
        ("/v1/docs", {"url": ADDRESS}),
        ("/v1/docs/{version}/{path}", {"corpus": "manual"}),
        ("/v1/related", {"url": ADDRESS}),
        ("/v1/openapi.json", {}),
    ],
)
def test_what_exists_is_served_as_the_document_says(server: str, path: str, query: dict[str, str]) -> None:
    document = schemathesis.openapi.from_url(f"{server}/v1/openapi.json")
    case = document[path]["GET"].Case(query=query, path_parameters={"version": "17", "path": "guide/backup"})

    assert case.call_and_validate(base_url=server).status_code == 200


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        pytest.param("/v1/search?q=%FF", 400, "invalid_request", id="query not UTF-8"),
        pytest.param("/v1/search?q=%ED%A0%80", 400, "invalid_request", id="query is half a surrogate pair"),
        pytest.param("/v1/search?q=x&version=%C3", 400, "invalid_request", id="version not UTF-8"),
        pytest.param("/v1/search?q=%00", 400, "invalid_request", id="query with NUL"),
        pytest.param("/v1/docs/17/%FF", 400, "invalid_request", id="path not UTF-8"),
        pytest.param("/v1/docs/%C3/x", 400, "invalid_request", id="version in the path not UTF-8"),
        pytest.param("/v1/docs/17/%00", 400, "invalid_request", id="path with NUL"),
        pytest.param("/v1/docs/17/../guide/backup", 400, "invalid_request", id="path climbs"),
        pytest.param("/v1/docs/17/%2e%2e%2Fguide/backup", 400, "invalid_request", id="path climbs, encoded"),
        pytest.param("/v1/docs/17/%252e%252e%252Fx", 400, "invalid_request", id="path climbs, encoded twice"),
        pytest.param("/v1/docs/17/" + "a/" * 5000, 400, "invalid_request", id="path very long"),
        pytest.param("/v1/docs?url=https://x.example.org/" + "a" * 10_000, 400, "invalid_request", id="url very long"),
        pytest.param("/v1/docs?url=https://x.example.org/guide/backup", 404, "not_found", id="foreign host"),
        pytest.param("/v1/docs//guide/backup", 400, "invalid_request", id="double slash"),
        pytest.param("/v1//search?q=x", 404, "not_found", id="double slash before the endpoint"),
        pytest.param("/v1/search/?q=x", 404, "not_found", id="slash after the endpoint"),
        pytest.param("/v1/%FF", 404, "not_found", id="address not UTF-8"),
    ],
)
def test_bad_input_is_a_4xx_in_the_error_shape(server: str, target: str, status: int, code: str) -> None:
    response = request(server, target, headers={"Origin": "https://reader.example.org"})
    body = json.loads(response.body)

    assert (response.status, body["error"]) == (status, code)
    assert body.keys() == {"error", "message"}
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_every_stage_works_in_the_server(server: str) -> None:
    reply = request(server, "/v1/search?q=how+do+I+save+my+data")
    body = json.loads(reply.body)

    assert body["results"][0]["heading"] == "Dump"  # by its meaning: no word of the query is in it
    assert "degraded" not in body
    assert [entry.split(";")[0] for entry in reply.headers["Server-Timing"].split(", ")].count("semantic") == 1


def test_head_is_get_without_a_body(server: str) -> None:
    response = request(server, "/v1/docs/17/guide/backup", method="HEAD")

    assert (response.status, response.body) == (200, b"")
    assert response.headers["Content-Type"] == "application/json"


@pytest.mark.usefixtures("manual")
def test_client_behind_a_proxy_cannot_choose_its_address() -> None:
    with live_server(RATE_LIMIT="1/d", TRUSTED_PROXIES="127.0.0.1") as proxied:
        statuses = [
            request(proxied, "/v1/docs", headers={"X-Forwarded-For": hops}).status
            for hops in ("198.51.100.1, 203.0.113.9", "198.51.100.2, 203.0.113.9", "203.0.113.10")
        ]

    assert statuses == [400, 429, 400]


@pytest.mark.usefixtures("manual")
def test_two_servers_share_one_count() -> None:
    with live_server(RATE_LIMIT="2/d") as first, live_server(RATE_LIMIT="2/d") as second:
        assert [request(server, "/v1/docs").status for server in (first, second, first)] == [400, 400, 429]
