from docs_search.parsing.dialects.docsify import DocsifyParser
from tests.parsing import parse_context


def body(text: str) -> str:
    text = f"# T\n\n{text}"
    sources = {"docs/lamps/page.md": text.encode(), "docs/lamps/part.md": b"Shared *part*.", "docs/x.py": b"run()"}
    parser = DocsifyParser()
    parser.docs_root = "docs/"
    page = parser.parse("docs/lamps/page.md", text.encode(), parse_context(sources))
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


def test_tips_are_admonitions() -> None:
    assert body("?> Oil **it** with `oil`,\nslowly.\n\n!> Hot.\n\nText.") == (
        "> **Tip:** Oil **it** with `oil`, slowly.\n\n> **Warning:** Hot.\n\nText."
    )


def test_headings_have_their_own_anchors_and_no_instructions() -> None:
    text = "# T\n\n## Fill it :id=fill\n\nText.\n\n## Burn it {docsify-ignore}\n\nText."
    page = DocsifyParser().parse("a.md", text.encode(), parse_context({"a.md": text.encode()}))
    assert page is not None
    anchors = [(section.heading, section.anchor) for section in page.sections[1:]]
    assert anchors == [("Fill it", "fill"), ("Burn it", "burn-it")]


def test_tabs_embedded_files_and_links() -> None:
    text = (
        "<!-- tabs:start -->\n\n#### **Linux**\n\nUse it.\n\n#### Mac\n\nToo.\n\n<!-- tabs:end -->\n\n"
        "[part](part.md ':include')\n\n[code](/x.py ':include :type=code')\n\n"
        "[home](/lamps/page?id=fill), [out](https://x.example ':target=_blank')"
    )
    assert body(text) == (
        "**Linux**\n\nUse it.\n\n**Mac**\n\nToo.\n\nShared *part*.\n\n```python\nrun()\n```\n\n"
        "[home](https://docs.example/lamps/page#fill), [out](https://x.example)"
    )
