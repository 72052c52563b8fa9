import pytest

from docs_search.documents import Kind, Section
from docs_search.parsing.text.numbering import without_numbers


def cut(path: str, title: str, *headings: tuple[int, str], kind: Kind = Kind.SECTION) -> list[str]:
    sections = [Section(level, heading, None, kind=kind) for level, heading in [(1, title), *headings]]
    return [without_numbers(path, title, sections), *(section.heading for section in sections[1:])]


def test_headings_that_continue_the_number_above_them_lose_it() -> None:
    assert cut("a.md", "3 Setup", (2, "3.1 Install"), (3, "3.1.1. On Linux"), (2, "3.2 Run"), (2, "Notes")) == [
        "Setup",
        "Install",
        "On Linux",
        "Run",
        "Notes",
    ]
    assert cut("a.md", "Setup", (2, "1. Install"), (3, "1.1 Get"), (3, "1.2 Build"), (2, "2. Run")) == [
        "Setup",
        "Install",
        "Get",
        "Build",
        "Run",
    ]


@pytest.mark.parametrize(
    ("path", "title", "cut_title"),
    [
        ("guide/02-setup.md", "2. Setup", "Setup"),
        ("guide/chapter-4.md", "Chapter 4: Storage", "Storage"),
        ("guide/part_10_end.md", "Part 10 – The end", "The end"),
        ("guide/setup.md", "2. Setup", "2. Setup"),
        ("guide/03-setup.md", "2. Setup", "2. Setup"),
        ("7-ways-to-fail.md", "7 ways to fail", "7 ways to fail"),
        ("2.0-notes.md", "2.0 Notes", "2.0 Notes"),
    ],
)
def test_a_title_loses_the_number_that_its_file_has(path: str, title: str, cut_title: str) -> None:
    assert cut(path, title) == [cut_title]


@pytest.mark.parametrize(
    "headings",
    [
        [(2, "1. Install"), (2, "2. Run")],
        [(2, "Step 1: Install"), (2, "Step 2: Run")],
        [(2, "7 ways to fail"), (3, "7.1 ways"), (2, "8 ways")],
        [(2, "2 New"), (3, "2.3 Released in May"), (3, "2.2 Released in April"), (3, "2.1 Released")],
        [(2, "2.0.1"), (2, "2.0.0")],
        [(2, "3D views"), (2, "100 rows")],
    ],
)
def test_other_numbers_stay(headings: list[tuple[int, str]]) -> None:
    assert cut("a.md", "Page", *headings) == ["Page", *(heading for _, heading in headings)]


def test_releases_keep_their_numbers() -> None:
    headings = [(2, "2 Second"), (3, "2.1 First minor"), (3, "2.2 Second minor")]
    assert cut("changelog.md", "Changelog", *headings, kind=Kind.RELEASE_NOTE)[1:] == [text for _, text in headings]
