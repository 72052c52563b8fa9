"""Crawls of whole sites on loopback, rule by rule."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings as project
from pytest_django.fixtures import Settings

from docs_search.documents import PageWarning
from docs_search.sources import SourceError, SourceOptions, open_source
from docs_search.sources.site import crawl
from tests.site_server import Page, Reply, Site, serve_site


def _crawl(location: str, options: SourceOptions | None = None) -> tuple[list[str], list[PageWarning]]:
    with open_source(location, options or SourceOptions()) as source:
        return source.paths(), source.warnings()


def _paths(pages: dict[str, Page], start: str = "/docs/") -> list[str]:
    with serve_site(pages) as site:
        return _crawl(site.url + start)[0]


def links(*targets: str) -> str:
    return "".join(f'<p><a href="{target}">link</a>' for target in targets)


def to(target: str, status: int = 301) -> Reply:
    return Reply("", status, {"Location": target})


# --- What is followed -----------------------------------------------------------------------------------------------


def test_all_that_is_linked_below_the_folder_is_read_and_nothing_else() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a", "/docs/b/#x", "b/?page=2", "/blog", "//other.invalid/docs/", "c.png", "d.pdf"),
        "/docs/a": links("b/c.html", "./", "../docs/a"),
        "/docs/b/": links("c.html"),
        "/docs/b/c.html": "<p>end",
        "/docs2": "<p>no",
        "/blog": "<p>no",
    }
    with serve_site(pages) as site, open_source(f"{site.url}/docs/") as source:
        assert source.paths() == ["a", "b", "b/c.html", "index.html"]
        assert source.read("b/c.html") == b"<p>end"
        assert source.address("b") == f"{site.url}/docs/b/"
        assert source.warnings() == []
        assert sorted(site.asked) == ["/docs/", "/docs/a", "/docs/b/", "/docs/b/c.html"]
        for path in ("missing", "b/", "../blog"):
            with pytest.raises(FileNotFoundError):
                source.read(path)
            assert source.address(path) is None


def test_links_are_read_in_any_spelling() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("two words", "two%20words", "gr%C3%B6%c3%9fe", "größe", "a&amp;b", "%7euser", "a%2Fb"),
        "/docs/two%20words": "<p>",
        "/docs/gr%C3%B6%C3%9Fe": "<p>",
        "/docs/a&b": "<p>",
        "/docs/~user": "<p>",
        "/docs/a%2Fb": "<p>",
    }
    assert _paths(pages) == ["a%2Fb", "a&b", "größe", "index.html", "two words", "~user"]


def test_only_text_is_kept() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("x", "y", "z.md", "openapi.json", "data.json", "plain"),
        "/docs/x": Reply("<html/>", headers={"Content-Type": "application/xhtml+xml"}),
        "/docs/y": Reply("# Y\n\n[more](more.md)", headers={"Content-Type": "text/markdown"}),
        "/docs/more.md": Reply("# More", headers={"Content-Type": "text/plain"}),
        "/docs/z.md": Reply("# Z", headers={"Content-Type": "application/octet-stream"}),
        "/docs/openapi.json": Reply('{"openapi": "3.1.0"}', headers={"Content-Type": "application/json"}),
        "/docs/data.json": Reply("{}", headers={"Content-Type": "application/json"}),
        "/docs/plain": Reply("text", headers={"Content-Type": "text/plain"}),
    }
    assert _paths(pages) == ["index.html", "more.md", "openapi.json", "x", "y.md", "z.md"]


def test_paths_that_lead_into_themselves_and_calendars_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl, "MAX_DATES", 3)
    pages: dict[str, Page] = {"/docs/": links("a/", "events/2024/01")}
    for depth in range(1, 10):
        pages["/docs/" + "a/" * depth] = links("a/")
    for month in range(1, 13):
        pages[f"/docs/events/2024/{month:02}"] = links(f"{month + 1:02}")
    assert _paths(pages) == [
        "a",
        "a/a",
        "a/a/a",
        *(f"events/2024/{month:02}" for month in (1, 2, 3)),
        "index.html",
    ]


def test_a_start_that_is_a_file_stands_for_its_folder() -> None:
    pages: dict[str, Page] = {"/docs/toc.html": links("a.html", "/b.html"), "/docs/a.html": "<p>"}
    assert _paths(pages, "/docs/toc.html") == ["a.html", "toc.html"]


def test_a_subfolder_restricts_the_documents_where_it_exists() -> None:
    pages: dict[str, Page] = {"/docs/": links("guide/a", "b"), "/docs/guide/a": "<p>", "/docs/b": "<p>"}
    with serve_site(pages) as site:
        assert _crawl(f"{site.url}/docs/", SourceOptions(subfolder="guide/"))[0] == ["a"]
        assert _crawl(f"{site.url}/docs/", SourceOptions(subfolder="none"))[0] == ["b", "guide/a", "index.html"]


# --- Robots ---------------------------------------------------------------------------------------------------------


def test_robots_txt_is_obeyed() -> None:
    pages: dict[str, Page] = {
        "/robots.txt": "User-agent: *\nDisallow: /docs/private",
        "/docs/": links("private/a", "moved", "b"),
        "/docs/moved": to("/docs/private/b"),
        "/docs/private/a": "<p>",
        "/docs/private/b": "<p>",
        "/docs/b": "<p>",
    }
    with serve_site(pages) as site:
        assert _crawl(f"{site.url}/docs/")[0] == ["b", "index.html"]
        assert sorted(site.asked) == ["/docs/", "/docs/b", "/docs/moved"]


@pytest.mark.parametrize(
    ("robots", "problem"),
    [
        (Reply("User-agent: *\nDisallow: /"), "/docs/ may not be fetched, as its robots.txt says"),
        (Reply("", 503), "robots.txt answers 503, and without it nothing of the site may be fetched"),
    ],
)
def test_a_site_that_may_not_be_read_is_not(robots: Reply, problem: str) -> None:
    with serve_site({"/robots.txt": robots, "/docs/": "<p>"}) as site:
        with pytest.raises(SourceError, match=problem):
            _crawl(f"{site.url}/docs/")
        assert site.asked == []


def test_a_crawl_delay_is_kept() -> None:
    pages: dict[str, Page] = {
        "/robots.txt": "User-agent: *\nCrawl-delay: 0.1",
        "/docs/": links(*"abcd"),
        **{f"/docs/{name}": "<p>" for name in "abcd"},
    }
    with serve_site(pages) as site:
        _crawl(f"{site.url}/docs/")
    times = [request.at for request in site.requests]
    assert min(later - earlier for earlier, later in pairwise(times[1:])) > 0.09


def test_pages_that_must_not_be_indexed_or_followed_are_not() -> None:
    pages: dict[str, Page] = {
        "/docs/": "<meta name=robots content=noindex>" + links("a", "b", "c") + "<a href=d rel=nofollow>d</a>",
        "/docs/a": Reply(links("from-a"), headers={"X-Robots-Tag": "noindex, nofollow"}),
        "/docs/b": Reply(links("from-b"), headers={"X-Robots-Tag": "nofollow"}),
        "/docs/c": Reply(links("from-c"), headers={"X-Robots-Tag": "otherbot: none"}),
        **{f"/docs/{name}": "<p>" for name in ("d", "from-a", "from-b", "from-c")},
    }
    assert _paths(pages) == ["b", "c", "from-c"]


def test_a_site_without_any_page_for_the_index_says_why() -> None:
    pages: dict[str, Page] = {
        "/docs/": "<meta name=robots content=noindex>" + links("a", "b"),
        "/docs/a": Reply("x", headers={"Content-Type": "image/png"}),
    }
    with serve_site(pages) as site, pytest.raises(SourceError) as refused:
        _crawl(f"{site.url}/docs/")
    assert str(refused.value) == (
        f"{site.url}/docs/ leads to no page below {site.url}/docs/ that can be read."
        " Of 3: 1 must not be indexed (noindex); 1 are no text; 1 do not exist."
    )


# --- Redirects and canonical addresses ------------------------------------------------------------------------------


def test_redirects_within_the_site_fold_and_others_are_dropped_with_a_warning() -> None:
    pages: dict[str, Page] = {
        "/docs": to("/docs/"),
        "/docs/": links("old", "older", "out", "elsewhere", "sly", "stub"),
        "/docs/old": to("new", 302),
        "/docs/older": to("/docs/old?x=1", 308),
        "/docs/new": "<p>new",
        "/docs/out": to("/blog"),
        "/docs/elsewhere": to("https://other.invalid/docs/"),
        "/docs/sly": to("%2e%2e/admin"),
        "/docs/stub": "<meta http-equiv=refresh content='0; url=new'>",
        "/blog": "<p>no",
        "/admin": "<p>no",
    }
    with serve_site(pages) as site:
        paths, warnings = _crawl(f"{site.url}/docs")
        assert paths == ["index.html", "new"]
        assert {"/blog", "/admin"}.isdisjoint(site.asked)
        assert warnings == [
            PageWarning("index.html", f"links to {site.url}/docs/{path}, which redirects out of the site, to {target}")
            for path, target in (
                ("elsewhere", "https://other.invalid/docs/"),
                ("out", f"{site.url}/blog"),
                ("sly", f"{site.url}/admin"),
            )
        ]


def test_a_start_that_redirects_out_of_its_folder_says_where_to() -> None:
    with serve_site({"/docs/": to("/manual/")}) as site:
        with pytest.raises(SourceError) as refused:
            _crawl(f"{site.url}/docs/")
        assert str(refused.value) == (
            f"{site.url}/docs/ redirects out of the site, to {site.url}/manual/. Give that address."
        )


def test_redirects_in_a_circle_end() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a", "self"),
        "/docs/a": to("b"),
        "/docs/b": to("a"),
        "/docs/self": to("self?1"),
    }
    with serve_site(pages) as site:
        assert _crawl(f"{site.url}/docs/") == (
            ["index.html"],
            [
                PageWarning("a", f"redirects in a circle: {site.url}/docs/a"),
                PageWarning("index.html", f"links to {site.url}/docs/self, which redirects to itself or to nowhere"),
            ],
        )  # fmt: skip


def test_a_canonical_address_within_the_site_folds_and_another_does_not() -> None:
    def canonical(target: str) -> str:
        return f"<link rel=canonical href='{target}'>"

    pages: dict[str, Page] = {
        "/docs/": canonical("https://www.example.invalid/docs/latest/") + links("a", "b", "c"),
        "/docs/a": canonical("/docs/found-by-name-alone"),
        "/docs/b": canonical("/docs/found-by-name-alone"),
        "/docs/c": canonical("/docs/does-not-exist"),
        "/docs/found-by-name-alone": "<p>",
    }
    with serve_site(pages) as site:
        paths, warnings = _crawl(f"{site.url}/docs/")
        assert paths == ["c", "found-by-name-alone", "index.html"]
        assert warnings == [PageWarning("c", f"links to {site.url}/docs/does-not-exist, which answers 404")]


def test_private_addresses_are_refused_unless_they_are_allowed(settings: Settings) -> None:
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = False
    with serve_site({"/docs/": "<p>"}) as site:
        port = site.host.rpartition(":")[2]
        for host in (site.host, f"localhost:{port}", f"0x7f.1:{port}"):
            with pytest.raises(SourceError, match="SOURCES_ALLOW_PRIVATE_ADDRESSES"):
                _crawl(f"http://{host}/docs/")
        assert site.requests == []


def test_another_host_is_never_asked_though_private_addresses_are_allowed() -> None:
    with serve_site({"/docs/": "<p>"}) as other:
        pages: dict[str, Page] = {
            "/docs/": links(f"{other.url}/docs/", "moved"),
            "/docs/moved": to(f"{other.url}/docs/"),
        }
        assert _paths(pages) == ["index.html"]
        assert other.requests == []


# --- Faults ---------------------------------------------------------------------------------------------------------


def test_pages_that_are_gone_are_told_to_the_page_that_links_to_them() -> None:
    with serve_site({"/docs/": links("guide/"), "/docs/guide/": links("gone")}) as site:
        paths, warnings = _crawl(f"{site.url}/docs/")
        assert paths == ["guide", "index.html"]
        assert warnings == [PageWarning("guide", f"links to {site.url}/docs/guide/gone, which answers 404")]


def test_a_host_that_is_busy_is_asked_again() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a"),
        "/docs/a": lambda count: Reply("<p>", 200 if count == 2 else 429, {"Retry-After": "0"}),
    }
    with serve_site(pages) as site:
        assert _crawl(f"{site.url}/docs/") == (["a", "index.html"], [])
        assert Counter(site.asked) == {"/docs/": 1, "/docs/a": 3}


@pytest.mark.parametrize("start", [Reply("", 404), Reply("", 403), Reply("", 500), Reply("", 304)])
def test_a_start_that_cannot_be_had_is_an_error(start: Reply) -> None:
    with serve_site({"/docs/": start}) as site:
        with pytest.raises(SourceError) as refused:
            _crawl(f"{site.url}/docs/")
        assert str(refused.value) == f"{site.url}/docs/ answers {start.status}."


def test_a_host_that_does_not_answer_is_an_error() -> None:
    with serve_site({}) as site:
        pass
    with pytest.raises(SourceError, match=r"/robots\.txt cannot be reached: Connection refused"):
        _crawl(f"{site.url}/docs/")


def test_a_host_that_keeps_failing_ends_the_run_and_what_was_fetched_is_kept() -> None:
    names = [f"p{number:02}" for number in range(30)]
    pages: dict[str, Page] = {
        "/docs/": links("good", *names),
        "/docs/good": "<p>",
        **{f"/docs/{name}": Reply("", 500) for name in names},
    }
    with serve_site(pages) as site:
        with pytest.raises(SourceError, match="answers 500, and 9 addresses before it failed as well"):
            _crawl(f"{site.url}/docs/")
        assert len(set(site.asked)) < 20
        site.pages |= {f"/docs/{name}": "<p>" for name in names}
        site.forget()
        assert _crawl(f"{site.url}/docs/")[0] == ["good", "index.html", *names]
        assert {"/docs/", "/docs/good"}.isdisjoint(site.asked)


def test_a_known_page_that_fails_does_not_pass_for_deleted() -> None:
    pages: dict[str, Page] = {"/docs/": links("a", "b"), "/docs/a": "<p>", "/docs/b": "<p>"}
    with serve_site(pages) as site:
        _crawl(f"{site.url}/docs/")
        site.pages["/docs/b"] = Reply("", 403)
        with pytest.raises(
            SourceError, match=r"1 of 3 pages cannot be fetched any longer, among them http.*/docs/b, which"
        ):
            _crawl(f"{site.url}/docs/")
        del site.pages["/docs/b"]
        assert _crawl(f"{site.url}/docs/")[0] == ["a", "index.html"]


def test_of_very_few_known_pages_that_fail_the_older_copies_are_used() -> None:
    names = [f"p{number:03}" for number in range(120)]
    pages: dict[str, Page] = {"/docs/": links(*names), **{f"/docs/{name}": f"<p>{name}" for name in names}}
    with serve_site(pages) as site:
        _crawl(f"{site.url}/docs/")
        site.pages["/docs/p005"] = Reply("", 403)
        with open_source(f"{site.url}/docs/") as source:
            assert source.paths() == ["index.html", *names]
            assert source.read("p005") == b"<p>p005"
            assert source.warnings() == [PageWarning("p005", "is an older copy, since its address answers 403")]


def test_a_page_that_never_could_be_had_is_a_warning() -> None:
    with serve_site({"/docs/": links("a"), "/docs/a": Reply("", 403)}) as site:
        assert _crawl(f"{site.url}/docs/") == (
            ["index.html"],
            [PageWarning("index.html", f"links to {site.url}/docs/a, which answers 403")],
        )


def test_a_page_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_search.sources.site.visiting.MAX_PAGE_BYTES", 10_000)
    with serve_site({"/docs/": links("a"), "/docs/a": "<p>" + "x" * 10_000}) as site:
        assert _crawl(f"{site.url}/docs/") == (
            ["index.html"],
            [PageWarning("index.html", f"links to {site.url}/docs/a, which is larger than 10,000 bytes")],
        )


# --- Bounds ---------------------------------------------------------------------------------------------------------


def test_a_site_with_too_many_pages_is_refused_and_can_be_gone_on_with(settings: Settings) -> None:
    names = [f"p{number:02}" for number in range(12)]
    pages: dict[str, Page] = {"/docs/": links(*names), **{f"/docs/{name}": "<p>" for name in names}}
    with serve_site(pages) as site:
        settings.CRAWL_MAX_PAGES = 10
        with pytest.raises(SourceError, match=r"leads to more than 10 pages.*CRAWL_MAX_PAGES"):
            _crawl(f"{site.url}/docs/")
        settings.CRAWL_MAX_PAGES = 13
        assert len(_crawl(f"{site.url}/docs/")[0]) == 13
        assert set(Counter(site.asked).values()) == {1}
        settings.CRAWL_MAX_PAGES = 4  # of which each may lead to three addresses
        with pytest.raises(SourceError, match="leads to more than 4 pages"):
            _crawl(f"{site.url}/docs/")


def test_a_site_with_too_many_bytes_is_refused(settings: Settings) -> None:
    settings.CRAWL_MAX_BYTES = 5000
    pages: dict[str, Page] = {"/docs/": links(*"abc"), **{f"/docs/{name}": "x" * 2000 for name in "abc"}}
    with serve_site(pages) as site, pytest.raises(SourceError, match=r"more than 5,000 bytes.*CRAWL_MAX_BYTES"):
        _crawl(f"{site.url}/docs/")


def test_a_sample_is_small_and_leaves_nothing_behind(settings: Settings) -> None:
    names = [f"p{number:02}" for number in range(50)]
    pages: dict[str, Page] = {"/docs/": links("gone", *names), **{f"/docs/{name}": "<p>" for name in names}}
    with serve_site(pages) as site:
        paths, _ = _crawl(f"{site.url}/docs/", SourceOptions(sample=5))
        assert len(paths) == 5
        assert len(site.asked) <= 6
    assert not Path(settings.VAR_DIR).exists()


def test_requests_are_bounded_in_rate_and_number_at_a_time(settings: Settings) -> None:
    settings.CRAWL_REQUESTS_PER_SECOND, settings.CRAWL_CONCURRENCY = 50.0, 2
    names = [f"p{number:02}" for number in range(20)]
    pages: dict[str, Page] = {"/docs/": links(*names), **{f"/docs/{name}": Reply("<p>", delay=0.1) for name in names}}
    with serve_site(pages) as site:
        started = time.monotonic()
        assert len(_crawl(f"{site.url}/docs/")[0]) == 21
        assert time.monotonic() - started >= 20 * 0.1 / 2
        settings.CRAWL_CONCURRENCY = 20
        site.forget()
        _crawl(f"{site.url}/docs/")
    times = sorted(request.at for request in site.requests)
    assert times[-1] - times[0] > 0.9 * 21 / 50


# --- Again, and after an end ----------------------------------------------------------------------------------------


def test_a_second_run_asks_for_what_has_changed() -> None:
    pages: dict[str, Page] = {
        "/docs/": links("a", "b", "c"),
        "/docs/a": links("from-a"),
        "/docs/b": Reply("<p>b", headers={"Last-Modified": "Fri, 17 May 2024 12:00:00 GMT", "ETag": ""}),
        "/docs/c": "<p>c",
        "/docs/from-a": "<p>from a",
    }
    with serve_site(pages) as site:
        with open_source(f"{site.url}/docs/") as source:
            before = {path: source.read(path) for path in source.paths()}
        site.pages["/docs/c"] = "<p>c, changed"
        site.forget()
        with open_source(f"{site.url}/docs/") as source:
            assert {path: source.read(path) for path in source.paths()} == before | {"c": b"<p>c, changed"}
        assert {request.path: request.status for request in site.requests} == {
            "/robots.txt": 404,
            "/docs/": 304,
            "/docs/a": 304,
            "/docs/b": 304,
            "/docs/c": 200,
            "/docs/from-a": 304,
        }


def test_pages_that_nothing_leads_to_any_longer_are_dropped() -> None:
    pages: dict[str, Page] = {"/docs/": links("a", "b"), "/docs/a": "<p>", "/docs/b": "<p>"}
    with serve_site(pages) as site:
        _crawl(f"{site.url}/docs/")
        site.pages["/docs/"] = links("a")
        site.forget()
        assert _crawl(f"{site.url}/docs/")[0] == ["a", "index.html"]
        assert "/docs/b" not in site.asked


def test_two_runs_of_one_site_do_not_mix() -> None:
    with serve_site({"/docs/": "<p>"}) as site, open_source(f"{site.url}/docs/"):
        with pytest.raises(SourceError, match="is being crawled by another run"):
            _crawl(f"{site.url}/docs/")
        assert _crawl(f"{site.url}/docs/", SourceOptions(sample=1))[0] == ["index.html"]


PROGRAM = """
import sys, django; django.setup()
from docs_search.sources import open_source
with open_source(sys.argv[1]) as source: print(len(source.paths()))
"""


def _killed_crawl(site: Site, folder: Path, requests: int) -> None:
    """A crawl in a process of its own, killed after so many requests."""
    variables = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DOCENT_VAR": str(folder),
        "SOURCES_ALLOW_PRIVATE_ADDRESSES": "1",
        "CRAWL_REQUESTS_PER_SECOND": "200",
    }
    command = [sys.executable, "-c", PROGRAM, f"{site.url}/docs/"]
    with subprocess.Popen(command, env=variables, cwd=project.BASE_DIR, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while len(site.asked) < requests:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)


def test_a_crawl_that_is_killed_goes_on_where_it_was(settings: Settings) -> None:
    names = [f"p{number:03}" for number in range(60)]
    pages: dict[str, Page] = {
        "/docs/": links(*names[:30]),
        **{f"/docs/{name}": Reply(links(*names[30:]), delay=0.01) for name in names},
    }
    with serve_site(pages) as site:
        for requests in (20, 40):
            _killed_crawl(site, Path(settings.VAR_DIR), requests)
        assert _crawl(f"{site.url}/docs/") == (["index.html", *names], [])
        again = [path for path, count in Counter(site.asked).items() if count > 1]
        assert len(again) <= 2 * settings.CRAWL_CONCURRENCY
        assert max(Counter(site.asked).values()) <= 3
        assert len(site.asked) >= 61


class Heard:
    """Keeps what it is told of a run."""

    def __init__(self) -> None:
        self.stages: list[str] = []
        self.total = self.done = 0

    def stage(self, name: str, total: int) -> None:
        self.stages.append(name)
        self.total, self.done = total, 0

    def advance(self, units: int = 1) -> None:
        self.done += units

    def grow(self, units: int) -> None:
        self.total += units


def test_progress_counts_the_addresses_that_are_known_and_asked() -> None:
    with serve_site({"/docs/": links("a", "b"), "/docs/a": "<p>"}) as site:
        for _ in range(2):
            heard = Heard()
            _crawl(f"{site.url}/docs/", SourceOptions(progress=heard))
            assert (heard.stages, heard.total, heard.done) == (["fetch"], 3, 3)
