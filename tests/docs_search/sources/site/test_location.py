import pytest

from docs_search.sources.base import SourceError
from docs_search.sources.site.location import SiteLocation


@pytest.mark.parametrize(
    ("path", "folder", "is_list"),
    [
        ("", "/", False),
        ("/docs", "/docs/", False),
        ("/docs/", "/docs/", False),
        ("/docs/index.html", "/docs/", False),
        ("/sitemap.xml", "/", True),
        ("/docs/sitemap-2.xml.gz", "/docs/", True),
        ("/docs/post-Sitemap_index.XML", "/docs/", True),
        ("/docs/llms.txt", "/docs/", True),
        ("/sitemap.xml/", "/sitemap.xml/", False),
    ],
)
def test_a_location_says_how_a_site_is_read(path: str, folder: str, is_list: bool) -> None:
    site = SiteLocation.parse(f"https://Example.com{path}")
    assert (site.url, site.is_list) == (f"https://example.com{path or '/'}", is_list)
    assert site.scope.root == f"https://example.com{folder}"


def test_spellings_of_one_location_share_a_store() -> None:
    spellings = ["https://example.com/docs/", "HTTPS://EXAMPLE.com:443/./docs/#top"]
    assert len({SiteLocation.parse(spelling).digest for spelling in spellings}) == 1
    assert SiteLocation.parse("https://example.com/docs").digest != SiteLocation.parse(spellings[0]).digest


@pytest.mark.parametrize(
    ("location", "problem"),
    [
        ("https://example.com/docs?v=secret", "https://example.com/docs was given with a query"),
        ("https://user:secret@example.com/docs", "https://example.com/docs was given with a query, a user name"),
        ("https://:80/", "is no address of a site"),
        ("https://[::1", "is no address of a site"),
    ],
)
def test_a_location_that_cannot_be_used_says_so_without_secrets(location: str, problem: str) -> None:
    with pytest.raises(SourceError, match=problem) as refused:
        SiteLocation.parse(location)
    assert "secret" not in str(refused.value)
