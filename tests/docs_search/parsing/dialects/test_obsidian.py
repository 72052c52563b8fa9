from collections.abc import Mapping

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.obsidian import ObsidianParser
from tests.parsing import parse_context

BASE = "https://docs.example/v2.0"
NOTES = {
    "Lamps/Oil lamp.md": (
        "# Oil lamp\n\nOld. See [wick](wick.md).\n\n## How to fill\n\nSlowly.\n\n### When\n\nCold.\n\n## Else\n\nNo."
    ),
    "Lamps/Short.md": "See [wick](wick.md).",
    "Lamps/wick.md": "",
    "a.png": "",
}


def parse(text: str, files: Mapping[str, str] | None = None) -> ParsedPage | None:
    sources = {name: content.encode() for name, content in {**(files or NOTES), "Start.md": text}.items()}
    return ObsidianParser().parse("Start.md", text.encode(), parse_context(sources))


def body(text: str) -> str:
    page = parse(f"# T\n\n{text}")
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("[[Lamps/Oil lamp]]", f"[Lamps/Oil lamp]({BASE}/Lamps/Oil%20lamp)"),
        ("[[oil lamp|the lamp]]", f"[the lamp]({BASE}/Lamps/Oil%20lamp)"),
        ("[[the lamp|Oil-lamp]]", f"[the lamp]({BASE}/Lamps/Oil%20lamp)"),
        ("[[Oil lamp#How to fill]]", f"[Oil lamp > How to fill]({BASE}/Lamps/Oil%20lamp#how-to-fill)"),
        ("[[Oil lamp#^block|it]]", f"[it]({BASE}/Lamps/Oil%20lamp)"),
        ("[[#Local part]]", f"[Local part]({BASE}/Start#local-part)"),
        ("[[Nobody]] wrote [[it|this]]", "Nobody wrote this"),
        ("`[[Oil lamp]]`", "`[[Oil lamp]]`"),
        ("| [[oil lamp\\|x]] |\n| --- |", f"| [x]({BASE}/Lamps/Oil%20lamp) |\n| --- |"),
    ],
)
def test_links_between_notes_lead_to_their_files(link: str, shown: str) -> None:
    assert body(link) == shown


def test_embedded_notes_become_part_of_the_page() -> None:
    assert body("Before.\n\n![[Oil lamp#How to fill]]\n\n![[a.png|300]]\n\nAfter.") == (
        "Before.\n\n## How to fill\n\nSlowly.\n\n### When\n\nCold.\n\nAfter."
    )
    assert body("![[Short]]") == f"See [wick]({BASE}/Lamps/wick)."


def test_a_note_that_embeds_itself_is_a_warning() -> None:
    page = parse("# T\n\nText.\n\n![[Start]]")
    assert page is not None
    assert page.markdown == "# T\n\nText."
    assert page.warnings == ("the include of Start.md leads back to itself or too deep",)


def test_comments_marks_and_queries_vanish() -> None:
    text = (
        "A ==bright== lamp. %%not shown%% 1 == 2 ^block-1\n\n%%\nnor this\n%%\n\n```dataview\nLIST\n```\n\n"
        "> [!tip]- Fold\n> it"
    )
    assert body(text) == "A bright lamp. 1 == 2\n\n> **Fold:** it"
