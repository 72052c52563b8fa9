import time

import pytest

from docs_search.documents import Kind
from docs_search.parsing.text.kinds import Entry, classify, is_release_notes


@pytest.mark.parametrize(
    ("heading", "path", "title", "entry"),
    [
        ("`MB_JETTY_PORT`", "x", "X", Entry(Kind.SETTING, True, ("MB_JETTY_PORT",))),
        ("MB_JETTY_PORT", "x", "X", Entry(Kind.SETTING, True, ("MB_JETTY_PORT",))),
        ("`MB_OLD [DEPRECATED]`", "x", "X", Entry(Kind.SETTING, True, ("MB_OLD",))),
        ("`MB_OLD` (deprecated)", "x", "X", Entry(Kind.SETTING, True, ("MB_OLD",))),
        ("`--keep-existing, -k`", "x", "X", Entry(Kind.SETTING, True, ("--keep-existing", "-k"))),
        ("`max-size`", "configuration", "Settings", Entry(Kind.SETTING, True, ("max-size",))),
        ("`url_aliases`", "x", "Optional keys", Entry(Kind.SETTING, True, ("url_aliases",))),
        ("`GET /api/alert/:id`", "api/alert", "Alert", Entry(Kind.API, True, ("GET /api/alert/:id", "/api/alert/:id"))),
        ("DELETE /v1/x", "x", "X", Entry(Kind.API, True, ("DELETE /v1/x", "/v1/x"))),
        ("`reset-password email`", "x", "JAR commands", Entry(Kind.COMMAND, True, ("reset-password",))),
        ("`help name | help`", "reference/cli", "X", Entry(Kind.COMMAND, True, ("help",))),
        ("`concat(a, b)`", "x", "X", Entry(Kind.FUNCTION, True, ("concat",))),
        ("`deps.edn`", "x", "X", Entry(names=("deps.edn",))),
        ("`a b`", "x", "X", Entry()),
        ("Can I run two?", "x", "Frequently asked questions", Entry(Kind.FAQ)),
        ("FAQs", "x", "X", Entry(Kind.FAQ)),
        ('"permission denied" on start', "troubleshooting", "X", Entry(Kind.ERROR)),
        ("Crashes with `OutOfMemoryError`", "x", "Known issues", Entry(Kind.ERROR)),
        ("403 Forbidden", "x", "Common errors", Entry(Kind.ERROR)),
        ("Cannot read a file", "troubleshooting/start", "X", Entry(Kind.ERROR)),
        ("Cannot read a file", "guide/start", "X", Entry()),
        ("Error messages", "troubleshooting", "X", Entry()),
        ("Metabase 0.54.0", "developers-guide/api-changelog", "X", Entry(Kind.RELEASE_NOTE)),
        ("`NEW_SETTING`", "x", "Release notes", Entry(Kind.RELEASE_NOTE)),
        ("Use the `PORT` variable", "x", "X", Entry()),
        ("SQL", "x", "X", Entry()),
    ],
)
def test_a_heading_and_its_place_decide_the_kind(heading: str, path: str, title: str, entry: Entry) -> None:
    assert classify(heading, path=path, title=title) == entry


def test_a_heading_of_any_length_is_judged_at_once() -> None:
    assert classify("`" * 100_000, path="troubleshooting", title="X") == Entry()


def test_headings_above_count_as_context() -> None:
    assert classify("Is it free?", path="x", title="X", ancestors=["FAQ"]) == Entry(Kind.FAQ)
    assert classify("`start`", path="x", title="X", ancestors=["Commands"]) == Entry(Kind.COMMAND, True, ("start",))


@pytest.mark.parametrize("path", ["releases", "changelog", "whats-new/3", "about/release-notes", "release-18.html"])
def test_paths_of_release_notes(path: str) -> None:
    assert is_release_notes(path, "X")


@pytest.mark.parametrize("path", ["release-management", "history", "tracking-changes", "cut-a-release"])
def test_paths_that_only_sound_like_release_notes(path: str) -> None:
    assert not is_release_notes(path, "X")


def test_a_huge_title_or_ancestor_is_not_read_again_for_every_section() -> None:
    huge = "a heading without an end " * 20_000
    started = time.perf_counter()
    for _ in range(500):
        assert classify("Plain", path="x", title=huge, ancestors=[huge]) == Entry()
    assert time.perf_counter() - started < 2
