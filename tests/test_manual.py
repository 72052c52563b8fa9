"""Docent's own manual as it is served: indexed with its declaration, searched, and its examples requested."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoDbBlocker

from docs_search.corpora import load_corpora
from docs_search.indexing.ingest import IndexReport, ingest
from docs_search.models import Corpus, Page
from docs_search.pages.addresses import served

DOCS = Path(__file__).resolve().parents[1] / "docs"
CURL = re.compile(r"^curl .*$", re.MULTILINE)
EXAMPLES = sorted(
    {line for page in ("http-api.md", "quick-start.md") for line in CURL.findall((DOCS / page).read_text())}
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def report(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[IndexReport]:
    """The run that indexed the manual, with the bundled model. Afterwards all is deleted."""
    with django_db_blocker.unblock():
        try:
            load_corpora(settings.CORPORA_FILE)
            yield ingest(Corpus.objects.get(slug=settings.MANUAL_CORPUS))
        finally:
            call_command("flush", interactive=False, verbosity=0)


def test_the_manual_is_indexed_whole_and_without_a_warning(report: IndexReport) -> None:
    assert report.warnings == []
    assert set(Page.objects.values_list("path", flat=True)) == {page.stem for page in DOCS.glob("*.md")}


def test_every_page_has_a_summary() -> None:
    assert list(Page.objects.filter(summary=None).values_list("path", flat=True)) == []


def test_every_page_is_served_where_results_link_to(client: Client) -> None:
    urls = [served(url) for url in Page.objects.values_list("url", flat=True)]

    assert {url: client.get(url.removeprefix(settings.API_SERVER_URL)).status_code for url in urls} == dict.fromkeys(
        urls, 200
    )


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_api_is_answered(client: Client, example: str) -> None:
    _, *arguments = shlex.split(example)
    headers = {}
    if "-H" in arguments:
        position = arguments.index("-H")
        name, value = arguments[position + 1].split(": ", 1)
        headers[name] = value
        del arguments[position : position + 2]
    (url,) = arguments
    parts = urlsplit(url)

    response = client.get(f"{parts.path}?{parts.query}", headers=headers)

    assert f"{parts.scheme}://{parts.netloc}" == settings.API_SERVER_URL
    assert response.status_code == 200, response.content
    if parts.path == "/v1/search":
        assert response.json()["results"]


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("how do I add a corpus", "How do I add a corpus?"),
        ("how to index a zip", "How do I index a zip file or another archive?"),
        ("what does degraded mean", "What does degraded mean?"),
        ("RATE_LIMIT", "RATE_LIMIT"),
    ],
)
def test_the_manual_answers_what_people_ask(client: Client, question: str, heading: str) -> None:
    results = client.get("/v1/search", {"q": question, "limit": "3"}).json()["results"]

    assert heading in [result["heading"] for result in results]
