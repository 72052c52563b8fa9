"""Crawls of the pages that a sitemap or an llms.txt names."""

import gzip
from collections.abc import Iterable

import pytest
from pytest_django.fixtures import Settings

from docs_search.documents import PageWarning
from docs_search.sources import SourceError, SourceOptions
from docs_search.sources.site import lists
from tests.crawling import crawled
from tests.site_server import Page, Reply, serve_site

XML = {"Content-Type": "application/xml"}


def sitemap(*addresses: str, lastmod: str = "") -> str:
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    entries = "".join(f"<url><loc>{address}</loc>{date}</url>" for address in addresses)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def index(addresses: Iterable[str]) -> str:
    entries = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f"<sitemapindex>{entries}</sitemapindex>"


def test_the_pages_of_a_sitemap_are_read_and_their_links_are_not_followed() -> None:
    pages: dict[str, Page] = {"/docs/a": "<a href=unlisted>x</a>", "/docs/b": "<p>", "/docs/new": "<p>", "/x": "<p>"}
    with serve_site(pages) as site:
        listed = [
            f"{site.url}{path}" for path in ("/docs/a", "/docs/b?x=1&amp;y=2", "/docs/moved", "/x", "/docs/i.png")
        ]
        site.pages |= {
            "/docs/sitemap.xml": Reply(
                sitemap(*listed, "https://other.invalid/docs/c", "c", "/docs/gone"), headers=XML
            ),
            "/docs/moved": Reply("", 301, {"Location": "/docs/new"}),
            "/docs/c": "<p>",
        }
        paths, warnings = crawled(f"{site.url}/docs/sitemap.xml")
        assert paths == ["a", "b", "c", "new"]
        assert warnings == [PageWarning("sitemap.xml", f"links to {site.url}/docs/gone, which answers 404")]
        assert {"/docs/unlisted", "/x", "/docs/i.png"}.isdisjoint(site.asked)


def test_indexes_of_compressed_sitemaps_are_read_also_in_a_circle() -> None:
    with serve_site(dict.fromkeys(("/a", "/b", "/c"), "<p>")) as site:
        site.pages |= {
            "/sitemap_index.xml": Reply(index([f"{site.url}/s/1.xml.gz", "sitemap.xml?page=2", "gone.xml"])),
            "/s/1.xml.gz": Reply(gzip.compress(sitemap(f"{site.url}/a").encode())),
            "/sitemap.xml?page=2": Reply(
                index([f"{site.url}/sitemap_index.xml", f"{site.url}/3.xml", "//o.invalid/x.xml"])
            ),
            "/3.xml": Reply(sitemap(f"{site.url}/b", f"{site.url}/c")),
        }
        paths, warnings = crawled(f"{site.url}/sitemap_index.xml")
        assert paths == ["a", "b", "c"]
        assert warnings == [
            PageWarning(
                "sitemap_index.xml", f"{site.url}/sitemap_index.xml lists {site.url}/gone.xml, which does not exist"
            )
        ]


def test_pages_that_have_not_changed_by_their_sitemap_are_not_asked_for() -> None:
    pages: dict[str, Page] = {
        "/a": "<p>a",
        "/b": "<p>b",
        "/c": "<link rel=canonical href=/canonical>",
        "/canonical": "<p>c",
    }
    with serve_site(pages) as site:

        def publish(dates: dict[str, str]) -> None:
            entries = "".join(
                f"<url><loc>{site.url}{path}</loc><lastmod>{date}</lastmod></url>" for path, date in dates.items()
            )
            site.pages["/sitemap.xml"] = Reply(f"<urlset>{entries}</urlset>")
            site.forget()

        publish({"/a": "2024-05-17", "/b": "2024-05-17T10:00:00Z", "/c": "2024-05-17"})
        before = crawled(f"{site.url}/sitemap.xml")
        assert before == (["a", "b", "canonical"], [])
        publish({"/a": "2024-05-17", "/b": "2024-05-18T10:00:00Z", "/c": "2024-05-17"})
        assert crawled(f"{site.url}/sitemap.xml") == before
        assert sorted(site.asked) == ["/b", "/canonical", "/sitemap.xml"]
        publish({"/a": "2999-01-01", "/c": "2024-05-17"})
        assert crawled(f"{site.url}/sitemap.xml")[0] == ["a", "canonical"]
        publish({"/a": "2999-01-01", "/c": "2024-05-17"})
        crawled(f"{site.url}/sitemap.xml")
        assert sorted(site.asked) == ["/a", "/canonical", "/sitemap.xml"]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply("", 404), "There is nothing at http.*/sitemap.xml. Check the location"),
        (Reply("", 403), "sitemap.xml answers 403. Its host does not give it to everybody"),
        (Reply("", 500), "sitemap.xml answers 500. Try again later"),
        (Reply("<html></html>"), "sitemap.xml is no sitemap: its root is <html>"),
        (Reply("<urlset><url>"), "sitemap.xml is not well-formed XML"),
        (Reply(gzip.compress(b"<urlset/>")[:-2]), "sitemap.xml is cut off"),
        (
            Reply(sitemap("https://other.invalid/a")),
            "lists no pages below http.*/docs/, but others such as https://other",
        ),
        (Reply("<urlset></urlset>"), "sitemap.xml lists no pages below http.*/docs/\\.$"),
        (
            Reply("", 301, {"Location": "https://www.other.invalid/sitemap.xml"}),
            "redirects to https://www.other.invalid/",
        ),
        (Reply("", 301, {"Location": "/docs/sitemap.xml"}), "redirects too often"),
        (Reply(index(["other.xml"])), "other.xml is no sitemap"),
    ],
)
def test_a_sitemap_that_cannot_be_read_is_an_error(reply: Reply, problem: str) -> None:
    with (
        serve_site({"/docs/sitemap.xml": reply, "/docs/other.xml": "<html></html>"}) as site,
        pytest.raises(SourceError, match=problem),
    ):
        crawled(f"{site.url}/docs/sitemap.xml")


def test_a_sitemap_that_robots_may_not_fetch_is_an_error() -> None:
    with serve_site({"/robots.txt": "User-agent: *\nDisallow: /docs/", "/docs/sitemap.xml": sitemap("a")}) as site:
        with pytest.raises(SourceError, match=r"robots\.txt does not allow http.*/docs/sitemap.xml to be fetched"):
            crawled(f"{site.url}/docs/sitemap.xml")
        assert site.asked == []


def test_sitemaps_are_bounded(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_site({"/sitemap.xml": Reply(sitemap(*(f"p{number}" for number in range(30))))}) as site:
        settings.CRAWL_MAX_PAGES = 20
        with pytest.raises(SourceError, match=r"leads to more than 20 pages.*CRAWL_MAX_PAGES"):
            crawled(f"{site.url}/sitemap.xml")
        assert site.asked == ["/sitemap.xml"]
        monkeypatch.setattr(lists, "MAX_LISTS", 5)
        site.pages["/sitemap.xml"] = Reply(index(f"{number}.xml" for number in range(9)))
        with pytest.raises(SourceError, match="leads to more than 5 lists of pages"):
            crawled(f"{site.url}/sitemap.xml")


def test_a_sample_of_a_sitemap_reads_few_pages_and_lists() -> None:
    pages: dict[str, Page] = {f"/p{number:02}": "<p>" for number in range(40)}
    with serve_site(pages) as site:
        site.pages["/sitemap.xml"] = Reply(index(f"{number}.xml" for number in range(4)))
        for number in range(4):
            site.pages[f"/{number}.xml"] = Reply(sitemap(*(f"/p{number * 10 + page:02}" for page in range(10))))
        paths, _ = crawled(f"{site.url}/sitemap.xml", SourceOptions(sample=3))
        assert paths == ["p00", "p01", "p02"]
        assert sorted(site.asked) == ["/0.xml", "/p00", "/p01", "/p02", "/sitemap.xml"]


def test_the_pages_that_an_llms_txt_names_are_read_as_markdown_where_it_has_that() -> None:
    markdown = {"Content-Type": "text/markdown"}
    text = """# Product

> Docs.

- [Install](install.html.md): how
- [Install, to look at](install.html)
- [Guide](guide/)
- [API](/docs/api/llms.txt)
- [All](llms-full.txt)
- [Blog](/blog) and [elsewhere](https://other.invalid/)
"""
    pages: dict[str, Page] = {
        "/docs/llms.txt": Reply(text, headers={"Content-Type": "text/plain"}),
        "/docs/api/llms.txt": Reply("- [Calls](calls.md)", headers={"Content-Type": "text/plain"}),
        "/docs/install.html.md": Reply("# Install", headers=markdown),
        "/docs/install.html": "<p>",
        "/docs/guide/": "<a href=unlisted>x</a>",
        "/docs/api/calls.md": Reply("# Calls", headers=markdown),
    }
    with serve_site(pages) as site:
        assert crawled(f"{site.url}/docs/llms.txt") == (["api/calls.md", "guide", "install.html.md"], [])
        assert sorted(site.asked) == sorted(set(pages) - {"/docs/install.html"})
