import string
from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.sources.site.addresses import MAX_LENGTH, Scope, calendar_of, extension, is_asset, normalised

BASE = "https://docs.example.com/guide/install"


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("setup", "https://docs.example.com/guide/setup"),
        ("../api/", "https://docs.example.com/api/"),
        ("/", "https://docs.example.com/"),
        ("", BASE),
        ("#options", BASE),
        ("?page=2", BASE),
        ("setup?x=1#y", "https://docs.example.com/guide/setup"),
        (".", "https://docs.example.com/guide/"),
        ("..", "https://docs.example.com/"),
        ("../../../a", "https://docs.example.com/a"),
        ("a/./b/../c", "https://docs.example.com/guide/a/c"),
        ("//other.example.com/x", "https://other.example.com/x"),
        ("HTTPS://Docs.Example.COM:443/X", "https://docs.example.com/X"),
        ("http://docs.example.com:80", "http://docs.example.com/"),
        ("http://docs.example.com:8080/x", "http://docs.example.com:8080/x"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("two words", "https://docs.example.com/guide/two%20words"),
        ("  \n setup\t\n", "https://docs.example.com/guide/setup"),
        ("set\nup", "https://docs.example.com/guide/setup"),
        ("größe", "https://docs.example.com/guide/gr%C3%B6%C3%9Fe"),
        ("gr%c3%b6%C3%9fe", "https://docs.example.com/guide/gr%C3%B6%C3%9Fe"),
        ("%61%7E%2d", "https://docs.example.com/guide/a~-"),
        ("a%2Fb", "https://docs.example.com/guide/a%2Fb"),
        ("%2e%2e/%2E%2E/%2e%2e/etc", "https://docs.example.com/etc"),
        ("100%", "https://docs.example.com/guide/100%25"),
        ("%zz", "https://docs.example.com/guide/%25zz"),
        ("%E9", "https://docs.example.com/guide/%E9"),
        ("a\\b", "https://docs.example.com/guide/a/b"),
        ("/a//b///c", "https://docs.example.com/a/b/c"),
        ("setup;jsessionid=0A1B", "https://docs.example.com/guide/setup"),
        ("setup;JSESSIONID=0A1B/x;v=1", "https://docs.example.com/guide/setup/x;v=1"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
    ],
)
def test_a_link_is_read_as_an_address_in_one_form(href: str, address: str) -> None:
    assert normalised(href, BASE) == address


@pytest.mark.parametrize(
    "href",
    [
        "mailto:x@example.com",
        "javascript:void(0)",
        "data:text/html,x",
        "ftp://example.com/x",
        "https://user:secret@example.com/",
        "https://:80/",
        "http://[::1",
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://" + "é" * 300 + "/",
        "a%00b",
        "a%0Ab",
        "x" * (MAX_LENGTH + 1),
        "é" * MAX_LENGTH,
    ],
)
def test_what_is_no_address_of_the_web_is_none(href: str) -> None:
    assert normalised(href, BASE) is None


def test_a_query_is_kept_where_it_is_asked_for() -> None:
    assert normalised("/sitemap.xml?page=2&x=a b#c", BASE, query=True) == (
        "https://docs.example.com/sitemap.xml?page=2&x=a%20b"
    )


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from(string.printable + "é%.\x00\ud800/"), max_size=40))
def test_an_address_stays_as_it_is_when_it_is_read_again(href: str) -> None:
    address = normalised(href, BASE)
    if address is not None:
        assert normalised(address) == address == urljoin(BASE, address)


@pytest.mark.parametrize(
    ("location", "root"),
    [
        ("https://example.com/", "https://example.com/"),
        ("https://example.com/docs", "https://example.com/docs/"),
        ("https://example.com/docs/", "https://example.com/docs/"),
        ("https://example.com/docs/17/index.html", "https://example.com/docs/17/"),
        ("https://example.com/docs/3.5", "https://example.com/docs/3.5/"),
    ],
)
def test_a_scope_is_the_folder_of_a_location(location: str, root: str) -> None:
    assert Scope.below(location).root == root


def test_a_scope_holds_what_is_below_its_folder() -> None:
    scope = Scope.below("https://example.com/docs/")
    inside = ["https://example.com/docs", "https://example.com/docs/", "https://example.com/docs/a/b"]
    outside = [
        "https://example.com/",
        "https://example.com/docs2",
        "http://example.com/docs/",
        "https://example.com:8443/docs/",
        "https://example.com.evil.example/docs/",
    ]
    assert [url for url in inside + outside if scope.holds(url)] == inside


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.com/docs", ""),
        ("https://example.com/docs/", ""),
        ("https://example.com/docs/guide/", "guide"),
        ("https://example.com/docs/guide/setup.html", "guide/setup.html"),
        ("https://example.com/docs/gr%C3%B6%C3%9Fe/two%20words", "größe/two words"),
        ("https://example.com/docs/o%CC%88", "ö"),
        ("https://example.com/docs/a%2Fb%5Cc", "a%2Fb%5Cc"),
        ("https://example.com/docs/%E9/%C3%A9", "%E9/é"),
        ("https://example.com/docs/100%25", "100%"),
    ],
)
def test_a_path_is_decoded_below_the_folder(url: str, path: str) -> None:
    assert Scope.below("https://example.com/docs/").path(url) == path


def test_a_scope_wants_neither_assets_nor_paths_that_lead_into_themselves() -> None:
    scope = Scope.below("https://example.com/")
    pages = ["a/b/a/b/a/b/x", "v1.0/", "release-1.2", "a.html", "b.md", "openapi.yaml", "x.PHP"]
    others = ["a/b/a/b/a/b/a/b", "/".join("abcdefghijklmnopqrstuvwxy"), "x.PNG", "x.tar.gz", "style.css", "x.pdf"]
    wanted = [path for path in pages + others if scope.wants(f"https://example.com/{path}")]
    assert wanted == pages


def test_an_extension_is_that_of_the_last_segment() -> None:
    assert [extension(f"https://a.example/{path}") for path in ("x.HTML", "v1.2/x", "v1.2/", "")] == [
        "html",
        "",
        "",
        "",
    ]
    assert is_asset("https://a.example/x.svg")


@pytest.mark.parametrize(
    ("path", "calendar"),
    [
        ("events/2024/05/", "events"),
        ("events/2024-05-17", "events"),
        ("events/2024/5/17", "events"),
        ("blog/2024/05/a-post", None),
        ("release/2024", None),
        ("9.6/13", None),
    ],
)
def test_a_calendar_is_known_by_its_dates(path: str, calendar: str | None) -> None:
    found = calendar_of(f"https://example.com/{path}")
    assert found == (None if calendar is None else f"https://example.com/{calendar}")
