"""Blocks that are too long for a passage. A token is a word here."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Block, BlockType
from docs_search.indexing.block_cutting import CHARACTERS_PER_TOKEN, cut_block, measured
from docs_search.parsing.text.plain_text import plain_text


def words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def cut(kind: BlockType, markdown: str, limit: int) -> list[str]:
    return [piece.block.markdown for piece in cut_block(Block(kind, markdown), limit=limit, count_tokens=words)]


def test_code_is_cut_between_lines_and_fenced_again() -> None:
    markdown = "```sql\nSELECT one, two\nFROM first_table\n\nSELECT three, four\nFROM second_table\n```"

    assert cut(BlockType.CODE, markdown, 8) == [
        "```sql\nSELECT one, two\nFROM first_table\n```",
        "```sql\nSELECT three, four\nFROM second_table\n```",
    ]


def test_code_whose_fence_is_longer_or_open_keeps_its_lines() -> None:
    assert cut(BlockType.CODE, "````\n```\na b c\n```\nd e f\n````", 5) == [
        "````\n```\na b c\n````",
        "````\n```\nd e f\n````",
    ]
    assert cut(BlockType.CODE, "```\na b c d\ne f g h", 5) == ["```\na b c d\n```", "```\ne f g h\n```"]


def test_a_line_of_code_is_cut_only_if_it_is_too_long_itself() -> None:
    markdown = "```\nshort line\n" + "word " * 12 + "\nlast line\n```"

    assert cut(BlockType.CODE, markdown, 8) == [
        "```\nshort line\n```",
        "```\nword word word word word word\n```",
        "```\nword word word word word word\n```",
        "```\nlast line\n```",
    ]


def test_a_table_is_cut_between_rows_and_its_header_repeated() -> None:
    header = "| Name | Meaning |\n| --- | :-: |"
    rows = [f"| n{number} | means {number} |" for number in range(4)]

    assert cut(BlockType.TABLE, "\n".join([header, *rows]), 8) == [
        "\n".join([header, *rows[:2]]),
        "\n".join([header, *rows[2:]]),
    ]


def test_a_header_that_would_crowd_out_the_rows_is_given_once() -> None:
    header = "| a b c | d e f |\n|---|---|"

    assert cut(BlockType.TABLE, f"{header}\n| 1 2 | 3 4 |\n| 5 6 | 7 8 |", 8) == [
        header,
        "| 1 2 | 3 4 |\n| 5 6 | 7 8 |",
    ]


def test_text_is_cut_between_sentences_into_parts_of_about_one_size() -> None:
    text = "One two three. Four five six? Seven eight nine! Ten eleven twelve."

    assert cut(BlockType.PARAGRAPH, text, 10) == [
        "One two three. Four five six?",
        "Seven eight nine! Ten eleven twelve.",
    ]


def test_code_spans_and_links_are_not_cut_inside() -> None:
    text = "One two `ALTER THING ... DISABLE` three [four. Five six](a.md) seven eight."

    assert cut(BlockType.PARAGRAPH, text, 8) == [
        "One two `ALTER THING ... DISABLE`",
        "three [four. Five six](a.md) seven eight.",
    ]


def test_a_list_item_is_cut_between_lines_first() -> None:
    markdown = "- The first line. It goes on.\n  - one more item\n  - and another item"

    assert cut(BlockType.LIST_ITEM, markdown, 9) == [
        "- The first line. It goes on.",
        "- one more item\n- and another item",
    ]


def test_code_in_a_list_item_keeps_its_fence() -> None:
    code = "\n".join(f"  line {number} of code" for number in range(6))

    assert cut(BlockType.LIST_ITEM, f"- Run this:\n\n  ```sh\n{code}\n  ```\n\n  and wait.", 12) == [
        "- Run this:",
        "```sh\nline 0 of code\nline 1 of code\nline 2 of code\n```",
        "```sh\nline 3 of code\nline 4 of code\nline 5 of code\n```",
        "and wait.",
    ]


def test_every_part_of_a_quote_is_a_quote() -> None:
    assert cut(BlockType.QUOTE, "> One two three four. Five six seven eight.\n> Nine ten.", 6) == [
        "> One two three four.",
        "> Five six seven eight.",
        "> Nine ten.",
    ]


def test_code_in_a_quote_keeps_its_fence() -> None:
    markdown = "> Mind `this`:\n>\n> ```sql\n> one two three\n> four five six\n> ```\n>\n> At `LEVEL ONE` or `TWO`."

    assert cut(BlockType.QUOTE, markdown, 8) == [
        "> Mind `this`:",
        "> ```sql\n> one two three\n> four five six\n> ```",
        "> At `LEVEL ONE` or `TWO`.",
    ]


def test_only_the_first_part_of_a_list_item_is_one() -> None:
    pieces = cut_block(Block(BlockType.LIST_ITEM, "- a b c d e f\n  g h i j k l"), limit=8, count_tokens=words)

    assert [piece.block.type for piece in pieces] == [BlockType.LIST_ITEM, BlockType.PARAGRAPH]


@pytest.mark.parametrize("kind", list(BlockType))
def test_a_line_without_spaces_ends_in_bounded_parts(kind: BlockType) -> None:
    line = "x" * 100_000

    pieces = cut_block(Block(kind, line), limit=100, count_tokens=words)

    assert "".join(piece.text for piece in pieces) == line
    assert max(len(piece.text) for piece in pieces) <= 100 * CHARACTERS_PER_TOKEN + CHARACTERS_PER_TOKEN


@pytest.mark.parametrize("kind", list(BlockType))
def test_a_very_long_line_of_words_loses_none(kind: BlockType) -> None:
    line = " ".join(f"word{number}" for number in range(20_000))

    pieces = cut_block(Block(kind, line), limit=200, count_tokens=words)

    assert " ".join(piece.text for piece in pieces) == line
    assert max(piece.tokens for piece in pieces) <= 200


def test_a_block_is_measured_by_what_is_read() -> None:
    (piece,) = measured([Block(BlockType.PARAGRAPH, "See **the** [other page](https://docs.example.org/a/b).")], words)

    assert (piece.text, piece.tokens, piece.words) == ("See the other page.", 4, 4)


@settings(deadline=None)
@given(
    kind=st.sampled_from(BlockType),
    markdown=st.text("ab1_ .:\n`*|>-#[]()<&;~\\\t", max_size=400),
    limit=st.integers(8, 30),
)
def test_parts_of_anything_are_within_the_limit(kind: BlockType, markdown: str, limit: int) -> None:
    for piece in cut_block(Block(kind, markdown), limit=limit, count_tokens=words):
        assert 0 < piece.tokens <= limit
        assert piece.tokens == max(words([piece.text])[0], sum(map(len, piece.text.split())) // CHARACTERS_PER_TOKEN)


@settings(deadline=None)
@given(
    kind=st.sampled_from([BlockType.PARAGRAPH, BlockType.LIST_ITEM, BlockType.CODE]),
    sentences=st.lists(st.lists(st.from_regex(r"[a-z]{1,12}[.,]?", fullmatch=True), min_size=1), min_size=1),
    separator=st.sampled_from([" ", "\n", "\n\n"]),
    limit=st.integers(8, 30),
)
def test_no_word_is_lost(kind: BlockType, sentences: list[list[str]], separator: str, limit: int) -> None:
    markdown = separator.join(map(" ".join, sentences))

    pieces = cut_block(Block(kind, markdown), limit=limit, count_tokens=words)

    assert " ".join(piece.text for piece in pieces).split() == plain_text(markdown).split()
