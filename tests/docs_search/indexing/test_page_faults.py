from pathlib import Path

import pytest

from docs_search.documents import Block, BlockType, ParsedPage, Section
from docs_search.indexing.page_faults import LONG_PASSAGE, Titles, find_faults
from docs_search.indexing.passages import cut
from docs_search.indexing.prepared import PreparedPage, prepare
from docs_search.sources import open_source

TEXT = "Run the dump every night, and copy the file to another building in another town."


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "night-dump.md").write_text(f"## Start\n\n{TEXT}")
    return tmp_path


def page(*sections: Section, title: str = "Dump", path: str = "dump", document: str = "night-dump.md") -> PreparedPage:
    parsed = ParsedPage(path, title, [section(1, title), *sections])
    chunks = cut(parsed, count_tokens=lambda texts: [len(text.split()) for text in texts], max_tokens=1000)
    return prepare(parsed, chunks, url=f"https://docs.example.org/{path}", document=document)


def section(level: int, heading: str, anchor: str | None = None, text: str = TEXT) -> Section:
    return Section(level, heading, anchor, [Block(BlockType.PARAGRAPH, text)])


def faults(folder: Path, page: PreparedPage) -> list[tuple[str, str]]:
    with open_source(folder) as source:
        return list(find_faults(page, source))


def test_a_good_page_has_no_faults(source: Path) -> None:
    assert faults(source, page(section(2, "Start", "start"), section(2, "Stop", "stop"))) == []


def test_headings_that_cannot_be_linked_are_faults(source: Path) -> None:
    found = faults(source, page(section(2, "Start", "start"), section(2, "Stop"), section(2, "Again", "start")))
    assert found == [
        ("pages with headings that have no anchor", "1 of 3"),
        ("pages on which an anchor occurs twice", "start"),
    ]


def test_a_title_that_is_nowhere_in_the_document_is_a_fault(source: Path) -> None:
    assert faults(source, page(title="Night dump")) == [
        ("pages without a title, which are named after their files", "Night dump")
    ]
    (source / "night-dump.md").write_text("# Night *dump*\n\n# night dump")
    assert faults(source, page(title="Night dump")) == []


def test_what_cannot_be_cut_is_a_fault(source: Path) -> None:
    code = Block(BlockType.CODE, "```\n" + "word " * (LONG_PASSAGE + 10) + "\n```")
    found = faults(source, page(Section(2, "Start", "start", [code])))
    assert found == [(f"passages of more than {LONG_PASSAGE} words", f"{LONG_PASSAGE + 13} words under Start")]


def test_titles_that_tell_no_pages_apart_are_faults() -> None:
    titles = Titles()
    for number in range(4):
        titles.add(page(title=f"Pond {number} | The Lake", path=f"pond-{number}"))
    titles.add(page(title="Pond 1 | The Lake", path="other"))
    titles.add(page(title="Start - stop"))
    assert list(titles.faults()) == [
        ("pages with the title of another page", "other", "Pond 1 | The Lake, as pond-1"),
        ("titles that end with the name of the site", "5 pages", "The Lake"),
    ]
