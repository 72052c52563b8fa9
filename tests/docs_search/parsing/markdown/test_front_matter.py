import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.markdown.front_matter import split_front_matter

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def test_fields_are_strings_as_they_are_spelt() -> None:
    front, body = split_front_matter('---\ntitle: "A: b"\nversion: 0.50\ndraft: yes\ndate: 2024-99-99\n---\n# Text\n')
    assert front.fields == {"title": "A: b", "version": "0.50", "draft": "yes", "date": "2024-99-99"}
    assert (body, front.warnings) == ("# Text\n", ())


def test_a_block_of_text_becomes_one_line_and_lists_stay_lists() -> None:
    front, _ = split_front_matter("---\nsummary: |\n  two\n  lines\nold:\n  - /a\n  - /b\none: /c\n---\n")
    assert front.text("summary") == "two lines"
    assert (front.texts("old"), front.texts("one"), front.texts("none")) == (["/a", "/b"], ["/c"], [])
    assert (front.text("old"), front.text("none")) == (None, None)


def test_it_ends_with_three_dots_or_dashes() -> None:
    assert split_front_matter("---\na: b\n...\nbody")[1] == "body"
    assert split_front_matter("\n---  \na: b\n---")[1] == ""


@pytest.mark.parametrize(
    "text", ["# No front matter\n", "---\nunclosed: yes\n", "---\njust text\n---\nmore\n", "text\n---\na: b\n---\n", ""]
)
def test_a_document_without_front_matter_is_all_text(text: str) -> None:
    front, body = split_front_matter(text)
    assert (front.fields, front.warnings, body) == ({}, (), text)


def test_an_empty_block_is_taken_away() -> None:
    assert split_front_matter("---\n---\nbody")[1] == "body"


def test_bad_yaml_is_a_warning_and_simple_fields_are_still_read() -> None:
    front, body = split_front_matter("---\ntitle: Backup: how it works\nlist: [a\n---\nbody")
    assert front.text("title") == "Backup: how it works"
    assert body == "body"
    assert front.warnings == ("front matter is not YAML: mapping values are not allowed here in line 2",)


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        (BOMB, "aliases are not read"),
        ("a: " + "[" * 5000, "nested deeper than 20 levels"),
        ("a: " + "x" * 70_000, "longer than 64000 characters"),
        ("? [a]\n: b", "found unhashable key in line 2"),
        ("a: \x01", "special characters are not allowed"),
        (r'a: "\U00110000"', "not in range"),
        (r'a: "\UFFFFFFFF"', "too large"),
    ],
)
def test_hostile_yaml_is_a_warning(yaml: str, problem: str) -> None:
    front, body = split_front_matter(f"---\n{yaml}\n---\nbody")
    assert problem in front.warnings[0]
    assert body == "body"


def test_escapes_bring_in_nothing_that_cannot_be_stored() -> None:
    front, _ = split_front_matter(
        '---\n"ti\\0tle": "a\\0b \\uD800c\\x07\\uFFFE"\n'
        r'list: ["\uDFFFx", {"\0k": "\0v"}]'
        "\n---\n"
    )
    assert front.fields == {"title": "ab c", "list": ["x", {"k": "v"}]}
    assert front.warnings == ("front matter has escapes of characters that are no text",)


# TOML and JSON


def test_toml_stands_between_plus_signs() -> None:
    front, body = split_front_matter(
        '+++\ntitle = "A: b"\nweight = 0.50\ncount = 3\ndraft = false\ndate = 2024-01-02T03:04:05Z\nday = 2024-01-02\n'
        'tags = ["x", "y"]\n[menu]\nname = "z"\n+++\nbody'
    )
    assert front.fields == {
        "title": "A: b",
        "weight": "0.50",
        "count": "3",
        "draft": "false",
        "date": "2024-01-02T03:04:05+00:00",
        "day": "2024-01-02",
        "tags": ["x", "y"],
        "menu": {"name": "z"},
    }
    assert (body, front.warnings) == ("body", ())


@pytest.mark.parametrize(
    "text",
    [
        '{\n  "title": "A {b}",\n  "n": 1.50,\n  "none": null,\n  "yes": true,\n  "in": {"x": ["y"]}\n}\nbody',
        '{"title": "A {b}", "n": 1.50, "none": null, "yes": true, "in": {"x": ["y"]}}\nbody',
        ';;;\n{"title": "A {b}", "n": 1.50, "none": null, "yes": true, "in": {"x": ["y"]}}\n;;;\nbody',
        ';;;\n"title": "A {b}",\n"n": 1.50, "none": null, "yes": true, "in": {"x": ["y"]}\n;;;\nbody',
        '---json\n{"title": "A {b}", "n": 1.50, "none": null, "yes": true, "in": {"x": ["y"]}}\n---\nbody',
    ],
)
def test_json_stands_by_itself_or_between_marks(text: str) -> None:
    front, body = split_front_matter(text)
    assert front.fields == {"title": "A {b}", "n": "1.50", "none": "", "yes": "true", "in": {"x": ["y"]}}
    assert (body, front.warnings) == ("body", ())


def test_yaml_and_toml_may_be_named() -> None:
    assert split_front_matter("---yaml\na: b\n---\nbody")[0].fields == {"a": "b"}
    assert split_front_matter('---toml\na = "b"\n---\nbody')[0].fields == {"a": "b"}


@pytest.mark.parametrize(
    "text",
    ['{% include "x" %}\ntext', "{{ x }}\ntext", '{ "a" }\n', '{"a": 1} is JSON.\n', "{\n", "+++\na = 1\n", ";;;\n"],
)
def test_what_begins_like_toml_or_json_is_text(text: str) -> None:
    front, body = split_front_matter(text)
    assert (front.fields, front.warnings, body) == ({}, (), text)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ('+++\ntitle = "T"\nbad = [\n+++\nbody', "front matter is not TOML: "),
        ("+++\ntitle = 'T'\nx = " + "[" * 3000 + "\n+++\nbody", "nested deeper than 20 levels"),
        ("+++\ntitle = 'T'\n" + "a." * 20_000 + "a = 1\n+++\nbody", "nested deeper than 20 levels"),
        (';;;\n"title": "T",\n"x": \n;;;\nbody', "front matter is not JSON: "),
        ('{\n  "title": "T",\n  "x": \n}\nbody', "front matter is not JSON"),
        ('{\n  "title": "T",\n  "x": ' + "[" * 60_000 + "\n}\nbody", "front matter is not JSON"),
    ],
)
def test_bad_toml_and_json_are_a_warning_and_simple_fields_are_still_read(text: str, warning: str) -> None:
    front, body = split_front_matter(text)
    assert (front.text("title"), body) == ("T", "body")
    assert warning in front.warnings[0]


# What is not closed


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: T\ntags:\n  - x\n\n# Heading\ntext\n",
        "---\ntitle: T\n\n# Heading\ntext\n\n---\nmore: [x\n",
        "---\ntitle: T\n\n# Heading\n\nJust text.\n\n---\n\nmore\n",
    ],
)
def test_fields_that_are_never_closed_end_at_a_blank_line(text: str) -> None:
    front, body = split_front_matter(text)
    assert front.text("title") == "T"
    assert body == "\n" + text.split("\n\n", 1)[1]
    assert front.warnings == ("the front matter is never closed",)


def test_a_rule_above_text_is_no_front_matter() -> None:
    text = "---\nNote: read this first.\n\n# Heading\n"
    assert split_front_matter(text) == (split_front_matter("")[0], text)


# Messages


@pytest.mark.parametrize(
    ("field", "messages"),
    [
        ("errors: 'ERROR: a'", ["ERROR: a"]),
        ("errors:\n- 'ERROR: a'\n- 'ERROR: a'\n- b", ["ERROR: a", "b"]),
        (
            "errors:\n- language: text\n  message: |-\n    ERROR: a\n      HINT: b\n- message: c",
            ["ERROR: a\n  HINT: b", "c"],
        ),
        ("errors:\n- language: text\n- [x]\n- ''", []),
        ("errors: {message: a}", ["a"]),
        ("title: x", []),
    ],
)
def test_messages_that_a_document_explains(field: str, messages: list[str]) -> None:
    assert split_front_matter(f"---\n{field}\n---\n")[0].messages() == messages


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*"-+;{}[]\"':=,.& \n", "---\n", "+++\n", ";;;\n", "a", "title: ", '"a"', "\\u0000", "&a", "*a"]
        )
    )
)
def test_no_front_matter_raises(parts: list[str]) -> None:
    text = "".join(parts)
    front, body = split_front_matter(text)
    assert text.endswith(body)
    front.messages()
