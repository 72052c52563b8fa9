import pytest

from docs_search.documents import Block, BlockType, ParsedPage, Section
from tests.residue import residue


def page(text: str) -> ParsedPage:
    return ParsedPage("page", "Page", [Section(1, "Page", None, [Block(BlockType.PARAGRAPH, text)])])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a <Tabs> b", "tag"),
        ("a </div>", "tag"),
        ("<!-- x", "comment"),
        ("{% if %}", "template"),
        ("{{ x", "template"),
        ("::: tip", "container"),
        ("> !!! note", "container"),
        ("/// tab | x", "container"),
        ("a[^1]", "footnote"),
        (r"[a]\(b.md)", "link"),
        ("[a](b.md)", "link"),
        ("[a][b]", "link"),
        ("Title {#id}", "attributes"),
        ("{: .note }", "attributes"),
        (r"\*\*bold", "emphasis"),
        ("{/* x */}", "expression"),
        ("import X from 'y'", "expression"),
        ("title: Page", "field"),
        ("see :ref:`x`", "directive"),
        ("[TOC]", "place"),
        ("\ufdd3Note", "mark"),
    ],
)
def test_leftovers_are_found(text: str, kind: str) -> None:
    assert {found.split(":")[0] for found in residue(page(text))} == {kind}


@pytest.mark.parametrize(
    "text",
    [
        "`<b> {{ x }} [^1]`",
        "```\n::: tip\n<div>\n```",
        r"\<your-token> **bold** [a](https://x.example) <https://x.example>",
        "a: b, {x}, 5 * 3, std::vector, array[i]",
    ],
)
def test_code_and_text_are_no_leftovers(text: str) -> None:
    assert residue(page(text)) == []
