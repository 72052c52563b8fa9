"""The values that flow from a source to the index.

    source → bytes of a document → ParsedPage (sections of blocks) → Chunk (a passage before it is stored)

They are plain data without a database behind them, so that parsing and cutting can be tried, tested and
timed by themselves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Protocol


class Kind(StrEnum):
    """What a passage documents."""

    SECTION = "section"
    SETTING = "setting"
    FUNCTION = "function"
    COMMAND = "command"
    API = "api"
    ERROR = "error"
    RELEASE_NOTE = "release_note"
    FAQ = "faq"


class Role(IntEnum):
    """What an identifier is to a passage."""

    SUBJECT = 0  # the passage is about it
    MENTION = 1


class BlockType(StrEnum):
    """What a block is made of, and so where it may be cut when it is too long by itself."""

    PARAGRAPH = "paragraph"  # between sentences
    LIST_ITEM = "list_item"  # between lines, then sentences; neighbours are joined without a blank line
    CODE = "code"  # between lines, with the fence repeated
    TABLE = "table"  # between rows, with the header repeated
    QUOTE = "quote"  # between lines, then sentences


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest piece of a section that is kept whole: normalised Markdown without a trailing newline."""

    type: BlockType
    markdown: str


@dataclass(slots=True)
class Section:
    """What stands under one heading, down to the next heading of any level.

    `own` marks an entry that documents one thing (a setting, an option, a function with its overloads, an API
    operation): it becomes a passage of its own however short it is, and is never merged with its neighbours.
    `names` are the identifiers that this section defines, as their documentation spells them.
    `anchor` is the id under which the published site can be linked; None where it has none.
    """

    level: int
    heading: str
    anchor: str | None
    blocks: list[Block] = field(default_factory=list)
    kind: Kind = Kind.SECTION
    plan: str | None = None
    deployment: str | None = None
    own: bool = False
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class ParsedPage:
    """One document of a version, in reading order.

    `path` is the path under the version on the published site. The first section is the lead: level 1, the
    title as its heading. `links` are paths of pages in the same version that this page links to, without anchors.
    """

    path: str
    title: str
    sections: list[Section]
    summary: str | None = None
    section: str | None = None
    plan: str | None = None
    deployment: str | None = None
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        """The whole page as normalised Markdown."""
        return "\n\n".join(
            part
            for section in self.sections
            for part in (f"{'#' * min(section.level, 6)} {section.heading}", join_blocks(section.blocks))
            if part
        )


def join_blocks(blocks: Iterable[Block]) -> str:
    """Markdown of consecutive blocks: items of a list stay together, everything else is set off by a blank line."""
    parts: list[str] = []
    previous: BlockType | None = None
    for block in blocks:
        if parts:
            parts.append("\n" if previous is block.type is BlockType.LIST_ITEM else "\n\n")
        parts.append(block.markdown)
        previous = block.type
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage as it was cut, before it is stored.

    `text` is what is embedded, tokenised for BM25 and hashed: the heading path, then the content without markup.
    `content_hash` is the hexadecimal SHA-256 of `text`; equal hashes share one embedding.
    """

    heading: str
    heading_path: tuple[str, ...]
    anchor: str | None
    markdown: str
    text: str
    kind: Kind
    plan: str | None
    token_count: int
    content_hash: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageWarning:
    """What is wrong with one document: its path in the source, and a sentence for whoever owns it."""

    page: str
    message: str


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a parser may know beyond the document itself.

    `read` returns another file of the same source by its path (for includes), or None; `paths` are all of them.
    `url_for` gives the published address of a page path in this version, and `path_of` is its inverse: the page path
    for an absolute address, None for one that leads out of this version. `address_of` is where a document itself was
    fetched from, None for a file. `warn` takes the path of a document that makes no page, and why it does not.
    """

    version: str
    paths: frozenset[str]
    read: Callable[[str], bytes | None]
    url_for: Callable[[str], str]
    path_of: Callable[[str], str | None] = lambda _: None
    address_of: Callable[[str], str | None] = lambda _: None
    warn: Callable[[str, str], None] = lambda path, message: None
    plans: tuple[str, ...] = ()


class Parser(Protocol):
    """Turns the documents of one format into pages. Never raises for bad input: a fault becomes a warning."""

    def is_page(self, path: str) -> bool:
        """Whether the file at this path is a page by itself, not a partial, an asset or an index."""

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page in `data`, or None where the document holds nothing to read (a stub, a redirect)."""


class Source(Protocol):
    """Where documents come from. Paths are POSIX, relative, sorted, and stay the same from call to call."""

    def paths(self) -> list[str]:
        """The path of every document."""

    def read(self, path: str) -> bytes:
        """The bytes of one document. Raises FileNotFoundError for a path that is not among `paths`."""

    def address(self, path: str) -> str | None:
        """The address that a document was fetched from, or None for one that comes from a file."""

    def warnings(self) -> list[PageWarning]:
        """What could not be had of this source, or not as it was announced."""
