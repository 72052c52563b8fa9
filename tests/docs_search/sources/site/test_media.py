import pytest

from docs_search.sources.site.media import HTML, MARKDOWN, OPENAPI, media_of


@pytest.mark.parametrize(
    ("content_type", "path", "body", "media"),
    [
        ("text/html", "a", b"", HTML),
        ("Text/HTML; charset=utf-8", "a.md", b"", HTML),
        ("application/xhtml+xml", "a", b"", HTML),
        ("", "a", b"\n <!DOCTYPE HTML>", HTML),
        ("", "a", b"\x89PNG", None),
        ("text/markdown", "a", b"", MARKDOWN),
        ("text/plain", "a.md", b"", MARKDOWN),
        ("application/octet-stream", "a.mdx", b"", MARKDOWN),
        ("text/plain", "a", b"", None),
        ("text/plain", "a.txt", b"", None),
        ("application/json", "api", b'{ "openapi": "3.1.0" }', OPENAPI),
        ("application/vnd.oai.openapi+json;version=3.0", "api", b'{"info":{},"openapi":"3.0.1"}', OPENAPI),
        ("application/yaml", "api", b"# ours\nopenapi: 3.1.0\n", OPENAPI),
        ("text/x-yaml", "api", b"swagger: '2.0'", OPENAPI),
        ("text/plain", "api.yml", b"openapi: 3.1.0", OPENAPI),
        ("application/json", "package.json", b'{"name": "x"}', None),
        ("application/json", "a", b'{"about": "openapi: a standard"}', None),
        ("application/pdf", "a", b"", None),
        ("nonsense", "a", b"", None),
    ],
)
def test_documents_are_known_by_type_name_and_content(
    content_type: str, path: str, body: bytes, media: str | None
) -> None:
    assert media_of(content_type, f"https://example.com/{path}", body)[0] == media


def test_the_charset_is_the_one_that_the_server_names() -> None:
    url = "https://example.com/a"
    types = ["text/html; charset=Latin-1", 'text/html;charset="utf-8"', "text/html", "text/html; charset"]
    assert [media_of(name, url, b"")[1] for name in types] == ["Latin-1", "utf-8", None, ""]
