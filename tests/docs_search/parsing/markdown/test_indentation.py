import pytest

from docs_search.parsing.markdown.indentation import continuation, dedent, indent, line_prefix


@pytest.mark.parametrize(
    ("line", "prefix", "rest"),
    [
        ("text", "", ""),
        ("  text", "  ", "  "),
        ("- text", "- ", "  "),
        ("> 10. - text", "> 10. - ", ">       "),
        ("-text", "", ""),
    ],
)
def test_what_a_line_begins_with_is_continued_in_blanks(line: str, prefix: str, rest: str) -> None:
    assert (line_prefix(line), continuation(line_prefix(line))) == (prefix, rest)


@pytest.mark.parametrize(
    ("text", "quotes", "result"),
    [
        ("\n    a\n\n      b\n  ", 0, "a\n\n  b"),
        ("first\n    a\n      b", 0, "first\na\n  b"),
        ("\n\ta\n\t\tb", 0, "a\n\tb"),
        ("\n\ta\n    b", 0, "\ta\n    b"),
        ("\n> a\n> > b\n", 1, "a\n> b"),
        ("", 0, ""),
    ],
)
def test_shared_indentation_is_taken_away(text: str, quotes: int, result: str) -> None:
    assert dedent(text, quotes) == result


def test_further_lines_are_indented() -> None:
    assert indent("a\n\nb", "> ") == "a\n>\n> b"
