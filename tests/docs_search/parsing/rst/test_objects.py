"""Objects that reStructuredText describes, each a section of its own."""

from collections.abc import Mapping
from textwrap import dedent

import pytest

from docs_search.documents import Kind, ParsedPage, Section, join_blocks
from tests.rst import rst_page


def _markdown(text: str, files: Mapping[str, str] | None = None) -> str:
    """The Markdown of a text below a title, without the title."""
    page = rst_page("Pond\n====\n\n" + dedent(text), files)
    assert page.warnings == ()
    return page.markdown.removeprefix("# Pond\n\n")


def _outline(page: ParsedPage) -> list[tuple[int, str, str | None]]:
    return [(section.level, section.heading, section.anchor) for section in page.sections]


def _section(page: ParsedPage, heading: str) -> Section:
    (section,) = [section for section in page.sections if section.heading == heading]
    return section


# Objects


def test_what_is_described_is_a_section_after_the_running_text() -> None:
    page = rst_page(
        """
        Pond
        ====

        .. currentmodule:: pond

        Before.

        .. function:: fill(water, *, fast=False) -> None
                      fill(mud)

           Fill it.

           :param water: what

        .. class:: Fish(name)

           A fish.

           .. method:: swim(to)

              Go.

           .. attribute:: name

        After.

        Depth
        -----

        .. envvar:: POND_HOME

           Where.
        """,
        {"conf.py": "", "index.rst": "Home\n====\n\nText.\n"},
    )
    assert _outline(page) == [
        (1, "Pond", None),
        (2, "fill()", "pond.fill"),
        (2, "Fish", "pond.Fish"),
        (3, "Fish.swim()", "pond.Fish.swim"),
        (3, "Fish.name", "pond.Fish.name"),
        (2, "Depth", "depth"),
        (3, "POND_HOME", "envvar-POND_HOME"),
    ]
    assert join_blocks(page.sections[0].blocks) == "Before.\n\nAfter."
    fill = page.sections[1]
    assert (fill.kind, fill.own, fill.names) == (Kind.FUNCTION, True, ("fill", "pond.fill"))
    assert join_blocks(fill.blocks) == (
        "```python\nfill(water, *, fast=False) -> None\nfill(mud)\n```\n\nFill it.\n\n- **param water**: what"
    )
    assert join_blocks(page.sections[2].blocks) == "```python\nclass Fish(name)\n```\n\nA fish."


@pytest.mark.parametrize(
    ("directive", "heading", "anchor", "kind", "names"),
    [
        ("confval:: width", "width", "confval-width", Kind.SETTING, ("width",)),
        ("setting:: DEPTH", "DEPTH", "std-setting-DEPTH", Kind.SETTING, ("DEPTH",)),
        ("templatetag:: for", "for", "std-templatetag-for", Kind.FUNCTION, ("for",)),
        ("django-admin:: fill DEPTH", "fill", "django-admin-fill", Kind.COMMAND, ("fill",)),
        ("option:: -f <file>, --file", "-f <file>, --file", "cmdoption-f", Kind.SETTING, ("-f", "--file")),
        ("c:function:: int fill(int x)", "fill()", "c.fill", Kind.FUNCTION, ("fill",)),
        ("cpp:function:: void Pond::fill()", "Pond::fill()", None, Kind.FUNCTION, ("Pond::fill",)),
        ("js:function:: pond.fill(x)", "pond.fill()", "pond.fill", Kind.FUNCTION, ("pond.fill",)),
        ("py:exception:: PondError", "PondError", "PondError", Kind.ERROR, ("PondError",)),
        ("decorator:: wet", "wet", "wet", Kind.FUNCTION, ("wet",)),
        ("http:get:: /ponds/(id)", "GET /ponds/(id)", None, Kind.API, ("GET /ponds/(id)", "/ponds/(id)")),
        ("describe:: some thing", "some thing", None, Kind.SECTION, ()),
        ("my:thing:: name", "name", "thing-name", Kind.SECTION, ("name",)),
    ],
)  # fmt: skip
def test_each_kind_of_object_has_its_heading_anchor_and_names(
    directive: str, heading: str, anchor: str | None, kind: Kind, names: tuple[str, ...]
) -> None:
    section = rst_page(f"Pond\n====\n\nText.\n\n.. {directive}\n\n   About it.\n").sections[1]
    assert (section.heading, section.anchor, section.kind, section.names) == (heading, anchor, kind, names)
    assert section.own


def test_options_belong_to_their_program() -> None:
    text = (
        "Pond\n====\n\n.. program:: pond fill\n\n.. option:: --fast\n\n   Quickly.\n\n.. option:: where\n\n   Place.\n"
    )
    page = rst_page(text)
    assert [section.anchor for section in page.sections[1:]] == [
        "cmdoption-pond-fill-fast",
        "cmdoption-pond-fill-arg-where",
    ]


def test_an_anchor_is_that_of_the_first_description_that_has_one() -> None:
    text = "Pond\n====\n\nText.\n\n" + "".join(
        f".. function:: fill({number})\n{option}\n   {number}\n\n"
        for number, option in enumerate(("   :no-index:\n", "", ""))
    )
    page = rst_page(text)
    assert [section.anchor for section in page.sections[1:]] == [None, "fill", None]


def test_the_type_and_default_of_a_setting_are_told() -> None:
    page = rst_page("Pond\n====\n\nText.\n\n.. confval:: width\n   :type: int\n   :default: ``5``\n\n   Wide.\n")
    assert join_blocks(page.sections[1].blocks) == "- **Type**: int\n- **Default**: `5`\n\nWide."


def test_a_description_without_content_is_that_of_the_section_it_stands_before_or_begins() -> None:
    page = rst_page(
        """
        Settings
        ========

        .. setting:: DEPTH

        ``DEPTH``
        ---------

        Default: 3.

        .. setting:: POND-WIDTH

        ``WIDTH``
        ---------

        Wide.

        ``fill``
        --------

        .. django-admin:: fill DEPTH

        Fills.

        .. django-admin-option:: --fast, -f

        Quickly.

        .. django-admin-option:: --slow

        .. django-admin-option:: --idle

        Not at all.
        """
    )
    assert [(s.level, s.heading, s.anchor, s.kind, s.names) for s in page.sections[1:]] == [
        (2, "DEPTH", "std-setting-DEPTH", Kind.SETTING, ("DEPTH",)),
        (2, "WIDTH", "std-setting-POND-WIDTH", Kind.SETTING, ("POND-WIDTH", "WIDTH")),
        (2, "fill", "fill", Kind.COMMAND, ("fill",)),
        (3, "--fast, -f", "cmdoption-fill-fast", Kind.SETTING, ("--fast", "-f")),
        (3, "--slow, --idle", "cmdoption-fill-slow", Kind.SETTING, ("--slow", "--idle")),
    ]
    assert join_blocks(_section(page, "fill").blocks) == "```\nfill DEPTH\n```\n\nFills."
    assert join_blocks(_section(page, "--slow, --idle").blocks) == "```\n--slow\n--idle\n```\n\nNot at all."


def test_outside_of_sphinx_class_is_a_matter_of_style() -> None:
    assert _markdown(".. class:: big\n\nText.") == "Text."
