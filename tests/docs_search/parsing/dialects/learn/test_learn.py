from collections.abc import Mapping

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.learn.parser import LearnParser
from tests.parsing import parse_context

PROGRAM = "import lamp\n# <switch_on>\nlamp.on()\n# </switch_on>\nlamp.off()\n"


def parse(text: str, files: Mapping[str, str] | None = None, path: str = "docs/lamps/start.md") -> ParsedPage | None:
    sources = {name: content.encode() for name, content in (files or {}).items()} | {path: text.encode()}
    return LearnParser().parse(path, text.encode(), parse_context(sources))


def body(text: str, files: Mapping[str, str] | None = None) -> str:
    page = parse(f"# T\n\n{text}", files)
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Lamps - Light | Microsoft Learn\n---\n# Know your lamps\n\nText.", "Know your lamps"),
        ("---\ntitle: Lamps - Light | Microsoft Docs\n---\nText.", "Lamps"),
        ("---\ntitle: Lamps | Light\n---\nText.", "Lamps | Light"),
    ],
)
def test_a_page_is_called_as_its_heading_says_else_without_the_site(text: str, title: str) -> None:
    page = parse(text)
    assert page is not None
    assert page.title == title
    assert title in page.markdown


def test_parts_and_tables_of_contents_are_no_pages() -> None:
    parser = LearnParser()
    paths = ("docs/toc.md", "docs/includes/a.md", "docs/TOC.md", "docs/a.md")
    assert [path for path in paths if parser.is_page(path)] == ["docs/a.md"]


def test_included_text_stays_in_its_list_and_its_links_lead_where_they_led() -> None:
    part = "---\nms.topic: include\n---\nUnplug it. See [oil](../oil/use.md).\n"
    files = {"docs/includes/safe.md": part, "docs/oil/use.md": ""}
    text = "1. First\n\n   [!INCLUDE [safe](../includes/safe.md)]\n\n2. Then [!INCLUDE[x](~/docs/includes/safe.md)]"
    assert body(text, files) == (
        "1. First\n\n   Unplug it. See [oil](https://docs.example/v2.0/docs/oil/use).\n"
        "2. Then Unplug it. See [oil](https://docs.example/v2.0/docs/oil/use)."
    )


def test_what_is_not_in_the_source_is_a_warning() -> None:
    page = parse('# T\n\nText.\n\n[!INCLUDE [a](a.md)]\n\n:::code language="sh" source="~/x.sh":::')
    assert page is not None
    assert page.markdown == "# T\n\nText."
    assert page.warnings == (
        "the included file docs/lamps/a.md is not in the source",
        "the included file x.sh is not in the source",
    )


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        (':::code language="python" source="~/code/lamp.py":::', "import lamp\nlamp.on()\nlamp.off()"),
        (':::code language="python" source="../../code/lamp.py" id="switch_on":::', "lamp.on()"),
        ('::: code source="~/code/lamp.py" range="1,5" :::', "import lamp\nlamp.off()"),
        ("[!code-python[Main](~/code/lamp.py#L5-L5)]", "lamp.off()"),
        ("[!code-python[](~/code/lamp.py?name=switch_on&highlight=1)]", "lamp.on()"),
    ],
)
def test_code_comes_from_files(reference: str, code: str) -> None:
    assert body(reference, {"code/lamp.py": PROGRAM}) == f"```python\n{code}\n```"


def test_tabs_pivots_and_columns_keep_their_text_and_their_headings() -> None:
    text = (
        "# [Portal](#tab/portal)\n\nUse *it*.\n\n# [Shell](#tab/shell)\n\n```azurecli-interactive\nlamp on\n```\n\n"
        '---\n\n::: zone pivot="one"\n\n## Part one\n\n::: zone-end\n\n:::row:::\n   :::column span="":::\n      Left\n'
        "   :::column-end:::\n   :::column:::\n      Right\n   :::column-end:::\n:::row-end:::\n\n"
        ':::moniker range=">= 2"\nNew.\n:::moniker-end'
    )
    assert body(text) == (
        "**Portal**\n\nUse *it*.\n\n**Shell**\n\n```azurecli\nlamp on\n```\n\n## Part one\n\nLeft\n\nRight\n\nNew."
    )


def test_images_boxes_and_marks_become_their_words() -> None:
    text = (
        ':::image type="content" source="a.png" alt-text="A lamp." lightbox="b.png":::\n\n'
        ':::image type="complex" source="a.png" alt-text="A plan.":::\n   All its parts.\n:::image-end:::\n\n'
        '> [!div class="nextstepaction"]\n> [Go on](https://x.example)\n\n> [!VIDEO https://v.example/1]\n\n'
        "> [!NOTE]\n> Keep `:::` **dry**.\n\n[!TIP] Off.\n\nPress [!UICONTROL Save]. [!DNL Lamp]"
    )
    assert body(text) == (
        "A lamp.\n\nA plan. All its parts.\n\n[Go on](https://x.example)\n\n[Video](https://v.example/1)\n\n"
        "> **Note:** Keep `:::` **dry**.\n\n**Tip:** Off.\n\nPress **Save**. Lamp"
    )


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ("<xref:Lamp.Light.On%2A>", "`On`"),
        ("<xref:Lamp.Light.On(System.Int32)?displayProperty=nameWithType>", "`Light.On(System.Int32)`"),
        ("<xref:Lamp.Light?displayProperty=fullName>", "`Lamp.Light`"),
        ("[the light](xref:Lamp.Light)", "the light"),
        ("`<xref:Lamp>`", "`<xref:Lamp>`"),
    ],
)
def test_references_to_an_api_are_names(reference: str, shown: str) -> None:
    assert body(f"Use {reference}.") == f"Use {shown}."
