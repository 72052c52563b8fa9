"""Crawls of sites that were crawled before, in part or whole."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings as project
from pytest_django.fixtures import Settings

from docs_search.sources import SourceError, SourceOptions, open_source
from tests.crawling import crawled, links
from tests.site_server import Page, Reply, Site, serve_site


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
        crawled(f"{site.url}/docs/")
        site.pages["/docs/"] = links("a")
        site.forget()
        assert crawled(f"{site.url}/docs/")[0] == ["a", "index.html"]
        assert "/docs/b" not in site.asked


def test_two_runs_of_one_site_do_not_mix() -> None:
    with serve_site({"/docs/": "<p>"}) as site, open_source(f"{site.url}/docs/"):
        with pytest.raises(SourceError, match="is being crawled by another run"):
            crawled(f"{site.url}/docs/")
        assert crawled(f"{site.url}/docs/", SourceOptions(sample=1))[0] == ["index.html"]


PROGRAM = """
import sys, django; django.setup()
from docs_search.sources import open_source
with open_source(sys.argv[1]) as source: print(len(source.paths()))
"""


def _killedcrawled(site: Site, folder: Path, requests: int) -> None:
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
            _killedcrawled(site, Path(settings.VAR_DIR), requests)
        assert crawled(f"{site.url}/docs/") == (["index.html", *names], [])
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
            crawled(f"{site.url}/docs/", SourceOptions(progress=heard))
            assert (heard.stages, heard.total, heard.done) == (["fetch"], 3, 3)
