from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from docs_search.indexing.ingest import ingest
from docs_search.models import IndexRun, Page
from docs_search.sources import SourceError
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.git_server import commit, git_server, make_repository

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[str]:
    """The address of a repository whose tags are releases, each with its own page below docs."""
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    folder = make_repository(tmp_path / "served" / "manual.git")
    for tag in ("REL_17_0", "REL_17_1", "REL_18_BETA1"):
        page = f"# Release {tag}\n\nWhat is new in this release of the database, and how to get there.\n"
        commit(folder, {"docs/start.md": page, "README.md": "# Readme\n\nFor those who build it.\n"}, tag=tag)
    with git_server(tmp_path / "served") as (address, _, certificate), use_embedder(ScriptedEmbedder()):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield f"{address}/manual.git"


def test_each_version_comes_from_its_newest_tag(repository: str) -> None:
    source = repository + "#{tag}:docs"
    corpus = make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}", source=source)
    for version in ("17", "18"):
        ingest(corpus, version)
    assert dict(Page.objects.values_list("url", "title")) == {
        "https://docs.example.org/17/start": "Release REL_17_1",
        "https://docs.example.org/18/start": "Release REL_18_BETA1",
    }
    assert {run.location for run in IndexRun.objects.all()} == {source}
    with pytest.raises(SourceError, match="The newest are REL_17_1, REL_17_0, REL_18_BETA1"):
        ingest(corpus, "19")


def test_a_corpus_without_versions_comes_from_the_newest_tag_of_all(repository: str) -> None:
    corpus = make_corpus("handbook", parser="markdown", url="https://docs.example.org/{path}", version_scheme="none")
    ingest(corpus, location=repository + "#{tag}:docs")
    assert Page.objects.get().title == "Release REL_17_1"
