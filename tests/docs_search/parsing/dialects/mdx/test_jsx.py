import pytest

from docs_search.parsing.dialects.mdx.javascript import Expressions
from docs_search.parsing.dialects.mdx.jsx import MAX_ATTRIBUTES, Tag, read_tag


def read(text: str) -> Tag | None:
    return read_tag(text, 0, Expressions(text))


def test_attributes_are_texts_or_expressions() -> None:
    text = """<Tabs.Item title="A > b" label='C &amp; d' wide
      children={`x {y}`} on={() => { go("}") }} {...rest} style={{width: 1}} :level="2" n=3>tail"""
    tag = read(text)
    assert tag == Tag(
        "Tabs.Item",
        text.index("tail"),
        attributes={"title": "A > b", "label": "C & d", "wide": "", "children": "x {y}", ":level": "2", "n": "3"},
        expressions={"on": '() => { go("}") }', "style": "{width: 1}"},
    )


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("<A/>", Tag("A", 4, closes_itself=True)),
        ("<A />", Tag("A", 5, closes_itself=True)),
        ("</ A >", Tag("A", 6, closes=True)),
        ("<>", Tag("", 2)),
        ("</>", Tag("", 3, closes=True)),
        ("<my-part>", Tag("my-part", 9)),
    ],
)
def test_tags_have_their_forms(text: str, tag: Tag) -> None:
    assert read(text) == tag


@pytest.mark.parametrize(
    "text",
    [
        "<",
        "< a>",
        "<1>",
        "<https://x.example>",
        "<a@b.example>",
        "<A",
        "<A b=",
        "<A b={",
        '<A b="',
        "<A<B>",
        "<!-- -->",
    ],
)
def test_other_uses_of_the_sign_are_no_tags(text: str) -> None:
    assert read(text) is None


def test_a_tag_has_a_bounded_number_of_attributes() -> None:
    assert read(f"<A{' b' * (MAX_ATTRIBUTES - 1)}>") is not None
    assert read(f"<A{' b' * MAX_ATTRIBUTES}>") is None


@pytest.mark.parametrize(("name", "is_component"), [("Card", True), ("cards.Item", True), ("", True), ("div", False)])
def test_a_component_does_not_look_like_html(name: str, is_component: bool) -> None:
    assert Tag(name, 0).is_component is is_component


def test_the_first_attribute_that_says_something_is_taken() -> None:
    tag = Tag("A", 0, attributes={"title": " ", "label": "a\n  b"})
    assert (tag.text("title", "label"), tag.text("title", "other")) == ("a b", None)
