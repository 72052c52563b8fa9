"""Links between the documents of a site, from files and from addresses."""

from dataclasses import replace

import pytest

from docs_search.documents import ParseContext
from docs_search.parsing.html.links import PageLinks

FILES = frozenset({"guide/a.html", "guide/b.html", "guide/deep/index.html", "guide/logo.png", "top.html"})
SITE = "https://pond.example/docs/2/"


def _context(*, fetched: bool = False) -> ParseContext:
    return ParseContext(
        version="2",
        paths=FILES,
        read=lambda _: None,
        url_for=lambda path: SITE + path,
        path_of=lambda url: url.removeprefix(SITE) if url.startswith(SITE) else None,
        address_of=lambda path: f"https://mirror.example/{path}" if fetched else None,
    )


def _links(*, fetched: bool = False, base: str = "") -> PageLinks:
    is_page = lambda path: path.endswith(".html")  # noqa: E731
    return PageLinks("guide/a.html", _context(fetched=fetched), is_page, base=base)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("b.html", f"{SITE}guide/b.html"),
        ("b.html?x=1#y", f"{SITE}guide/b.html#y"),
        ("b", f"{SITE}guide/b.html"),
        ("deep/", f"{SITE}guide/deep/index.html"),
        ("../top.html", f"{SITE}top.html"),
        ("#here", f"{SITE}guide/a.html#here"),
        ("logo.png", f"{SITE}guide/logo.png"),
        ("gone.html", None),
        ("mailto:frog@pond.example", None),
        ("javascript:void(0)", None),
        ("/docs/2/top.html", f"{SITE}top.html"),
        ("/elsewhere", "https://pond.example/elsewhere"),
        ("//other.example/x", "https://other.example/x"),
        ("https://other.example/x#y", "https://other.example/x#y"),
        ("http://[", None),
    ],
)
def test_a_file_links_to_files(href: str, target: str | None) -> None:
    assert _links().target(href) == target


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("b.html", "https://mirror.example/guide/b.html"),
        ("/x", "https://mirror.example/x"),
        ("#here", f"{SITE}guide/a.html#here"),
        (f"{SITE}top.html#y", f"{SITE}top.html#y"),
        ("tel:1", None),
    ],
)
def test_what_was_fetched_links_to_addresses(href: str, target: str | None) -> None:
    assert _links(fetched=True).target(href) == target


def test_links_may_be_relative_to_another_place() -> None:
    assert _links(fetched=True, base="/other/").target("x") == "https://mirror.example/other/x"
    assert _links(base="..").target("top.html") == f"{SITE}top.html"
    assert _links(base="http://[").target("b.html") == f"{SITE}guide/b.html"


def test_an_address_of_the_version_without_a_page_stays_an_address() -> None:
    links = _links(fetched=True)
    assert links.target(f"{SITE}gone.html#x") == f"{SITE}gone.html#x"
    assert links.target(f"{SITE}deep/no/such/") == f"{SITE}deep/no/such/"
    assert links.target(f"{SITE}guide/b") == f"{SITE}guide/b"
    assert list(links.pages) == ["guide/b.html"]


def test_the_index_of_a_folder_is_the_folder() -> None:
    context = replace(_context(fetched=True), paths=frozenset({"guide", "guide/a"}))
    links = PageLinks("guide/a", context, lambda path: True)
    assert links.target(f"{SITE}guide/index.html#x") == f"{SITE}guide#x"
    assert list(links.pages) == ["guide"]


def test_pages_of_the_same_version_are_remembered() -> None:
    links = _links()
    for href in ("b.html#x", "b.html", "#y", "a.html", "logo.png", "/docs/2/top.html", "https://other.example/z.html"):
        links.target(href)
    assert list(links.pages) == ["guide/b.html", "top.html"]
