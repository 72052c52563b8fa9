from typing import ClassVar

import pytest

from docs_search.documents import Block, BlockType, ParsedPage
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.parser import MarkdownParser
from tests.parsing import parse_context

PARAGRAPH, ITEM, CODE, TABLE, QUOTE = BlockType


class DefinitionsParser(MarkdownParser):
    flavor: ClassVar[Flavor] = Flavor(definition_lists=True)


def parse(text: str, parser: type[MarkdownParser] = MarkdownParser) -> ParsedPage:
    page = parser().parse("page.md", text.encode(), parse_context({"page.md": b""}))
    assert page is not None
    return page


def blocks(text: str, parser: type[MarkdownParser] = MarkdownParser) -> list[Block]:
    return parse(f"# Page\n\n{text}", parser).sections[0].blocks


# Footnotes


def test_a_footnote_ends_the_section_that_refers_to_it_first() -> None:
    page = parse("# Page\nOne.[^b]\n\n## Two\nTwo[^a], again[^b].\n\n[^a]: About *two*.\n[^b]: About one.\n")
    assert [[block.markdown for block in section.blocks] for section in page.sections] == [
        ["One. (note 1)", "Note 1: About one."],
        ["Two (note 2), again (note 1).", "Note 2: About *two*."],
    ]


def test_a_footnote_may_hold_blocks_and_other_footnotes() -> None:
    assert blocks("a[^1]\n\n[^1]: First.[^2]\n\n    ```\n    x\n    ```\n\n[^2]: > Second.\n") == [
        Block(PARAGRAPH, "a (note 1)"),
        Block(PARAGRAPH, "Note 1: First. (note 2)"),
        Block(CODE, "```\nx\n```"),
        Block(PARAGRAPH, "Note 2:"),
        Block(QUOTE, "> Second."),
    ]


def test_footnotes_stand_in_tables_headings_and_running_text() -> None:
    page = parse(
        "# Page[^1]\n\n| a |\n|---|\n| b[^2] |\n\n## Two[^3]\n\nc^[*in*line]\n\n[^1]: A.\n[^2]: B.\n[^3]: C.\n"
    )
    assert page.title == "Page"
    assert [section.heading for section in page.sections] == ["Page", "Two"]
    assert [[block.markdown for block in section.blocks] for section in page.sections] == [
        ["| a |\n| --- |\n| b (note 2) |", "Note 1: A.", "Note 2: B."],
        ["c (*in*line)", "Note 3: C."],
    ]


def test_an_undefined_footnote_is_text_and_an_unused_one_goes() -> None:
    assert blocks("a[^1] b[^x]\n\n[^1]: A.\n[^2]: B.\n") == [
        Block(PARAGRAPH, "a (note 1) b[^x]"),
        Block(PARAGRAPH, "Note 1: A."),
    ]


def test_footnotes_that_refer_to_each_other_are_written_once() -> None:
    assert [block.markdown for block in blocks("a[^1]\n\n[^1]: b[^2][^1]\n[^2]: c[^1]\n")] == [
        "a (note 1)",
        "Note 1: b (note 2) (note 1)",
        "Note 2: c (note 1)",
    ]


def test_code_before_footnotes_that_is_never_closed_is_a_warning() -> None:
    assert parse("a[^1]\n\n[^1]: b\n\n```\nx").warnings == (
        "the code block that starts in line 5 of the text is never closed",
    )


# Definition lists


def test_definitions_are_items_with_their_terms() -> None:
    text = "Apple\n:   A *fruit*\n\n    that grows.\n:   A firm.\n\n`pear`\n:   Another.\n"
    assert blocks(text, DefinitionsParser) == [
        Block(ITEM, "- Apple: A *fruit*\n\n  that grows.\n\n  A firm."),
        Block(ITEM, "- `pear`: Another."),
    ]


def test_terms_share_a_definition() -> None:
    text = "-v\n`--verbose`\n\n:   Say more.\n\nText.\n\nIntro\nto\n: both\n"
    assert blocks(text, DefinitionsParser) == [
        Block(ITEM, "- -v, `--verbose`: Say more."),
        Block(PARAGRAPH, "Text."),
        Block(ITEM, "- Intro, to: both"),
    ]


def test_a_definition_that_begins_with_code_follows_its_term() -> None:
    assert blocks("Run\n:   ```\n    make\n    ```\n", DefinitionsParser) == [
        Block(ITEM, "- Run:\n\n  ```\n  make\n  ```")
    ]


def test_definitions_are_text_where_the_dialect_has_none() -> None:
    assert blocks("Apple\n: A fruit") == [Block(PARAGRAPH, "Apple : A fruit")]


# Instructions


@pytest.mark.parametrize(
    "line",
    [
        "*[HTML]: HyperText Markup Language",
        "* TOC\n{:toc}",
        "1. Contents\n{:toc .left}",
        "[TOC]",
        "[[_TOC_]]",
        "{: .note #here}",
        "{:toc}",
        "{::options parse_block_html='true' /}",
    ],
)
def test_what_is_said_to_the_generator_goes(line: str) -> None:
    nested = line.replace("\n", "\n  ")
    assert blocks(f"Text.\n\n{line}\n\n- item\n\n  {nested}\n") == [Block(PARAGRAPH, "Text."), Block(ITEM, "- item")]


def test_attributes_below_a_block_go() -> None:
    assert blocks("Text.\n{: .note}\n\n- item\n{: .list}\n\n> quote\n{: .quote}\n") == [
        Block(PARAGRAPH, "Text."),
        Block(ITEM, "- item"),
        Block(QUOTE, "> quote"),
    ]


def test_instructions_in_code_and_names_like_them_stay() -> None:
    assert blocks("```\n{:toc}\n```\n\nSee [TOC] here.\n\n* TOC\n") == [
        Block(CODE, "```\n{:toc}\n```"),
        Block(PARAGRAPH, "See [TOC] here."),
        Block(ITEM, "- TOC"),
    ]
