import pytest

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
