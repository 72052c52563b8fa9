import time

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.markdown.bounds import MAX_BRACKETS
from docs_search.parsing.markdown.parser import MarkdownParser
from tests.parsing import parse_context


def parse(text: str) -> ParsedPage:
    page = MarkdownParser().parse("page.md", text.encode(), parse_context({"page.md": b""}))
    assert page is not None
    return page


@pytest.mark.parametrize(
    "part",
    [
        "[",
        "![",
        "^[",
        "[^",
        "[a][",
        "*a ",
        "_a ",
        "`a ``",
        "<",
        "> ",
        ">- <li>\n<---\n",
        "> a\nb\n",
        "a|b\n-|-\n",
        "~~a ",
    ],
)
def test_what_is_never_closed_takes_linear_time(part: str) -> None:
    text = f"a [^1]\n\n{part * (50_000 // len(part))}\n\n[^1]: x\n"
    start = time.perf_counter()
    page = parse(text)
    assert time.perf_counter() - start < 5
    assert len(page.markdown) <= 4 * len(text)


def test_brackets_without_end_are_text_with_a_warning() -> None:
    page = parse("[a](#b) " * MAX_BRACKETS + "\n\n[a](#b) " * 3)
    assert page.markdown.count("](https://docs.example/v2.0/page#b)") == MAX_BRACKETS
    assert page.markdown.endswith("\n\n[a]\\(#b)")
    assert page.warnings == (f"links beyond the first {MAX_BRACKETS} brackets are text",)


def test_a_quote_goes_on_in_lines_without_a_mark() -> None:
    assert parse("> a\nb\n> c\nd\n\ne").sections[0].blocks[0].markdown == "> a b c d"
    long = parse("> a\nb\n" * 5).sections[0].blocks
    assert [block.markdown for block in long] == ["> a b a b a b", "> a b a b"]


def test_a_footnote_inside_another_is_none() -> None:
    page = parse("a[^1]\n\n[^1]: - b[^2]\n\n      [^2]: c\n\nend")
    assert page.markdown == "# Page\n\na (note 1)\n\nend\n\nNote 1:\n\n- b[^2](https://docs.example/v2.0/c)"
