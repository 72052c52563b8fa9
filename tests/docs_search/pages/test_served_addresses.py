"""A corpus that is published by Docent itself, under whatever address Docent has now."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from docs_search.indexing.ingest import ingest
from docs_search.models import Corpus
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db(transaction=True)

SERVER = "https://docs.example.com"
DOCUMENTS = {
    "backup.md": "# Backup\n\n## Dump\n\nCopy the cluster every night, as [tuning](tuning.md) says; and `{server}`.\n",
    "tuning.md": "# Tuning\n\nSet the memory before you make a [backup](backup.md) of anything.\n",
}


@pytest.fixture(autouse=True)
def corpus(tmp_path: Path, settings: Settings) -> Iterator[Corpus]:
    """Indexed while Docent had another address than it has now."""
    for path, text in DOCUMENTS.items():
        (tmp_path / path).write_text(text)
    settings.DEFAULT_CORPUS = "guide"
    settings.API_SERVER_URL = "http://127.0.0.1:8000"
    with use_embedder(ScriptedEmbedder()):
        corpus = make_corpus(
            "guide", parser="markdown", version_scheme="none", url="{server}/pages/guide/{path}", source=str(tmp_path)
        )
        ingest(corpus)
        settings.API_SERVER_URL = SERVER
        yield corpus


def get(client: Client, path: str, **parameters: str) -> Any:
    return client.get(path, parameters).json()


def test_a_new_address_of_the_server_changes_no_page(corpus: Corpus) -> None:
    assert not ingest(corpus).published


def test_results_lead_to_the_present_address(client: Client) -> None:
    [dump] = [hit for hit in get(client, "/v1/search", q="dump")["results"] if hit["title"] == "Backup"]

    assert dump["url"] == f"{SERVER}/pages/guide/backup"
    assert (
        dump["text"]
        == f"Copy the cluster every night, as [tuning]({SERVER}/pages/guide/tuning) says; and `{{server}}`."
    )


def test_a_page_is_found_at_the_present_address_and_leads_to_it(client: Client) -> None:
    page = get(client, "/v1/docs", url=f"{SERVER}/pages/guide/backup.html")

    assert page["url"] == f"{SERVER}/pages/guide/backup"
    assert [section["url"] for section in page["sections"]][-1] == f"{SERVER}/pages/guide/backup#dump"
    assert f"[tuning]({SERVER}/pages/guide/tuning)" in page["markdown"]


def test_related_pages_and_the_nearest_page_are_named_by_the_present_address(client: Client) -> None:
    related = get(client, "/v1/related", url=f"{SERVER}/pages/guide/backup")
    missing = get(client, "/v1/docs", url=f"{SERVER}/pages/guide/backups")

    assert [page["url"] for page in related["related"]] == [f"{SERVER}/pages/guide/tuning"]
    assert missing["message"].endswith(f"The nearest page is {SERVER}/pages/guide/backup")


def test_a_page_that_docent_renders_leads_to_the_present_address(client: Client) -> None:
    assert f"[backup]({SERVER}/pages/guide/backup)" in client.get("/pages/guide/tuning").content.decode()
