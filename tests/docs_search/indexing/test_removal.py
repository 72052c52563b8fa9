from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from docs_search.errors import InvalidRequest
from docs_search.indexing.ingest import ingest
from docs_search.indexing.removal import Removal, remove_corpus, remove_version
from docs_search.models import (
    Corpus,
    Embedding,
    Identifier,
    IndexRun,
    Page,
    PageVector,
    Passage,
    PassageVector,
    Posting,
    Version,
)
from docs_search.retrieval.search import search
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db(transaction=True)

OF_A_VERSION = (Posting, Identifier, PassageVector, PageVector, Passage, Page)
DOCUMENTS = {
    "index.md": "# Manual\n\nRun `pg_dump` every night and copy the file to another building.\n",
    "cloud/start.md": "# Cloud\n\nThe hosted product runs `pg_dump` for you, once an hour, in every plan.\n",
}


@pytest.fixture
def corpus(tmp_path: Path, settings: Settings) -> Iterator[Corpus]:
    """A corpus with the releases 16 and 17 and pages of the hosted product, all of them with vector indexes."""
    settings.VECTOR_INDEX_MIN_PASSAGES = 1
    for path, text in DOCUMENTS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with use_embedder(ScriptedEmbedder()):
        corpus = make_corpus(
            "manual",
            parser="markdown",
            url="https://docs.example.org/{version}/{path}",
            cloud_prefixes=["cloud/"],
            source=str(tmp_path),
        )
        ingest(corpus, "16")
        ingest(corpus, "17")
        yield corpus
        for version in Version.objects.all():
            remove_version(version.corpus, version.name)


def vector_indexes() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'passagevector\\_hnsw\\_%'")
        return int(cursor.fetchone()[0])


def test_a_version_is_removed_with_all_that_search_has_of_it(corpus: Corpus) -> None:
    before = {model: model.objects.exclude(version__name="16").count() for model in OF_A_VERSION}
    assert vector_indexes() == 3

    assert remove_version(corpus, "v16.2") == Removal(["manual_16"], 1)

    assert {model: model.objects.count() for model in OF_A_VERSION} == before
    assert min(before.values()) > 0
    assert set(Version.objects.values_list("source", flat=True)) == {"manual_17", "manual_cloud"}
    assert vector_indexes() == 2
    assert Embedding.objects.count() == 2
    assert {hit.version for hit in search(query="pg_dump", corpus="manual").hits} == {"17", "cloud"}


def test_a_removed_version_can_be_indexed_again_without_embedding(corpus: Corpus) -> None:
    remove_version(corpus, "17")

    report = ingest(corpus, "17")

    assert (report.published, report.embedded) == (True, 0)


def test_a_corpus_is_removed_with_everything(corpus: Corpus) -> None:
    removal = remove_corpus(corpus)

    assert (sorted(removal.sources), removal.pages) == (["manual_16", "manual_17", "manual_cloud"], 3)
    for model in (*OF_A_VERSION, Version, IndexRun, Corpus):
        assert model.objects.count() == 0
    assert vector_indexes() == 0


def test_pages_of_every_release_can_be_removed_by_the_name_of_their_version(corpus: Corpus) -> None:
    assert remove_version(corpus, "cloud") == Removal(["manual_cloud"], 1)


@pytest.mark.parametrize("name", ["15", "banana", "shared"])
def test_a_version_that_is_not_there_is_named_with_those_that_are(corpus: Corpus, name: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        remove_version(corpus, name)

    assert refusal.value.message == f"manual has no version {name!r}. Versions: 17, 16, cloud."
