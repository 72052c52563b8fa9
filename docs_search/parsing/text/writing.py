"""Text and code as normalised Markdown: a paragraph is one line, code is fenced, no text is taken for markup."""

import re
from collections.abc import Iterable
from itertools import groupby

from docs_search.documents import Block, BlockType

_PUNCTUATION = r"[!-/:-@\[-`{-~]"
# Each alternative begins with the character itself, and looks back over it: so the text between is skipped fast.
_SPECIAL = re.compile(
    rf"\\(?={_PUNCTUATION}|\Z)|`|\*(?:(?=\S|\Z)|(?<=\S\*)|(?<=\A\*))|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)"
    r"|_(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))|~(?=~)|\((?<=\]\()"
)
_LINE_START = re.compile(
    r"(?:[-+*](?= |$)|#{1,6}(?= |$)|-(?=-+$)|>|\||\[(?=[^\]]+\]:))|(?P<number>\d{1,9})(?=[.)](?: |$))"
)
_BLANK_LINES = re.compile(r"\A(?:[^\S\n]*\n)+")
_QUOTE_MARKER = re.compile(r"^> ?", re.MULTILINE)
_ITEM_MARKER = re.compile(r"^\s*(?:-|\d+\.) ", re.MULTILINE)


class InlineCode(str):
    """A piece of inline code, kept apart so that neighbouring pieces become one code span."""

    __slots__ = ()


def escape(text: str) -> str:
    """Text with a backslash before whatever Markdown would take for markup."""
    return _SPECIAL.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def paragraph(text: str) -> list[Block]:
    """A paragraph whose beginning is not taken for a list, a heading or a quote. None of empty text."""
    if not text:
        return []
    if start := _LINE_START.match(text):
        at = start.end("number") if start["number"] else 0
        text = f"{text[:at]}\\{text[at:]}"
    return [Block(BlockType.PARAGRAPH, text)]


def code_block(code: str, language: str = "") -> list[Block]:
    """Fenced code, verbatim but for blank lines around it. None of blank code."""
    code = _BLANK_LINES.sub("", code.replace("\r\n", "\n").replace("\r", "\n")).rstrip()
    if not code:
        return []
    fence = _ticks(code, 3)
    return [Block(BlockType.CODE, f"{fence}{language}\n{code}\n{fence}")]


def code_span(code: str) -> str:
    """Inline code with its backticks, on one line; a space for blank code."""
    code = " ".join(code.split())
    if not code:
        return " "
    ticks = _ticks(code, 1)
    pad = " " if code[0] == "`" or code[-1] == "`" else ""
    return f"{ticks}{pad}{code}{pad}{ticks}"


def join_pieces(pieces: Iterable[str]) -> str:
    """The pieces of a paragraph as one line, every run of blanks (no-break spaces, too) as one space."""
    parts: list[str] = []
    for kind, group in groupby(pieces, type):
        text = "".join(group)
        parts.append(code_span(text) if kind is InlineCode else text)
    return " ".join("".join(parts).split())


def prefix_lines(markdown: str, first: str, rest: str) -> str:
    """Markdown with something before its first line and before each further one; empty lines get no blanks."""
    head, *tail = markdown.split("\n")
    return "\n".join([first + head, *(rest + line if line else rest.rstrip() for line in tail)])


def one_line(blocks: Iterable[Block]) -> str:
    """Blocks flattened into one line, for a table cell."""
    parts: list[str] = []
    for block in blocks:
        text = block.markdown
        if block.type is BlockType.CODE:
            text = code_span("\n".join(text.split("\n")[1:-1]))
        elif block.type is BlockType.LIST_ITEM:
            text = _ITEM_MARKER.sub("", text)
        elif block.type is BlockType.QUOTE:
            text = _QUOTE_MARKER.sub("", text)
        elif text.startswith(r"\|"):  # a table escapes its pipes itself
            text = text[1:]
        parts.append(" ".join(text.split()))
    return " ".join(parts)


def _ticks(code: str, least: int) -> str:
    longest = max(map(len, re.findall("`+", code)), default=0) if "`" in code else 0
    return "`" * (longest + 1 if longest >= least else least)
