from math import cos, radians, sin
from typing import Any

import pytest
from pgvector import HalfVector
from pytest_django import DjangoAssertNumQueries

from docs_search.models import Page, PageVector
from docs_search.pages.related import related
from tests.factories import make_page, make_version


def page_at(angle: float, path: str, **fields: Any) -> Page:
    """A page whose mean vector points at `angle` degrees in the plane."""
    page = make_page(path=path, **fields)
    vector = HalfVector([cos(radians(angle)), sin(radians(angle))])
    PageVector.objects.create(page=page, version=page.version, vector=vector)
    return page


def titles(page: Page, limit: int = 10) -> list[str]:
    return [other.title for other in related(page, limit=limit)]


@pytest.mark.django_db
def test_pages_alike_in_content_come_first_and_the_page_itself_never() -> None:
    page = page_at(0, "a.html")
    page_at(60, "far.html")
    page_at(10, "near.html")

    assert titles(page) == ["Near", "Far"]
    assert related(page)[0].score == pytest.approx(cos(radians(10)), abs=1e-3)


@pytest.mark.django_db
def test_links_in_either_direction_and_a_common_section_lift_a_page() -> None:
    page = page_at(0, "guide/a.html", links=["x/linked.html"])
    page_at(20, "x/plain.html")
    page_at(22, "guide/neighbour.html")
    page_at(22, "x/linking.html", links=["guide/a.html"])
    page_at(22, "x/linked.html")

    assert titles(page) == ["Linked", "Linking", "Neighbour", "Plain"]


@pytest.mark.django_db
def test_other_versions_are_left_out() -> None:
    page = page_at(0, "a.html")
    other = make_version(page.version.corpus, "18")
    page_at(0, "b.html", version=other)

    assert titles(page) == []


@pytest.mark.django_db
def test_a_page_without_a_vector_is_related_by_its_links() -> None:
    page = make_page(path="a.html", links=["b.html"])
    page_at(0, "b.html")

    assert titles(page) == ["B"]


@pytest.mark.django_db
def test_one_query_whatever_the_number(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    page = page_at(0, "a.html")
    for number in range(3):
        page_at(number, f"p{number}.html")

    with django_assert_num_queries(1):
        assert len(titles(page, limit=2)) == 2
