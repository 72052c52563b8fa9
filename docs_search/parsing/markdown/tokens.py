"""The blocks of a Markdown document, as markdown-it reads it, to blocks of normalised Markdown."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from docs_search.documents import Block, BlockType, join_blocks
from docs_search.parsing.markdown.admonitions import admonition_plugin
from docs_search.parsing.markdown.bounds import bounds_plugin
from docs_search.parsing.markdown.boxes import ADMONITIONS, label_of
from docs_search.parsing.markdown.code_languages import language_named
from docs_search.parsing.markdown.definitions import definition_plugin
from docs_search.parsing.markdown.flavor import GITHUB, Flavor
from docs_search.parsing.markdown.html_content import HtmlContentRenderer
from docs_search.parsing.markdown.html_lines import html_plugin
from docs_search.parsing.markdown.inline import InlineRenderer, LinkTarget, words_of
from docs_search.parsing.markdown.instructions import instruction_plugin
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import code_block, escape, paragraph, prefix_lines

MAX_NESTING = 50
"""Blocks inside each other; what is nested deeper is left out."""

Environment = dict[str, Any]
"""What a document defines for all of it: the addresses of links by reference, footnotes."""

_MAX_QUOTES = 6  # inside each other
_WIDE = 20  # columns
# GitHub's admonitions, and Obsidian's; those in braces are Laravel's.
_ALERT = re.compile(r"(?:\[!(?P<kind>[A-Za-z][A-Za-z-]{0,30})\][+-]?|\{(?P<braced>tip|note|warning|video)\})[ \t]*")


@dataclass(slots=True)
class Node:
    """A block and what is inside it. `type` is markdown-it's token type without `_open`."""

    type: str
    token: Token
    children: list["Node"] = field(default_factory=list)

    @property
    def inline(self) -> Sequence[Token]:
        """The inline content of a paragraph, a heading or a cell."""
        return self.children[0].token.children or [] if self.children else []


@cache
def _parser(flavor: Flavor) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    parser.use(admonition_plugin).use(instruction_plugin).use(html_plugin).use(footnote_plugin)
    if flavor.definition_lists:
        parser.use(definition_plugin)
    if not flavor.indented_code:
        parser.disable("code")
    return parser.use(bounds_plugin)


def parse_markdown(text: str, flavor: Flavor = GITHUB, environment: Environment | None = None) -> list[Node]:
    """The top-level blocks of a document in a flavor of Markdown. What it defines goes into the environment."""
    root: list[Node] = []
    open_nodes = [root]
    for token in _parser(flavor).parse(text, {} if environment is None else environment):
        if token.nesting < 0:
            open_nodes.pop()
            continue
        node = Node(token.type.removesuffix("_open"), token)
        open_nodes[-1].append(node)
        if token.nesting > 0:
            open_nodes.append(node.children)
    return root


def parse_inline(text: str, environment: Environment) -> Sequence[Token]:
    """The inline content of a text that is one paragraph."""
    token, *_ = _parser(GITHUB).parseInline(text, environment)  # others are footnotes
    return token.children or []


class TokenRenderer:
    """Renders the blocks of one document."""

    def __init__(self, link_target: LinkTarget, environment: Environment | None = None) -> None:
        self._link_target = link_target
        self._environment = {} if environment is None else environment
        self._is_inside_html = False
        self._quotes = 0
        self._notes: dict[int, Node] = {}
        self._due: list[int] = []  # the footnotes that were referred to and not rendered yet

    def add_notes(self, block: Node) -> None:
        """Note the footnotes of the document, which markdown-it collects in a block at its end."""
        self._notes = {int(note.token.meta["id"]): note for note in block.children}

    def inline(self, children: Sequence[Token]) -> str:
        """Inline Markdown on one line. A reference to a footnote becomes its number in brackets."""
        return InlineRenderer(self._link_target, self._note).render(children)

    def heading(self, children: Sequence[Token]) -> str:
        """The content of a heading, whose footnotes leave no number in it."""
        self._due += [int(child.meta["id"]) for child in children if child.type == "footnote_ref"]
        words = [child for child in children if child.type != "footnote_ref"]
        return InlineRenderer(self._link_target, self._note).render(words)

    def due_notes(self) -> list[Block]:
        """The footnotes that were referred to since the last call, each once in a document: `Note 1: …`."""
        blocks: list[Block] = []
        while self._due:
            number = self._due.pop(0)
            if note := self._notes.pop(number, None):
                blocks += _labelled(f"Note {number + 1}:", self.blocks(note.children))
        return blocks

    def blocks(self, nodes: Iterable[Node]) -> list[Block]:
        """The blocks of consecutive nodes."""
        return [block for node in nodes for block in self.block(node)]

    def _note(self, number: int) -> str:
        """What stands for a footnote in the text: one that is written there itself stays there, in brackets."""
        note = self._notes.get(number)
        if note is None or note.token.meta["label"] is not None:
            self._due.append(number)
            return f" (note {number + 1})"
        del self._notes[number]
        text = " ".join(block.markdown for block in self.blocks(note.children))
        return f" ({text})" if text else ""

    def block(self, node: Node) -> list[Block]:
        """The blocks of one node: an item each for a list, none for what holds nothing to read."""
        match node.type:
            case "paragraph":
                return paragraph(self.inline(node.inline))
            case "bullet_list" | "ordered_list":
                return self._list(node)
            case "fence":
                return code_block(node.token.content, language_named(node.token.info))
            case "code_block":
                return code_block(node.token.content)
            case "blockquote":
                return self._quote(node)
            case "admonition":
                return self._admonition(node)
            case "table":
                return self._table(node)
            case "dl":
                return self._definitions(node)
            case "html_block":
                return self.html(node.token.content)
            case "heading":  # inside a list or a quote
                text = self.inline(node.inline)
                return [Block(BlockType.PARAGRAPH, f"**{text}**")] if text else []
            case _:
                return []

    def html(self, fragment: str) -> list[Block]:
        """The blocks of raw HTML."""
        return HtmlContentRenderer(self._link_target, self._markdown_in_html).fragment(fragment)

    def _markdown_in_html(self, text: str) -> list[Block]:
        """The blocks of Markdown that stands in raw HTML. What is HTML in it was HTML before: it is read only once."""
        references = {"references": self._environment.get("references", {})}
        if self._is_inside_html or "\n" not in text.strip():
            return paragraph(self.inline(parse_inline(text.strip(), references)))
        self._is_inside_html = True
        blocks = self.blocks(parse_markdown(text, environment=references))
        self._is_inside_html = False
        return blocks

    def _list(self, node: Node) -> list[Block]:
        number = int(node.token.attrs.get("start", 1)) if node.type == "ordered_list" else None
        items: list[Block] = []
        for item in node.children:
            content = self.blocks(item.children)
            marker = "- " if number is None else f"{number}. "
            if content:
                markdown = prefix_lines(join_blocks(content), marker, " " * len(marker))
                items.append(Block(BlockType.LIST_ITEM, markdown))
            if number is not None:
                number += 1
        return items

    def _definitions(self, node: Node) -> list[Block]:
        """An item for each term, or each run of terms, with what defines it."""
        items: list[Block] = []
        terms: list[str] = []
        content: list[Block] = []
        for child in [*node.children, None]:
            if child is not None and child.type == "dd":
                content += self.blocks(child.children)
                continue
            if content or child is None:
                items += _definition(", ".join(filter(None, terms)), content)
                terms, content = [], []
            if child is not None:
                terms.append(self.inline(child.inline))
        return items

    def _quote(self, node: Node) -> list[Block]:
        alert = _alert(node.children[0]) if node.children else None
        if alert is None:
            return self._quoted(node.children)
        label, rest = alert
        title = self.inline(label).rstrip(":").replace("**", "")
        return self._quoted(node.children[1:], f"**{title}:**", paragraph(self.inline(rest)))

    def _admonition(self, node: Node) -> list[Block]:
        label = node.token.info.rstrip(":")
        if quote := self._quoted(node.children, f"**{escape(label)}:**"):
            return quote
        return [] if label.lower() in ADMONITIONS else paragraph(f"**{escape(label)}**")  # all that it says

    def _quoted(self, nodes: Iterable[Node], label: str = "", content: Iterable[Block] = ()) -> list[Block]:
        """Blocks as one quote. Those that are nested too deeply lose their marks, which each of their lines has."""
        self._quotes += 1
        blocks = [*content, *self.blocks(nodes)]
        self._quotes -= 1
        if not blocks:
            return []
        if label and not _has_label(blocks[0], label):
            blocks = _labelled(label, blocks)
        if self._quotes >= _MAX_QUOTES:
            return blocks
        return [Block(BlockType.QUOTE, prefix_lines(join_blocks(blocks), "> ", "> "))]

    def _table(self, node: Node) -> list[Block]:
        header: list[list[Cell]] = []
        body: list[list[Cell]] = []
        for part in node.children:
            rows = header if part.type == "thead" else body
            rows += [self._cells(row) for row in part.children]
        markdown = markdown_table(header, body)
        return [Block(BlockType.TABLE, markdown)] if markdown else []

    def _cells(self, row: Node) -> list[Cell]:
        """The cells of a row. Of a wide table they end with the last that holds something: the parser fills up rows."""
        texts = [self.inline(cell.inline) for cell in row.children]
        while len(texts) > _WIDE and not texts[-1]:
            texts.pop()
        return [Cell(text) for text in texts]


def _alert(node: Node) -> tuple[list[Token], list[Token]] | None:
    """What stands for the label of an alert, by the paragraph that it begins with, and the rest of that paragraph."""
    children = list(node.inline) if node.type == "paragraph" else []
    if not children or children[0].type != "text" or not (match := _ALERT.match(children[0].content)):
        return None
    first = children[0].copy(content=children[0].content[match.end() :])
    if match["braced"]:
        return [first.copy(content=label_of(match["braced"]))], [first, *children[1:]]
    line_end = next((at for at, child in enumerate(children) if child.type == "softbreak"), len(children))
    title, rest = [first, *children[1:line_end]], children[line_end + 1 :]
    if not words_of(title):
        title = [first.copy(content=label_of(match["kind"].lower()))]
    return title, rest


def _has_label(block: Block, label: str) -> bool:
    """Whether a block begins with a label of its own that says the same: `**Note**: …` in a box called Note."""
    words = re.escape(label.strip("*: "))
    return re.match(rf"(?:\*\*)?{words}s?(?::(?:\*\*)?|\*\*:)", block.markdown, re.IGNORECASE) is not None


def _labelled(label: str, content: list[Block]) -> list[Block]:
    """Blocks with a label before their first words."""
    if content and content[0].type is BlockType.PARAGRAPH:
        return [Block(BlockType.PARAGRAPH, f"{label} {content[0].markdown}"), *content[1:]]
    return [Block(BlockType.PARAGRAPH, label), *content]


def _definition(term: str, content: list[Block]) -> list[Block]:
    if term:
        content = _labelled(f"{term}:" if content else term, content)
    return [Block(BlockType.LIST_ITEM, prefix_lines(join_blocks(content), "- ", "  "))] if content else []
