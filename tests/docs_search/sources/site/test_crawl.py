"""Crawls of whole sites on loopback, rule by rule."""

from itertools import pairwise

import pytest
from pytest_django.fixtures import Settings

from docs_search.documents import PageWarning
from docs_search.sources import SourceError, SourceOptions, open_source
from docs_search.sources.site import crawl
from tests.crawling import crawled, crawled_paths, links, to
from tests.site_server import Page, Reply, serve_site

# --- What is followed -----------------------------------------------------------------------------------------------


def test_all_that_is_linked_below_the_folder_is_read_and_nothing_else() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a", "/docs/b/#x", "b/?page=2", "/blog", "//other.invalid/docs/", "c.png", "d.pdf"),
        "/docs/a": links("b/c.html", "./", "../docs/a"),
        "/docs/b/": links("c.html"),
        "/docs/b/c.html": "<p>end",
        "/docs2": "<p>no",
        "/blog": "<p>no",
    }
    with serve_site(pages) as site, open_source(f"{site.url}/docs/") as source:
        assert source.paths() == ["a", "b", "b/c.html", "index.html"]
        assert source.read("b/c.html") == b"<p>end"
        assert source.address("b") == f"{site.url}/docs/b/"
        assert source.warnings() == []
        assert sorted(site.asked) == ["/docs/", "/docs/a", "/docs/b/", "/docs/b/c.html"]
        for path in ("missing", "b/", "../blog"):
            with pytest.raises(FileNotFoundError):
                source.read(path)
            assert source.address(path) is None


def test_links_are_read_in_any_spelling() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("two words", "two%20words", "gr%C3%B6%c3%9fe", "größe", "a&amp;b", "%7euser", "a%2Fb"),
        "/docs/two%20words": "<p>",
        "/docs/gr%C3%B6%C3%9Fe": "<p>",
        "/docs/a&b": "<p>",
        "/docs/~user": "<p>",
        "/docs/a%2Fb": "<p>",
    }
    assert crawled_paths(pages) == ["a%2Fb", "a&b", "größe", "index.html", "two words", "~user"]


def test_only_text_is_kept() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("x", "y", "z.md", "openapi.json", "data.json", "plain"),
        "/docs/x": Reply("<html/>", headers={"Content-Type": "application/xhtml+xml"}),
        "/docs/y": Reply("# Y\n\n[more](more.md)", headers={"Content-Type": "text/markdown"}),
        "/docs/more.md": Reply("# More", headers={"Content-Type": "text/plain"}),
        "/docs/z.md": Reply("# Z", headers={"Content-Type": "application/octet-stream"}),
        "/docs/openapi.json": Reply('{"openapi": "3.1.0"}', headers={"Content-Type": "application/json"}),
        "/docs/data.json": Reply("{}", headers={"Content-Type": "application/json"}),
        "/docs/plain": Reply("text", headers={"Content-Type": "text/plain"}),
    }
    assert crawled_paths(pages) == ["index.html", "more.md", "openapi.json", "x", "y.md", "z.md"]


def test_paths_that_lead_into_themselves_and_calendars_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl, "MAX_DATES", 3)
    pages: dict[str, Page] = {"/docs/": links("a/", "events/2024/01")}
    for depth in range(1, 10):
        pages["/docs/" + "a/" * depth] = links("a/")
    for month in range(1, 13):
        pages[f"/docs/events/2024/{month:02}"] = links(f"{month + 1:02}")
    assert crawled_paths(pages) == [
        "a",
        "a/a",
        "a/a/a",
        *(f"events/2024/{month:02}" for month in (1, 2, 3)),
        "index.html",
    ]


def test_a_start_that_is_a_file_stands_for_its_folder() -> None:
    pages: dict[str, Page] = {"/docs/toc.html": links("a.html", "/b.html"), "/docs/a.html": "<p>"}
    assert crawled_paths(pages, "/docs/toc.html") == ["a.html", "toc.html"]


def test_a_subfolder_restricts_the_documents_where_it_exists() -> None:
    pages: dict[str, Page] = {"/docs/": links("guide/a", "b"), "/docs/guide/a": "<p>", "/docs/b": "<p>"}
    with serve_site(pages) as site:
        assert crawled(f"{site.url}/docs/", SourceOptions(subfolder="guide/")) == (["a"], [])
        assert crawled(f"{site.url}/docs/", SourceOptions(subfolder="none")) == (
            ["b", "guide/a", "index.html"],
            [PageWarning("none", "is no folder of the source, so all of it was read")],
        )


# --- Robots ---------------------------------------------------------------------------------------------------------


def test_robots_txt_is_obeyed() -> None:
    pages: dict[str, Page] = {
        "/robots.txt": "User-agent: *\nDisallow: /docs/private",
        "/docs/": links("private/a", "moved", "b"),
        "/docs/moved": to("/docs/private/b"),
        "/docs/private/a": "<p>",
        "/docs/private/b": "<p>",
        "/docs/b": "<p>",
    }
    with serve_site(pages) as site:
        assert crawled(f"{site.url}/docs/")[0] == ["b", "index.html"]
        assert sorted(site.asked) == ["/docs/", "/docs/b", "/docs/moved"]


@pytest.mark.parametrize(
    ("robots", "problem"),
    [
        (Reply("User-agent: *\nDisallow: /"), "/docs/ may not be fetched, as its robots.txt says"),
        (Reply("", 503), "robots.txt answers 503, and without it nothing of the site may be fetched"),
    ],
)
def test_a_site_that_may_not_be_read_is_not(robots: Reply, problem: str) -> None:
    with serve_site({"/robots.txt": robots, "/docs/": "<p>"}) as site:
        with pytest.raises(SourceError, match=problem):
            crawled(f"{site.url}/docs/")
        assert site.asked == []


def test_a_crawl_delay_is_kept() -> None:
    pages: dict[str, Page] = {
        "/robots.txt": "User-agent: *\nCrawl-delay: 0.1",
        "/docs/": links(*"abcd"),
        **{f"/docs/{name}": "<p>" for name in "abcd"},
    }
    with serve_site(pages) as site:
        crawled(f"{site.url}/docs/")
    times = [request.at for request in site.requests]
    assert min(later - earlier for earlier, later in pairwise(times[1:])) > 0.09


def test_pages_that_must_not_be_indexed_or_followed_are_not() -> None:
    pages: dict[str, Page] = {
        "/docs/": "<meta name=robots content=noindex>" + links("a", "b", "c") + "<a href=d rel=nofollow>d</a>",
        "/docs/a": Reply(links("from-a"), headers={"X-Robots-Tag": "noindex, nofollow"}),
        "/docs/b": Reply(links("from-b"), headers={"X-Robots-Tag": "nofollow"}),
        "/docs/c": Reply(links("from-c"), headers={"X-Robots-Tag": "otherbot: none"}),
        **{f"/docs/{name}": "<p>" for name in ("d", "from-a", "from-b", "from-c")},
    }
    assert crawled_paths(pages) == ["b", "c", "from-c"]


def test_a_site_without_any_page_for_the_index_says_why() -> None:
    pages: dict[str, Page] = {
        "/docs/": "<meta name=robots content=noindex>" + links("a", "b"),
        "/docs/a": Reply("x", headers={"Content-Type": "image/png"}),
    }
    with serve_site(pages) as site, pytest.raises(SourceError) as refused:
        crawled(f"{site.url}/docs/")
    assert str(refused.value) == (
        f"{site.url}/docs/ leads to no page below {site.url}/docs/ that can be read."
        " Of 3: 1 must not be indexed (noindex); 1 are no text; 1 do not exist."
    )


# --- Redirects and canonical addresses ------------------------------------------------------------------------------


def test_redirects_within_the_site_fold_and_others_are_dropped_with_a_warning() -> None:
    pages: dict[str, Page] = {
        "/docs": to("/docs/"),
        "/docs/": links("old", "older", "out", "elsewhere", "sly", "stub"),
        "/docs/old": to("new", 302),
        "/docs/older": to("/docs/old?x=1", 308),
        "/docs/new": "<p>new",
        "/docs/out": to("/blog"),
        "/docs/elsewhere": to("https://other.invalid/docs/"),
        "/docs/sly": to("%2e%2e/admin"),
        "/docs/stub": "<meta http-equiv=refresh content='0; url=new'>",
        "/blog": "<p>no",
        "/admin": "<p>no",
    }
    with serve_site(pages) as site:
        paths, warnings = crawled(f"{site.url}/docs")
        assert paths == ["index.html", "new"]
        assert {"/blog", "/admin"}.isdisjoint(site.asked)
        assert warnings == [
            PageWarning("index.html", f"links to {site.url}/docs/{path}, which redirects out of the site, to {target}")
            for path, target in (
                ("elsewhere", "https://other.invalid/docs/"),
                ("out", f"{site.url}/blog"),
                ("sly", f"{site.url}/admin"),
            )
        ]


def test_a_start_that_redirects_out_of_its_folder_says_where_to() -> None:
    with serve_site({"/docs/": to("/manual/")}) as site:
        with pytest.raises(SourceError) as refused:
            crawled(f"{site.url}/docs/")
        assert str(refused.value) == (
            f"{site.url}/docs/ redirects out of the site, to {site.url}/manual/. Give that address."
        )


def test_redirects_in_a_circle_end() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a", "self"),
        "/docs/a": to("b"),
        "/docs/b": to("a"),
        "/docs/self": to("self?1"),
    }
    with serve_site(pages) as site:
        assert crawled(f"{site.url}/docs/") == (
            ["index.html"],
            [
                PageWarning("a", f"redirects in a circle: {site.url}/docs/a"),
                PageWarning("index.html", f"links to {site.url}/docs/self, which redirects to itself or to nowhere"),
            ],
        )  # fmt: skip


def test_a_canonical_address_within_the_site_folds_and_another_does_not() -> None:
    def canonical(target: str) -> str:
        return f"<link rel=canonical href='{target}'>"

    pages: dict[str, Page] = {
        "/docs/": canonical("https://www.example.invalid/docs/latest/") + links("a", "b", "c"),
        "/docs/a": canonical("/docs/found-by-name-alone"),
        "/docs/b": canonical("/docs/found-by-name-alone"),
        "/docs/c": canonical("/docs/does-not-exist"),
        "/docs/found-by-name-alone": "<p>",
    }
    with serve_site(pages) as site:
        paths, warnings = crawled(f"{site.url}/docs/")
        assert paths == ["c", "found-by-name-alone", "index.html"]
        assert warnings == [PageWarning("c", f"links to {site.url}/docs/does-not-exist, which answers 404")]


def test_private_addresses_are_refused_unless_they_are_allowed(settings: Settings) -> None:
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = False
    with serve_site({"/docs/": "<p>"}) as site:
        port = site.host.rpartition(":")[2]
        for host in (site.host, f"localhost:{port}", f"0x7f.1:{port}"):
            with pytest.raises(SourceError, match="SOURCES_ALLOW_PRIVATE_ADDRESSES"):
                crawled(f"http://{host}/docs/")
        assert site.requests == []


def test_another_host_is_never_asked_though_private_addresses_are_allowed() -> None:
    with serve_site({"/docs/": "<p>"}) as other:
        pages: dict[str, Page] = {
            "/docs/": links(f"{other.url}/docs/", "moved"),
            "/docs/moved": to(f"{other.url}/docs/"),
        }
        assert crawled_paths(pages) == ["index.html"]
        assert other.requests == []
