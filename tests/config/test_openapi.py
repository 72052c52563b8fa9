"""The OpenAPI document against the API's contract: path by path, parameter by parameter, property by property."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from docs_search.api.views import openapi_document

DATA = Path(__file__).resolve().parents[1] / "data"
SPECIFICATION = Path(__file__).resolve().parents[3] / "shared" / "spec" / "openapi.json"
PROSE = {"description", "summary", "examples"}

# What the contract has and this service does not have yet.
LATER_PATHS = {"/v1/ask", "/v1/feedback", "/mcp"}
LATER_SCHEMAS = {
    "AskContext",
    "AskJsonResponse",
    "AskRequest",
    "AskResult",
    "Citation",
    "FeedbackRequest",
    "RetrievalEvent",
    "Usage",
}
# What this service adds: optional, so that a client of the contract never meets it.
ADDITIONS = {
    "paths /v1/search get parameters query:corpus": "optional string",
    "paths /v1/docs/{version}/{path} get parameters query:corpus": "optional string",
}


def without_prose(node: Any) -> Any:
    """A copy without the texts: names, types, bounds, enums and status codes stay."""
    if isinstance(node, list):
        return [without_prose(item) for item in node]
    if isinstance(node, dict):
        # A property may be called `summary`; then its value is a schema.
        return {key: without_prose(value) for key, value in node.items() if key not in PROSE or isinstance(value, dict)}
    return node


def facts(node: Any, *where: str) -> dict[str, Any]:
    """Every single statement of a document by where it stands, without regard to order."""
    if isinstance(node, dict) and node:
        items = node.items()
    elif where[-1:] == ("parameters",):
        items = {f"{item['in']}:{item['name']}": {"required": False, **item} for item in node}.items()
    elif where[-1:] in {("required",), ("enum",), ("type",)} and isinstance(node, list):
        return {" ".join(where): sorted(node, key=str)}
    elif isinstance(node, list) and node:
        items = {str(place): item for place, item in enumerate(node)}.items()
    else:
        return {" ".join(where): node}
    return {place: fact for key, value in items for place, fact in facts(value, *where, key).items()}


def statements(document: dict[str, Any]) -> dict[str, Any]:
    return facts(without_prose({key: document[key] for key in ("openapi", "paths", "components")}))


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(openapi_document())
    return parsed


@pytest.fixture
def contract() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads((DATA / "openapi_contract.json").read_text())
    return parsed


def test_what_is_not_served_yet_is_listed_here(document: dict[str, Any], contract: dict[str, Any]) -> None:
    assert contract["paths"].keys() - document["paths"].keys() == LATER_PATHS
    assert contract["components"]["schemas"].keys() - document["components"]["schemas"].keys() == LATER_SCHEMAS


def test_document_says_what_the_contract_says(document: dict[str, Any], contract: dict[str, Any]) -> None:
    for path in LATER_PATHS:
        del contract["paths"][path]
    for schema in LATER_SCHEMAS:
        del contract["components"]["schemas"][schema]
    wanted, ours = statements(contract), statements(document)
    additions = {
        f"{where} {key}": value
        for where in ADDITIONS
        for key, value in {"in": "query", "name": "corpus", "required": False, "schema type": "string"}.items()
    }

    assert {where: (fact, ours.get(where)) for where, fact in wanted.items() if ours.get(where) != fact} == {}
    assert {where: fact for where, fact in ours.items() if where not in wanted} == additions


def test_pinned_contract_is_the_specification_without_its_texts(contract: dict[str, Any]) -> None:
    if not SPECIFICATION.exists():
        pytest.skip("the API's specification is absent: ../shared/spec/openapi.json")
    specification = json.loads(SPECIFICATION.read_text())

    assert contract == without_prose({key: specification[key] for key in ("openapi", "paths", "components")})


def test_every_operation_and_parameter_is_explained(document: dict[str, Any]) -> None:
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]

    assert [operation["operationId"] for operation in operations if not operation.get("summary")] == []
    assert [
        (operation["operationId"], parameter["name"])
        for operation in operations
        for parameter in operation.get("parameters", [])
        if not parameter.get("description")
    ] == []


def test_names_come_from_the_settings(document: dict[str, Any], settings: Settings) -> None:
    assert document["info"]["title"] == settings.API_TITLE
    assert document["servers"] == [{"url": settings.API_SERVER_URL}]
    assert settings.RATE_LIMIT in document["info"]["description"]
    assert settings.RATE_LIMIT_ASK in document["info"]["description"]


def test_document_is_served_as_json(client: Client, document: dict[str, Any]) -> None:
    response = client.get("/v1/openapi.json")

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == document


def test_generation_has_nothing_to_warn_about(capsys: pytest.CaptureFixture[str]) -> None:
    openapi_document.cache_clear()
    openapi_document()

    assert capsys.readouterr().err == ""
