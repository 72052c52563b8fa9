import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.parsing.text.plain_text import plain_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("## Set up *TLS* ##", "Set up TLS"),
        ("See [the **TLS** page](../tls.md#x 'title') and [a (b)](x_(y)).", "See the TLS page and a (b)."),
        ("![A green plug](img/plug.png) in [![badge](b.svg)](https://ci.example)", "A green plug in badge"),
        ("**bold *and* more**, __Strong words__, _really_, ~~gone~~", "bold and more, Strong words, really, gone"),
        ("> **Tip:** quoted\n> twice", "Tip: quoted\ntwice"),
        ("- one\n  - two\n1. three\n- [x] done", "one\ntwo\nthree\ndone"),
        ("above\n\n* * *\n\nbelow", "above\n\nbelow"),
        ("Line one\\\nline two", "Line one\nline two"),
        ("a <b>bold</b> word<br>next <!-- hidden -->end", "a bold word next end"),
        ("Open <https://example.org/a_b_c>.", "Open https://example.org/a_b_c."),
        ("R&amp;D &lt;x&gt; caf&#233;", "R&D <x> café"),
    ],
)
def test_marks_are_removed_and_words_are_kept(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


@pytest.mark.parametrize(
    "text",
    [
        "MB_JETTY_PORT and snake_case_name",
        "the __init__ method",
        "2 * 3 * 4 and count(*) with sum(*)",
        "pg_catalog.* and t.*",
        "<schema>.<name> placeholders",
        "?a=1&copy=2",
        "array[1][2] and $1",
        "2024. A year",
    ],
)
def test_names_and_signs_of_running_text_stay(text: str) -> None:
    assert plain_text(text) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("`SELECT * FROM a_b_c`", "SELECT * FROM a_b_c"),
        ("`__init__` and ``a ` b``", "__init__ and a ` b"),
        ('`<a href="x">` `[a](b)` `\\d`', '<a href="x"> [a](b) \\d'),
        (
            "```sql\nSELECT *  -- [a](b)\n  FROM <t>;\n# no heading\n```",
            "SELECT *  -- [a](b)\n  FROM <t>;\n# no heading",
        ),
        ("> ~~~\n> a *b*\n> ~~~", "a *b*"),
        ("```\nunclosed *code*", "unclosed *code*"),
        ("````\n```\ninner\n```\n````", "```\ninner\n```"),
    ],
)
def test_code_is_kept_as_it_is(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


def test_escapes_outside_code_are_resolved() -> None:
    assert plain_text(r"\*not emphasis\* and \_\_x\_\_, \<tag\>, C:\dir") == r"*not emphasis* and __x__, <tag>, C:\dir"


def test_table_rows_become_cells_joined_by_spaces() -> None:
    table = "| Name | Type |\n| --- | :-: |\n| `a \\| b` | **text**<br>long |\n| [l](u) | |"
    assert plain_text(table) == "Name Type\na | b text long\nl"


@given(st.text(alphabet=st.sampled_from("ab1 \n\t`*_[]()!<>|\\#>-~&;\"'/é\ufdd0"), max_size=80))
def test_it_never_raises_and_adds_nothing(markdown: str) -> None:
    assert len(plain_text(markdown)) <= len(markdown)


@pytest.mark.parametrize(
    "unit",
    ["`", "[", "![a](", "<!--", "<a ", "*a ", "**a ", "_a_b", "> ", "| - ", '[a](x "', "`a``b```", "\\", "~~~\n"],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    plain_text(unit * (200_000 // len(unit)))
    assert time.perf_counter() - started < 5
