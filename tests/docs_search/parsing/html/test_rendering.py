"""HTML elements to blocks of normalised Markdown."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import BlockType, join_blocks
from docs_search.parsing.html.document import parse_html
from docs_search.parsing.html.rendering import MAX_DEPTH, MarkdownRenderer


def _target(href: str) -> str | None:
    return href if href.startswith("https:") else None


def _blocks(html: str) -> list[tuple[str, str]]:
    root, _ = parse_html(f"<html><body>{html}</body></html>".encode())
    assert root is not None
    blocks = MarkdownRenderer(_target).blocks(root)
    return [(block.type.value, block.markdown) for block in blocks]


def _markdown(html: str) -> str:
    root, _ = parse_html(f"<html><body>{html}</body></html>".encode())
    assert root is not None
    return join_blocks(MarkdownRenderer(_target).blocks(root))


def test_paragraphs_are_one_line_each() -> None:
    assert _blocks("<p>One\n  two.</p> <p>\n</p><p>Three&nbsp;four.</p>") == [
        ("paragraph", "One two."),
        ("paragraph", "Three four."),
    ]


def test_text_beside_blocks_is_a_paragraph_in_its_place() -> None:
    assert _blocks("before<pre>x</pre>between <b>bold</b><ul><li>a</li></ul>after") == [
        ("paragraph", "before"),
        ("code", "```\nx\n```"),
        ("paragraph", "between **bold**"),
        ("list_item", "- a"),
        ("paragraph", "after"),
    ]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<em>a</em> <i>b</i> <strong>c</strong>", "*a* *b* **c**"),
        ("x<em> spaced </em>y", "x *spaced* y"),
        ("<em> </em>x", "x"),
        ("<code>a<em>b</em> c</code>", "`ab c`"),
        ("<code>a</code><code>b</code>c", "`ab`c"),
        ("<kbd>Ctrl</kbd> <samp>ok</samp> <var>n</var>", "`Ctrl` `ok` `n`"),
        ("2<sup>31</sup> log<sub>2</sub>", "2^31 log_2"),
        ("<q>quoted</q>", '"quoted"'),
        ("a<br>b", "a b"),
        ('<img src="x.png" alt="a *star*">', r"a \*star\*"),
        ("<span>plain <u>text</u></span>", "plain text"),
        ('<a href="https://x.org/a b(c)">label</a>', "[label](https://x.org/a%20b%28c%29)"),
        ('<a href="https://x.org/">a <code>b</code></a>', "[a `b`](https://x.org/)"),
        ('<a href="missing.html">only text</a>', "only text"),
        ('<a name="x">only text</a>', "only text"),
        ('<a href="https://x.org/"></a>gone', "gone"),
        ('<a href="https://x.org/">a ] b</a>', r"[a \] b](https://x.org/)"),
        ('<a href="https://x.org/">out <em><a href="https://y.org/">in</a></em></a>', "[out *in*](https://x.org/)"),
        ('x<a href="https://x.org/"> a </a>y<a> b</a>', "x [a](https://x.org/) y b"),
        ("<script>alert(1)</script><style>p{}</style><svg><text>x</text></svg>rest", "rest"),
    ],
)
def test_inline_elements(html: str, markdown: str) -> None:
    assert _markdown(f"<p>{html}</p>") == markdown


def test_preformatted_text_keeps_its_lines_and_loses_its_markup() -> None:
    assert _markdown("<pre>\n  a\xa0<em>b</em><br>\n*c*  &lt;d&gt;\n</pre>") == "```\n  a\xa0b\n\n*c*  <d>\n```"


def test_each_item_of_a_list_is_a_block_with_all_that_belongs_to_it() -> None:
    html = "<ol start='3'><li><p>a</p><pre>x\n\ny</pre></li><li>b<ul><li>c<ul><li>d</li></ul></li></ul></li></ol>"
    assert _blocks(html) == [
        ("list_item", "3. a\n\n   ```\n   x\n\n   y\n   ```"),
        ("list_item", "4. b\n\n   - c\n\n     - d"),
    ]


def test_a_definition_list_has_one_item_per_term() -> None:
    html = """<dl><dt><code>a</code></dt><dt>b</dt><dd><p>one</p><p>two</p></dd>
    <dt>c</dt><dt>d</dt><dd><pre>x</pre></dd></dl>"""
    assert _blocks(html) == [
        ("list_item", "- `a`, b: one\n\n  two"),
        ("list_item", "- c, d:\n\n  ```\n  x\n  ```"),
    ]


def test_a_definition_without_its_other_half_is_kept() -> None:
    assert _markdown("<dl><dd>alone</dd><dt>term</dt></dl>") == "- alone\n- term"


def test_a_quote_is_one_block() -> None:
    assert _blocks("<blockquote><p>a</p><p>b</p></blockquote>") == [("quote", "> a\n>\n> b")]


def test_a_table_has_its_header_caption_and_flattened_cells() -> None:
    html = """<table><caption>Sizes</caption><thead><tr><th>Name</th><th>Of <br>what</th></tr></thead>
    <tbody><tr><td><code>a|b</code></td><td><p>one</p><ul><li>x</li><li>y</li></ul></td></tr>
    <tr><td rowspan="2">c</td><td><pre>1\n2</pre></td></tr><tr><td>d</td></tr></tbody></table>"""
    assert _blocks(html) == [
        ("paragraph", "**Sizes**"),
        ("table", "| Name | Of what |\n| --- | --- |\n| `a\\|b` | one x y |\n| c | `1 2` |\n| c | d |"),
    ]


def test_the_first_row_is_the_header_of_a_table_without_one() -> None:
    assert _markdown("<table><tr><td>a</td></tr><tr><td>b</td></tr></table>") == "| a |\n| --- |\n| b |"


def test_a_table_that_only_serves_for_layout_is_read_cell_by_cell() -> None:
    assert _blocks("<table><tr><td>a<pre>x</pre></td><td>b</td></tr><tr><td>c</td></tr></table>") == [
        ("paragraph", "a"),
        ("code", "```\nx\n```"),
        ("paragraph", "b"),
        ("paragraph", "c"),
    ]


def test_headings_in_running_text_are_bold_paragraphs() -> None:
    assert _blocks("<h4>Heading <code>x</code></h4>") == [("paragraph", "**Heading `x`**")]


@pytest.mark.parametrize("tag", ["div", "ul", "blockquote", "em", "table", "dl", "a", "code"])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 5, 200, 600])
def test_deep_nesting_is_cut_off_without_losing_the_text(tag: str, depth: int) -> None:
    inner = {"ul": "<li>", "table": "<tr><td>", "dl": "<dd>"}.get(tag, "")
    html = f"<{tag}>{inner}word " * depth
    markdown = _markdown(html)
    assert len(markdown) < 6 * len(html)
    assert len(re.findall(r"\bword\b", markdown)) == depth


def test_plain_text_has_no_marks() -> None:
    root, _ = parse_html(b"<html><body><p>a<br>b <code>c_d</code> <em>*e*</em> <script>x</script></p></body></html>")
    assert root is not None
    assert MarkdownRenderer(_target).plain(root) == "a b c_d *e*"


_TAGS = ["p", "div", "ul", "li", "table", "tr", "td", "th", "pre", "code", "em", "a", "dl", "dt", "dd", "blockquote"]


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from([f"<{tag}>" for tag in _TAGS]),
            st.sampled_from([f"</{tag}>" for tag in _TAGS]),
            st.text(max_size=8),
        ),
        max_size=60,
    )
)
def test_any_mixture_of_tags_is_rendered_within_bounds(parts: list[str]) -> None:
    html = "".join(parts)
    blocks = _blocks(html)
    assert all(markdown and markdown == markdown.rstrip("\n") for _, markdown in blocks)
    assert sum(len(markdown) for _, markdown in blocks) <= 12 * len(html) + 100
    assert {kind for kind, _ in blocks} <= {kind.value for kind in BlockType}
