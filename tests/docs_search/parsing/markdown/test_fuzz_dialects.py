"""Nothing raises, hangs or grows, whatever is made of the marks of the smaller dialects of Markdown."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.docsify import DocsifyParser
from docs_search.parsing.dialects.jekyll.gitbook import GitBookParser
from docs_search.parsing.dialects.jekyll.githubdocs import GitHubDocsParser
from docs_search.parsing.dialects.learn.parser import LearnParser
from docs_search.parsing.dialects.mdbook import MdBookParser
from docs_search.parsing.dialects.mdx.readme import ReadMeParser
from docs_search.parsing.dialects.obsidian import ObsidianParser
from docs_search.parsing.dialects.quarto.parser import QuartoParser
from docs_search.parsing.markdown.parser import MarkdownParser
from tests.parsing import parse_context

PARSERS = (
    DocsifyParser,
    GitBookParser,
    GitHubDocsParser,
    LearnParser,
    MdBookParser,
    ObsidianParser,
    QuartoParser,
    ReadMeParser,
)
MARKS = """
{% hint style="tip" %};{% endhint %};{% tab title="a" %};{% swagger path="a" %};{% swagger-parameter name="a" %}
{% @a/b ;%};{% include "b.md" %};{% data reusables.a.b %};{% data variables.a.b %}
{% ifversion ghes > 3 %};{% elsif fpt %}
{% else %};{% endif %};{% raw %};{% endraw %};[AUTOTITLE](/b);{{#include b.md:1:2}}
{{#include page.md}};{{#tab name="a"}};{{#;}}
```admonish tip "a";```rust,ignore;<Listing number="1">;</Listing>;ANCHOR: a;::: {.callout-note};::: callout-tip;:::
::: {.panel-tabset};::: {.hidden};```{r, echo=FALSE};```{.python};#| echo: false;[a]{.b};[a]{#b};@sec-a;[@a];\\@ref(a)
{{< include b.md >}};{{< var a >}};(@) ;: ;| ;+---+;+===+;| a |;% ;`r a`;`a`{=html};[[b]];[[b#a|c]];![[b]];![[page]]
%%;==a==
 ^a;> [!NOTE];> [!div class="a"];[!INCLUDE [a](b.md)];[!INCLUDE [a](page.md)];:::code source="b.md" range="1-":::
:::image alt-text="a":::;:::row:::;:::column:::;:::column-end:::;# [a](#tab/b);<xref:a.b>;[a](xref:b);[!VIDEO http://a]
[block:code];[/block];{"codes":[{"code":"a"}]};> 📘 a;[a](doc:b);<<a>>;?> a;!> a; :id=a; {docsify-ignore}
[a](b.md ':include');<!-- tabs:start -->;<!-- tabs:end -->;#### **a**;```;~~~;`;# a;- ;> ;1. ;|;[;];(;);{;};<;>;";a;é
""".replace("\n", ";").strip(";").split(";")  # fmt: skip
FRAGMENTS = [*MARKS, "\n", "\n\n", "    ", "\t", "\ufdd3a", "\x00"]
FILES = {
    "b.md": b"# b\n\nx [y](z.md)\n",
    "data/variables/a.yml": b'b: "{% data variables.a.b %}c"\n',
    "data/reusables/a/b.md": b"{% data variables.a.b %}\n",
    "_variables.yml": b"a: b\n",
}


def parse(parser: type[MarkdownParser], text: str) -> ParsedPage | None:
    context = parse_context({**FILES, "page.md": text.encode()}, url="h:/{path}")
    return parser().parse("page.md", text.encode(), context)


@pytest.mark.parametrize("parser", PARSERS)
@settings(max_examples=100, deadline=None)
@given(parts=st.lists(st.sampled_from(FRAGMENTS), max_size=60))
def test_nothing_raises_and_the_output_is_bounded(parser: type[MarkdownParser], parts: list[str]) -> None:
    text = "".join(parts)
    page = parse(parser, text)
    if page is not None:
        assert len(page.markdown) <= 20 * len(text) + 500


@pytest.mark.parametrize("parser", PARSERS)
@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=3), ends_line=st.booleans())
def test_repetition_takes_linear_time(parser: type[MarkdownParser], parts: list[str], ends_line: bool) -> None:
    part = "".join(parts) + ("\n" if ends_line else "")
    text = part * (8_000 // len(part))
    start = time.perf_counter()
    parse(parser, text)
    assert time.perf_counter() - start < 4
