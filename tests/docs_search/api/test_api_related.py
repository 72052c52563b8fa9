import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from docs_search.models import Page
from tests.factories import make_page, make_version

ADDRESS = "https://docs.example.org/postgres/17/{}"


@pytest.fixture
def page(db: None) -> Page:
    return make_page(path="sql-copy.html", links=["sql-insert.html"])


def test_related_pages_come_with_their_score(client: Client, page: Page) -> None:
    make_page(path="sql-insert.html", title="INSERT")
    make_page(path="sql-vacuum.html", title="VACUUM", links=["sql-copy.html"])
    response = client.get("/v1/related", {"url": page.url})

    assert response.status_code == 200
    assert response.json() == {
        "url": ADDRESS.format("sql-copy.html"),
        "title": "Sql copy",
        "version": "17",
        "related": [
            {"url": ADDRESS.format("sql-insert.html"), "title": "INSERT", "score": 0.15},
            {"url": ADDRESS.format("sql-vacuum.html"), "title": "VACUUM", "score": 0.10},
        ],
    }


def test_page_without_relations_has_none(client: Client, page: Page) -> None:
    assert client.get("/v1/related", {"url": page.url}).json()["related"] == []


def test_relations_stay_in_the_version(client: Client, page: Page) -> None:
    make_page(make_version(name="16"), path="sql-insert.html")

    assert client.get("/v1/related", {"url": page.url}).json()["related"] == []


@pytest.mark.parametrize("others", [1, 3])
def test_queries_do_not_grow_with_the_related_pages(
    client: Client, page: Page, others: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(others):
        make_page(path=f"{number}.html", links=["sql-copy.html"])

    client.get("/v1/related", {"url": page.url})  # starts the client's count, which the next request increments
    with django_assert_num_queries(5):
        response = client.get("/v1/related", {"url": page.url})

    assert len(response.json()["related"]) == others
