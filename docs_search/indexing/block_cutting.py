"""Cut a block that is too long for one passage, at the best boundaries its type has."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import dedent

from docs_search.documents import Block, BlockType
from docs_search.parsing.text.plain_text import plain_text

CountTokens = Callable[[Sequence[str]], list[int]]
Split = Callable[[str], list[str]]

# A tokenizer may count a run of any length as one unknown word. Ten visible characters a token is beyond any prose.
CHARACTERS_PER_TOKEN = 10

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_SENTENCE_END = re.compile(r"(?<=[.!?;:])[\"')\]*_]{0,3}\s+")
# Code spans, links and tags are not cut inside; what is longer than this is no such thing, or must be cut anyway.
_UNBROKEN = r"(?:`[^`\n]{1,400}+`|!?\[[^\[\]\n]{0,400}+\]\([^()\n]{0,800}+\)|<[^<>\n]{1,400}+>)"
_WHOLE = re.compile(_UNBROKEN)
_WORD = re.compile(rf"\s*+(?:[^\s`!\[<]++|{_UNBROKEN}|[`!\[<])+\s*+")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+[-:| \t]*")
_QUOTE_MARK = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A block, or a part of one, with its readable text and the tokens in it."""

    block: Block
    text: str
    tokens: int

    @property
    def words(self) -> int:
        return len(self.text.split())


def measured(blocks: Sequence[Block], count_tokens: CountTokens) -> list[Piece]:
    """Each block with its text and size."""
    texts = [plain_text(block.markdown) for block in blocks]
    return [Piece(*each) for each in zip(blocks, texts, sizes(texts, count_tokens), strict=True)]


def sizes(texts: Sequence[str], count_tokens: CountTokens) -> list[int]:
    """The tokens of each text, more where it holds words of absurd length."""
    return [
        max(tokens, sum(map(len, text.split())) // CHARACTERS_PER_TOKEN)
        for text, tokens in zip(texts, count_tokens(texts), strict=True)
    ]


def cut_block(block: Block, *, limit: int, count_tokens: CountTokens) -> list[Piece]:
    """Parts of a block in order, none larger than `limit` tokens (at least 8), without loss of a word.

    Code is cut between lines and fenced again, a table between rows under a repeated header, anything else between
    lines, then sentences; only what is still too long is cut between words, and a single word between characters.
    """
    match block.type:
        case BlockType.CODE:
            parts = _cut_code(block.markdown, limit, count_tokens)
        case BlockType.TABLE:
            parts = _cut_table(block.markdown, limit, count_tokens)
        case BlockType.QUOTE:
            parts = _cut_quote(block.markdown, limit, count_tokens)
        case _:
            parts = _cut_text(block.markdown, limit, count_tokens)
    blocks = [Block(block.type, part) for part in parts]
    if block.type is BlockType.LIST_ITEM:
        # Only the first part starts with a bullet; what was indented below it stands by itself now.
        blocks[1:] = [Block(BlockType.PARAGRAPH, dedent(part)) for part in parts[1:]]
    return list(_fitting(measured(blocks, count_tokens), limit, count_tokens))


def _fitting(pieces: list[Piece], limit: int, count_tokens: CountTokens) -> Iterator[Piece]:
    """Markup that reads differently once it is cut can lengthen a text; then the text itself is cut."""
    for piece in pieces:
        if piece.tokens <= limit:
            if piece.text:
                yield piece
            continue
        for text in _split(piece.text, (_lines, _bare_words), limit, lambda texts: sizes(texts, count_tokens)):
            yield Piece(Block(BlockType.PARAGRAPH, text), text, sizes([text], count_tokens)[0])


def _cut_code(markdown: str, limit: int, count_tokens: CountTokens) -> list[str]:
    lines = markdown.split("\n")
    opening = closing = ""
    if fence := _FENCE.match(lines[0]):
        opening, closing = lines[0] + "\n", "\n" + fence[0]
        lines = lines[1:-1] if len(lines) > 1 and lines[-1].strip().startswith(fence[1]) else lines[1:]
    parts = _split("\n".join(lines), (_lines, _bare_words), limit, lambda texts: sizes(texts, count_tokens))
    return [f"{opening}{part}{closing}" for part in parts]


def _cut_table(markdown: str, limit: int, count_tokens: CountTokens) -> list[str]:
    lines = markdown.split("\n")
    if len(lines) > 2 and _TABLE_RULE.fullmatch(lines[1]):
        header = "\n".join(lines[:2])
        size = _reading(count_tokens)([header])[0]
        # A header that fills half of every part would crowd out the rows: it is given once.
        if size <= limit // 2:
            rows = _split("\n".join(lines[2:]), (_lines, _words, _bare_words), limit - size, _reading(count_tokens))
            return [f"{header}\n{part}" for part in rows]
    return _split(markdown, (_lines, _words, _bare_words), limit, _reading(count_tokens))


def _cut_quote(markdown: str, limit: int, count_tokens: CountTokens) -> list[str]:
    parts = _cut_text(_QUOTE_MARK.sub("", markdown), limit, count_tokens)
    return ["\n".join(f"> {line}".rstrip() for line in part.split("\n")) for part in parts]


def _cut_text(markdown: str, limit: int, count_tokens: CountTokens) -> list[str]:
    parts: list[str] = []
    for text, is_code in _code_apart(markdown):
        if not is_code:
            parts += _split(text, (_lines, _sentences, _words, _bare_words), limit, _reading(count_tokens))
        elif _reading(count_tokens)([text])[0] <= limit:
            parts.append(dedent(text))
        else:
            parts += _cut_code(dedent(text), limit, count_tokens)
    return parts


def _code_apart(markdown: str) -> Iterator[tuple[str, bool]]:
    """Stretches of lines, and whether they are a fenced code block (in a list item, say)."""
    stretch: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            stretch.append(line)
            if line.strip().startswith(fence):
                yield "\n".join(stretch), True
                stretch, fence = [], ""
        elif mark:
            if stretch:
                yield "\n".join(stretch), False
            stretch, fence = [line], mark[1]
        else:
            stretch.append(line)
    if stretch:
        yield "\n".join(stretch), bool(fence)


def _reading(count_tokens: CountTokens) -> CountTokens:
    """Counts Markdown by what a reader sees of it."""
    return lambda texts: sizes([plain_text(text) for text in texts], count_tokens)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _sentences(text: str) -> list[str]:
    inside = {place for match in _WHOLE.finditer(text) for place in range(match.start() + 1, match.end())}
    ends = [match.end() for match in _SENTENCE_END.finditer(text) if match.end() not in inside]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if start < end]


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _bare_words(text: str) -> list[str]:
    return re.findall(r"\s*\S+\s*", text)


def _split(text: str, levels: Sequence[Split], limit: int, measure: CountTokens) -> list[str]:
    """Parts of about equal size within `limit`, cut at the coarsest level that yields small enough units."""
    if not levels:
        return _split_word(text, limit, measure)
    units = levels[0](text)
    counts = measure(units)
    goal = sum(counts) / max(ceil(sum(counts) / limit), 1)
    parts: list[str] = []
    current = ""
    used = 0
    for unit, size in zip(units, counts, strict=True):
        if current and (used + size > limit or used >= goal):
            parts.append(current)
            current, used = "", 0
        if size > limit:
            parts += _split(unit, levels[1:], limit, measure)
        else:
            current += unit
            used += size
    if current.strip():
        parts.append(current)
    return [part for part in (part.rstrip().lstrip("\n") for part in parts) if part]


def _split_word(word: str, limit: int, measure: CountTokens) -> list[str]:
    size = measure([word])[0]
    if size <= limit or len(word) < 2:
        return [word]
    width = max(len(word) // ceil(size / limit), 1)
    width = min(width, len(word) // 2)
    parts = [word[start : start + width] for start in range(0, len(word), width)]
    return [fitting for part in parts for fitting in _split_word(part, limit, measure)]
