import pytest

from docs_search.outbound.fetcher import FetchError, Response
from docs_search.outbound.redirects import redirect_target


def _answer(url: str, location: str | None, status: int = 302) -> Response:
    return Response(url, status, {} if location is None else {"location": location}, b"")


@pytest.mark.parametrize(
    ("url", "location", "target"),
    [
        ("https://a.example/docs/x", "y?z=1", "https://a.example/docs/y?z=1"),
        ("https://a.example/docs/x", "/y", "https://a.example/y"),
        ("https://a.example/docs/x", "//b.example/y", "https://b.example/y"),
        ("http://a.example/x", "https://a.example/x", "https://a.example/x"),
        ("http://a.example/x", "http://b.example/", "http://b.example/"),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_leads_to_an_absolute_address(url: str, location: str, target: str, status: int) -> None:
    assert redirect_target(_answer(url, location, status)) == target


@pytest.mark.parametrize("status", [200, 300, 304, 404, 500])
def test_other_answers_lead_nowhere(status: int) -> None:
    assert redirect_target(_answer("https://a.example/", "/y", status)) is None


@pytest.mark.parametrize(
    "location", [None, "", "ftp://a.example/", "javascript:alert(1)", "file:///etc/passwd", "http://[::1/"]
)
def test_a_redirect_to_no_address_of_the_web_is_refused(location: str | None) -> None:
    with pytest.raises(FetchError, match=r"https://a\.example/x redirects to no address\.$"):
        redirect_target(_answer("https://a.example/x?key=secret", location))


def test_a_redirect_away_from_https_is_refused() -> None:
    with pytest.raises(FetchError, match="redirects from https to http"):
        redirect_target(_answer("https://a.example/x", "http://a.example/x"))
