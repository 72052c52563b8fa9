import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.sources.site import sitemap
from docs_search.sources.site.sitemap import Sitemap, UnreadableSitemap, changed_before, parse_sitemap

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/image"'
PAGES = """
  <url><loc> https://example.com/a?x=1&amp;y=2 </loc><lastmod>2024-05-17</lastmod>
    <image:image><image:loc>https://example.com/a.png</image:loc></image:image></url>
  <url><priority>0.5</priority><loc><![CDATA[https://example.com/b]]></loc></url>
  <url><lastmod>2024-05-17</lastmod></url>
"""
LISTED = Sitemap([("https://example.com/a?x=1&y=2", "2024-05-17"), ("https://example.com/b", "")])


@pytest.mark.parametrize(
    "document",
    [
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACE}>{PAGES}</urlset>',
        f"<urlset>{PAGES.replace('image:', '')}</urlset>",
        f'<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.84">{PAGES}</s:urlset>'.replace(
            "<url>", "<s:url>"
        )
        .replace("</url>", "</s:url>")
        .replace("loc>", "s:loc>")
        .replace("lastmod>", "s:lastmod>")
        .replace("<image:image><image:s:loc>https://example.com/a.png</image:s:loc></image:image>", ""),
    ],
)
def test_pages_are_read_with_any_namespace(document: str) -> None:
    assert parse_sitemap(document.encode()) == LISTED


def test_a_compressed_index_names_sitemaps() -> None:
    index = f"<sitemapindex {NAMESPACE}><sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>"
    assert parse_sitemap(gzip.compress(index.encode())) == Sitemap([], ["https://example.com/1.xml"])


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (b"", "is not well-formed XML"),
        (b"<urlset><url><loc>https://example.com/a</loc></url>", "is not well-formed XML"),
        (b"<html><body>Not found</body></html>", "is no sitemap: its root is <html>"),
        (gzip.compress(b"<urlset/>")[:-4], "is cut off"),
        (b"\x1f\x8bnonsense", "is damaged"),
    ],
)
def test_half_a_sitemap_or_none_is_refused(document: bytes, problem: str) -> None:
    with pytest.raises(UnreadableSitemap, match=problem):
        parse_sitemap(document)


def test_entities_are_refused_before_they_expand() -> None:
    layers = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE urlset [<!ENTITY e0 "boom">{layers}]><urlset><url><loc>&e11;</loc></url></urlset>'
    external = '<!DOCTYPE u [<!ENTITY e SYSTEM "file:///etc/passwd">]><urlset><url><loc>&e;</loc></url></urlset>'
    for document in (bomb, external):
        with pytest.raises(UnreadableSitemap, match="has a document type"):
            parse_sitemap(document.encode())


def test_a_compression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MAX_BYTES", 10_000)
    with pytest.raises(UnreadableSitemap, match="unpacks to more than 10,000 bytes"):
        parse_sitemap(gzip.compress(b"<urlset>" + b" " * 1_000_000 + b"</urlset>"))


def test_a_large_sitemap_is_read_whole() -> None:
    entry = "<url><loc>https://example.com/a-rather-long-path-to-a-page</loc><lastmod>2024-05-17</lastmod></url>"
    count = 12_000_000 // len(entry)
    assert len(parse_sitemap(f"<urlset>{entry * count}</urlset>".encode()).pages) == count


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("<>/&;![]urlset loc\x00é"), max_size=60))
def test_anything_is_read_or_refused(text: str) -> None:
    for document in (text, f"<urlset>{text}</urlset>"):
        try:
            found = parse_sitemap(document.encode())
        except UnreadableSitemap:
            continue
        assert found.sitemaps == []


NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("lastmod", "before"),
    [
        ("2024-05-17T11:59:59Z", True),
        ("2024-05-17T13:59:00+02:00", True),
        ("2024-05-17T12:00:00Z", False),
        ("2024-05-17T11:59:59", True),
        ("2024-05-15", True),
        ("2024-05-16", False),  # it is still that day in the west
        ("2024-05-17", False),
        ("2024", False),
        ("yesterday", False),
        ("9999-12-31", False),
        ("", False),
    ],
)
def test_a_date_lies_before_a_moment_only_where_that_is_sure(lastmod: str, before: bool) -> None:
    assert changed_before(lastmod, NOON) is before
