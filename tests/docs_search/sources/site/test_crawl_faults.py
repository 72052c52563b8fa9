"""Crawls of sites that fail, and of sites without an end."""

import time
from collections import Counter
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from docs_search.documents import PageWarning
from docs_search.sources import SourceError, SourceOptions, open_source
from tests.crawling import crawled, links
from tests.site_server import Page, Reply, serve_site


def test_pages_that_are_gone_are_told_to_the_page_that_links_to_them() -> None:
    with serve_site({"/docs/": links("guide/"), "/docs/guide/": links("gone")}) as site:
        paths, warnings = crawled(f"{site.url}/docs/")
        assert paths == ["guide", "index.html"]
        assert warnings == [PageWarning("guide", f"links to {site.url}/docs/guide/gone, which answers 404")]


def test_a_host_that_is_busy_is_asked_again() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a"),
        "/docs/a": lambda count: Reply("<p>", 200 if count == 2 else 429, {"Retry-After": "0"}),
    }
    with serve_site(pages) as site:
        assert crawled(f"{site.url}/docs/") == (["a", "index.html"], [])
        assert Counter(site.asked) == {"/docs/": 1, "/docs/a": 3}


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (404, "Check the location."),
        (403, "Its host does not give it to everybody: get the documents yourself, and name their folder or archive."),
        (500, "Try again later."),
        (304, "Try again later."),
    ],
)
def test_a_start_that_cannot_be_had_is_an_error(status: int, hint: str) -> None:
    with serve_site({"/docs/": Reply("", status)}) as site:
        with pytest.raises(SourceError) as refused:
            crawled(f"{site.url}/docs/")
        assert str(refused.value) == f"{site.url}/docs/ answers {status}. {hint}"


def test_a_host_that_does_not_answer_is_an_error() -> None:
    with serve_site({}) as site:
        pass
    with pytest.raises(SourceError, match=r"/robots\.txt cannot be reached: Connection refused\. Check the location"):
        crawled(f"{site.url}/docs/")


def test_a_host_that_keeps_failing_ends_the_run_and_what_was_fetched_is_kept() -> None:
    names = [f"p{number:02}" for number in range(30)]
    pages: dict[str, Page] = {
        "/docs/": links("good", *names),
        "/docs/good": "<p>",
        **{f"/docs/{name}": Reply("", 500) for name in names},
    }
    with serve_site(pages) as site:
        with pytest.raises(SourceError, match="answers 500, and 9 addresses before it failed as well"):
            crawled(f"{site.url}/docs/")
        assert len(set(site.asked)) < 20
        site.pages |= {f"/docs/{name}": "<p>" for name in names}
        site.forget()
        assert crawled(f"{site.url}/docs/")[0] == ["good", "index.html", *names]
        assert {"/docs/", "/docs/good"}.isdisjoint(site.asked)


def test_a_known_page_that_fails_does_not_pass_for_deleted() -> None:
    pages: dict[str, Page] = {"/docs/": links("a", "b"), "/docs/a": "<p>", "/docs/b": "<p>"}
    with serve_site(pages) as site:
        crawled(f"{site.url}/docs/")
        site.pages["/docs/b"] = Reply("", 403)
        with pytest.raises(
            SourceError, match=r"1 of 3 pages cannot be fetched any longer, among them http.*/docs/b, which"
        ):
            crawled(f"{site.url}/docs/")
        del site.pages["/docs/b"]
        assert crawled(f"{site.url}/docs/")[0] == ["a", "index.html"]


def test_of_very_few_known_pages_that_fail_the_older_copies_are_used() -> None:
    names = [f"p{number:03}" for number in range(120)]
    pages: dict[str, Page] = {"/docs/": links(*names), **{f"/docs/{name}": f"<p>{name}" for name in names}}
    with serve_site(pages) as site:
        crawled(f"{site.url}/docs/")
        site.pages["/docs/p005"] = Reply("", 403)
        with open_source(f"{site.url}/docs/") as source:
            assert source.paths() == ["index.html", *names]
            assert source.read("p005") == b"<p>p005"
            assert source.warnings() == [PageWarning("p005", "is an older copy, since its address answers 403")]


def test_a_page_that_never_could_be_had_is_a_warning() -> None:
    with serve_site({"/docs/": links("a"), "/docs/a": Reply("", 403)}) as site:
        assert crawled(f"{site.url}/docs/") == (
            ["index.html"],
            [PageWarning("index.html", f"links to {site.url}/docs/a, which answers 403")],
        )


def test_many_pages_that_never_could_be_had_end_the_run() -> None:
    good, bad = [f"g{number:02}" for number in range(60)], [f"x{number}" for number in range(6)]
    pages: dict[str, Page] = {f"/docs/{name}": f"<p>{name}" for name in good}
    closed = {f"/docs/{name}": Reply("", 403) for name in bad}
    with serve_site({**pages, **closed, "/docs/": links(*good, *bad)}) as site:
        assert len(crawled(f"{site.url}/docs/")[0]) == 61
    with serve_site({**pages, **closed, "/docs/": links(*good[:40], *bad)}) as site:
        with pytest.raises(SourceError, match=r"^6 of 47 pages cannot be fetched, among them .*/x0, which answers 403"):
            crawled(f"{site.url}/docs/")
        assert len(crawled(f"{site.url}/docs/", SourceOptions(sample=50))[0]) == 41
    with serve_site({**pages, **closed, "/docs/": links(good[0], *bad[1:])}) as site:
        assert len(crawled(f"{site.url}/docs/")[0]) == 2


def test_a_page_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_search.sources.site.visiting.MAX_PAGE_BYTES", 10_000)
    with serve_site({"/docs/": links("a"), "/docs/a": "<p>" + "x" * 10_000}) as site:
        assert crawled(f"{site.url}/docs/") == (
            ["index.html"],
            [PageWarning("index.html", f"links to {site.url}/docs/a, which is larger than 10,000 bytes")],
        )


def test_a_site_with_too_many_pages_is_refused_and_can_be_gone_on_with(settings: Settings) -> None:
    names = [f"p{number:02}" for number in range(12)]
    pages: dict[str, Page] = {"/docs/": links(*names), **{f"/docs/{name}": "<p>" for name in names}}
    with serve_site(pages) as site:
        settings.CRAWL_MAX_PAGES = 10
        with pytest.raises(SourceError, match=r"leads to more than 10 pages.*CRAWL_MAX_PAGES"):
            crawled(f"{site.url}/docs/")
        settings.CRAWL_MAX_PAGES = 13
        assert len(crawled(f"{site.url}/docs/")[0]) == 13
        again = [path for path, count in Counter(site.asked).items() if count > 1]
        assert len(again) < settings.CRAWL_CONCURRENCY  # what was under way when the run ended
        settings.CRAWL_MAX_PAGES = 4  # of which each may lead to three addresses
        with pytest.raises(SourceError, match="leads to more than 4 pages"):
            crawled(f"{site.url}/docs/")


def test_a_site_with_too_many_bytes_is_refused(settings: Settings) -> None:
    settings.CRAWL_MAX_BYTES = 5000
    pages: dict[str, Page] = {"/docs/": links(*"abc"), **{f"/docs/{name}": "x" * 2000 for name in "abc"}}
    with serve_site(pages) as site, pytest.raises(SourceError, match=r"more than 5,000 bytes.*CRAWL_MAX_BYTES"):
        crawled(f"{site.url}/docs/")


def test_a_sample_is_small_and_leaves_nothing_behind(settings: Settings) -> None:
    names = [f"p{number:02}" for number in range(50)]
    pages: dict[str, Page] = {"/docs/": links("gone", *names), **{f"/docs/{name}": "<p>" for name in names}}
    with serve_site(pages) as site:
        paths, _ = crawled(f"{site.url}/docs/", SourceOptions(sample=5))
        assert len(paths) == 5
        assert len(site.asked) <= 6
    assert not Path(settings.VAR_DIR).exists()


def test_requests_are_bounded_in_rate_and_number_at_a_time(settings: Settings) -> None:
    settings.CRAWL_REQUESTS_PER_SECOND, settings.CRAWL_CONCURRENCY = 50.0, 2
    names = [f"p{number:02}" for number in range(20)]
    pages: dict[str, Page] = {"/docs/": links(*names), **{f"/docs/{name}": Reply("<p>", delay=0.1) for name in names}}
    with serve_site(pages) as site:
        started = time.monotonic()
        assert len(crawled(f"{site.url}/docs/")[0]) == 21
        assert time.monotonic() - started >= 20 * 0.1 / 2
        settings.CRAWL_CONCURRENCY = 20
        site.forget()
        crawled(f"{site.url}/docs/")
    times = sorted(request.at for request in site.requests)
    assert times[-1] - times[0] > 0.9 * 21 / 50
