import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.sources.site.links import MAX_LINKS, PageHead, read_html
from docs_search.sources.site.robots import Directives

URL = "https://example.com/docs/guide/"


def _links(html: str | bytes, charset: str | None = None) -> list[str]:
    return list(read_html(html.encode() if isinstance(html, str) else html, URL, charset).links)


def test_links_of_text_maps_frames_and_navigation_are_found_once_in_order() -> None:
    html = """
      <head><link rel="stylesheet" href="x.css"><link rel=next href=n><link rel="Prev chapter" href=p></head>
      <nav><a href="../api">API</a></nav><frameset><frame src=f><iframe src=i></iframe></frameset>
      <p><a href="a#1">A</a> <a href="a#2">A again</a> <a>none</a> <area href=m> <a href="mailto:x@y.example">m</a>
    """
    paths = ["guide/n", "guide/p", "api", "guide/f", "guide/i", "guide/a", "guide/m"]
    assert _links(html) == [f"https://example.com/docs/{path}" for path in paths]


def test_a_link_that_is_not_to_be_followed_is_not() -> None:
    assert _links('<a rel="noopener NoFollow" href=a>A</a><a href=b>B</a>') == [URL + "b"]


def test_the_first_base_moves_what_follows() -> None:
    assert _links("<base target=_top><base href=/other/><base href=/third/><a href=x>") == [
        "https://example.com/other/x"
    ]


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        ("<a href='größe'>".encode(), None),
        ("<a href='größe'>".encode(), "iso-8859-1"),  # it is valid UTF-8 all the same
        ("<meta charset=iso-8859-1><a href='größe'>".encode("latin-1"), None),
        ("<a href='größe'>".encode("latin-1"), "iso-8859-1"),
        ("<a href='größe'>".encode("latin-1"), "no-such-charset"),
        (b"<a href='gr&ouml;&szlig;e'>", None),
        (b"<a href='gr%C3%B6%c3%9fe'>", None),
    ],
)
def test_links_are_read_in_any_encoding(html: bytes, charset: str | None) -> None:
    assert _links(html, charset) == [URL + "gr%C3%B6%C3%9Fe"]


def test_the_first_canonical_address_counts() -> None:
    html = b"<link rel=canonical href='/docs/a'><link rel=canonical href='/docs/b'>"
    assert read_html(html, URL, None) == PageHead(canonical="https://example.com/docs/a")


@pytest.mark.parametrize(
    ("html", "directives"),
    [
        ("<meta name=robots content='noindex'>", Directives(noindex=True)),
        ("<META NAME=Robots CONTENT='NOFOLLOW, NoIndex'>", Directives(noindex=True, nofollow=True)),
        ("<meta name=robots content=none>", Directives(noindex=True, nofollow=True)),
        ("<meta name=docent content=noindex><meta name=robots content=nofollow>", Directives(True, True)),
        ("<meta name=googlebot content=noindex><meta name=robots content='index,follow'>", Directives()),
        ("<!-- <meta name=robots content=noindex> -->", Directives()),
    ],
)
def test_directives_for_robots_are_read(html: str, directives: Directives) -> None:
    assert read_html(html.encode(), URL, None).directives == directives


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=../new/", "https://example.com/docs/new/"),
        ("0;URL='/new'", "https://example.com/new"),
        ('0, "x"', URL + "x"),
        ("0.5;url=x", URL + "x"),
        ("30;url=x", None),
        ("5", None),
        ("", None),
        ("x;url=x", None),
    ],
)
def test_a_page_that_sends_readers_on_says_where(content: str, target: str | None) -> None:
    html = f"<meta http-equiv=Refresh content='{content}'>" if "'" not in content else ""
    html = html or f'<meta http-equiv=Refresh content="{content}">'
    assert read_html(html.encode(), URL, None).refresh == target


def test_what_is_for_readers_without_scripts_alone_sends_nobody_on() -> None:
    html = b"<noscript><meta http-equiv=refresh content='0;url=/plain'></noscript><p>text"
    assert read_html(html, URL, None).refresh is None


def test_deep_broken_and_endless_pages_are_read() -> None:
    assert _links("<div>" * 20_000 + "<a href=x>") == [URL + "x"]
    assert _links("<a href=x><a href='y") == [URL + "x"]
    assert len(_links("".join(f"<a href=p{n}>" for n in range(MAX_LINKS + 5)))) == MAX_LINKS
    assert _links(b"") == _links(b"\x00\xff\xfe") == []


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("<>/='\"& abefhlrmtnoscip\x00é;#0"), max_size=80))
def test_anything_can_be_read(html: str) -> None:
    head = read_html(f"<a href=x>{html}".encode(), URL, None)
    assert next(iter(head.links), None) in {URL + "x", *head.links}


@pytest.mark.parametrize(
    "viewer",
    [
        "<redoc spec-url='../api.yaml'></redoc>",
        "<rapi-doc spec-url='/docs/api.yaml'></rapi-doc>",
        "<script>window.ui = SwaggerUIBundle({\"url\": '../api.yaml', dom_id: '#x'})</script>",
        "<script>Redoc.init('../api.yaml', {}, null)</script>",
        "<link rel='service-desc' href='../api.yaml'>",
    ],
)
def test_a_description_that_scripts_show_is_followed(viewer: str) -> None:
    assert _links(f"<html><body>{viewer}<script>other({{url: 'no.js'}})</script>") == [
        "https://example.com/docs/api.yaml"
    ]
