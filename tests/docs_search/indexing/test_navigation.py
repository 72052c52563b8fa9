"""What only leads elsewhere."""

import pytest

from docs_search.documents import Block, BlockType, ParsedPage, Section
from docs_search.indexing.navigation import is_navigation, is_stub


def section(*paragraphs: str, own: bool = False) -> Section:
    return Section(2, "Heading", "heading", [Block(BlockType.PARAGRAPH, text) for text in paragraphs], own=own)


@pytest.mark.parametrize(
    "paragraphs",
    [
        ("- [Dump](dump.md)", "- [Restore](restore.md#from-a-(dump))", '- [Both](x.md "title")'),
        ("[CREATE INDEX](a.html), [REINDEX](b.html)",),
        ("See [syncs and scans](sync-scan.md#choose).",),
        ("For more information, see also [the [nested] guide](<a b.md>) and [`code`](c.md)!",),
        ("[![Logo](logo.png)](home.md)",),
    ],
)
def test_links_and_words_that_point_to_them_are_navigation(paragraphs: tuple[str, ...]) -> None:
    assert is_navigation(section(*paragraphs))


@pytest.mark.parametrize(
    "paragraphs",
    [
        ("Requires [Java 21](java.md).",),
        ("- [Dump](dump.md)", "- [Restore](restore.md): from a file"),
        ("See below.",),
        ("[5432]",),
        ("Default: `see`", "[x](y)"),
    ],
)
def test_anything_else_is_to_be_read(paragraphs: tuple[str, ...]) -> None:
    assert not is_navigation(section(*paragraphs))


def test_an_entry_of_its_own_is_never_navigation() -> None:
    assert not is_navigation(section("See [the other](x.md).", own=True))


@pytest.mark.parametrize(
    ("sections", "stub"),
    [
        ([], True),
        ([section()], True),
        ([section("This page has moved to [Settings](settings.md).")], True),
        ([section("- [A](a.md)", "- [B](b.md)"), section("[C](c.md)")], True),
        ([section("Draws a red line around every shape you select.")], False),
        ([section("Draws a red line."), section("Needs no other argument.")], False),
        ([section("Port.", own=True)], False),
        ([section("Vacuum runs in parallel.")], False),
    ],
)
def test_a_page_with_next_to_nothing_to_read_is_a_stub(sections: list[Section], stub: bool) -> None:
    assert is_stub(ParsedPage("p.md", "Title", sections)) is stub
