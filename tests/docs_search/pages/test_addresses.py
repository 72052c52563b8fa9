from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from docs_search.errors import InvalidRequest
from docs_search.pages.addresses import (
    Address,
    checked_path,
    lookup_path,
    page_path,
    page_url,
    parse_url,
    pattern_fault,
    served,
)


@dataclass(frozen=True)
class Site:
    slug: str
    url: str
    version_scheme: str = "major"
    url_exceptions: dict[str, str] = field(default_factory=dict)
    url_aliases: list[str] = field(default_factory=list)
    index_path: str = ""


MANUAL = Site(
    slug="manual",
    url="https://www.example.org/docs/{version}/{path}",
    url_exceptions={"9": "https://www.example.org/old/{path}", "cloud": "https://www.example.org/docs/latest/{path}"},
    url_aliases=[
        "https://docs.example.org/{version}/{path}",
        "https://www.example.org/docs/{version}/static/{path}",
        "https://www.example.org/docs/{path}",
    ],
    index_path="index.html",
)
GUIDE = Site(slug="guide", url="{server}/pages/guide/{path}", version_scheme="none")
HANDBOOK = Site(slug="handbook", url="https://handbook.example.org/en/{version}/{path}/", version_scheme="major.minor")
FOLDERS = Site(
    slug="folders",
    url="https://folders.example.org/{folder}/latest/{rest}",
    version_scheme="none",
    url_aliases=["https://old.example.org/{folder}/latest/{rest}"],
    index_path="index",
)
SITES = [MANUAL, GUIDE, HANDBOOK, FOLDERS]


def first(url: str) -> Address | None:
    return next(iter(parse_url(url, SITES)), None)


def test_page_url_fills_in_version_and_path() -> None:
    assert page_url(MANUAL, "17", "sql/copy.html") == "https://www.example.org/docs/17/sql/copy.html"
    assert page_url(HANDBOOK, "5.2", "topics/auth") == "https://handbook.example.org/en/5.2/topics/auth/"


def test_page_url_encodes_what_an_address_may_not_have() -> None:
    assert page_url(MANUAL, "17", "a b/ü?.html#x") == "https://www.example.org/docs/17/a%20b/%C3%BC%3F.html%23x"


def test_page_url_follows_the_exceptions_of_single_versions() -> None:
    assert page_url(MANUAL, "9", "copy.html") == "https://www.example.org/old/copy.html"
    assert page_url(MANUAL, "cloud", "domain.html") == "https://www.example.org/docs/latest/domain.html"


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("use/tables/about", "https://folders.example.org/use/latest/tables/about"),
        ("use", "https://folders.example.org/use/latest/"),
        ("index", "https://folders.example.org/"),
    ],
)
def test_a_site_may_put_something_after_the_first_folder(path: str, url: str) -> None:
    assert page_url(FOLDERS, "", path) == url
    assert page_path(FOLDERS, "", url) == ("" if path == "index" else path)
    assert first(url) == Address("folders", None, "" if path == "index" else path)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://www.example.org/docs/17/sql/copy.html?x=1#y", "sql/copy.html"),
        ("https://www.example.org/docs/17/", ""),
        ("https://www.example.org/docs/17/static/copy.html", "copy.html"),
        ("https://www.example.org/docs/latest/copy.html", "copy.html"),
        ("https://www.example.org/docs/16/copy.html", None),
        ("https://www.example.org/about", None),
        ("https://elsewhere.example/docs/17/copy.html", None),
        ("mailto:docs@example.org", None),
        ("https://www.example.org/docs/17/%2e%2e/copy.html", None),
    ],
)
def test_page_path_is_that_of_a_page_of_the_same_version(url: str, path: str | None) -> None:
    assert page_path(MANUAL, "17", url) == path


def test_index_page_stands_at_the_root_of_its_version() -> None:
    assert page_url(MANUAL, "17", "index.html") == "https://www.example.org/docs/17/"
    assert page_url(MANUAL, "17", "sql/index.html") == "https://www.example.org/docs/17/sql/index.html"
    assert page_url(HANDBOOK, "5.2", "") == "https://handbook.example.org/en/5.2/"


def test_server_is_this_installation(settings: Settings) -> None:
    settings.API_SERVER_URL = "https://docs.internal:8443"
    assert served(page_url(GUIDE, "", "search.md")) == "https://docs.internal:8443/pages/guide/search.md"
    assert first("https://docs.internal:8443/pages/guide/search.md") == Address("guide", None, "search.md")
    assert first("https://docs.internal/pages/guide/search.md") is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("sql-copy.html", "sql-copy"),
        ("/sql-copy", "sql-copy"),
        ("sql-copy/", "sql-copy"),
        ("guide/install.MD", "guide/install"),
        ("guide/index.html", "guide"),
        ("index.htm", ""),
        ("README.md", ""),
        ("guide/README", "guide"),
        ("reindex", "reindex"),
        ("release-17.2", "release-17.2"),
        ("", ""),
    ],
)
def test_spellings_of_a_path_have_one_form(path: str, expected: str) -> None:
    assert lookup_path(path) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.org/docs/17/sql/copy.html",
        "http://www.example.org/docs/17/sql/copy.html",
        "https://example.org/docs/17/sql/copy.html",
        "HTTPS://WWW.Example.ORG/docs/17/sql/copy.html",
        "https://www.example.org:443/docs/17/sql/copy.html",
        "https://reader@www.example.org./docs/17/sql/copy.html",
        "https://www.example.org/docs/17/sql/copy.html#examples",
        "https://www.example.org/docs/17/sql/copy.html?lang=en&q={x}#/a b",
        "https://www.example.org/docs/17/sql/copy.html/",
        "https://www.example.org//docs/17//sql/copy.html",
        "https://www.example.org/docs/17/sql/%63opy.html",
        "https://www.example.org/docs/v17/sql/copy.html",
        "https://www.example.org/docs/17.2/sql/copy.html",
        "https://docs.example.org/17/sql/copy.html",
        "https://www.example.org/docs/17/static/sql/copy.html",
        "  https://www.example.org/docs/17/sql/copy.html\n",
    ],
)
def test_every_spelling_of_an_address_is_the_same(url: str) -> None:
    assert first(url) == Address("manual", "17", "sql/copy.html")


@pytest.mark.parametrize("name", ["latest", "current", "Latest"])
def test_newest_version_has_names_of_its_own(name: str) -> None:
    assert first(f"https://www.example.org/docs/{name}/copy.html") == Address("manual", None, "copy.html")


def test_path_after_the_version_is_all_that_follows() -> None:
    assert first("https://www.example.org/docs/17/") == Address("manual", "17", "")
    assert first("https://www.example.org/docs/17") == Address("manual", "17", "")
    assert first("https://handbook.example.org/en/5.2/topics/auth/") == Address("handbook", "5.2", "topics/auth")


def test_exception_names_its_version() -> None:
    assert first("https://www.example.org/old/copy.html") == Address("manual", "9", "copy.html")


def test_addresses_come_from_the_most_specific_pattern_to_the_root_of_the_site() -> None:
    assert parse_url("https://www.example.org/docs/17/static/copy.html", SITES) == [
        Address("manual", "17", "copy.html"),
        Address("manual", "17", "static/copy.html"),
        Address("manual", None, "17/static/copy.html"),
        Address("manual", None, "/docs/17/static/copy.html"),
    ]


def test_pattern_without_a_version_means_the_newest() -> None:
    assert first("https://www.example.org/docs/copy.html") == Address("manual", None, "copy.html")


def test_moved_page_of_the_same_site_keeps_its_path_from_the_root() -> None:
    assert parse_url("https://www.example.org/blog/moving", SITES) == [Address("manual", None, "/blog/moving")]


@pytest.mark.parametrize("url", ["https://example.com/docs/17/copy.html", "https://example.org.evil.test/docs/17/copy"])
def test_other_hosts_have_no_addresses_here(url: str) -> None:
    assert parse_url(url, SITES) == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "copy.html",
        "/docs/17/copy.html",
        "www.example.org/docs/17/copy.html",
        "ftp://www.example.org/docs/17/copy.html",
        "javascript:alert(1)",
        "https://",
        "https:///docs/17/copy.html",
        "https://[::1/docs",
        "https://www.example.org:port/docs/17/copy.html",
        "https://www.example.org:99999/docs/17/copy.html",
        "https://www.example.org/docs/17/../18/copy.html",
        "https://www.example.org/docs/17/%2e%2E/18/copy.html",
        "https://www.example.org/docs/17/./copy.html",
        "https://www.example.org/docs/17/sql%2Fcopy.html",
        "https://www.example.org/docs/17/sql%5ccopy.html",
        "https://www.example.org/docs/17/sql\\copy.html",
        "https://www.example.org/docs/17/copy%00.html",
        "https://www.example.org/docs/17/copy\x00.html",
        "https://www.example.org/docs/17/copy.html#\x00",
        "https://www.example.org/docs/17/co\npy.html",
        "https://www.example.org/docs/17/a copy.html",
        "https://www.example.org/docs/17/%ff.html",
        "https://www.example.org/docs/17/%zz.html",
        "https://www.example.org/docs/17/\ud800.html",
        "https://www.example.org/docs/17/" + "a" * 2000,
    ],
)
def test_malformed_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidRequest):
        parse_url(url, SITES)


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    for url in (text, f"https://www.example.org/docs/17/{text}", f"https://{text}/docs/17/copy.html"):
        try:
            addresses = parse_url(url, SITES)
        except InvalidRequest:
            continue
        assert all(".." not in address.path.split("/") and "\0" not in address.path for address in addresses)


@given(st.lists(st.text("abzü -_.~%?#&+'", min_size=1, max_size=8), min_size=1, max_size=4))
def test_page_is_found_by_its_own_address(segments: list[str]) -> None:
    path = "/".join(segments)
    try:
        checked_path(path)
    except InvalidRequest:
        return
    if path != MANUAL.index_path:
        assert first(page_url(MANUAL, "17", path)) == Address("manual", "17", path)


def test_checked_path_drops_empty_segments() -> None:
    assert checked_path("/sql//copy.html/") == "sql/copy.html"


@pytest.mark.parametrize("path", ["a/../b", "..", ".", "a/./b", "a\\b", "a%2fb", "a%5Cb", "a\x00", "a\x7f", "a\ud800"])
def test_path_that_climbs_or_hides_its_folders_is_refused(path: str) -> None:
    with pytest.raises(InvalidRequest):
        checked_path(path)


def test_path_of_absurd_length_is_refused() -> None:
    with pytest.raises(InvalidRequest):
        checked_path("a" * 2001)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("https://example.org/docs/{version}/{path}", None),
        ("{server}/pages/{version}/{path}", None),
        ("https://example.org/docs/{version}/{path}.html", None),
        ("https://example.org/{vers}/{path}", "unknown placeholder {vers}; known are {server}, {version}, {path}"),
        ("https://example.org/{version}/", "needs one {path}, after a slash, or {folder}/ and {rest}"),
        ("https://example.org/{version}/page-{path}", "needs one {path}, after a slash, or {folder}/ and {rest}"),
        ("https://example.org/{version}/{rest}/{folder}", "needs one {path}, after a slash, or {folder}/ and {rest}"),
        ("https://example.org/{version}/{path}/{rest}", "needs one {path}, after a slash, or {folder}/ and {rest}"),
        ("https://example.org/{path}/{path}", "needs one {path}, after a slash, or {folder}/ and {rest}"),
        ("https://example.org/{path}", "lacks {version}"),
        ("https://example.org/{version}/{version}/{path}", "has {version} twice"),
        ("example.org/{version}/{path}", "must start with http:// or https:// and a host, or with {server}/"),
        ("https://{version}.org/{path}", "must start with http:// or https:// and a host, or with {server}/"),
        ("https://example.org:99999/{version}/{path}", "Port out of range 0-65535"),
    ],
)
def test_fault_of_a_pattern_is_named(pattern: str, fault: str | None) -> None:
    assert pattern_fault(pattern, versioned=True) == fault


def test_unversioned_corpus_has_no_version_in_its_pattern() -> None:
    fault = "has {version}, but the corpus is unversioned"
    assert pattern_fault("https://example.org/{version}/{path}", versioned=False) == fault
    assert pattern_fault("https://example.org/{path}", versioned=False) is None
