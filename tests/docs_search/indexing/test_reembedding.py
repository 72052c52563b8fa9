from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django.fixtures import Settings

from docs_search.checks import check_embedding_models
from docs_search.indexing.reembedding import reembed
from docs_search.indexing.vectors import drop_vector_index
from docs_search.models import Corpus, PassageVector, Version
from docs_search.retrieval.hits import Stage
from docs_search.retrieval.search import search
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.published_manual import published_manual

pytestmark = pytest.mark.django_db(transaction=True)


class OtherEmbedder(ScriptedEmbedder):
    name = "other"
    dimension = 16


@pytest.fixture
def manual(tmp_path: Path) -> Iterator[Corpus]:
    with published_manual(tmp_path, ScriptedEmbedder()):
        yield Corpus.objects.get(slug="manual")


def test_with_another_model_searches_go_on_without_vectors_and_the_check_says_why(manual: Corpus) -> None:
    with use_embedder(OtherEmbedder()):
        result = search(query="dump every night", corpus="manual")
        [fault] = check_embedding_models(databases=["default"])

        assert check_embedding_models() == []
        call_command("migrate", skip_checks=False, verbosity=0)  # what an upgrade begins with must not be refused

    assert result.degraded == [Stage.SEMANTIC]
    assert result.hits[0].title == "Backup"
    assert fault.id == "docs_search.W001"
    assert fault.hint == "Configure the former model again, or run: manage.py reembed manual"


def test_reembedding_gives_large_versions_an_index_of_the_new_dimension(manual: Corpus, settings: Settings) -> None:
    settings.VECTOR_INDEX_MIN_PASSAGES = 1
    version = Version.objects.get()
    with use_embedder(OtherEmbedder()):
        reembed(manual)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = %s", [f"passagevector_hnsw_{version.pk}"])
        rows = cursor.fetchall()
    drop_vector_index(version.pk)

    assert ["halfvec(16)" in definition for (definition,) in rows] == [True]


def test_reembedding_switches_the_corpus_to_the_configured_model(manual: Corpus) -> None:
    passages = PassageVector.objects.count()
    other = OtherEmbedder()
    with use_embedder(other):
        embedded = reembed(manual)
        result = search(query="dump every night", corpus="manual")

        assert check_embedding_models(databases=["default"]) == []

    assert embedded == len(other.texts) - 1 == passages
    assert {len(vector) for vector in PassageVector.objects.values_list("vector", flat=True)} == {16}
    assert (manual.embedding_model, manual.embedding_dimension) == ("other", 16)
    assert result.degraded == []
    assert result.hits[0].title == "Backup"
    # What was remembered under the former publication was found with other vectors.
    assert Version.objects.get().publication == 2
