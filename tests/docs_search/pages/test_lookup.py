import time
from contextlib import suppress

import pytest
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from docs_search.errors import DocentError, InvalidRequest, PageNotFound, UnknownCorpus
from docs_search.models import Corpus, Page, Version
from docs_search.pages.lookup import find_page, find_page_by_path
from tests.factories import make_corpus, make_page, make_version

pytestmark = pytest.mark.django_db

SITE = "https://www.example.org/docs"


@pytest.fixture(autouse=True)
def pages(settings: Settings) -> None:
    """Two releases each of `postgres`, the default, and of `metabase`, with cloud pages; an unversioned manual."""
    settings.DEFAULT_CORPUS = "postgres"
    postgres = make_corpus("postgres", url=SITE + "/{version}/{path}", url_aliases=[SITE + "/{version}/static/{path}"])
    old, new = make_version(postgres, "15"), make_version(postgres, "17")
    make_page(old, "sql-copy.html")
    make_page(old, "old-name.html")
    make_page(new, "index.html")
    make_page(new, "sql-copy.html")
    make_page(new, "sql-createindex.html")
    make_page(new, "new-name.html", aliases=["old-name", "blog/moving"])
    make_page(new, "guide/index.html", aliases=["sql-copy"])
    metabase = make_corpus(
        "metabase",
        version_scheme="metabase",
        url="https://bi.example.org/docs/{version}/{path}",
        url_exceptions={"cloud": "https://bi.example.org/docs/latest/{path}"},
    )
    make_page(make_version(metabase, "v0.63"), "permissions/data")
    make_page(make_version(metabase, "v0.61"), "permissions/data")
    cloud = make_version(metabase, "cloud")
    make_page(cloud, "cloud/storage")
    make_page(cloud, "permissions/data")
    manual = make_corpus("docent", version_scheme="none", url="https://docent.example.org/{path}")
    make_page(make_version(manual, ""), "install.md")


def found(page: Page) -> tuple[str, str]:
    return page.version.source, page.path


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{SITE}/17/sql-copy.html", ("postgres_17", "sql-copy.html")),
        (f"{SITE}/15/sql-copy.html", ("postgres_15", "sql-copy.html")),
        (f"{SITE}/17/sql-copy", ("postgres_17", "sql-copy.html")),
        (f"{SITE}/17/sql-copy.md#examples", ("postgres_17", "sql-copy.html")),
        (f"{SITE}/17.4/sql-copy/?lang=en", ("postgres_17", "sql-copy.html")),
        (f"{SITE}/latest/sql-copy.html", ("postgres_17", "sql-copy.html")),
        (f"{SITE}/current/static/sql-copy.html", ("postgres_17", "sql-copy.html")),
        ("HTTP://EXAMPLE.org/docs/17/sql-copy.html", ("postgres_17", "sql-copy.html")),
        (f"{SITE}/17/", ("postgres_17", "index.html")),
        (f"{SITE}/17", ("postgres_17", "index.html")),
        (f"{SITE}/17/guide/", ("postgres_17", "guide/index.html")),
        (f"{SITE}/17/old-name.html", ("postgres_17", "new-name.html")),
        (f"{SITE}/15/old-name.html", ("postgres_15", "old-name.html")),
        ("https://example.org/blog/moving/", ("postgres_17", "new-name.html")),
        ("https://bi.example.org/docs/v0.63/permissions/data", ("metabase_v0.63", "permissions/data")),
        ("https://bi.example.org/docs/latest/cloud/storage", ("metabase_cloud", "cloud/storage")),
        ("https://bi.example.org/docs/v0.61/cloud/storage", ("metabase_cloud", "cloud/storage")),
        ("https://docent.example.org/install", ("docent", "install.md")),
    ],
)
def test_page_is_found_by_any_address_it_ever_had(url: str, expected: tuple[str, str]) -> None:
    assert found(find_page(url)) == expected


@pytest.mark.parametrize(
    ("version", "path", "corpus", "expected"),
    [
        ("17", "sql-copy.html", None, ("postgres_17", "sql-copy.html")),
        ("v17.2", "/sql-copy/", None, ("postgres_17", "sql-copy.html")),
        ("latest", "sql-copy", None, ("postgres_17", "sql-copy.html")),
        ("postgres_15", "sql-copy", None, ("postgres_15", "sql-copy.html")),
        ("17", "old-name.html", None, ("postgres_17", "new-name.html")),
        ("metabase_v0.63", "permissions/data.html", None, ("metabase_v0.63", "permissions/data")),
        ("63", "cloud/storage", "metabase", ("metabase_cloud", "cloud/storage")),
        ("cloud", "permissions/data", "metabase", ("metabase_cloud", "permissions/data")),
        ("metabase_cloud", "permissions/data", None, ("metabase_cloud", "permissions/data")),
        ("docent", "install", None, ("docent", "install.md")),
        ("latest", "install.md", "docent", ("docent", "install.md")),
    ],
)
def test_page_is_found_by_version_and_path(
    version: str, path: str, corpus: str | None, expected: tuple[str, str]
) -> None:
    assert found(find_page_by_path(version, path, corpus=corpus)) == expected


def refusal(url: str) -> DocentError:
    with pytest.raises(DocentError) as fault:
        find_page(url)
    return fault.value


def refusal_by_path(version: str, path: str, corpus: str | None = None) -> DocentError:
    with pytest.raises(DocentError) as fault:
        find_page_by_path(version, path, corpus=corpus)
    return fault.value


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (
            f"{SITE}/17/sql-coyp.html",
            f"postgres_17 has no page 'sql-coyp.html'. The nearest page is {SITE}/17/sql-copy.html",
        ),
        (
            f"{SITE}/17/commands/SQL-CreateIndex.html",
            "postgres_17 has no page 'commands/SQL-CreateIndex.html'."
            f" The nearest page is {SITE}/17/sql-createindex.html",
        ),
        (f"{SITE}/17/zzzz", "postgres_17 has no page 'zzzz'."),
        (f"{SITE}/17/{'z' * 1900}", f"postgres_17 has no page '{'z' * 200}'."),
        (
            f"{SITE}/16/sql-copy.html",
            "postgres 16 is not indexed; 15 is the nearest older version that is."
            f" The nearest page is {SITE}/15/sql-copy.html",
        ),
        (
            f"{SITE}/18/old-name.html",
            "postgres 18 is not indexed; 17 is the nearest older version that is."
            f" The nearest page is {SITE}/17/new-name.html",
        ),
        (
            f"{SITE}/9.6/static/sql-copi.html",
            "postgres 9 is not indexed; 15 is the nearest newer version that is."
            f" The nearest page is {SITE}/15/sql-copy.html",
        ),
        (
            "https://mirror.example.com/pg/sql-createindex.html",
            f"No documentation from mirror.example.com is indexed. The nearest page is {SITE}/17/sql-createindex.html",
        ),
        ("https://example.com/", "No documentation from example.com is indexed."),
        ("https://example.com/sql-copi", "No documentation from example.com is indexed."),
    ],
)
def test_miss_names_the_nearest_page(url: str, message: str) -> None:
    fault = refusal(url)
    assert (type(fault), fault.message) == (PageNotFound, message)


@pytest.mark.parametrize(
    ("version", "path", "message"),
    [
        ("17", "sql-coyp", f"postgres_17 has no page 'sql-coyp'. The nearest page is {SITE}/17/sql-copy.html"),
        (
            "16",
            "sql-copy",
            "postgres 16 is not indexed; 15 is the nearest older version that is."
            f" The nearest page is {SITE}/15/sql-copy.html",
        ),
        ("sixteen", "sql-copy", "'sixteen' is no version of postgres: versions are 17, 15."),
    ],
)
def test_miss_by_path_names_the_nearest_page(version: str, path: str, message: str) -> None:
    fault = refusal_by_path(version, path)
    assert (type(fault), fault.message) == (PageNotFound, message)


def test_page_of_another_release_is_no_answer() -> None:
    assert type(refusal(f"{SITE}/15/sql-createindex.html")) is PageNotFound


@pytest.mark.parametrize(
    "url", ["", "sql-copy.html", "https://", f"{SITE}/17/../15/x", f"{SITE}/17/a%2Fb", f"{SITE}/17/\0"]
)
def test_malformed_address_is_refused(url: str) -> None:
    assert type(refusal(url)) is InvalidRequest


@pytest.mark.parametrize("path", ["", "/", "../15/sql-copy.html", "a/./b", "a%2fb", "a\\b", "a\0", "a\x1b", "x" * 2001])
def test_malformed_path_is_refused(path: str) -> None:
    assert type(refusal_by_path("17", path)) is InvalidRequest


@pytest.mark.parametrize("version", ["17\0", "\ud800", "_", "x" * 90])
def test_odd_version_finds_nothing(version: str) -> None:
    assert type(refusal_by_path(version, "sql-copy.html")) is PageNotFound


def test_corpus_must_be_known_and_agree_with_the_version() -> None:
    assert type(refusal_by_path("17", "sql-copy.html", "oracle")) is UnknownCorpus
    assert type(refusal_by_path("postgres_17", "sql-copy.html", "metabase")) is InvalidRequest
    assert type(refusal_by_path("x" * 91, "sql-copy.html")) is InvalidRequest


def test_wildcards_in_an_address_are_letters() -> None:
    assert refusal("https://example.com/%25").message == "No documentation from example.com is indexed."
    assert refusal(f"{SITE}/17/sql_copy.html").message == (
        f"postgres_17 has no page 'sql_copy.html'. The nearest page is {SITE}/17/sql-copy.html"
    )


def test_empty_installation_finds_nothing() -> None:
    Version.objects.all().delete()
    assert refusal(f"{SITE}/17/sql-copy.html").message == "No documentation from example.org is indexed."
    assert type(refusal_by_path("17", "sql-copy.html")) is PageNotFound


def test_unpublished_version_is_not_seen() -> None:
    make_page(make_version(Corpus.objects.get(slug="postgres"), "18", published=False), "sql-copy.html")
    assert type(refusal(f"{SITE}/18/sql-copy.html")) is PageNotFound


@pytest.mark.parametrize(
    ("url", "queries"),
    [
        (f"{SITE}/latest/static/sql-copy.html", 2),
        ("https://bi.example.org/docs/v0.61/cloud/storage", 2),
        (f"{SITE}/17/sql-coyp.html", 4),
        (f"{SITE}/16/sql-coyp.html", 5),
        ("https://example.com/sql-copy.html", 2),
    ],
)
def test_lookup_by_address_takes_few_queries(
    url: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(queries), suppress(PageNotFound):
        assert find_page(url).version.corpus.title


@pytest.fixture
def large_version() -> None:
    """Release 18 of `postgres` with 5,000 pages in folders, a third of which share their name."""
    version = make_version(Corpus.objects.get(slug="postgres"), "18")
    topics = ("backup", "replication", "permissions", "dashboards", "embedding")
    paths = [
        f"guide/{topic}/chapter/part-{number}" if number % 3 else f"guide/{topic}/part-{number}/overview"
        for topic in topics
        for number in range(1000)
    ]
    Page.objects.bulk_create(
        Page(version=version, path=path, lookup_path=path, url=f"{SITE}/18/{path}", title=path, markdown="")
        for path in paths
    )


@pytest.mark.usefixtures("large_version")
@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("guide/replicaiton/chapter/part-70", "guide/replication/chapter/part-70"),
        ("guide/permissions/part-600/overveiw", "guide/permissions/part-600/overview"),
        ("manual/embeddings/part-300/overview", "guide/embedding/part-300/overview"),
    ],
)
def test_a_miss_among_thousands_of_pages_takes_little_time(path: str, nearest: str) -> None:
    times = []
    for _ in range(3):
        begun = time.process_time()
        fault = refusal(f"{SITE}/18/{path}")
        times.append(time.process_time() - begun)

    assert fault.message.endswith(f"The nearest page is {SITE}/18/{nearest}")
    assert min(times) < 0.05  # typically 0.02 s


def test_lookup_by_path_takes_two_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(2):
        assert find_page_by_path("17", "old-name").version.corpus.title == "Postgres"
