import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.dialects.mdx.javascript import MAX_DEPTH, Expressions, entries, literal, string_value


@pytest.mark.parametrize(
    ("expression", "rest"),
    [
        ("{a}", "tail"),
        ("{{a: {b: 1}}}", "tail"),
        ("{'}'}", "tail"),
        ('{"\\"}"}', "tail"),
        ("{`}${'}'}`}", "tail"),
        ("{`${`{`}`}", "tail"),
        ("{/* } */}", "tail"),
        ("{a // }\n}", "tail"),
        ("{<a href='https://x.example/}'>don't</a>}", "tail"),
        ("{don't}", "tail"),
    ],
)
def test_an_expression_ends_at_its_own_brace(expression: str, rest: str) -> None:
    assert Expressions(expression + rest).end(0) == len(expression)


@pytest.mark.parametrize("text", ["{", "{{}", "{`}", "{`${}", "{'a}'"])
def test_what_is_never_closed_has_no_end(text: str) -> None:
    assert Expressions(text).end(0) is None


@pytest.mark.parametrize(
    ("statement", "rest"),
    [
        ("export const a = 1\n", "text"),
        ("export const a = {\n  b: [\n\n  ],\n};\n", "text"),
        ("export const a =\n  `x\n\n${b}`\n", "text"),
        ("export default ({children}) => (\n  <div>{children}</div>\n)\n", "\ntext"),
        ("export const a = {\n", "\ntext"),
    ],
)
def test_a_statement_ends_with_its_line_once_its_brackets_are_closed(statement: str, rest: str) -> None:
    assert Expressions(statement + rest).statement_end(0) == len(statement)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ('"a"', "a"),
        (" 'it\\'s' ", "it's"),
        ("`a\\`b\n${c}`", "a`b\n${c}"),
        ("'a' + \"b\"", "ab"),
        ('"\\u00e9\\x21\\u{1F600}\\n"', "é!\U0001f600\n"),
        ('"\\uD800\\u0000"', ""),
        ("dedent`x`", "x"),
        ("a", None),
        ("'a' + b", None),
        ("'a', 'b'", None),
        ("", None),
    ],
)
def test_strings_and_templates_have_a_text(expression: str, text: str | None) -> None:
    assert string_value(expression) == text


def test_arrays_and_objects_are_read_without_being_run() -> None:
    text = """
    // the navigation
    module.exports = [
      ...others, /* none, "of" [these] */
      { title: "Start", 'href': `start`, order: 1, tags: ["a", 'b',], on: true, run: () => { return "x" } },
      require("./more"),
    ];
    [ "second" ]
    """
    assert entries(literal(text)) == [
        {
            "title": "Start",
            "href": "start",
            "order": "1",
            "tags": ["a", "b"],
            "on": "true",
            "run": "()",
        }
    ]


@pytest.mark.parametrize(
    ("text", "value"), [("", None), ("a = 1", None), ("[", []), ("{a: [", {"a": []}), ("]}[1]", ["1"])]
)
def test_what_is_cut_off_is_read_as_far_as_it_goes(text: str, value: object) -> None:
    assert literal(text) == value


def test_what_is_nested_too_deep_is_left_out() -> None:
    value = literal("[" * 100_000 + "1" + "]" * 100_000)
    depth = 0
    while isinstance(value, list) and value:
        value, depth = value[0], depth + 1
    assert depth == MAX_DEPTH - 1


@pytest.mark.parametrize("part", ["{", "{`", "{/*", "{'", "{//", "{`${"])
def test_unclosed_expressions_are_given_up_in_linear_time(part: str) -> None:
    text = part * 50_000
    expressions = Expressions(text)
    start = time.perf_counter()
    assert {expressions.end(at) for at in range(0, len(text), len(part))} == {None}
    assert time.perf_counter() - start < 5


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*"{}[]()'\"`:,\\\n ab1", "${", "/*", "*/", "//", "..."]), max_size=20).map("".join))
def test_no_text_raises(text: str) -> None:
    literal(text)
    string_value(text)
    expressions = Expressions(text)
    assert all((expressions.end(at) or len(text)) <= len(text) for at, mark in enumerate(text) if mark == "{")
    assert expressions.statement_end(0) <= len(text)
