"""Descriptions of APIs to pages, on one API of our own in all versions of the format."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Kind, ParsedPage, Section, join_blocks
from docs_search.parsing.openapi.parser import OpenApiParser
from tests.parsing import parse_context

DATA = Path(__file__).resolve().parents[3] / "data" / "openapi"
SITE = "https://docs.example/v2.0/"


def _parse(path: str, data: bytes, files: Mapping[str, bytes] | None = None) -> ParsedPage | None:
    def path_of(address: str) -> str | None:
        return address.removeprefix(SITE).partition("#")[0] if address.startswith(SITE) else None

    context = replace(parse_context({path: data, **(files or {})}), path_of=path_of)
    return OpenApiParser().parse(path, data, context)


def _ponds(name: str = "ponds.yaml") -> ParsedPage:
    page = _parse(f"api/{name}", (DATA / name).read_bytes())
    assert page is not None
    return page


def _page(document: Mapping[str, Any], files: Mapping[str, bytes] | None = None) -> ParsedPage:
    page = _parse("api.json", json.dumps({"openapi": "3.1.0", **document}).encode(), files)
    assert page is not None
    return page


def _section(page: ParsedPage, heading: str) -> Section:
    (section,) = [section for section in page.sections if section.heading == heading]
    return section


def _text(page: ParsedPage, heading: str) -> str:
    return join_blocks(_section(page, heading).blocks)


def _body(schema: Any, schemas: Mapping[str, Any] | None = None) -> list[str]:
    """The rows of the table that a request body with this schema gets."""
    operation = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    page = _page({"paths": {"/ponds": {"put": operation}}, "components": {"schemas": schemas or {}}})
    return [line for line in _text(page, "PUT /ponds").split("\n") if line.startswith("| `")]


# Pages


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("openapi.json", True),
        ("docs/swagger.yaml", True),
        ("pond.openapi.yml", True),
        ("api.json", True),
        (".github/dependabot.yml", False),
        ("_data/openapi.json", False),
        ("openapi.md", False),
    ],
)
def test_files_of_data_may_be_pages(path: str, expected: bool) -> None:
    assert OpenApiParser().is_page(path) is expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b'{"name": "pond", "version": "1.0"}',
        b"version: 3\nservices: {}\n",
        b"[openapi: 3]",
        b'{"openapi": 3}',
        b'{"note": "openapi: 3.0"}',
        b"type: object\nproperties: {}\n",
        b'{"openapi": "3.0.0", "info": {"title": "Pond"}}',
    ],
)
def test_data_that_describes_no_api_or_nothing_of_it_is_no_page(data: bytes) -> None:
    assert _parse("api.json", data) is None


def test_a_page_has_the_path_of_its_file_without_extension_and_the_title_of_the_api() -> None:
    page = _ponds()
    assert (page.path, page.title, page.section, page.warnings) == ("api/ponds", "Pond API", "api", ())


def test_operations_stand_under_their_tags_with_the_anchors_of_redoc() -> None:
    assert [(section.level, section.heading, section.anchor) for section in _ponds().sections] == [
        (1, "Pond API", None),
        (2, "Getting started", "section/Getting-started"),
        (3, "Limits & quotas", "section/Getting-started/Limits-quotas"),
        (2, "Authentication", "section/Authentication"),
        (2, "ponds", "tag/ponds"),
        (3, "GET /ponds/{id}: Read a pond", "tag/ponds/operation/getPond"),
        (3, "DELETE /ponds/{id}", "tag/ponds/operation/deletePond"),
        (3, "POST /ponds: Dig a pond", "tag/ponds/operation/createPond"),
        (2, "Fish", "tag/apifish"),
        (3, "GET /fish: List fish", None),
        (2, "Operations", None),
        (3, "GET /health", None),
    ]


def test_operations_are_sections_of_their_own_by_their_names() -> None:
    page = _ponds()
    operation = _section(page, "GET /ponds/{id}: Read a pond")
    assert (operation.own, operation.names) == (True, ("GET /ponds/{id}", "/ponds/{id}", "getPond"))
    assert {section.kind for section in page.sections} == {Kind.API}
    assert [section.heading for section in page.sections if section.own] == [
        section.heading for section in page.sections if "/" in section.heading
    ]


def test_the_api_tells_about_itself_where_it_is_served_and_who_may_ask() -> None:
    page = _ponds()
    assert join_blocks(page.sections[0].blocks) == (
        "Keeps *ponds*. See [the guide](https://docs.example/v2.0/guide.html#start).\n\n"
        "**Servers**\n\n- `https://api.pond.example/v1`: Production"
    )
    assert page.links == ("guide.html",)
    assert _text(page, "Authentication") == (
        "**key:** apiKey, header `X-Key`\n\nFrom the settings.\n\n**oauth:** oauth2\n\n"
        "- Flow authorizationCode, `https://auth.pond.example/`, `https://auth.pond.example/token`\n"
        "- Scope `write:ponds`: Change ponds\n- Scope `admin`\n\n**Authorization:** `key`"
    )
    assert _text(page, "ponds") == "Bodies of water."


# Operations


def test_an_operation_has_its_parameters_responses_and_an_example() -> None:
    assert _text(_ponds(), "GET /ponds/{id}: Read a pond") == "\n".join(
        [
            "Reads **one** pond.",
            "",
            "- by its id",
            "",
            "**Parameters**",
            "",
            "| Name | In | Type | Required | Description |",
            "| --- | --- | --- | --- | --- |",
            "| `id` | path | integer (int64) | yes | The pond's number. Minimum: `1`. |",
            "| `fields` | query | array of string | no | Such as `depth`. One of: `depth`, `width`, `on`. |",
            "| `Accept-Language` | header | string | no | Default: `en`. Maximum length: `5`. |",
            "",
            "**Responses**",
            "",
            "| Status | Description | Body |",
            "| --- | --- | --- |",
            "| `200` | The pond. | Pond |",
            "| `404` | There is none. | Error |",
            "",
            "**Response 200**",
            "",
            "| Property | Type | Required | Description |",
            "| --- | --- | --- | --- |",
            "| `id` | integer | yes | Read-only. |",
            "| `depth` | number or null | no | In *metres*. Default: `1.50`. |",
            "| `neighbours` | array of Pond | no |  |",
            "| `owner` | Owner | no |  |",
            "| `owner.name` | string | no | Pattern: `^[a-z\\|]+$`. |",
            "| `extra` | map of string | no |  |",
            "",
            "**Example response**",
            "",
            "```json",
            "{",
            '  "id": 7,',
            '  "depth": 1.50,',
            '  "clear": "yes",',
            '  "dug": "2024-01-31"',
            "}",
            "```",
        ]
    )


def test_a_deprecated_operation_says_so_and_which_scopes_it_asks_for() -> None:
    assert _text(_ponds(), "DELETE /ponds/{id}").startswith(
        "> **Warning:** This operation is deprecated.\n\n**Authorization:** `oauth` (`write:ponds`, `admin`) (optional)"
    )


def test_a_request_body_is_told_once_for_all_media_types() -> None:
    assert _text(_ponds(), "POST /ponds: Dig a pond") == "\n".join(
        [
            "**Request body (required)**",
            "",
            "What to dig.",
            "",
            "`application/json`: NewPond",
            "",
            "| Property | Type | Required | Description |",
            "| --- | --- | --- | --- |",
            "| `name` | string | yes | What it is called. |",
            "| `owner` | Owner | no |  |",
            "| `owner.name` | string | no | Pattern: `^[a-z\\|]+$`. |",
            "| `mode` | string | no | One of: `on`, `off`, `no`. |",
            "",
            "**Example**",
            "",
            "```json",
            "{",
            '  "name": "Puddle",',
            '  "owner": {',
            '    "name": "Ann"',
            "  }",
            "}",
            "```",
            "",
            "`application/xml`: NewPond",
            "",
            "**Responses**",
            "",
            "| Status | Description | Body |",
            "| --- | --- | --- |",
            "| `201` | Dug. | array of Pond |",
            "",
            "**Response 201**",
            "",
            "| Property | Type | Required | Description |",
            "| --- | --- | --- | --- |",
            "| `[].id` | integer | yes | Read-only. |",
            "| `[].depth` | number or null | no | In *metres*. Default: `1.50`. |",
            "| `[].neighbours` | array of Pond | no |  |",
            "| `[].owner` | Owner | no |  |",
            "| `[].owner.name` | string | no | Pattern: `^[a-z\\|]+$`. |",
            "| `[].extra` | map of string | no |  |",
            "",
            "- Callback `onDug: POST {$request.body#/hook}`",
        ]
    )


def test_without_a_successful_response_the_default_one_is_told() -> None:
    assert "**Response default**\n\n| Property |" in _text(_ponds(), "GET /fish: List fish")


def test_swagger_2_has_its_bodies_among_the_parameters() -> None:
    page = _ponds("ponds-2.0.json")
    assert join_blocks(page.sections[0].blocks).endswith(
        "- `https://api.pond.example/v1`\n- `http://api.pond.example/v1`"
    )
    assert _text(page, "Authentication") == (
        "**login:** basic\n\n**token:** oauth2\n\n- Flow implicit, `https://auth.pond.example/`\n"
        "- Scope `read`: Read ponds"
    )
    created = _text(page, "POST /ponds")
    assert "| `dry` | query | boolean | no | Default: `false`. |" in created
    assert "**Request body (required)**\n\nWhat to dig.\n\n`application/json`: Pond\n\n| Property |" in created
    assert created.endswith('```json\n{\n  "id": 1.50,\n  "name": "Puddle"\n}\n```')
    photo = _text(page, "POST /photos")
    assert "`multipart/form-data`: object" in photo
    assert "| `photo` | file | yes | The photo. |\n| `title` | string | no |  |" in photo


def test_webhooks_of_version_3_1_are_operations() -> None:
    webhook = {"post": {"summary": "Told of it", "responses": {"200": {"description": "OK"}}}}
    page = _page({"info": {"title": "Pond", "summary": "All ponds."}, "webhooks": {"dug": webhook}})
    assert page.summary == "All ponds."
    assert [(section.level, section.heading) for section in page.sections[1:]] == [
        (2, "Webhooks"),
        (3, "Webhook POST dug: Told of it"),
    ]


# Schemas


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}, "array of array of integer"),
        ({"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Fish"}}, "map of Fish"),
        ({"$ref": "#/components/schemas/Fish"}, "Fish"),
        ({"$ref": "#/components/schemas/Name"}, "string"),
        ({"$ref": "#/components/schemas/Missing"}, "Missing"),
        ({"oneOf": [{"$ref": "#/components/schemas/Fish"}, {"type": "null"}]}, "Fish or null"),
        ({"allOf": [{"$ref": "#/components/schemas/Fish"}, {"description": "x"}]}, "Fish"),
        ({"enum": ["a", "b"]}, "string"),
        ({"const": True}, "boolean"),
        ({}, "any"),
        (True, "any"),
        ("nonsense", "any"),
        ({"type": 7, "items": "x"}, "array of any"),
    ],
)
def test_types_are_told_in_words(schema: Any, expected: str) -> None:
    schemas = {"Fish": {"type": "object", "properties": {}}, "Name": {"type": "string"}}
    (row, *_) = _body({"properties": {"it": schema}}, schemas)
    assert row.split(" | ")[1] == expected


def test_a_schema_that_contains_itself_is_told_once() -> None:
    tree = {
        "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
        }
    }
    assert _body({"$ref": "#/components/schemas/Tree"}, {"Tree": tree}) == [
        "| `name` | string | no |  |",
        "| `children` | array of Tree | no |  |",
    ]


def test_what_is_too_deep_or_too_much_for_a_table_has_a_section_of_its_own() -> None:
    schemas: dict[str, Any] = {
        f"S{n}": {"properties": {"next": {"$ref": f"#/components/schemas/S{n + 1}"}}} for n in range(6)
    }
    schemas["S6"] = {"properties": {f"p{n}": {"type": "string"} for n in range(70)}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}
    page = _page({"paths": {"/a": {"put": {"requestBody": body}}}, "components": {"schemas": schemas}})
    assert [(section.level, section.heading, section.own) for section in page.sections[3:]] == [
        (2, "Schemas", False),
        (3, "S4", True),
    ]
    assert "| `next.next.p69` | string | no |  |" in _text(page, "S4")


def test_references_lead_to_other_files_of_the_source_and_no_further() -> None:
    files = {
        "paths/pond.yaml": b"get:\n  summary: Read\n  parameters:\n    - {$ref: ../parts.json#/id}\n",
        "parts.json": b'{"id": {"name": "id", "in": "path", "schema": {"$ref": "schemas/id.yaml"}}}',
        "schemas/id.yaml": b"type: integer\n",
    }
    paths = {
        "/a": {"$ref": "paths/pond.yaml"},
        "/b": {"$ref": "paths/pond.yaml#/none"},
        "/c": {"$ref": "https://other.example/paths.yaml"},
        "/d": {"$ref": "../../etc/passwd"},
        "/e": {"get": {"parameters": [{"$ref": "#/x~1y/0"}]}},
    }
    page = _page({"paths": paths, "x/y": [{"name": "q", "in": "query"}]}, files)
    assert "| `id` | path | integer | no |  |" in _text(page, "GET /a: Read")
    assert "| `q` | query | any | no |  |" in _text(page, "GET /e")
    assert page.warnings == (
        "the reference to paths/pond.yaml#/none leads nowhere",
        "the reference to https://other.example/paths.yaml was not followed: it leads out of the source",
        "the reference to ../../etc/passwd leads nowhere",
    )


# Faults


def test_a_document_that_ends_too_early_is_read_up_to_there() -> None:
    whole = json.dumps(
        {"openapi": "3.0.0", "info": {"title": "Pond"}, "paths": {f"/p{n}": {"get": {}} for n in range(9)}}
    )
    page = _parse("api.json", whole[:-12].encode())
    assert page is not None
    assert [section.heading for section in page.sections if section.own] == [f"GET /p{n}" for n in range(8)]
    (warning,) = page.warnings
    # Between the two stands what the library says, which differs with the library behind it.
    assert (warning.split(": ")[0], warning.split("; ")[-1]) == ("is not valid", "what follows is left out")


def test_yaml_keeps_what_is_written_and_merges_what_is_named() -> None:
    data = b"""
openapi: 3.1.0
info: {title: Yes, title: No, description: x}
common: &common
  summary: Read
  description: From 2024-01-31 on.
paths:
  /a:
    get: {<<: *common, summary: Other}
"""
    page = _parse("api.yaml", data)
    assert page is not None
    assert page.title == "No"
    assert _text(page, "GET /a: Other") == "From 2024-01-31 on."


@pytest.mark.parametrize(
    "data",
    [
        "openapi: 3.0.0\na: &a [x, x, x]\n" + "".join(f"a{n}: &a{n} [*a, *a, *a]\n" for n in range(9)) + "paths: *a8\n",
        '{"openapi": "3.0.0", "x": ' + "[" * 100_000,
        '{"openapi": "3.0.0", "x": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}",
        "openapi: 3.0.0\ninfo: &i {title: x, i: *i}\npaths: &p {/a: {get: {responses: *p}}, get: *p}\n",
        "openapi: 3.0.0\nx: &x {" + ", ".join(f"k{n}: 1" for n in range(2000)) + "}\ny:\n" + "- {<<: *x}\n" * 3000,
        '{"openapi": "3.0.0", "info": {"title": "\\ud800", "description": "' + "[" * 50_000 + '"}}',
        '{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {"200": {"content": {"a/b": {"example": '
        + "[" * 900 + "1" + "]" * 900 + "}}}}}}}}",
    ],
)  # fmt: skip
def test_hostile_documents_take_little_time_and_space(data: str) -> None:
    started = time.monotonic()
    page = _parse("api.yaml", data.encode())
    assert page is None or len(page.markdown) < 10 * len(data)
    assert time.monotonic() - started < 20


def test_schemas_that_multiply_each_other_are_told_within_bounds() -> None:
    schemas = {f"S{n}": {"allOf": [{"$ref": f"#/components/schemas/S{m}"} for m in range(40)]} for n in range(40)}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}
    started = time.monotonic()
    page = _page(
        {"paths": {f"/{n}": {"put": {"requestBody": body}} for n in range(50)}, "components": {"schemas": schemas}}
    )
    assert len([section for section in page.sections if section.own]) == 50
    assert time.monotonic() - started < 30


KEYS = (
    "$ref", "/a", "200", "additionalProperties", "allOf", "anyOf", "application/json", "callbacks", "components",
    "content", "default", "deprecated", "description", "enum", "example", "examples", "flows", "get", "in", "info",
    "items", "name", "operationId", "parameters", "properties", "required", "requestBody", "responses", "schema",
    "schemas", "scopes", "security", "securitySchemes", "servers", "summary", "tags", "title", "type", "url", "x",
)  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(
        (
            "#/components/schemas/A",
            "#/paths/~1a",
            "other.yaml",
            "http://x/",
            "object",
            "array",
            "string",
            "*a* `b",
            "\ud800",
        )
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=30,
)
OPERATIONS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("parameters", "requestBody", "responses", "tags", "security", "callbacks"), VALUES)
)
COMPONENTS = st.fixed_dictionaries(
    {}, optional={"schemas": st.fixed_dictionaries({"A": VALUES}), "securitySchemes": VALUES}
)


@given(
    st.fixed_dictionaries(
        {"paths": st.fixed_dictionaries({"/a": st.fixed_dictionaries({"get": OPERATIONS})}) | VALUES},
        optional={
            "components": COMPONENTS,
            **dict.fromkeys(("info", "tags", "servers", "webhooks", "security"), VALUES),
        },
    ),
    st.sampled_from(("openapi", "swagger")),
)
@settings(max_examples=100, deadline=None)
def test_wrong_types_anywhere_are_borne(document: dict[str, Any], version: str) -> None:
    data = json.dumps({version: "3.0", **document}).encode()
    page = _parse("api.json", data)
    if page is not None:
        assert len(page.markdown) < 100 * len(data) + 2_000


@given(
    st.lists(
        st.sampled_from(
            ("openapi: 3.0\n", "info:", " ", "\n", "- ", "&a ", "*a", "{", "}", "[", ",", "'", "? ", "<<: ", "x")
        )
    )
)
@settings(max_examples=100, deadline=None)
def test_any_yaml_is_borne(parts: list[str]) -> None:
    _parse("api.yaml", ("openapi: 3.0.0\n" + "".join(parts)).encode())


@given(st.binary(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_bytes_are_borne(data: bytes) -> None:
    _parse("api.json", b'{"openapi": "3.0.0", ' + data)
