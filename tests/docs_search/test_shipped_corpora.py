"""The corpora of corpora.toml work as they stand: each is fetched from its own address, on hosts that are loopback.

A site gives exactly what the archive of its documents gives, whatever stands around them on the site.
"""

import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings as project_settings
from pytest_django.fixtures import Settings

from docs_search.corpora import load_corpora
from docs_search.indexing.ingest import ingest, is_release, own_source
from docs_search.indexing.reading import read_pages
from docs_search.models import Corpus, Page, Version
from docs_search.parsing.text.plain_text import plain_text
from docs_search.progress import SILENT
from docs_search.sources import SourceOptions, open_source
from tests.corpora import corpus_archive, corpus_files
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.git_server import commit, make_repository
from tests.internet import internet
from tests.published_sites import html_of, postgis_site, postgresql_site, tiger_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.corpora]


@pytest.fixture(autouse=True)
def _shipped(settings: Settings) -> Iterator[None]:
    """The declarations of the checkout, and crawls from their beginning, without the pauses that the web is owed."""
    shutil.rmtree(settings.VAR_DIR / "crawls", ignore_errors=True)
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    settings.CRAWL_REQUESTS_PER_SECOND = 100_000.0
    load_corpora(project_settings.BASE_DIR / "corpora.toml")
    with use_embedder(ScriptedEmbedder()):
        yield


def _archived(slug: str, version: str, archive: Path) -> dict[str, str]:
    """The pages in an archive of a version's documents: path → hash of everything that is stored of it."""
    return _read(Corpus.objects.get(slug=slug), version, str(archive))


def _fetched(slug: str, version: str) -> dict[str, str]:
    """The pages at a version's own address."""
    corpus = Corpus.objects.get(slug=slug)
    return _read(corpus, version, own_source(corpus, Version(corpus=corpus, name=version)))


def _read(corpus: Corpus, version: str, location: str) -> dict[str, str]:
    release = Version(corpus=corpus, name=version)
    options = SourceOptions(subfolder=corpus.subfolder, is_release=partial(is_release, corpus, version))
    with open_source(location, options) as source:
        pages = read_pages(corpus, release, source, embedder=ScriptedEmbedder(), progress=SILENT, warn=lambda *_: None)
        return {page.path: page.content_hash for page in pages}


def _others(some: dict[str, str], other: dict[str, str]) -> list[str]:
    """Paths of the pages that are not the same in both."""
    return sorted(path for path in some.keys() | other.keys() if some.get(path) != other.get(path))


@pytest.mark.parametrize("version", ["15", "17", "18"])
def test_the_site_of_postgresql_gives_what_the_archive_of_the_manual_gives(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archived = _archived("postgres", version, corpus_archive("postgresql", version))
    site = postgresql_site(corpus_files("postgresql", version), version)

    with internet(tmp_path / "git", monkeypatch, sites={"www.postgresql.org": site}):
        fetched = _fetched("postgres", version)

    assert _others(archived, fetched) == []
    assert len(archived) > 1000


@pytest.mark.parametrize(
    ("version", "root", "with_dead_links"),
    [
        ("3.3", "/docs/manual-3.3/", ["RT_FAQ.html", "postgis_installation.html"]),
        ("3.5", "/docs/manual-3.5/en/", ["postgis_installation.html"]),
        ("3.6", "/docs/manual-3.6/en/", ["postgis_installation.html"]),
    ],
)
def test_the_site_of_postgis_gives_what_the_archive_of_the_manual_gives(
    version: str, root: str, with_dead_links: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only links to what is not there differ: a file that is missing is no address, a page that is missing has one."""
    archived = _archived("postgis", version, corpus_archive("postgis", version))
    site = postgis_site(corpus_files("postgis", version), root)

    with internet(tmp_path / "git", monkeypatch, sites={"postgis.net": site}):
        fetched = _fetched("postgis", version)

    assert _others(archived, fetched) == with_dead_links
    assert len(archived) > 600


@pytest.mark.parametrize("version", ["v0.48", "v0.50", "v0.51", "v0.63"])
def test_the_repository_of_metabase_gives_the_docs_of_the_newest_tag_of_a_version(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Corpus.objects.filter(slug="metabase").update(subfolder="docs")
    archived = _archived("metabase", version, corpus_archive("metabase", version))
    repository = make_repository(tmp_path / "git" / "metabase" / "metabase.git")
    files = corpus_files("metabase", version)
    code = {"README.md": b"# Code\n\nThis is not documentation.\n", "src/core.clj": b"(ns core)\n"}
    commit(repository, code | {"docs/README.md": b"# An older release\n\nNothing much.\n"}, tag=f"{version}.1")
    commit(repository, code | files, tag=f"{version}.10.2")
    commit(repository, code | {"docs/README.md": b"# Not released\n\nNothing yet.\n"}, tag=f"{version}.11-beta")

    with internet(tmp_path / "git", monkeypatch, git_hosts=("github.com",)):
        fetched = _fetched("metabase", version)

    assert _others(archived, fetched) == []
    assert len(archived) > 250


def test_the_site_of_tiger_gives_the_pages_that_its_sitemap_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive holds the documents that the site is made from: here they are made into its pages."""
    corpus = Corpus.objects.get(slug="tiger")
    ingest(corpus, location=str(corpus_archive("timescale", "2024-10-23")))
    written = {page.path: page for page in Page.objects.filter(version__corpus=corpus)}
    addresses = {path: f"{urlsplit(page.url).path.rstrip('/')}/" for path, page in written.items()}
    site = {
        addresses[path]: tiger_page(page.title, html_of(page.markdown.partition("\n")[2]))
        for path, page in written.items()
    }
    listed = "".join(f"<url><loc>https://docs.tigerdata.com{address}</loc></url>" for address in site)
    site["/sitemap-0.xml"] = f"<urlset>{listed}</urlset>".encode()
    part = "<sitemap><loc>https://docs.tigerdata.com/sitemap-0.xml</loc></sitemap>"
    site["/sitemap.xml"] = f"<sitemapindex>{part}</sitemapindex>".encode()

    with internet(tmp_path / "git", monkeypatch, sites={"docs.tigerdata.com": site}):
        report = ingest(corpus)

    fetched = {page.path: page for page in Page.objects.filter(version__corpus=corpus)}
    assert report.warnings == []
    assert fetched.keys() == written.keys()
    assert [path for path in fetched if fetched[path].title != written[path].title] == []
    # HTML loses numbers before headings, and headings with nothing below them.
    others = [path for path in fetched if _words(fetched[path]) != _words(written[path])]
    assert len(others) < 0.03 * len(written), others


def _words(page: Page) -> list[str]:
    return re.findall(r"\w+", plain_text(page.markdown))
