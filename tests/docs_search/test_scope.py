from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from docs_search.errors import DocentError, InvalidRequest, UnknownCorpus, UnknownVersion
from docs_search.models import Corpus, Version
from docs_search.scope import Scope, resolve_scope
from docs_search.versions import Fallback
from tests.factories import make_corpus, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def corpora(settings: Settings) -> None:
    settings.DEFAULT_CORPUS = "postgres"
    postgres = make_corpus("postgres")
    for name in ("15", "18", "17"):
        make_version(postgres, name)
    make_version(postgres, "19", published=False)
    metabase = make_corpus("metabase", version_scheme="metabase")
    for name in ("v0.63", "cloud", "shared"):
        make_version(metabase, name, publication=3)
    docent = make_corpus("docent", version_scheme="none", url="https://docs.example.org/docent/{path}")
    make_version(docent, "")
    make_corpus("empty")


def found(scope: Scope) -> tuple[str, str]:
    return scope.corpus.slug, scope.version.name


@pytest.mark.parametrize(
    ("corpus", "version", "expected"),
    [
        (None, None, ("postgres", "18")),
        ("", "", ("postgres", "18")),
        (None, "latest", ("postgres", "18")),
        (None, "17.2", ("postgres", "17")),
        ("metabase", None, ("metabase", "v0.63")),
        ("Metabase", "63", ("metabase", "v0.63")),
        (None, "postgres_17", ("postgres", "17")),
        (None, "Postgres_17.2", ("postgres", "17")),
        (None, "postgres_latest", ("postgres", "18")),
        (None, "metabase_v0.63", ("metabase", "v0.63")),
        ("metabase", "metabase_v0.63", ("metabase", "v0.63")),
        (None, "docent", ("docent", "")),
        ("docent", "docent", ("docent", "")),
        ("docent", "latest", ("docent", "")),
    ],
)
def test_corpus_and_version_are_found(corpus: str | None, version: str | None, expected: tuple[str, str]) -> None:
    scope = resolve_scope(corpus, version)
    assert (found(scope), scope.fallback) == (expected, None)


def test_pages_for_every_release_are_searched_with_each() -> None:
    scope = resolve_scope("metabase", "v0.63")
    names = dict(Version.objects.values_list("pk", "name"))
    assert [names[version] for version in scope.version_ids] == ["v0.63", "cloud", "shared"]
    assert scope.publications == [3, 3, 3]


def test_unindexed_release_falls_back_and_says_so() -> None:
    scope = resolve_scope("postgres", "16")
    note = "postgres 16 is not indexed; 15 is the nearest older version that is."
    assert (found(scope), scope.fallback) == (("postgres", "15"), Fallback("16", "15", note))


def test_manual_is_the_default_where_the_default_corpus_is_not_indexed(settings: Settings) -> None:
    settings.DEFAULT_CORPUS = "empty"
    assert found(resolve_scope()) == ("docent", "")


def refused(corpus: str | None, version: str | None = None) -> DocentError:
    with pytest.raises(DocentError) as fault:
        resolve_scope(corpus, version)
    return fault.value


def test_disagreement_of_corpus_and_version_is_refused() -> None:
    fault = refused("metabase", "postgres_17")
    assert type(fault) is InvalidRequest
    assert fault.message == "The version is one of postgres, but the corpus is metabase. Leave one of them out."


@pytest.mark.parametrize("corpus", ["oracle", "post\0gres", "x" * 100, "a_b", "\ud800"])
def test_unknown_corpus_is_told_what_there_is(corpus: str) -> None:
    fault = refused(corpus)
    assert type(fault) is UnknownCorpus
    assert fault.message == f"There is no corpus {corpus[:40]!r}. Indexed are: docent, metabase, postgres."


@pytest.mark.parametrize(
    "version", ["sixteen", "cloud", "postgres", "oracle_17", "postgres_sixteen", "\0", "17\0", "\ud800_17", "_", "_17"]
)
def test_what_is_no_version_is_told_what_there_is(version: str) -> None:
    fault = refused("postgres", version)
    assert isinstance(fault, UnknownVersion)
    assert fault.versions == ["18", "17", "15"]


def test_version_of_absurd_length_is_refused() -> None:
    assert type(refused(None, "1" * 100_000)) is InvalidRequest
    assert type(refused(None, "1_" * 100_000)) is InvalidRequest


@pytest.mark.parametrize(
    ("scheme", "source", "rest"),
    [
        ("none", "docs", ""),
        ("none", "", " --from FOLDER_OR_ARCHIVE"),
        ("major", "manuals/{version}.zip", " VERSION"),
        ("major", "", " VERSION --from FOLDER_OR_ARCHIVE"),
    ],
)
def test_corpus_without_an_index_says_how_to_make_one(scheme: str, source: str, rest: str) -> None:
    Corpus.objects.filter(slug="empty").update(version_scheme=scheme, source=source)
    fault = refused("empty")
    assert isinstance(fault, UnknownVersion)
    assert fault.message == f"Nothing of empty is indexed yet. Index it with: manage.py ingest empty{rest}"


def test_installation_without_an_index_says_how_to_make_one() -> None:
    Version.objects.all().delete()
    fault = refused(None)
    assert isinstance(fault, UnknownVersion)
    assert fault.message == "Nothing is indexed yet. Index it with: manage.py ingest docent"


def test_installation_with_neither_default_asks_for_a_corpus(settings: Settings) -> None:
    settings.DEFAULT_CORPUS = "empty"
    Version.objects.filter(source="docent").delete()
    fault = refused(None)
    assert type(fault) is InvalidRequest
    assert fault.message == "Name a corpus, since the default one is not indexed. Indexed are: metabase, postgres."


@pytest.mark.parametrize("arguments", [(None, None), ("postgres", "16"), (None, "metabase_v0.63"), ("docent", None)])
def test_scope_takes_one_query(arguments: tuple[Any, Any], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        resolve_scope(*arguments)


def test_publish_is_seen_at_once() -> None:
    before = resolve_scope("postgres")
    Version.objects.filter(source="postgres_18").update(publication=2)
    assert (before.publications, resolve_scope("postgres").publications) == ([1], [2])
