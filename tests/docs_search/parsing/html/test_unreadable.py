"""Documents with nothing to read say why, instead of passing for pages."""

import pytest

from docs_search.documents import ParseContext
from docs_search.parsing.html.parser import HtmlParser

SCRIPTS = "holds no text, since scripts make it in a browser, and was left out"
VIEWER = "shows an API by scripts, and was left out: index the description of the API instead ({})"
FRAMES = "is made of frames, and was left out: the pages that it shows in them are pages by themselves"


def _warnings(body: str) -> list[tuple[str, str]]:
    """Of a page with this body, which must be none."""
    told: list[tuple[str, str]] = []
    context = ParseContext(
        version="1",
        paths=frozenset({"x.html"}),
        read=lambda _: None,
        url_for=lambda path: f"https://pond.example/{path}",
        warn=lambda path, message: told.append((path, message)),
    )
    html = f"<!doctype html><html><head><title>A pond in the hills</title></head>{body}</html>"
    assert HtmlParser().parse("x.html", html.encode(), context) is None
    return told


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<frameset><frame src='a.html'><noframes><p>No frames.</p></noframes></frameset>", FRAMES),
        ("<body><div id='root'></div><script src='app.js'></script></body>", SCRIPTS),
        ("<body><div id='app'>Loading…</div><script>run()</script></body>", SCRIPTS),
        (
            "<body><noscript><p>You need to enable JavaScript to run this app, which has many words.</p></noscript>"
            "<div id='root'></div><script src='app.js'></script></body>",
            SCRIPTS,
        ),
        (
            "<body><redoc spec-url='/api.yaml'></redoc><script src='redoc.js'></script></body>",
            VIEWER.format("/api.yaml"),
        ),
        (
            "<body><div id='swagger-ui'></div>"
            "<script>window.ui = SwaggerUIBundle({url: 'openapi.json', x: 1})</script></body>",
            VIEWER.format("openapi.json"),
        ),
        (
            "<body><iframe src='https://other.example/doc'></iframe></body>",
            "only shows another page in a frame (https://other.example/doc), and was left out",
        ),
    ],
)
def test_a_document_without_a_text_says_why(body: str, message: str) -> None:
    assert _warnings(body) == [("x.html", message)]


def test_a_short_page_with_scripts_is_a_page() -> None:
    html = b"<html><body><h1>Gone</h1><p>Removed.</p><script>count()</script></body></html>"
    page = HtmlParser().parse(
        "x.html", html, ParseContext(version="1", paths=frozenset(), read=lambda _: None, url_for=lambda path: path)
    )
    assert page is not None
    assert page.markdown == "# Gone\n\nRemoved."


def test_an_empty_document_is_none_without_a_word() -> None:
    assert _warnings("<body></body>") == []
