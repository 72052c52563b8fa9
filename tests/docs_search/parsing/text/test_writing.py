"""Text, code and tables as normalised Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_search.documents import Block, BlockType
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import (
    InlineCode,
    code_block,
    code_span,
    escape,
    join_pieces,
    one_line,
    paragraph,
    prefix_lines,
)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("snake_case stays", "snake_case stays"),
        ("__init__ and _x", r"\_\_init\_\_ and \_x"),
        ("2 * 3 < 4 & 5", "2 * 3 < 4 & 5"),
        ("*all* <b>", r"\*all\* \<b>"),
        ("a `tick`", r"a \`tick\`"),
        ("&lt; stays an entity", r"\&lt; stays an entity"),
        (r"C:\temp \* \x", r"C:\temp \\\* \x"),
        ("[x](y)", r"[x]\(y)"),
        ("~~gone~~", r"\~~gone\~~"),
    ],
)
def test_text_is_escaped_only_where_it_would_be_markup(text: str, markdown: str) -> None:
    assert escape(text) == markdown


@settings(deadline=None)
@given(st.text(st.sampled_from("a1é *_`[]()<>!&;#~\\|-+.=:/'\""), max_size=30))
def test_what_a_markdown_parser_reads_back_is_the_text(text: str) -> None:
    line = " ".join(text.split())
    blocks = paragraph(join_pieces([escape(line)]))
    tokens = MarkdownIt("commonmark").enable("strikethrough").parse(blocks[0].markdown if blocks else "")
    inline = [child for token in tokens for child in token.children or []]
    assert "".join(child.content for child in inline).strip() == line
    assert {child.type for child in inline} <= {"text", "text_special"}
    assert [token.type for token in tokens] == (["paragraph_open", "inline", "paragraph_close"] if line else [])


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("- minus", r"\- minus"),
        ("# hash", r"\# hash"),
        ("> more", r"\> more"),
        ("12. twelve", r"12\. twelve"),
        ("1.5 is a number", "1.5 is a number"),
        ("-x is an option", "-x is an option"),
    ],
)
def test_the_start_of_a_paragraph_is_not_taken_for_a_list_a_heading_or_a_quote(text: str, markdown: str) -> None:
    assert paragraph(text) == [Block(BlockType.PARAGRAPH, markdown)]


def test_code_is_kept_verbatim_between_fences() -> None:
    assert code_block("\r\n\n  SELECT 1;\r\n\n  -- *x* <b>  \n\n", "sql") == [
        Block(BlockType.CODE, "```sql\n  SELECT 1;\n\n  -- *x* <b>\n```")
    ]


def test_a_fence_is_longer_than_any_run_of_backticks_in_the_code() -> None:
    assert code_block("a ```` b")[0].markdown == "`````\na ```` b\n`````"


def test_blank_code_makes_no_block() -> None:
    assert code_block(" \n\n ") == []


@pytest.mark.parametrize(
    ("code", "span"),
    [("a\n  b", "`a b`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("``", "``` `` ```"), (" ", " ")],
)
def test_a_code_span_is_on_one_line_and_holds_backticks(code: str, span: str) -> None:
    assert code_span(code) == span


def test_neighbouring_pieces_of_code_become_one_span() -> None:
    pieces = ["Set ", InlineCode("a"), InlineCode("=b"), "\xa0to\n x ", InlineCode("c")]
    assert join_pieces(pieces) == "Set `a=b` to x `c`"


def test_lines_are_prefixed_without_blanks_at_the_end_of_empty_ones() -> None:
    assert prefix_lines("a\n\n\nb", "- ", "  ") == "- a\n\n\n  b"
    assert prefix_lines("a\n\nb", "> ", "> ") == "> a\n>\n> b"


def test_blocks_are_flattened_into_one_line() -> None:
    blocks = [
        Block(BlockType.PARAGRAPH, "Either:"),
        Block(BlockType.LIST_ITEM, "- one\n  - two"),
        Block(BlockType.CODE, "```sql\nSELECT\n  1;\n```"),
        Block(BlockType.QUOTE, "> **Note:** x\n>\n> y"),
    ]
    assert one_line(blocks) == "Either: one two `SELECT 1;` **Note:** x y"


def test_a_pipe_at_the_start_of_a_cell_is_escaped_once() -> None:
    cell = Cell(one_line(paragraph("|| joins")))
    assert markdown_table([_cells("Operator")], [[cell]]).split("\n")[2] == r"| \|\| joins |"


def _cells(*texts: str) -> list[Cell]:
    return [Cell(text) for text in texts]


def test_a_table_has_its_pipes_escaped() -> None:
    assert markdown_table([_cells("a|b", "c")], [_cells("1", "x || y")]) == "\n".join(
        [r"| a\|b | c |", "| --- | --- |", r"| 1 | x \|\| y |"]
    )


def test_a_cell_over_several_rows_is_repeated_in_each() -> None:
    table = markdown_table(
        [_cells("Type", "Value")], [[Cell("int", rowspan=2), Cell("1")], [Cell("2")], _cells("x", "y")]
    )
    assert table.split("\n")[2:] == ["| int | 1 |", "| int | 2 |", "| x | y |"]


def test_a_cell_over_several_columns_is_repeated_in_the_header_only() -> None:
    table = markdown_table([[Cell("Both", colspan=2)]], [[Cell("wide", colspan=2)], _cells("1", "2")])
    assert table.split("\n") == ["| Both | Both |", "| --- | --- |", "| wide |  |", "| 1 | 2 |"]


def test_two_header_rows_are_folded_into_one() -> None:
    header = [[Cell("Lock", rowspan=2), Cell("Existing", colspan=2)], _cells("Share", "Exclusive")]
    assert (
        markdown_table(header, [_cells("a", "b", "c")]).split("\n")[0]
        == "| Lock | Existing Share | Existing Exclusive |"
    )


def test_the_header_is_as_wide_as_the_widest_row() -> None:
    assert markdown_table([_cells("a")], [_cells("1", "2", "3")]).split("\n")[:2] == [
        "| a |  |  |",
        "| --- | --- | --- |",
    ]


def test_empty_rows_are_left_out() -> None:
    assert markdown_table([_cells("a")], [_cells(""), _cells("1")]) == "| a |\n| --- |\n| 1 |"
    assert markdown_table([], []) == ""


@pytest.mark.parametrize("spans", [{"rowspan": 99999}, {"colspan": 99999}, {"rowspan": 99999, "colspan": 99999}])
def test_spans_do_not_blow_a_table_up(spans: dict[str, int]) -> None:
    rows = [[Cell("x" * 70, **spans)], *([Cell("y")] for _ in range(2000))]
    assert len(markdown_table([[Cell("head", **spans)]], rows)) < 2000 * 60
