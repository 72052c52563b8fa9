import pytest

from docs_search.documents import Block, BlockType, ParsedPage
from docs_search.parsing.markdown.parser import MarkdownParser
from tests.parsing import parse_context

PARAGRAPH, ITEM, CODE, TABLE, QUOTE = BlockType


def parse(text: str) -> ParsedPage:
    page = MarkdownParser().parse("page.md", text.encode(), parse_context({"page.md": b"", "y.md": b""}))
    assert page is not None
    return page


def blocks(text: str) -> list[Block]:
    return parse(f"# Page\n\n{text}").sections[0].blocks


def markdown(text: str) -> list[str]:
    return [block.markdown for block in blocks(text)]


# Lines of tags


@pytest.mark.parametrize(
    "text",
    [
        '<div align="center">\n**Bold** [text](y.md)\n</div>',
        "<div markdown='1'>\n\n**Bold** [text](y.md)\n\n</div>",
        "<div><section>\n**Bold** [text](y.md)\n</section>\n</div>",
        "<div>**Bold** [text](y.md)</div>",
        "<p>\n  **Bold** [text](y.md)\n</p>",
        "<center>**Bold** [text](y.md)</center>",
        "<br>\n**Bold** [text](y.md)",
        '<img src="x.png">\n**Bold** [text](y.md)',
        "</div>\n**Bold** [text](y.md)",
        "<b>\n**Bold** [text](y.md)\n</b>",
    ],
)
def test_markdown_inside_and_after_tags_is_read(text: str) -> None:
    assert blocks(text) == [Block(PARAGRAPH, "**Bold** [text](https://docs.example/v2.0/y)")]


def test_blocks_of_markdown_follow_tags_without_a_blank_line() -> None:
    text = "<div>\n- a\n- b\n\n| c |\n|---|\n| d |\n\n```\n<div>\n```\n</div>\nafter **it**"
    assert blocks(text) == [
        Block(ITEM, "- a"),
        Block(ITEM, "- b"),
        Block(TABLE, "| c |\n| --- |\n| d |"),
        Block(CODE, "```\n<div>\n```"),
        Block(PARAGRAPH, "after **it**"),
    ]


def test_html_that_is_indented_is_no_code() -> None:
    assert markdown('<div>\n    <p>One <a href="y.md">two</a></p>\n    <p>three</p>\n</div>') == [
        "One [two](https://docs.example/v2.0/y)",
        "three",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<details>\n<summary>More <b>here</b></summary>\n**Text**\n</details>",
        "<details><summary>More **here**</summary>\n\n**Text**\n\n</details>",
        "<details>\n<summary>\nMore here\n</summary>\n<p>\n\n**Text**\n\n</p>\n</details>",
        "<details><summary>More here</summary>**Text**</details>",
    ],
)
def test_the_summary_of_details_is_their_title(text: str) -> None:
    assert markdown(text) == ["**More here**", "**Text**"]


def test_images_badges_and_captions_leave_their_words() -> None:
    text = (
        '<p align="center">\n  <a href="https://x.example"><img src="a.png" alt="Logo"></a>\n'
        '  <img\n    src="b.png"\n    alt="Badge"\n  />\n</p>\n\n'
        '<figure>\n  <img src="c.png" alt="A picture">\n  <figcaption>Figure **1**</figcaption>\n</figure>\n\n'
        "![by reference][img] [![linked](d.png)](y.md)\n\n[img]: e.png 'title'\n"
    )
    assert markdown(text) == [
        "[Logo](https://x.example) Badge",
        "A picture",
        "Figure **1**",
        "by reference [linked](https://docs.example/v2.0/y)",
    ]


# Tables, lists and quotes


def test_markdown_in_cells_is_read_whatever_stands_around_them() -> None:
    text = (
        "<table>\n<tr><th>Name</th><th>Use</th></tr>\n<tr>\n<td>\n\n**bold** [l](y.md)\n\n</td>\n<td>\n\n"
        "```js\nif (a < b) { </td> }\n```\n\n</td></tr>\n<tr><td>`a < b`</td><td>1<br>2 * 3 * 4</td></tr>\n</table>\n"
        "After *it*"
    )
    assert markdown(text) == [
        "| Name | Use |\n| --- | --- |\n| **bold** [l](https://docs.example/v2.0/y) | `if (a < b) { </td> }` |\n"
        "| `a < b` | 1 2 * 3 * 4 |",
        "After *it*",
    ]


def test_lists_and_quotes_of_html_are_lists_and_quotes() -> None:
    text = (
        "<ul>\n<li>**a**</li>\n\n<li>b<ol><li>c `d`</li></ol></li>\n</ul>\n"
        "<blockquote>\n<b>Note</b>: e\n\n**f**\n</blockquote>"
    )
    assert blocks(text) == [
        Block(ITEM, "- **a**"),
        Block(ITEM, "- b\n\n  1. c `d`"),
        Block(QUOTE, "> Note: e\n>\n> **f**"),
    ]


def test_text_of_html_that_is_no_markdown_is_kept_as_it_is() -> None:
    assert markdown(
        "<table><tr><th>#</th><th>*</th></tr><tr><td># of rows</td><td>- none_of_it [x]</td></tr></table>"
    ) == ["| \\# | \\* |\n| --- | --- |\n| \\# of rows | \\- none_of_it [x] |"]


def test_a_table_that_is_never_closed_is_read_to_the_blank_line() -> None:
    assert markdown("<table>\n<tr><th>a</th></tr>\n<tr><td>b</td></tr>\n\n**c**") == ["| a |\n| --- |\n| b |", "**c**"]


def test_a_listing_of_html_keeps_its_language_and_blank_lines() -> None:
    assert blocks("<pre><code class='language-js'>a &lt; b\n\nc  **d**</code></pre>\nafter *it*") == [
        Block(CODE, "```js\na < b\n\nc  **d**\n```"),
        Block(PARAGRAPH, "after *it*"),
    ]


# Headings


def test_headings_of_html_begin_sections_wherever_they_stand() -> None:
    page = parse(
        '![badge](x.svg)\n\n<div align="center">\n  <img alt="Logo" src="x">\n  <h1>The <em>tool</em></h1>\n'
        "  <p>It does.</p>\n</div>\n\n"
        '<h2 id="own">Own <code>id</code></h2>\ntext\n\n<h2 align="left">\n  Two lines\n</h2>\n'
        '<a name="named"></a>\n### Deep\n'
        "text\n\n<div><h3>**Three**</h3>text</div>\n"
    )
    assert page.title == "The tool"
    assert [(section.level, section.heading, section.anchor) for section in page.sections] == [
        (1, "The tool", None),
        (2, "Own id", "own"),
        (2, "Two lines", "two-lines"),
        (3, "Deep", "named"),
        (3, "Three", "three"),
    ]
    assert [block.markdown for block in page.sections[0].blocks] == ["badge", "Logo", "It does."]


def test_a_heading_that_is_an_image_has_its_text() -> None:
    page = parse('<h1 align="center"><img src="logo.svg" alt="Docent"></h1>\n\ntext')
    assert (page.title, page.markdown) == ("Docent", "# Docent\n\ntext")


def test_a_heading_in_a_cell_is_part_of_the_table() -> None:
    assert markdown("<table><tr><td><h2>a</h2>b</td></tr><tr><td>c</td></tr></table>") == [
        "| **a** b |\n| --- |\n| c |"
    ]


def test_only_an_empty_element_before_a_heading_is_its_anchor() -> None:
    page = parse('# Page\n\n<div id="wrapper">\n\n## One\n\n<div id="two"></div>\n\n## Two\n\n</div>')
    assert [section.anchor for section in page.sections] == [None, "one", "two"]


# Inline


def test_elements_in_running_text_leave_what_is_read() -> None:
    assert markdown(
        "a <script>alert(1)</script>b <style>c</style>d<svg><title>e</title></svg> 2<sup>31</sup> H<sub>2</sub>O"
    ) == ["a b d 2^31 H_2O"]
    assert markdown("Add a <script> tag.<p>Then</p>go<br/>on") == ["Add a tag. Then go on"]


@pytest.mark.parametrize(
    ("quote", "markdown_of_it"),
    [
        ("> [!NOTE]\n> Text", "> **Note:** Text"),
        ("> [!warning] Mind the `gap`\n> Text\n>\n> more", "> **Mind the `gap`:** Text\n>\n> more"),
        ("> [!tip]- Folded\n>\n> - a", "> **Folded:**\n>\n> - a"),
        ("> [!best-practice]\n> ```\n> x\n> ```", "> **Best practice:**\n>\n> ```\n> x\n> ```"),
    ],
)
def test_alerts_begin_with_their_title_or_kind(quote: str, markdown_of_it: str) -> None:
    assert blocks(quote) == [Block(QUOTE, markdown_of_it)]


def test_an_alert_without_text_says_nothing() -> None:
    assert markdown("text\n\n> [!NOTE]\n") == ["text"]
