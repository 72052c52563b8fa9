from dataclasses import replace

from docs_search.documents import Block, BlockType, ParsedPage, Section
from docs_search.indexing.bounds import bounded, is_too_long

PAGE = ParsedPage(
    "guide/page",
    "Page",
    [
        Section(
            1, "Page", "page", [Block(BlockType.PARAGRAPH, "Text.")], plan="pro", deployment="cloud", names=("page",)
        )
    ],
    summary="What it says.",
    section="guide",
    plan="pro",
    deployment="cloud",
    aliases=("old/page",),
    links=("guide/other",),
    warnings=("a warning of the parser",),
)


def test_a_page_within_the_bounds_stays_as_it_is() -> None:
    assert bounded(PAGE) == PAGE


def test_a_long_heading_is_shortened_and_kept_as_text() -> None:
    heading = "word " * 100 + "end"
    page = bounded(replace(PAGE, title=heading, sections=[Section(1, heading, None), Section(2, "x" * 400, None)]))
    shortened = ("word " * 80)[:-1] + "…"
    assert len(shortened) == 400
    assert (page.title, page.sections[0].heading, page.sections[1].heading) == (shortened, shortened, "x" * 400)
    assert page.sections[0].blocks == [Block(BlockType.PARAGRAPH, heading)]
    assert page.warnings == (
        "a warning of the parser",
        "a heading is longer than 400 characters, and was shortened",
        "the title is longer than 400 characters, and was shortened",
    )


def test_long_paths_anchors_and_plans_are_left_out() -> None:
    page = replace(PAGE, aliases=("é" * 501, "é" * 500), links=("x" * 1001, "x" * 1000), plan="p" * 41)
    page.sections = [Section(1, "Page", "a" * 1001, deployment="d" * 41)]
    found = bounded(page)
    assert (found.aliases, found.links, found.plan) == (("é" * 500,), ("x" * 1000,), None)
    assert (found.sections[0].anchor, found.sections[0].deployment) == (None, None)
    assert found.warnings == (
        "a warning of the parser",
        "an anchor is longer than 1000 characters, and was left out",
        f"{'d' * 40}… is too long for a plan, and was left out",
        f"{'p' * 40}… is too long for a plan, and was left out",
        "an old path is longer than 1000 bytes, and was left out",
        "a link is longer than 1000 bytes, and was left out",
    )


def test_what_postgresql_refuses_is_replaced_everywhere() -> None:
    bad, good = "a\0b\ud800", "a\ufffdb?"
    section = Section(1, bad, bad, [Block(BlockType.PARAGRAPH, bad)], plan=bad, deployment=bad, names=(bad,))
    page = ParsedPage(bad, bad, [section], bad, bad, bad, bad, (bad,), (bad,))
    clean = Section(1, good, good, [Block(BlockType.PARAGRAPH, good)], plan=good, deployment=good, names=(good,))
    assert bounded(page) == ParsedPage(good, good, [clean], good, good, good, good, (good,), (good,))


def test_the_bound_of_a_path_counts_bytes() -> None:
    assert [is_too_long(path) for path in ("x" * 1000, "x" * 1001, "é" * 500, "é" * 501)] == [False, True, False, True]
