"""What every parser must keep to, whatever it is given."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.detection.detect import DIALECTS
from docs_search.parsing.detection.families import Family
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.registry import PARSER_NAMES, PARSERS, parser_for
from tests.parsing import parse_context

PATHS = (
    "docs/pond.md",
    "docs/pond.mdx",
    "docs/pond.html",
    "docs/pond.rst",
    "docs/openapi.json",
    "docs/api.yaml",
    "docs/x",
)

FRAGMENTS = (
    b"---\ntitle: Pond\n---\n",
    b"+++\ntitle = 'x'\n+++\n",
    b"# Pond\n",
    b"\n\n",
    b"    ",
    b"- item\n",
    b"> ",
    b"| a | b |\n|-|-|\n",
    b"```js\n",
    b"~~~",
    b"`",
    b"{{< tabs >}}",
    b"{{% /tabs %}}",
    b"{% include 'docs/pond.md' %}",
    b"{% raw %}",
    b"{{ x }}",
    b":::tip Title\n",
    b":::\n",
    b"!!! note\n    ",
    b"/// tab | x\n",
    b'--8<-- "docs/pond.md"\n',
    b'=== "Tab"\n',
    b"```{note}\n",
    b"{doc}`x`",
    b'import A from "./pond.mdx"\n',
    b"<A b={`c`}>",
    b"</A>",
    b"{/*",
    b"*/}",
    b"<<< @/docs/x\n",
    b"<html><body><main>",
    b"<h2 id='a'>",
    b"<div class='sect1'>",
    b"<table><tr><td>",
    b"</table>",
    b"<pre>",
    b"&amp;&#0;",
    b"<!--",
    b"Pond\n====\n\n",
    b".. note::\n\n   x\n",
    b".. include:: pond.rst\n",
    b":ref:`a`",
    b"|x|",
    b"``",
    b'{"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}',
    b"openapi: 3.0.0\n",
    b"paths:\n  /a:\n    get: &a\n      x: *a\n",
    b"[",
    b"]",
    b"(",
    b")",
    b"{",
    b"}",
    b"\xff\xfe",
    b"\x00",
    b"\xe2\x80",
    b"\r\n",
    b"\t",
    b"word ",
)

documents = st.one_of(st.binary(max_size=300), st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(b"".join))


def test_no_parser_has_the_name_of_the_search_for_one() -> None:
    assert sorted(PARSER_NAMES) == ["auto", *sorted(PARSERS)]


def test_whatever_is_detected_has_a_parser() -> None:
    families = {family.value for family in Family} - {Family.MARKDOWN.value}
    assert sorted(PARSERS) == sorted({*DIALECTS, *families, "docbook"})


@pytest.mark.parametrize("name", PARSER_NAMES)
@settings(max_examples=60, deadline=None)
@given(data=documents, path=st.sampled_from(PATHS), other=documents)
def test_a_parser_reads_anything_without_raising_and_gives_a_whole_page(
    name: str, data: bytes, path: str, other: bytes
) -> None:
    files = {"docs/other.md": other, "docs/other.rst": other, path: data}
    parser, _ = parser_for(name, sorted(files), files.get)
    page = parser.parse(path, data, parse_context(files))
    if page is None:
        return
    assert page.path
    assert page.title.strip()
    assert page.sections[0].level == 1
    assert all(block.markdown.strip() for section in page.sections for block in section.blocks)
    assert not any(link.startswith("http") for link in page.links)
    assert len(page.markdown) < 10_000 + 40 * (len(data) + len(other))


def test_a_fixed_name_reads_every_file_as_that_format() -> None:
    parser, detection = parser_for("markdown", ["docs/index.md"], lambda _: None)
    assert (type(parser), detection) == (MarkdownParser, None)
    assert parser.is_page("README.md")
