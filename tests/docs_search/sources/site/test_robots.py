import pytest

from docs_search.outbound.fetcher import Fetcher
from docs_search.sources.base import SourceError
from docs_search.sources.site.politeness import Clock, PoliteClient
from docs_search.sources.site.robots import MAX_DELAY, Directives, Robots, fetch_robots
from tests.site_server import Page, Reply, serve_site

RULES = b"\xef\xbb\xbfUser-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\n"


def test_rules_allow_and_disallow_paths() -> None:
    robots = Robots.parse(RULES)
    paths = ["/docs", "/private/x", "/private/open/x"]
    assert [robots.allows(f"https://example.com{path}") for path in paths] == [True, False, True]


def test_rules_for_this_robot_come_before_those_for_all() -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /\n\nUser-agent: Docent\nDisallow: /old/\n")
    assert robots.allows("https://example.com/docs")
    assert not robots.allows("https://example.com/old/docs")


@pytest.mark.parametrize(
    ("rules", "delay"),
    [
        (RULES, 2.0),
        (b"User-agent: *\nCrawl-delay: 3600", MAX_DELAY),
        (b"User-agent: *\nCrawl-delay: soon", 0.0),
        (b"User-agent: other\nCrawl-delay: 5", 0.0),
        (b"<!DOCTYPE html><p>not found", 0.0),
        (b"\xff\xfe\x00", 0.0),
    ],
)
def test_the_delay_is_bounded(rules: bytes, delay: float) -> None:
    assert Robots.parse(rules).delay == delay
    assert Robots().delay == 0.0


@pytest.mark.parametrize(
    ("header", "directives"),
    [
        ("", Directives()),
        ("noindex", Directives(noindex=True)),
        ("NOINDEX , nofollow", Directives(noindex=True, nofollow=True)),
        ("none", Directives(noindex=True, nofollow=True)),
        ("otherbot: noindex, nofollow", Directives()),
        ("otherbot: noindex, docent: nofollow", Directives(nofollow=True)),
        ("unavailable_after: 25 Jun 2030 15:00:00 GMT, noindex", Directives(noindex=True)),
        ("max-snippet: -1, max-image-preview: large", Directives()),
    ],
)
def test_a_header_speaks_to_all_robots_or_to_one(header: str, directives: Directives) -> None:
    assert Directives.parse(header) == directives


def _fetched(page: Page | None, **others: Page) -> Robots:
    pages = {f"/{name}": other for name, other in others.items()} | ({"/robots.txt": page} if page else {})
    with serve_site(pages) as site, Fetcher(allow_private=True) as fetcher:
        return fetch_robots(site.url, PoliteClient(fetcher, Clock(), requests_per_second=1000))


def test_everything_is_allowed_where_there_is_no_robots_txt() -> None:
    for page in (None, Reply("", 403), Reply("", 410), Reply("", 302)):
        assert _fetched(page).allows("https://example.com/x")


def test_redirects_of_robots_txt_are_followed_up_to_a_bound() -> None:
    moved = Reply("", 301, {"Location": "/rules"})
    assert not _fetched(moved, rules=Reply(RULES)).allows("https://example.com/private/x")
    assert _fetched(moved, rules=Reply("", 302, {"Location": "/robots.txt"})).allows("https://example.com/private/x")


@pytest.mark.parametrize("status", [500, 503, 429])
def test_nothing_is_allowed_while_robots_txt_cannot_be_had(status: int) -> None:
    with pytest.raises(SourceError, match=f"answers {status}, and without it nothing of the site may be fetched"):
        _fetched(Reply("", status))
