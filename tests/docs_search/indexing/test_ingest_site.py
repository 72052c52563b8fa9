"""Indexing of a website on loopback, from its addresses to the published version."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from docs_search.indexing.ingest import ingest
from docs_search.indexing.runs import IndexingError
from docs_search.models import Corpus, IndexRun, Page, Version
from docs_search.sources.site import politeness
from docs_search.sources.site.location import SiteLocation
from docs_search.sources.site.source import stores_folder
from docs_search.tasks import ingest_version
from tests.crawling import links
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.site_server import Site, serve_site

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = [f"p{number:02}" for number in range(30)]


@pytest.fixture
def site(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site of 31 pages, all of which its start page links to."""
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    settings.CRAWL_REQUESTS_PER_SECOND = 1000.0
    monkeypatch.setattr(politeness, "FIRST_PAUSE", 0.01)
    pages = {f"/docs/{name}": f"<h1>{name}</h1><p>What the page {name} says about one thing.</p>" for name in NAMES}
    with serve_site({"/docs/": f"<h1>Start</h1>{links(*NAMES)}", **pages}) as served, use_embedder(ScriptedEmbedder()):
        yield served
    for file in stores_folder().glob(f"{SiteLocation.parse(f'{served.url}/docs/').digest}.*"):
        file.unlink()


def corpus_of(site: Site) -> Corpus:
    return make_corpus(
        "manual",
        parser="html",
        url="https://docs.example.org/{path}",
        version_scheme="none",
        source=f"{site.url}/docs/",
    )


def test_a_site_that_has_lost_its_links_does_not_delete_its_pages(site: Site) -> None:
    corpus = corpus_of(site)
    assert ingest(corpus).pages == 31
    site.pages["/docs/"] = "<h1>Start</h1><p>We are working on it, and will be back soon.</p>"

    with pytest.raises(IndexingError, match=r"^30 of the 31 published pages of manual .*--allow-shrink\.$"):
        ingest(corpus)
    assert Page.objects.count() == 31
    assert IndexRun.objects.filter(status=IndexRun.Status.FAILED).count() == 1
    report = ingest(corpus, dry_run=True)
    assert len(report.pages_deleted) == 30
    assert [warning.page for warning in report.warnings] == ["manual"]
    assert report.warnings[0].message.startswith("30 of the 31 published pages of manual")

    assert ingest_version.apply(("manual",)).state == "FAILURE"
    assert ingest_version.apply(("manual",), {"allow_shrink": True}).state == "SUCCESS"
    assert Page.objects.get().title == "Start"


def test_a_site_may_lose_some_of_its_pages(site: Site) -> None:
    corpus = corpus_of(site)
    ingest(corpus)
    site.pages["/docs/"] = f"<h1>Start</h1>{links(*NAMES[20:])}"
    ingest(corpus)
    assert Version.objects.get().page_count == 11  # of 31, but no more than 20 went
    site.pages["/docs/"] = f"<h1>Start</h1>{links(NAMES[0])}"
    ingest(corpus)
    assert Version.objects.get().page_count == 2


def test_an_archive_may_lose_most_of_its_pages(tmp_path: Path) -> None:
    corpus = make_corpus("manual", parser="markdown", url="https://docs.example.org/{path}", version_scheme="none")
    for name in NAMES:
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nWhat the page {name} says about one thing.\n")
    with use_embedder(ScriptedEmbedder()):
        ingest(corpus, location=str(tmp_path))
        for name in NAMES[1:]:
            (tmp_path / f"{name}.md").unlink()
        assert len(ingest(corpus, location=str(tmp_path)).pages_deleted) == 29
