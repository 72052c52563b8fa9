"""Cut a page into passages: by heading, of about 200 words, within the embedding model's window.

Each heading starts a passage, so that a hit leads to the right place. Only a section of less than 12 words joins what
stands before it, and only where that is the text directly under its parent's heading or a sibling as small: a passage
has the heading and the anchor of its first section. Entries of their own (`Section.own`) are never joined.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import accumulate, chain
from math import inf

from docs_search.documents import Block, BlockType, Chunk, Kind, ParsedPage, Section, join_blocks
from docs_search.indexing.block_cutting import CountTokens, Piece, cut_block, measured, sizes
from docs_search.indexing.navigation import is_navigation, is_stub

TARGET_WORDS = 200
TINY_WORDS = 12


@dataclass(frozen=True, slots=True)
class _Place:
    """A section with something to read: its number on the page, its parent's, and the headings that lead to it."""

    section: Section
    number: int
    parent: int | None
    path: tuple[str, ...]
    anchor: str | None


@dataclass(frozen=True, slots=True)
class _Draft:
    """A passage before its last form. `prefix` is the heading path as it is embedded."""

    place: _Place
    prefix: str
    pieces: list[Piece]
    tokens: int
    tiny: bool


def cut(
    page: ParsedPage, *, count_tokens: CountTokens, max_tokens: int, target_words: int = TARGET_WORDS
) -> list[Chunk]:
    """The passages of a page in reading order; none for a page that only navigates or has next to nothing to read.

    `max_tokens` (at least 32) bounds the text of a passage with its heading path. `count_tokens` is called seldom and
    with many texts; it must count texts that are joined by white space as the sum of both.
    """
    if is_stub(page):
        return []
    places = list(_places(page))
    prefixes = _prefixes([place.path for place in places], max_tokens // 2, count_tokens)
    blocks = [block for place in places for block in (_heading_block(place.section), *place.section.blocks)]
    pieces = iter(measured(blocks, count_tokens))
    drafts: list[_Draft] = []
    for place, (prefix, prefix_tokens) in zip(places, prefixes, strict=True):
        room = max_tokens - prefix_tokens
        heading = next(pieces)
        whole = [next(pieces) for _ in place.section.blocks]
        groups = _grouped(_fitting(whole, room, count_tokens), room=room, target_words=target_words)
        tiny = len(groups) == 1 and _may_join(place.section) and _word_count(groups[0]) < TINY_WORDS
        for group in groups:
            if not any(map(_says_something, group)):
                continue
            draft = _Draft(place, prefix, group, prefix_tokens + _token_count(group), tiny)
            joined = _joined(drafts[-1], draft, heading) if tiny and drafts else None
            if joined and joined.tokens <= max_tokens and _word_count(joined.pieces) <= target_words:
                drafts[-1] = joined
            else:
                drafts.append(draft)
    return [_chunk(draft) for draft in drafts]


def _places(page: ParsedPage) -> Iterator[_Place]:
    """The sections that make passages. One without content still stands in the path of those below it, and one
    without an anchor is reached by the anchor of its parent.
    """
    above: list[_Place] = []
    for number, section in enumerate(page.sections):
        while above and above[-1].section.level >= section.level:
            above.pop()
        path = above[-1].path if above else (page.title,)
        place = _Place(
            section,
            number,
            parent=above[-1].number if above else None,
            path=path if section.heading in ("", path[-1]) else (*path, section.heading),
            anchor=section.anchor or (above[-1].anchor if above else None),
        )
        above.append(place)
        if section.blocks and not is_navigation(section):
            yield place


def _prefixes(paths: Sequence[tuple[str, ...]], limit: int, count_tokens: CountTokens) -> list[tuple[str, int]]:
    """Each path as text with its tokens. One beyond `limit` is reduced to its last heading, and that if need be to
    its beginning."""
    texts = [" > ".join(path) for path in paths]
    prefixes = list(zip(texts, sizes(texts, count_tokens), strict=True))
    for number, (_, tokens) in enumerate(prefixes):
        if tokens > limit:
            heading = Block(BlockType.PARAGRAPH, paths[number][-1])
            first = cut_block(heading, limit=limit, count_tokens=count_tokens)[0]
            prefixes[number] = (" ".join(first.text.split()), first.tokens)
    return prefixes


def _heading_block(section: Section) -> Block:
    return Block(BlockType.PARAGRAPH, f"{'#' * min(section.level, 6)} {section.heading}")


def _fitting(pieces: Sequence[Piece], room: int, count_tokens: CountTokens) -> Iterator[Piece]:
    for piece in pieces:
        if piece.tokens > room:
            yield from cut_block(piece.block, limit=room, count_tokens=count_tokens)
        elif piece.text:
            yield piece


def _grouped(pieces: Iterator[Piece], *, room: int, target_words: int) -> list[list[Piece]]:
    """The pieces of a section as passages: the division whose passages are nearest to full, in squared distance.

    A passage is full at the target, and nearly always at `room` tokens, which it never exceeds.
    """
    units = list(_with_introductions(pieces, room))
    tokens = list(accumulate((_token_count(unit) for unit in units), initial=0))
    words = list(accumulate((_word_count(unit) for unit in units), initial=0))
    cost = [0.0]
    start_of_last = [0]
    for end in range(1, len(units) + 1):
        best = (inf, end - 1)
        for start in range(end - 1, -1, -1):
            size = tokens[end] - tokens[start]
            if size > room:
                break
            fill = max(size / room, (words[end] - words[start]) / target_words)
            best = min(best, (cost[start] + (1 - fill) ** 2, start))
        cost.append(best[0])
        start_of_last.append(best[1])
    groups: list[list[Piece]] = []
    end = len(units)
    while end:
        start = start_of_last[end]
        groups.append(list(chain.from_iterable(units[start:end])))
        end = start
    return groups[::-1]


def _with_introductions(pieces: Iterator[Piece], room: int) -> Iterator[list[Piece]]:
    """What must stay together: a paragraph that ends with a colon goes with what it introduces, where both fit."""
    unit: list[Piece] = []
    for piece in pieces:
        if unit and (not _introduces(unit[-1]) or _token_count(unit) + piece.tokens > room):
            yield unit
            unit = []
        unit.append(piece)
    if unit:
        yield unit


def _may_join(section: Section) -> bool:
    """Whether a section may share a passage. A question and a release are looked for each by itself, however short."""
    return not section.own and section.kind not in (Kind.FAQ, Kind.RELEASE_NOTE)


def _says_something(piece: Piece) -> bool:
    """Whether there is a letter or digit in it; a rule cut from a drawing has none."""
    return any(map(str.isalnum, piece.text))


def _introduces(piece: Piece) -> bool:
    return piece.block.type is BlockType.PARAGRAPH and piece.text.endswith(":")


def _joined(previous: _Draft, tiny: _Draft, heading: Piece) -> _Draft | None:
    """The passage before a tiny section with that section at its end, or None where it must stand alone."""
    first, second = previous.place, tiny.place
    near = first.number == second.parent or (previous.tiny and first.parent == second.parent)
    alike = (first.section.kind, first.section.plan) == (second.section.kind, second.section.plan)
    if not near or not alike or first.section.own or not set(second.section.names) <= set(first.section.names):
        return None
    added = [heading, *tiny.pieces] if heading.text else tiny.pieces
    return replace(previous, pieces=[*previous.pieces, *added], tokens=previous.tokens + _token_count(added))


def _chunk(draft: _Draft) -> Chunk:
    place, section = draft.place, draft.place.section
    content = join_blocks(Block(piece.block.type, piece.text) for piece in draft.pieces)
    text = f"{draft.prefix}\n{content}"
    return Chunk(
        heading=place.path[-1],
        heading_path=place.path,
        anchor=place.anchor,
        markdown=join_blocks(piece.block for piece in draft.pieces),
        text=text,
        kind=section.kind,
        plan=section.plan,
        token_count=draft.tokens,
        content_hash=sha256(text.encode()).hexdigest(),
        names=section.names,
    )


def _token_count(pieces: Sequence[Piece]) -> int:
    return sum(piece.tokens for piece in pieces)


def _word_count(pieces: Sequence[Piece]) -> int:
    return sum(piece.words for piece in pieces)
