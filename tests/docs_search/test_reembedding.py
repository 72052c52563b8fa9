from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docs_search.checks import check_embedding_models
from docs_search.hits import Stage
from docs_search.models import Corpus, PassageVector
from docs_search.reembedding import reembed
from docs_search.search import search
from tests.fakes import ScriptedEmbedder
from tests.published_manual import published_manual

pytestmark = pytest.mark.django_db(transaction=True)


class OtherEmbedder(ScriptedEmbedder):
    name = "other"
    dimension = 16


@pytest.fixture
def manual(tmp_path: Path) -> Iterator[Corpus]:
    with published_manual(tmp_path, ScriptedEmbedder()):
        yield Corpus.objects.get(slug="manual")


@pytest.fixture
def configure(manual: Corpus) -> Iterator[Callable[[ScriptedEmbedder], None]]:
    """Let the settings name this embedder, after the manual was embedded with another."""
    with pytest.MonkeyPatch.context() as patch:

        def use(embedder: ScriptedEmbedder) -> None:
            for module in ("reembedding", "checks", "legs"):
                patch.setattr(f"docs_search.{module}.get_embedder", lambda: embedder)

        yield use


def test_with_another_model_searches_go_on_without_vectors_and_the_check_says_why(
    manual: Corpus, configure: Callable[[ScriptedEmbedder], None]
) -> None:
    configure(OtherEmbedder())

    result = search(query="dump every night", corpus="manual")

    assert result.degraded == [Stage.SEMANTIC]
    assert result.hits[0].title == "Backup"
    [fault] = check_embedding_models(databases=["default"])
    assert fault.id == "docs_search.E002"
    assert fault.hint == "Configure the former model again, or run: manage.py reembed manual"
    assert check_embedding_models() == []


def test_reembedding_switches_the_corpus_to_the_configured_model(
    manual: Corpus, configure: Callable[[ScriptedEmbedder], None]
) -> None:
    passages = PassageVector.objects.count()
    other = OtherEmbedder()
    configure(other)

    embedded = reembed(manual)

    assert embedded == len(other.texts) == passages
    assert {len(vector) for vector in PassageVector.objects.values_list("vector", flat=True)} == {16}
    assert (manual.embedding_model, manual.embedding_dimension) == ("other", 16)
    assert check_embedding_models(databases=["default"]) == []
    result = search(query="dump every night", corpus="manual")
    assert result.degraded == []
    assert result.hits[0].title == "Backup"
