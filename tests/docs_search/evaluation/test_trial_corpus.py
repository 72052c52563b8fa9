from collections.abc import Iterator

import pytest
from django.core.management import call_command

from docs_search.documents import Block, BlockType, ParsedPage, Section
from docs_search.errors import InvalidRequest, UnknownVersion
from docs_search.evaluation.trial_corpus import trial_corpus
from docs_search.models import Corpus, Embedding, Page, Passage, Version
from docs_search.retrieval.ablation import ranked_pages
from docs_search.scope import indexed_corpora, resolve_scope
from tests.factories import make_corpus, make_version
from tests.fakes import ScriptedEmbedder, use_embedder

# Publishing ends in a VACUUM, which no transaction may hold.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def embedder() -> Iterator[ScriptedEmbedder]:
    embedder = ScriptedEmbedder()
    with use_embedder(embedder):
        yield embedder


def make_pages(*texts: str) -> list[ParsedPage]:
    return [
        ParsedPage(f"d{number}", "", [Section(1, "", None, [Block(BlockType.PARAGRAPH, text)], own=True)])
        for number, text in enumerate(texts, start=1)
    ]


def test_it_can_be_measured_and_is_served_to_nobody() -> None:
    with trial_corpus("beir-sleep", make_pages("Sleep for eight hours.", "Eat.")) as scope:
        found = Page.objects.in_bulk(ranked_pages("how many hours of sleep", scope))
        assert [page.path for page in found.values()][:1] == ["d1"]
        assert scope.version.passage_count == 2
        assert indexed_corpora() == {}
        with pytest.raises(UnknownVersion, match="Nothing of beir-sleep is indexed yet"):
            resolve_scope("beir-sleep")

    assert (Corpus.objects.count(), Page.objects.count(), Passage.objects.count()) == (0, 0, 0)
    assert Embedding.objects.count() == 2


def test_it_is_removed_after_a_failure_too() -> None:
    def broken() -> Iterator[ParsedPage]:
        yield from make_pages("Sleep for eight hours.")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), trial_corpus("beir-sleep", broken()):
        raise AssertionError("nothing is to be measured")
    with pytest.raises(ZeroDivisionError), trial_corpus("beir-sleep", make_pages("Sleep.")):
        raise ZeroDivisionError
    assert (Corpus.objects.count(), Version.objects.count()) == (0, 0)


def test_what_was_kept_is_used_again_and_brought_up_to_date(embedder: ScriptedEmbedder) -> None:
    with trial_corpus("beir-sleep", make_pages("Sleep for eight hours.", "Eat."), keep=True) as first:
        passages = set(Passage.objects.values_list("pk", flat=True))
    with trial_corpus("beir-sleep", make_pages("Sleep for eight hours.", "Drink."), keep=True) as second:
        assert (second.version, second.publications) == (first.version, [0])
        assert len(passages & set(Passage.objects.values_list("pk", flat=True))) == 1

    assert Corpus.objects.get().versions.published().count() == 0
    assert len([text for text in embedder.texts if "eight hours" in text]) == 1
    call_command("flush", interactive=False, verbosity=0)


def test_a_corpus_of_readers_is_left_alone() -> None:
    make_version(make_corpus("beir-sleep"))
    with pytest.raises(InvalidRequest, match="that readers search"), trial_corpus("beir-sleep", []):
        raise AssertionError("nothing is to be measured")
    assert Version.objects.count() == 1


def test_an_id_belongs_to_one_document() -> None:
    pages = make_pages("Sleep.")
    with (
        pytest.raises(InvalidRequest, match="beir-sleep has two documents 'd1'"),
        trial_corpus("beir-sleep", pages * 2),
    ):
        raise AssertionError("nothing is to be measured")
