import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.dialects.mkdocs.pymdown_blocks import resolve_blocks
from docs_search.parsing.markdown.admonitions import closing, opening

END = closing()


def resolved(text: str) -> list[str]:
    """The lines that are not blank."""
    return [line for line in resolve_blocks(text).split("\n") if line.strip()]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("!!! note", "Note"),
        ("!!!note", "Note"),
        ('!!! warning "Mind the `gap`"', "Mind the gap"),
        ("!!! tip 'Single'", "Single"),
        ('!!! tip ""', "Tip"),
        ('!!! info inline end "Side"', "Side"),
        ("!!! best-practice", "Best practice"),
        ('??? danger "Click"', "Click"),
        ("???+ example", "Example"),
        ('!!! "Only a title"', "Only a title"),
    ],
)
def test_an_admonition_holds_what_is_indented_below_it(line: str, label: str) -> None:
    assert resolved(f"{line}\n\n    a\n\n    b\nafter") == [opening(label), "a", "b", END, "after"]


def test_a_summary_without_a_type_is_a_title() -> None:
    assert resolved('??? "More"\n    a') == ["**More**", "a"]


def test_admonitions_stand_in_each_other_and_in_lists() -> None:
    text = "- item\n\n    !!! note\n\n        a\n\n        !!! tip\n            b\n\n        c\n\n- next"
    assert resolved(text) == [
        "- item",
        f"    {opening('Note')}",
        "    a",
        f"    {opening('Tip')}",
        "    b",
        f"    {END}",
        "    c",
        f"    {END}",
        "- next",
    ]


def test_tabs_are_titles_with_what_is_indented_below_them() -> None:
    text = '=== "A"\n\n    a\n\n    ===! "A.1"\n\n        deep\n\n=== "B"\n\n\t## Heading\n'
    assert resolved(text) == ["**A**", "a", "**A.1**", "deep", "**B**", "## Heading"]


def test_indented_code_and_fences_are_left_alone() -> None:
    text = 'text\n\n    !!! note\n\n```\n!!! note\n=== "a"\n/// b\n```'
    assert resolve_blocks(text) == text


def test_code_in_an_admonition_loses_no_more_than_its_indentation() -> None:
    assert resolved("!!! note\n\n    ```py\n    def f():\n\n        x  # (1)!\n    ```\n    1. why") == [
        opening("Note"),
        "```py",
        "def f():",
        "    x  # (1)",
        "```",
        "1. why",
        END,
    ]


@pytest.mark.parametrize(
    ("info", "lines"),
    [
        ("py", ["```py"]),
        (' { .python .annotate hl_lines="2" }', ["```python"]),
        ("{.yaml title='a b.yml'}", ["`a b.yml`", "```yaml"]),
        (' py title="x.py" linenums="1"', ["`x.py`", "```py"]),
        (" { .annotate }", ["```"]),
    ],
)
def test_a_fence_keeps_its_language_and_its_title(info: str, lines: list[str]) -> None:
    assert resolved(f"```{info}\nx\n```") == [*lines, "x", "```"]


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        ("/// note\na\n///", [opening("Note"), "a", END]),
        ("/// note | A title\n\na\n\n///", [opening("A title"), "a", END]),
        ("/// admonition | T\n    type: tip\n    open: true\n\na\n///", [opening("T"), "a", END]),
        ("/// admonition\n    type: tip\n\na\n///", [opening("Tip"), "a", END]),
        ("/// details | T\na\n///", ["**T**", "a"]),
        ("/// details | T\n    type: note\na\n///", [opening("T"), "a", END]),
        ("/// tab | A\na\n///\n/// tab | B\nb\n///", ["**A**", "a", "**B**", "b"]),
        ("/// html | div.x\n    attrs: {class: y}\na\n///", ["a"]),
        ("/// figure-caption | 2\na\n///", ["a"]),
        ("//// note\n/// tip\na\n///\nb\n////\nc", [opening("Note"), opening("Tip"), "a", END, "b", END, "c"]),
        ("- x\n\n    /// tip\n    a\n    ///\n- y", ["- x", f"    {opening('Tip')}", "    a", f"    {END}", "- y"]),
        ("/// note\nnever closed", [opening("Note"), "never closed", END]),
        ("a\n///\nb", ["a", "b"]),
    ],
)
def test_a_block_holds_what_stands_up_to_its_slashes(block: str, lines: list[str]) -> None:
    assert resolved(block) == lines


def test_an_object_of_mkdocstrings_is_its_name() -> None:
    assert resolved("::: a.b.C\n    options:\n      x: y\n\n      z: 1\ntext") == ["`a.b.C`", "text"]


@pytest.mark.parametrize(
    "unit", ["!!! note\n", "/// a\n", "///\n", '=== "a"\n', "::: a\n", "!!! " + "a " * 50, "???+ "]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    resolve_blocks(unit * (1_000_000 // len(unit)))
    assert time.perf_counter() - started < 10


def test_two_hundred_levels_are_closed_as_often_as_they_are_opened() -> None:
    lines = resolved("".join(f"{'    ' * depth}!!! note\n" for depth in range(200)))
    assert (len(lines), lines.count(opening("Note")), lines.count(END)) == (400, 200, 200)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from('!!! note\n;=== "a"\n;/// note\n;///\n;//// a | b\n;::: a.b\n;```py\n'.split(";"))
        | st.sampled_from("    ;\t;- ;text;\n;> ;??? ;x: y\n".split(";")),
        max_size=25,
    ).map("".join)
)
def test_no_text_raises_and_what_is_opened_is_closed(text: str) -> None:
    result = resolve_blocks(text)
    assert len(result) <= 10 * len(text) + 100
    assert sum(line.strip().startswith(opening("x")[0]) for line in result.split("\n")) == result.count(END)
