"""Cutting pages into passages. A token is a word or a sign here."""

import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Block, BlockType, Chunk, Kind, ParsedPage, Section
from docs_search.indexing.passages import cut
from docs_search.parsing.text.plain_text import plain_text

WINDOW = 254


def tokens(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def sentence(topic: str, words: int) -> str:
    """A sentence of so many different words."""
    return " ".join(f"{topic}{number}" for number in range(words)) + "."


def paragraph(topic: str, words: int) -> Block:
    return Block(BlockType.PARAGRAPH, sentence(topic, words))


def code(markdown: str) -> Block:
    return Block(BlockType.CODE, f"```\n{markdown}\n```")


def page(*sections: Section) -> ParsedPage:
    return ParsedPage("guide/backup.md", "Backup", list(sections))


def lead(*blocks: Block) -> Section:
    return Section(1, "Backup", None, list(blocks))


def section(heading: str, *blocks: Block, level: int = 2, own: bool = False) -> Section:
    return Section(level, heading, heading.lower(), list(blocks), own=own)


def passages(*sections: Section, max_tokens: int = WINDOW) -> list[Chunk]:
    return cut(page(*sections), count_tokens=tokens, max_tokens=max_tokens)


def bodies(chunks: list[Chunk]) -> list[str]:
    return [chunk.text.split("\n", 1)[1] for chunk in chunks]


def test_a_passage_carries_what_is_known_of_its_section() -> None:
    setting = Section(
        3,
        "backup_path (string)",
        "backup-path",
        [
            Block(BlockType.PARAGRAPH, "Where **copies** of the [cluster](cluster.md) go:"),
            Block(BlockType.LIST_ITEM, "- a folder"),
            Block(BlockType.LIST_ITEM, "- a bucket"),
        ],
        kind=Kind.SETTING,
        plan="pro",
        own=True,
        names=("backup_path",),
    )

    (chunk,) = passages(lead(), section("Settings"), setting)

    text = "Backup > Settings > backup_path (string)\nWhere copies of the cluster go:\n\na folder\na bucket"
    assert chunk == Chunk(
        heading="backup_path (string)",
        heading_path=("Backup", "Settings", "backup_path (string)"),
        anchor="backup-path",
        markdown="Where **copies** of the [cluster](cluster.md) go:\n\n- a folder\n- a bucket",
        text=text,
        kind=Kind.SETTING,
        plan="pro",
        token_count=19,
        content_hash=sha256(text.encode()).hexdigest(),
        names=("backup_path",),
    )


def test_each_heading_starts_a_passage() -> None:
    chunks = passages(
        lead(paragraph("a", 40)),
        section("Dump", paragraph("b", 40)),
        section("Daily", paragraph("c", 40), level=3),
        section("Restore", paragraph("d", 40)),
    )

    assert [(chunk.heading_path, chunk.anchor) for chunk in chunks] == [
        (("Backup",), None),
        (("Backup", "Dump"), "dump"),
        (("Backup", "Dump", "Daily"), "daily"),
        (("Backup", "Restore"), "restore"),
    ]


def test_a_heading_that_repeats_the_one_above_is_named_once() -> None:
    (chunk,) = passages(lead(), section("Backup", paragraph("a", 40)), section("", level=3))

    assert (chunk.heading, chunk.heading_path, chunk.anchor) == ("Backup", ("Backup",), "backup")


def test_a_section_without_anchor_is_reached_by_its_parent() -> None:
    below = Section(3, "Daily", None, [paragraph("b", 40)])

    chunks = passages(lead(), section("Dump", paragraph("a", 40)), below)

    assert [(chunk.heading, chunk.anchor) for chunk in chunks] == [("Dump", "dump"), ("Daily", "dump")]


def test_levels_may_be_skipped() -> None:
    chunks = passages(lead(), section("Deep", paragraph("a", 40), level=5), section("High", paragraph("b", 40)))

    assert [chunk.heading_path for chunk in chunks] == [("Backup", "Deep"), ("Backup", "High")]


def test_a_tiny_section_joins_the_text_under_its_parents_heading() -> None:
    chunks = passages(
        lead(paragraph("a", 40)), section("License", paragraph("b", 5)), section("Contact", paragraph("c", 5))
    )

    assert [(chunk.heading, chunk.anchor) for chunk in chunks] == [("Backup", None)]
    assert bodies(chunks) == [f"{sentence('a', 40)}\n\nLicense\n\n{sentence('b', 5)}\n\nContact\n\n{sentence('c', 5)}"]
    assert chunks[0].markdown == (
        f"{sentence('a', 40)}\n\n## License\n\n{sentence('b', 5)}\n\n## Contact\n\n{sentence('c', 5)}"
    )
    assert chunks[0].token_count == tokens([chunks[0].text])[0]


def test_tiny_siblings_join_each_other() -> None:
    chunks = passages(lead(), *(section(f"Step {number}", paragraph("a", 10)) for number in range(3)))

    assert [(chunk.heading, chunk.anchor) for chunk in chunks] == [("Step 0", "step 0")]


def test_a_tiny_section_stays_apart_from_a_larger_sibling_and_from_a_cousin() -> None:
    chunks = passages(
        lead(),
        section("Dump", paragraph("a", 40)),
        section("License", paragraph("b", 5)),
        section("Restore"),
        section("Daily", paragraph("c", 5), level=3),
    )

    assert [chunk.heading for chunk in chunks] == ["Dump", "License", "Daily"]


def test_tiny_sections_join_only_up_to_the_target() -> None:
    chunks = passages(lead(), *(section(f"Step {number}", paragraph("a", 11)) for number in range(20)))

    assert [chunk.heading for chunk in chunks] == ["Step 0", "Step 15"]


def test_an_entry_of_its_own_is_never_joined() -> None:
    chunks = passages(
        lead(paragraph("a", 40)),
        section("port", paragraph("b", 5), own=True),
        section("host", paragraph("c", 5), own=True),
        section("License", paragraph("d", 5), level=3),
    )

    assert [chunk.heading for chunk in chunks] == ["Backup", "port", "host", "License"]


@pytest.mark.parametrize(("kind", "plan"), [(Kind.FAQ, None), (Kind.SECTION, "pro")])
def test_a_tiny_section_of_another_kind_or_plan_stays_apart(kind: Kind, plan: str | None) -> None:
    other = Section(2, "Other", "other", [paragraph("b", 5)], kind=kind, plan=plan)

    chunks = passages(lead(paragraph("a", 40)), other)

    assert [(chunk.heading, chunk.kind, chunk.plan) for chunk in chunks] == [
        ("Backup", Kind.SECTION, None),
        ("Other", kind, plan),
    ]


@pytest.mark.parametrize("kind", [Kind.FAQ, Kind.RELEASE_NOTE])
def test_questions_and_releases_stay_apart_however_short(kind: Kind) -> None:
    chunks = passages(lead(), *(Section(2, f"{n}?", f"{n}", [paragraph("a", 5)], kind=kind) for n in range(3)))

    assert [chunk.anchor for chunk in chunks] == ["0", "1", "2"]


def test_a_tiny_section_that_defines_a_name_stays_apart() -> None:
    named = Section(2, "Port", "port", [paragraph("b", 5)], names=("port",))

    assert [chunk.names for chunk in passages(lead(paragraph("a", 40)), named)] == [(), ("port",)]


def test_a_long_section_becomes_passages_of_about_equal_size() -> None:
    chunks = passages(lead(), section("Dump", *(paragraph(f"p{number}x", 50) for number in range(9))))

    assert [len(body.split()) for body in bodies(chunks)] == [150, 150, 150]
    assert {(chunk.heading, chunk.anchor) for chunk in chunks} == {("Dump", "dump")}


def test_a_block_that_fits_is_not_cut() -> None:
    block = code("\n".join(sentence(f"line{number}x", 10) for number in range(20)))

    chunks = passages(lead(), section("Dump", paragraph("a", 120), block, paragraph("b", 120)))

    assert [chunk.markdown for chunk in chunks if "```" in chunk.markdown] == [block.markdown]


def test_an_introduction_stays_with_what_it_introduces() -> None:
    intro = Block(BlockType.PARAGRAPH, "Write the file like this:")
    block = code("\n".join(sentence(f"line{number}x", 10) for number in range(10)))

    chunks = passages(lead(), section("Dump", paragraph("a", 130), intro, block, paragraph("b", 100)))

    assert len(chunks) > 1
    assert sum(f"{intro.markdown}\n\n```" in chunk.markdown for chunk in chunks) == 1


def test_a_block_beyond_the_window_is_cut() -> None:
    rows = [f"| option{number} | does the thing number {number} |" for number in range(60)]
    table = Block(BlockType.TABLE, "\n".join(["| Name | Meaning |", "| --- | --- |", *rows]))

    chunks = passages(lead(), section("Options", table))

    assert len(chunks) == 2
    assert all(chunk.markdown.startswith("| Name | Meaning |\n| --- | --- |\n| option") for chunk in chunks)
    assert [row for chunk in chunks for row in chunk.markdown.split("\n")[2:]] == rows


def test_a_path_that_would_fill_the_window_is_shortened_in_the_text() -> None:
    long_title = sentence("title", 30)
    chunks = cut(
        ParsedPage(
            "p.md", long_title, [section("Dump", paragraph("a", 40)), section(sentence("h", 50), paragraph("b", 40))]
        ),
        count_tokens=tokens,
        max_tokens=40,
    )

    assert [chunk.heading_path[0] for chunk in chunks] == [long_title] * len(chunks)
    assert {chunk.text.split("\n")[0] for chunk in chunks if chunk.heading == "Dump"} == {"Dump"}
    assert {len(chunk.text.split("\n")[0].split()) for chunk in chunks if chunk.heading != "Dump"} == {17}
    assert max(chunk.token_count for chunk in chunks) <= 40


def test_what_has_nothing_to_read_makes_no_passage() -> None:
    drawing = code("-----\n=====")

    chunks = passages(
        lead(paragraph("a", 40)),
        section(
            "Contents", Block(BlockType.LIST_ITEM, "- [Dump](dump.md)"), Block(BlockType.LIST_ITEM, "- [All](a.md)")
        ),
        section("Empty"),
        section("Blank", Block(BlockType.PARAGRAPH, "<!-- nothing -->")),
        section("Drawing", drawing),
    )

    assert [chunk.heading for chunk in chunks] == ["Backup"]


def test_a_stub_makes_no_passage() -> None:
    assert passages(lead(Block(BlockType.PARAGRAPH, "This page has moved to [Settings](settings.md)."))) == []
    assert passages() == []


def test_equal_pages_give_equal_passages() -> None:
    sections = [lead(paragraph("a", 300)), section("Dump", code(sentence("b", 400)))]

    assert passages(*sections) == passages(*sections)


WORDS = st.lists(st.from_regex(r"[a-z0-9]{1,10}[.,:]?", fullmatch=True), min_size=1, max_size=60).map(" ".join)
BLOCKS = st.one_of(
    WORDS.map(lambda text: Block(BlockType.PARAGRAPH, text)),
    WORDS.map(lambda text: Block(BlockType.LIST_ITEM, f"- {text}")),
    WORDS.map(lambda text: Block(BlockType.QUOTE, f"> {text}")),
    st.lists(WORDS, max_size=8).map(lambda lines: code("\n".join(lines))),
    st.lists(WORDS, min_size=1, max_size=8).map(
        lambda rows: Block(BlockType.TABLE, "\n".join(["| Name |", "| --- |", *(f"| {row} |" for row in rows)]))
    ),
    st.text("ab1_ .:\n`*|>-#[]()<&;~\\\t", max_size=200).map(lambda text: Block(BlockType.PARAGRAPH, text)),
    st.integers(1, 3000).map(lambda length: Block(BlockType.PARAGRAPH, "x" * length)),
)
SECTIONS = st.lists(
    st.builds(
        Section,
        level=st.integers(1, 6),
        heading=st.text("ab c>", max_size=30),
        anchor=st.none() | st.just("anchor"),
        blocks=st.lists(BLOCKS, max_size=6),
        own=st.booleans(),
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=50)
@given(sections=SECTIONS, max_tokens=st.integers(32, 254), title=st.text("ab c", max_size=60))
def test_no_passage_exceeds_the_window(sections: list[Section], max_tokens: int, title: str) -> None:
    chunks = cut(ParsedPage("p.md", title, sections), count_tokens=tokens, max_tokens=max_tokens)

    for chunk in chunks:
        assert tokens([chunk.text])[0] <= chunk.token_count <= max_tokens
        assert chunk.heading_path[0] == title
        assert all(above != below for above, below in pairwise(chunk.heading_path))
        assert chunk.content_hash == sha256(chunk.text.encode()).hexdigest()


@settings(deadline=None, max_examples=50)
@given(sections=SECTIONS, max_tokens=st.integers(40, 254))
def test_no_word_is_lost(sections: list[Section], max_tokens: int) -> None:
    own = Section(2, "Own", "own", [paragraph("own", 10)], own=True)  # so that the page is no stub

    chunks = cut(ParsedPage("p.md", "Title", [own, *sections]), count_tokens=tokens, max_tokens=max_tokens)

    found = {word for body in bodies(chunks) for word in body.split()}
    for each in sections:
        for block in each.blocks:
            wanted = {word for word in plain_text(block.markdown).split() if len(word) <= 20 and word.isalnum()}
            assert wanted <= found
