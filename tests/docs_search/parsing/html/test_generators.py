"""A page of each generator, in its own markup and with all that its site puts around the content, to a ParsedPage."""

from pathlib import Path

import pytest

from docs_search.documents import Kind, ParseContext, ParsedPage
from docs_search.parsing.html.parser import HtmlParser

DATA = Path(__file__).resolve().parents[3] / "data" / "html"
NAMES = sorted(path.stem for path in DATA.glob("*.html"))
SITE = "https://pond.example/docs/"
OUTLINES: dict[str, list[tuple[int, str, str | None]]] = {
    "asciidoctor": [(1, "Reeds", None), (2, "Planting", "_planting"), (3, "Soil", "_soil")],
    "confluence": [(1, "Filling ponds", None), (2, "Hose", "Filling-Hose")],
    "discourse": [(1, "How to fill a pond", None), (2, "Winter", "winter-1")],
    "dita": [(1, "Filling ponds", None), (2, "Before you begin", None)],
    "exdoc": [
        (1, "Pond", None),
        (2, "Winter", "module-winter"),
        (2, "Summary", "summary"),
        (3, "Functions", None),
        (2, "fill(pond, level)", "fill/2"),
    ],
    "flare": [(1, "Filling Ponds", None), (2, "By bucket", "Bucket")],
    "gitbook": [(1, "Filling", None), (2, "With a hose", "with-a-hose")],
    "mediawiki": [(1, "Filling ponds", None), (2, "With a hose?", "With_a_hose?"), (3, "By hand", "By_hand")],
    "mintlify": [(1, "Fill ponds", None), (2, "With a hose", "with-a-hose")],
    "nineties": [(1, "Pond FAQ", None), (2, "How do I fill a pond?", "q1")],
    "notion": [(1, "Filling ponds", None), (2, "With a hose", "aaaa")],
    "pkgsite": [
        (1, "pond", None),
        (2, "Documentation", "section-documentation"),
        (3, "Overview", "pkg-overview"),
        (3, "Index", "pkg-index"),
        (3, "Functions", "pkg-functions"),
        (4, "func Fill", "Fill"),
    ],
    "readme_com": [(1, "Fill a pond", None), (2, "With a hose", "with-a-hose")],
    "word": [(1, "Pond handbook", None), (2, "Filling", "_Toc1"), (3, "1.1 Hose", "_Toc2"), (2, "2 Draining", "_Toc3")],
    "zendesk": [(1, "Filling ponds", None), (2, "With a hose", "h_01H")],
    "docsy": [(1, "Turtles", None), (2, "Shells", "shells"), (3, "Soft ones", "soft-ones")],
    "docusaurus": [
        (1, "Install the pump", None),
        (2, "With a package", "with-a-package"),
        (3, "Settings", "settings"),
        (4, "depth", "depth"),
    ],
    "furo": [
        (1, "The pond module", None),
        (2, "Functions", "functions"),
        (3, "pond.fill()", "pond.fill"),
        (3, "pond.Dry", "pond.Dry"),
        (4, "since", "pond.Dry.since"),
        (2, "Command line", "command-line"),
        (3, "--depth <metres>, -d <metres>", "cmdoption-pond-depth"),
    ],
    "just_the_docs": [(1, "Snails", None), (2, "Houses", "houses")],
    "material": [(1, "Herons", None), (2, "Nets", "nets"), (2, "Dogs", "dogs")],
    "plain": [(1, "Skimming", None), (2, "The basket", "basket"), (2, "The float", "float")],
    "read_the_docs": [
        (1, "Ponds", None),
        (2, "Pond()", "Pond"),
        (3, "drain()", "Pond.drain"),
        (2, "Levels", "levels"),
    ],
    "tables": [(1, "Ice", None), (2, "Saws", "saw")],
    "vitepress": [
        (1, "Feeding", None),
        (2, "Amounts", "amounts"),
        (2, "FAQ", "faq"),
        (3, "Do fish sleep?", "do-fish-sleep"),
    ],
}
SUMMARIES = {
    "dita": "Ponds take water.",
    "gitbook": "Ponds take water",
    "mintlify": "Fill ponds with water",
    "zendesk": "Ponds take water. Use a hose.",
    "docsy": "Where turtles live",
    "docusaurus": "How to install the pump on a pond and start it.",
    "material": "How herons are kept away from the pond.",
}
LINKS = {
    "docusaurus": ("intro",),
    "furo": ("start.html",),
    "material": ("carp",),
    "tables": ("guide/fill.html", "guide/ice.html"),
    "vitepress": ("guide/plants.html",),
}


def _path_of(address: str) -> str | None:
    path, is_of_the_site = address.removeprefix(SITE).strip("/"), address.startswith(SITE)
    return path if is_of_the_site else None


def _page(name: str) -> ParsedPage:
    context = ParseContext(
        version="2",
        paths=frozenset(path for paths in LINKS.values() for path in paths),
        read=lambda _: None,
        url_for=lambda path: SITE + path,
        path_of=_path_of,
        address_of=lambda path: SITE + path,
    )
    page = HtmlParser().parse(f"guide/{name}", (DATA / f"{name}.html").read_bytes(), context)
    assert page is not None
    return page


@pytest.mark.parametrize("name", NAMES)
def test_the_content_of_a_page_is_all_there_is_and_nothing_else(name: str) -> None:
    assert _page(name).markdown + "\n" == (DATA / f"{name}.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_sections_have_the_levels_and_anchors_of_the_page(name: str) -> None:
    page = _page(name)
    assert [(section.level, section.heading, section.anchor) for section in page.sections] == OUTLINES[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_its_title_its_own_summary_and_the_pages_it_links_to(name: str) -> None:
    page = _page(name)
    assert (page.path, page.title, page.section) == (f"guide/{name}", OUTLINES[name][0][1], "guide")
    assert (page.summary, page.links, page.warnings) == (SUMMARIES.get(name), LINKS.get(name, ()), ())


@pytest.mark.parametrize(
    ("name", "heading", "kind", "names"),
    [
        ("docusaurus", "depth", Kind.SETTING, ("depth",)),
        ("furo", "pond.fill()", Kind.FUNCTION, ("fill", "pond.fill")),
        ("furo", "pond.Dry", Kind.ERROR, ("Dry", "pond.Dry")),
        ("furo", "since", Kind.SECTION, ("since", "pond.Dry.since")),
        ("furo", "--depth <metres>, -d <metres>", Kind.SETTING, ("--depth", "-d")),
        ("read_the_docs", "Pond()", Kind.FUNCTION, ("Pond",)),
        ("read_the_docs", "drain()", Kind.FUNCTION, ("drain", "Pond.drain")),
    ],
)
def test_what_is_documented_one_by_one_is_an_entry(name: str, heading: str, kind: Kind, names: tuple[str, ...]) -> None:
    (section,) = [section for section in _page(name).sections if section.heading == heading]
    assert (section.kind, section.own, section.names) == (kind, True, names)


def test_questions_are_of_that_kind() -> None:
    assert [section.kind for section in _page("vitepress").sections[2:]] == [Kind.FAQ, Kind.FAQ]
