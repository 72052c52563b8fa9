"""Nothing raises, hangs or grows, whatever is made of the marks of Markdown, HTML, Liquid and kramdown."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.jekyll.metabase import MetabaseParser
from docs_search.parsing.dialects.jekyll.parser import JekyllParser
from docs_search.parsing.markdown.parser import MarkdownParser
from tests.parsing import parse_context

PARSERS = (MarkdownParser, JekyllParser, MetabaseParser)
MARKS = """
a|b| |é|\\|*|**|_|__|~~|`|```|~~~|[|]|(|)|![|](|[a]: b|[a]|[^1]|[^1]: a|^[|<|>|</|<!--|-->|<b>|</b>|<a id=x>|<h1>|</h1>
<h2 id="y">|</h2>|<table>|</table>|<tr>|<td>|</td>|<ul>|<li>|</ul>|<div>|</div>|<div markdown="1">|<details>|</details>
<summary>|</summary>|<script>|</script>|<img alt="a">|<br>|<pre>|</pre>|<blockquote>|</blockquote>
# |## |- |1. |> |> [!NOTE]
: |---|===|+++|;;;|{|}|"|'|title: a|&lt;|&#0;|{:|.note }|{:toc}|* TOC|*[a]: b|[TOC]|{%|%}|{{|}}|{% raw %}|{% endraw %}
{% hint style="tip" %}|{% endhint %}|{% highlight sh %}|{% endhighlight %}|{% if a %}|{% include a.html x="b" %}
{% include_relative page.md %}|{% include_file "page.md" snippet="a" %}|{% link page.md %}
{% capture a %}|{% endcapture %}
{{ page.title }}|🚀|:rocket:|$$|http://a|<http://a>|    |\t|1.1 |Chapter 2:
""".replace("\n", "|").strip("|").split("|")  # fmt: skip
FRAGMENTS = [*MARKS, "|", "| a | b |\n", "|---|---|\n", "\n", "\n\n", "\ufdd3a", "\ufdd4", "\ufeff", "\x00", "\r\n"]
FILES = {"page.md": b"", "_includes/a.html": b"<p>{{ include.x }}</p>", "b.md": b"x"}


def parse(parser: type[MarkdownParser], text: str) -> ParsedPage | None:
    context = parse_context({**FILES, "page.md": text.encode()}, url="h:/{path}")
    return parser().parse("page.md", context.read("page.md") or b"", context)


@pytest.mark.parametrize("parser", PARSERS)
@settings(max_examples=100, deadline=None)
@given(parts=st.lists(st.sampled_from(FRAGMENTS), max_size=60), front_matter=st.booleans())
def test_nothing_raises_and_the_output_is_bounded(
    parser: type[MarkdownParser], parts: list[str], front_matter: bool
) -> None:
    text = ("---\ntitle: A page\n---\n" if front_matter else "") + "".join(parts)
    page = parse(parser, text)
    if page is not None:
        assert len(page.markdown) <= 4 * len(text) + 200


@pytest.mark.parametrize("parser", PARSERS)
@settings(max_examples=40, deadline=None)
@given(
    parts=st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=3),
    before=st.sampled_from(["", "x ", "- ", "<table>"]),
)
def test_repetition_takes_linear_time(parser: type[MarkdownParser], parts: list[str], before: str) -> None:
    part = "".join(parts)
    text = before + part * (8_000 // len(part))
    start = time.perf_counter()
    page = parse(parser, text)
    assert time.perf_counter() - start < 4
    if page is not None:
        assert len(page.markdown) <= 4 * len(text) + 200


def test_a_link_that_is_defined_once_does_not_multiply_a_document() -> None:
    text = f"[a]: https://x.example/{'b' * 5_000}\n\n" + "[a] " * 5_000
    page = parse(MarkdownParser, text)
    assert page is not None
    assert len(page.markdown) <= 9 * len(text) + 20_000
    assert page.markdown.endswith(" a a a")


def test_nested_boxes_do_not_multiply_a_document() -> None:
    text = '{% hint style="tip" %}\n' * 45 + "a\n\n" * 2_000
    page = parse(JekyllParser, text)
    assert page is not None
    assert len(page.markdown) <= 8 * len(text)


def test_a_wide_table_with_short_rows_stays_small() -> None:
    text = "|" + "a|" * 2_000 + "\n|" + "-|" * 2_000 + "\n" + "| b |\n" * 30
    page = parse(MarkdownParser, text)
    assert page is not None
    assert len(page.markdown) <= 4 * len(text)
