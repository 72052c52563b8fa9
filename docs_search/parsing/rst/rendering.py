"""docutils' document tree to blocks of normalised Markdown."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from docutils import nodes

from docs_search.documents import Block, BlockType, join_blocks
from docs_search.parsing.rst.elements import Admonition, Described
from docs_search.parsing.rst.inline import MAX_LABEL, InlineRenderer
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import code_block, code_span, escape, one_line, paragraph, prefix_lines

_MAX_INDENTATION = 6  # lists and quotes inside each other; each adds some characters to every line
_LISTS = (nodes.bullet_list, nodes.enumerated_list, nodes.definition_list, nodes.option_list, nodes.field_list)
_INVISIBLE = (nodes.Invisible, nodes.Bibliographic, nodes.target, nodes.transition, nodes.raw, nodes.Decorative)
_NO_LANGUAGE = frozenset({"default", "guess", "none", "text", "plain", "plaintext", "output", "rest-none"})
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_NO_LANGUAGE_NAME = re.compile(r"[^\w+#.-]")


def language_of(name: str) -> str:
    """A language as the info string of a fence; empty where none is meant."""
    name = _NO_LANGUAGE_NAME.sub("", name.strip().split(" ")[0])[:30]
    return "" if name.lower() in _NO_LANGUAGE else name


class BlockRenderer:
    """Renders the nodes of one document."""

    def __init__(self, inline: InlineRenderer) -> None:
        self._inline = inline
        self._indentation = 0

    def inline(self, node: nodes.Node) -> str:
        """The content of a node as inline Markdown on one line."""
        return self._inline.render(node)

    def blocks(self, children: Iterable[nodes.Node]) -> list[Block]:
        """The blocks of consecutive nodes."""
        return [block for child in children for block in self.block(child)]

    def block(self, node: nodes.Node) -> list[Block]:
        """The blocks of one node: an item each for a list, none for what nobody sees."""
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            return handler(self, cast(nodes.Element, node))
        if isinstance(node, _INVISIBLE):
            return []
        if isinstance(node, nodes.TextElement | nodes.Text):
            return paragraph(self.inline(node))
        return self.blocks(node.children)

    # Code

    def _literal(self, node: nodes.Element) -> list[Block]:
        return code_block(self._inline.verbatim(node), language_of(node.get("language", "")))

    def _doctest(self, node: nodes.Element) -> list[Block]:
        return code_block(node.astext(), "pycon")

    def _math(self, node: nodes.Element) -> list[Block]:
        return code_block(node.astext(), "math")

    def _message(self, node: nodes.Element) -> list[Block]:
        """What docutils could not read: a table as it is written, a title by its words."""
        fault = node.children[0].astext() if node.children else ""
        source = "\n".join(child.astext() for child in node.findall(nodes.literal_block))
        if "title" in fault.lower():
            if "too short" in fault:  # and is a title all the same
                return []
            words = " ".join(line.strip() for line in source.split("\n") if not _ADORNMENT.fullmatch(line.strip()))
            return [Block(BlockType.PARAGRAPH, f"**{escape(words)}**")] if words else []
        return code_block(source) if not source.startswith("..") else []

    # Lists

    def _list(self, node: nodes.Element) -> list[Block]:
        number = _start(node) if isinstance(node, nodes.enumerated_list) else None
        items: list[Block] = []
        for item in node.children:
            new = self._item("- " if number is None else f"{number}. ", item.children)
            number = None if number is None else number + bool(new)
            items += new
        return items

    def _definitions(self, node: nodes.Element) -> list[Block]:
        items: list[Block] = []
        for item in node.children:
            terms = [self.inline(child) for child in item.children if isinstance(child, nodes.term)]
            kinds = [self.inline(child) for child in item.children if isinstance(child, nodes.classifier)]
            rest = [child for child in item.children if isinstance(child, nodes.definition)]
            term = ", ".join(filter(None, terms)) + "".join(f" ({kind})" for kind in kinds if kind)
            items += self._item("- ", rest, term=term)
        return items

    def _fields(self, node: nodes.Element) -> list[Block]:
        items: list[Block] = []
        for field in node.children:
            if len(field.children) == 2:
                name = self.inline(field.children[0])
                items += self._item("- ", [field.children[1]], term=f"**{name}**" if name else "")
        return items

    def _options(self, node: nodes.Element) -> list[Block]:
        items: list[Block] = []
        for item in node.children:
            names = [code_span(option.astext()) for option in item.children[0].children]
            items += self._item("- ", item.children[1:], term=", ".join(names))
        return items

    def _item(self, marker: str, children: Sequence[nodes.Node], *, term: str = "") -> list[Block]:
        """The block of one item. Lists that are nested too deeply lose their indentation, not their text."""
        self._indentation += 1
        content = self.blocks(children)
        self._indentation -= 1
        if term:
            content = _with_lead(content, f"{term.removesuffix(':')}:" if content else term)
        if not content:
            return []
        if self._indentation >= _MAX_INDENTATION:
            marker = ""
        return [Block(BlockType.LIST_ITEM, prefix_lines(join_blocks(content), marker, " " * len(marker)))]

    # Quotes

    def _quote(self, node: nodes.Element) -> list[Block]:
        """An indented list or table is no quotation, even though docutils takes it for one."""
        if all(isinstance(child, (*_LISTS, nodes.table, *_INVISIBLE)) for child in node.children):
            return self.blocks(node.children)
        return self._quoted(node.children)

    def _quoted(self, children: Sequence[nodes.Node], label: str = "") -> list[Block]:
        self._indentation += 1
        content = self.blocks(children)
        self._indentation -= 1
        if label:
            content = _with_lead(content, f"**{escape(label)}:**" if content else f"**{escape(label)}**")
        if not content or self._indentation >= _MAX_INDENTATION:
            return content
        return [Block(BlockType.QUOTE, prefix_lines(join_blocks(content), "> ", "> "))]

    def _admonition(self, node: nodes.Element) -> list[Block]:
        return self._quoted(node.children, " ".join(node["label"].split()))

    def _attribution(self, node: nodes.Element) -> list[Block]:
        text = self.inline(node)
        return paragraph(f"— {text}") if text else []

    # Text

    def _title(self, node: nodes.Element) -> list[Block]:
        text = self.inline(node)
        return [Block(BlockType.PARAGRAPH, f"**{text}**")] if text else []

    def _lines(self, node: nodes.Element) -> list[Block]:
        lines = (self.inline(line) for line in node.findall(nodes.line))
        return paragraph(" ".join(filter(None, lines)))

    def _note(self, node: nodes.Element) -> list[Block]:
        """A footnote or a citation where it stands, its label before it."""
        labels = [child for child in node.children if isinstance(child, nodes.label)]
        rest = [child for child in node.children if not isinstance(child, nodes.label)]
        content = self.blocks(rest)
        if not labels or not content:
            return content
        return _with_lead(content, f"[{escape(labels[0].astext()[:MAX_LABEL])}]")

    def _image(self, node: nodes.Element) -> list[Block]:
        return paragraph(escape(" ".join(str(node.get("alt") or "").split())))

    def _described(self, node: nodes.Element) -> list[Block]:
        """An object that is described inside something else than a section."""
        return code_block("\n".join(node["signatures"]), node["language"]) + self.blocks(node.children)

    # Tables

    def _table(self, node: nodes.Element) -> list[Block]:
        titles = [block for child in node.children if isinstance(child, nodes.title) for block in self._title(child)]
        header = [self._row(row) for part in node.findall(nodes.thead) for row in part.children]
        body = [self._row(row) for part in node.findall(nodes.tbody) for row in part.children]
        markdown = markdown_table(header, body)
        return [*titles, Block(BlockType.TABLE, markdown)] if markdown else titles

    def _row(self, row: nodes.Node) -> list[Cell]:
        return [
            Cell(one_line(self.blocks(entry.children)), _span(entry, "morecols"), _span(entry, "morerows"))
            for entry in row.children
            if isinstance(entry, nodes.entry)
        ]


def _with_lead(content: list[Block], lead: str) -> list[Block]:
    """The blocks with words before the first of them."""
    if content and content[0].type is BlockType.PARAGRAPH:
        return [Block(BlockType.PARAGRAPH, f"{lead} {content[0].markdown}"), *content[1:]]
    return [Block(BlockType.PARAGRAPH, lead), *content]


def _start(node: nodes.Element) -> int:
    start = node.get("start", 1)
    return start if isinstance(start, int) and 0 <= start < 10**9 else 1


def _span(entry: nodes.Element, attribute: str) -> int:
    more = entry.get(attribute, 0)
    return more + 1 if isinstance(more, int) else 1


_HANDLERS: dict[type[nodes.Node], Callable[[BlockRenderer, nodes.Element], list[Block]]] = {
    nodes.literal_block: BlockRenderer._literal,
    nodes.doctest_block: BlockRenderer._doctest,
    nodes.math_block: BlockRenderer._math,
    nodes.system_message: BlockRenderer._message,
    nodes.bullet_list: BlockRenderer._list,
    nodes.enumerated_list: BlockRenderer._list,
    nodes.definition_list: BlockRenderer._definitions,
    nodes.field_list: BlockRenderer._fields,
    nodes.option_list: BlockRenderer._options,
    nodes.block_quote: BlockRenderer._quote,
    nodes.attribution: BlockRenderer._attribution,
    nodes.title: BlockRenderer._title,
    nodes.rubric: BlockRenderer._title,
    nodes.line_block: BlockRenderer._lines,
    nodes.footnote: BlockRenderer._note,
    nodes.citation: BlockRenderer._note,
    nodes.image: BlockRenderer._image,
    nodes.table: BlockRenderer._table,
    Admonition: BlockRenderer._admonition,
    Described: BlockRenderer._described,
}
