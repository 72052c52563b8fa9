from dataclasses import replace

import pytest

from docs_search.documents import Block, BlockType, Chunk, Kind, ParsedPage, Role, Section
from docs_search.indexing import prepared
from docs_search.indexing.prepared import prepare

MARKDOWN = "Run `pg_dump` with `--jobs`."
CHUNK = Chunk("Dump", ("Backup", "Dump"), "dump", MARKDOWN, f"Backup Dump\n{MARKDOWN}", Kind.SECTION, None, 8, "0" * 64)
PAGE = ParsedPage("backup", "Backup", [Section(1, "Backup", None, [Block(BlockType.PARAGRAPH, MARKDOWN)])])


def content_hash(chunk: Chunk = CHUNK, url: str = "https://docs.example.org/backup") -> str:
    return prepare(PAGE, [chunk], url=url, document="backup.md").content_hash


def test_identifiers_are_found_before_anything_is_published() -> None:
    chunks = [CHUNK, replace(CHUNK, names=("Nightly Dump",))]
    page = prepare(PAGE, chunks, url="https://docs.example.org/backup", document="backup.md")

    mentions = {"pg_dump": Role.MENTION, "--jobs": Role.MENTION}
    assert page.identifiers == [mentions, {"nightly dump": Role.SUBJECT, **mentions}]


def test_the_hash_of_a_page_follows_what_is_stored_of_it() -> None:
    assert content_hash() == content_hash()
    assert content_hash() != content_hash(url="https://docs.example.org/17/backup")
    assert content_hash() != content_hash(replace(CHUNK, plan="pro"))


@pytest.mark.parametrize(
    ("name", "value"),
    [("POSTINGS_REVISION", 0), ("passage_identifiers", lambda *_, **__: {"another": Role.MENTION})],
)
def test_the_hash_of_a_page_follows_what_is_derived_from_it(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = content_hash()
    monkeypatch.setattr(prepared, name, value)

    assert content_hash() != before
