import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.text.slugs import (
    HugoSlugger,
    KramdownSlugger,
    PythonMarkdownSlugger,
    Slugger,
    SphinxSlugger,
    VitePressSlugger,
)

SLUGGERS = (Slugger, KramdownSlugger, HugoSlugger, VitePressSlugger, PythonMarkdownSlugger, SphinxSlugger)


def slugs(slugger: Slugger, *headings: str) -> list[str]:
    return [slugger.slug(heading) for heading in headings]


def test_slugs_are_lower_case_words_joined_by_hyphens() -> None:
    slugger = Slugger()
    assert slugger.slug("Install & run: Docker") == "install--run-docker"
    assert slugger.slug("MB_JETTY_PORT") == "mb_jetty_port"
    assert slugger.slug("GET /api/alert/:id") == "get-apialertid"
    assert slugger.slug("Über größe 2.0") == "über-größe-20"
    assert slugger.slug("???") == ""


def test_marks_are_letters_to_github_and_emoji_are_not() -> None:
    assert slugs(Slugger(), "हिन्दी", "😄 emoji", "⚙️ Setup", "Привет non-latin 你好", "x² Ⅷ") == [
        "हिन्दी",
        "-emoji",
        "\ufe0f-setup",
        "привет-non-latin-你好",
        "x-ⅷ",
    ]


def test_repeated_headings_are_numbered_without_meeting_another_heading() -> None:
    assert slugs(Slugger(), "Params", "Params 1", "Params", "Params") == ["params", "params-1", "params-2", "params-3"]


@pytest.mark.parametrize(
    ("slugger", "anchor"),
    [
        (Slugger(), "usage-1"),
        (KramdownSlugger(), "usage-1"),
        (HugoSlugger(), "usage-1"),
        (VitePressSlugger(), "usage-1"),
        (PythonMarkdownSlugger(), "usage_1"),
        (SphinxSlugger(), "id1"),
    ],
)
def test_an_explicit_anchor_is_not_given_to_a_heading(slugger: Slugger, anchor: str) -> None:
    slugger.reserve("usage")
    assert slugger.slug("Usage") == anchor


def test_kramdown_begins_at_the_first_letter_and_keeps_ascii() -> None:
    assert slugs(KramdownSlugger(), "1. What's new in 2.0?", "Größe_x", "123 456", "  ", "Section") == [
        "whats-new-in-20",
        "grex",
        "section",
        "section-1",
        "section-2",
    ]


def test_hugo_keeps_letters_digits_and_underscores() -> None:
    assert slugs(HugoSlugger(), "What's new: 2.0?", "Größe_x", "हिन्दी", "???", "???", "a -- b") == [
        "whats-new-20",
        "größe_x",
        "हनद",
        "heading",
        "heading-1",
        "a----b",
    ]


def test_vitepress_drops_accents_and_marks_what_begins_with_a_digit() -> None:
    assert slugs(VitePressSlugger(), "Über größe", "1.2 What's new?", "a -- b_c", "⚙️ Setup", "Setup", "Setup") == [
        "uber-große",
        "_1-2-what-s-new",
        "a-b-c",
        "⚙️-setup",
        "setup",
        "setup-1",
    ]


def test_python_markdown_numbers_with_an_underscore_and_goes_on_from_a_number() -> None:
    assert slugs(PythonMarkdownSlugger(), "Über größe 2.0", "a -- b_c", "Setup", "Setup", "Setup_1", "Setup") == [
        "uber-groe-20",
        "a-b_c",
        "setup",
        "setup_1",
        "setup_2",
        "setup_3",
    ]
    assert slugs(PythonMarkdownSlugger(), "你好", "???") == ["_1", "_2"]


def test_sphinx_numbers_repeated_and_empty_anchors_together() -> None:
    assert slugs(SphinxSlugger(), "What's new in 2.0?", "2.0 notes_x", "Setup", "Setup", "你好", "Setup") == [
        "what-s-new-in-2-0",
        "notes-x",
        "setup",
        "id1",
        "id2",
        "id3",
    ]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="aB1_- .²Ⅷ\u0301é\ufe0f😄\u0130", max_size=4), max_size=20))
def test_no_anchor_is_given_twice(headings: list[str]) -> None:
    for kind in SLUGGERS:
        given_anchors = slugs(kind(), *headings)
        assert len(set(given_anchors)) == len(given_anchors)


@pytest.mark.parametrize("kind", SLUGGERS)
def test_many_equal_headings_take_linear_time(kind: type[Slugger]) -> None:
    start = time.perf_counter()
    assert len(set(slugs(kind(), *["Setup"] * 50_000))) == 50_000
    assert time.perf_counter() - start < 5
