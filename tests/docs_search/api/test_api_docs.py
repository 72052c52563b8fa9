import pytest
from django.test import Client

from docs_search.models import Page
from tests.factories import make_corpus, make_page, make_version

ADDRESS = "https://docs.example.org/postgres/17/sql-copy.html"
MARKDOWN = "# COPY\n\nMoves data between a file and a table.\n\n## Notes\n\nAn É."


@pytest.fixture
def page(db: None) -> Page:
    return make_page(
        path="sql-copy.html",
        title="COPY",
        summary="Moves data.",
        section="reference",
        plan="pro",
        deployment="cloud",
        aliases=["old-copy.html"],
        sections=[
            {"level": 1, "heading": "COPY", "anchor": None},
            {"level": 2, "heading": "Notes", "anchor": "notes-é"},
        ],
        markdown=MARKDOWN,
    )


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize("address", [f"/v1/docs?url={ADDRESS}%23notes", "/v1/docs/17.2/sql-copy?corpus=postgres"])
def test_page_has_every_field_of_the_contract(client: Client, address: str) -> None:
    response = client.get(address)

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.json() == {
        "url": ADDRESS,
        "version": "17",
        "title": "COPY",
        "summary": "Moves data.",
        "section": "reference",
        "plan": "pro",
        "deployment": "cloud",
        "aliases": ["old-copy.html"],
        "sections": [
            {"level": 2, "heading": "Notes", "anchor": "notes-é", "url": f"{ADDRESS}#notes-%C3%A9"},
        ],
        "markdown": MARKDOWN,
    }


@pytest.mark.django_db
def test_what_a_page_lacks_is_null(client: Client) -> None:
    make_page(path="intro.html")
    page = client.get("/v1/docs/latest/intro.html?corpus=postgres").json()

    assert [page[name] for name in ("summary", "section", "plan", "deployment", "aliases", "sections")] == [
        None, None, None, None, [], [],
    ]  # fmt: skip


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize("address", [f"/v1/docs?url={ADDRESS}", "/v1/docs/17/sql-copy.html?corpus=postgres"])
def test_markdown_is_served_to_who_prefers_it(client: Client, address: str) -> None:
    response = client.get(address, headers={"accept": "text/markdown, application/json;q=0.5"})

    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert response.content.decode() == f"{MARKDOWN}\n"


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("text/*", "text/markdown; charset=utf-8"),
        ("text/markdown;q=0.5, application/json", "application/json"),
        ("text/markdown;q=0", "application/json"),
        ("*/*", "application/json"),
        ("text/html,application/xhtml+xml", "application/json"),
        ("image/png", "application/json"),
        ("nonsense;;=,", "application/json"),
        ("", "application/json"),
    ],
)
def test_no_accept_header_is_refused(client: Client, accept: str, content_type: str) -> None:
    response = client.get(f"/v1/docs?url={ADDRESS}", headers={"accept": accept})

    assert (response.status_code, response.headers["Content-Type"]) == (200, content_type)
    assert "Accept" in response.headers["Vary"]


@pytest.mark.usefixtures("page")
def test_pages_of_a_corpus_are_found_by_its_source_slug(client: Client) -> None:
    assert client.get("/v1/docs/postgres_17/sql-copy.html").json()["url"] == ADDRESS


@pytest.mark.django_db
def test_unversioned_docs_have_a_blank_version(client: Client) -> None:
    corpus = make_corpus("guides", version_scheme="none", url="https://guides.example.org/{path}")
    make_page(make_version(corpus, ""), path="start.md")

    assert client.get("/v1/docs?url=https://guides.example.org/start.md").json()["version"] == ""


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    "address",
    [
        "/v1/docs?url=https://other.example.org/sql-copy.html",
        "/v1/docs?url=https://docs.example.org/postgres/17/nowhere.html",
        "/v1/docs?url=https://docs.example.org/postgres/16/sql-copy.html",
        "/v1/docs/17/nowhere?corpus=postgres",
        "/v1/docs/16/sql-copy?corpus=postgres",
        "/v1/docs/nonsense/sql-copy?corpus=postgres",
        "/v1/related?url=https://other.example.org/sql-copy.html",
    ],
)
def test_absent_page_is_404(client: Client, address: str) -> None:
    response = client.get(address, headers={"accept": "text/markdown"})

    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/json"
    assert response.json()["error"] == "not_found"


@pytest.mark.usefixtures("page")
def test_404_names_the_nearest_page(client: Client) -> None:
    message = client.get("/v1/docs/16/sql-copy?corpus=postgres").json()["message"]

    assert ADDRESS in message


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize(
    ("address", "code"),
    [
        pytest.param("/v1/docs", "invalid_request", id="url missing"),
        pytest.param("/v1/docs?url=", "invalid_request", id="url blank"),
        pytest.param("/v1/docs?url=sql-copy.html", "invalid_request", id="url relative"),
        pytest.param("/v1/docs?url=ftp://docs.example.org/x", "invalid_request", id="url of another scheme"),
        pytest.param(f"/v1/docs?url={ADDRESS}%00", "invalid_request", id="url with NUL"),
        pytest.param(f"/v1/docs?url={ADDRESS}&url={ADDRESS}", "invalid_request", id="url twice"),
        pytest.param("/v1/docs?url=https://docs.example.org/postgres/17/%2e%2e/x", "invalid_request", id="url climbs"),
        pytest.param(f"/v1/docs?url={ADDRESS}%FF", "invalid_request", id="query string not UTF-8"),
        pytest.param("/v1/docs?url=https://docs.example.org/" + "x" * 10_000, "invalid_request", id="url very long"),
        pytest.param("/v1/docs/", "invalid_request", id="version and path missing"),
        pytest.param("/v1/docs/17", "invalid_request", id="path missing"),
        pytest.param("/v1/docs/17/", "invalid_request", id="path blank"),
        pytest.param("/v1/docs//sql-copy.html", "invalid_request", id="version blank"),
        pytest.param("/v1/docs/17/../sql-copy.html", "invalid_request", id="path climbs"),
        pytest.param("/v1/docs/17/%2e%2e%2fsql-copy.html", "invalid_request", id="path climbs, encoded"),
        pytest.param("/v1/docs/17/sql-copy%00.html", "invalid_request", id="path with NUL"),
        pytest.param("/v1/docs/17%00/sql-copy.html", "invalid_request", id="version with NUL"),
        pytest.param("/v1/docs/17/" + "x" * 10_000, "invalid_request", id="path very long"),
        pytest.param("/v1/docs/17/sql-copy.html?corpus=nowhere", "unknown_corpus", id="corpus unknown"),
        pytest.param("/v1/docs/17/sql-copy.html?corpus=%00", "invalid_request", id="corpus with NUL"),
        pytest.param("/v1/related", "invalid_request", id="related: url missing"),
        pytest.param("/v1/related?url=nonsense", "invalid_request", id="related: url malformed"),
    ],
)
def test_what_cannot_be_an_address_is_400(client: Client, address: str, code: str) -> None:
    response = client.get(address)

    assert response.status_code == 400
    assert response.json().keys() == {"error", "message"}
    assert response.json()["error"] == code
