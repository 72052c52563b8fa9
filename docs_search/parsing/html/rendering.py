"""HTML elements to blocks of normalised Markdown. Knows HTML only; the formats that build on it subclass the renderer.

What is written is bounded by a small multiple of what is read, and the recursion by `MAX_DEPTH`.
"""

from collections.abc import Callable
from urllib.parse import quote

from lxml.etree import _Element, iterwalk

from docs_search.documents import Block, BlockType, join_blocks
from docs_search.parsing.html.document import text_of
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import (
    InlineCode,
    code_block,
    escape,
    join_pieces,
    one_line,
    paragraph,
    prefix_lines,
)

MAX_DEPTH = 40
"""Elements inside each other; below that only the text of an element is kept."""

_MAX_INDENTATION = 6  # lists and quotes inside each other; each adds some characters to every line

Structural = Callable[[_Element], list[Block] | None]
"""Takes a block element out of the flow. Returns what is left of it there, or None to have it rendered as usual."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_CONTAINERS = frozenset(
    "address article aside body caption center dd details div dt fieldset figcaption figure footer form header html li "
    "main nav p section summary tbody td tfoot th thead tr".split()
)
_BLOCKS = HEADINGS | _LISTS | _CONTAINERS | {"blockquote", "dl", "hr", "pre", "table"}
_DROPPED = frozenset(
    "audio button canvas col colgroup head hr iframe input noscript object script select style svg template textarea "
    "video".split()
)
_CODE = frozenset({"code", "kbd", "samp", "tt", "var"})
_EMPHASIS = {"b": "**", "cite": "*", "dfn": "*", "em": "*", "i": "*", "strong": "**"}
URL_SAFE = "!#$%&'*+,-./:;=?@[]_~"


class MarkdownRenderer:
    """Renders elements of one document. `link_target` gives the address for an `href`, None to keep only the text."""

    def __init__(self, link_target: Callable[[str], str | None]) -> None:
        self._link_target = link_target
        self._depth = 0
        self._indentation = 0
        self._inside_link = False
        self._is_flattened = False

    @property
    def warnings(self) -> list[str]:
        """What could not be rendered as it stands in the document."""
        if not self._is_flattened:
            return []
        return [f"elements are nested more than {MAX_DEPTH} deep: of those further inside only the text was kept"]

    # What formats change

    def is_dropped(self, element: _Element) -> bool:
        """Whether nothing of this element is wanted."""
        return element.tag in _DROPPED

    def is_block(self, element: _Element) -> bool:
        """Whether an element stands by itself rather than in a line of text."""
        return element.tag in _BLOCKS

    def block(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """The blocks of one block element."""
        tag = element.tag
        if tag in _LISTS:
            return self.list_items(element)
        if tag == "dl":
            return self.definitions(element)
        if tag == "table":
            return self.table(element, structural)
        if tag == "pre":
            return self.code(element)
        if tag == "blockquote":
            return self.quote(element)
        if tag in HEADINGS or tag == "caption":
            return self.caption(element)
        return self.blocks(element, structural)

    def inline_element(self, element: _Element, out: list[str]) -> None:
        """Appends one inline element to the pieces of a paragraph."""
        tag = element.tag
        if tag in _CODE:
            out.append(InlineCode(text_of(element)))
        elif tag == "a":
            self.link(element, out)
        elif tag in _EMPHASIS:
            self.emphasis(element, _EMPHASIS[tag], out)
        elif tag == "br":
            out.append(" ")
        elif tag == "img":
            out.append(escape(element.get("alt") or ""))
        elif tag == "q":
            out.append('"')
            self.inline_children(element, out)
            out.append('"')
        elif tag in ("sup", "sub"):
            self.script(element, "^" if tag == "sup" else "_", out)
        else:
            self.inline_children(element, out)

    def code(self, element: _Element) -> list[Block]:
        """Preformatted text as a code block."""
        return code_block(verbatim(element))

    def caption(self, element: _Element) -> list[Block]:
        """A title inside the flow (of a table, of a figure) as a paragraph."""
        text = self.inline(element)
        return [Block(BlockType.PARAGRAPH, f"**{text}**")] if text else []

    def link_label(self, element: _Element) -> str:
        """What a link shows, as inline Markdown."""
        return self.inline(element)

    # Blocks

    def blocks(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """The content of an element, in order: runs of inline content become paragraphs."""
        if self._depth >= MAX_DEPTH:
            return paragraph(join_pieces([escape(self._flattened(element))]))
        self._depth += 1
        out: list[Block] = []
        run: list[str] = []
        if element.text:
            run.append(escape(element.text))
        for child in element:
            if not self.is_dropped(child):
                if self.is_block(child):
                    out += paragraph(join_pieces(run))
                    run = []
                    left = structural(child) if structural else None
                    out += self.block(child, structural) if left is None else left
                else:
                    self.inline_element(child, run)
            if child.tail:
                run.append(escape(child.tail))
        self._depth -= 1
        return out + paragraph(join_pieces(run))

    def list_items(self, element: _Element) -> list[Block]:
        """One block per item of an ordered or unordered list."""
        number = number_of(element, "start") if element.tag == "ol" else 0
        items: list[Block] = []
        for child in element:
            if not self.is_dropped(child):
                item = self.list_item(f"{number}. " if number else "- ", [child])
                number += bool(number and item)
                items += item
        return items

    def definitions(self, element: _Element) -> list[Block]:
        """One block per term of a definition list: `- term: definition`."""
        items: list[Block] = []
        for terms, definitions in definition_groups(element):
            items += self.list_item("- ", definitions, term=", ".join(filter(None, map(self.inline, terms))))
        return items

    def list_item(self, marker: str, elements: list[_Element], *, term: str = "") -> list[Block]:
        """The block of one item. Lists that are nested too deeply lose their indentation, not their text."""
        self._indentation += 1
        content = [block for element in elements for block in self.blocks(element)]
        self._indentation -= 1
        if term and content and content[0].type is BlockType.PARAGRAPH:
            content[0] = Block(BlockType.PARAGRAPH, f"{term}: {content[0].markdown}")
        elif term:
            content.insert(0, Block(BlockType.PARAGRAPH, f"{term}:" if content else term))
        if not content:
            return []
        if self._indentation >= _MAX_INDENTATION:
            marker = ""
        return [Block(BlockType.LIST_ITEM, prefix_lines(join_blocks(content), marker, " " * len(marker)))]

    def quote(self, element: _Element, *, label: str = "") -> list[Block]:
        """The content of an element as one quote, a label before its first words."""
        self._indentation += 1
        content = self.blocks(element)
        self._indentation -= 1
        if label and content and content[0].type is BlockType.PARAGRAPH:
            content[0] = Block(BlockType.PARAGRAPH, f"{label} {content[0].markdown}")
        elif label and content:
            content.insert(0, Block(BlockType.PARAGRAPH, label))
        if not content or self._indentation >= _MAX_INDENTATION:
            return content
        return [Block(BlockType.QUOTE, prefix_lines(join_blocks(content), "> ", "> "))]

    # Tables

    def table(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """A table, or the content of its cells in order where it only serves for layout."""
        header, body = table_rows(element)
        rows = header + body
        if not header and (len(rows) == 1 or any(_is_layout(cell) for row in rows for cell in row)):
            return [block for row in rows for block in self.layout_row(row, structural)]
        if not header:
            header, body = body[:1], body[1:]
        captions = [block for caption in element.iterchildren("caption") for block in self.caption(caption)]
        markdown = markdown_table([self.cells(row) for row in header], [self.cells(row) for row in body])
        return [*captions, Block(BlockType.TABLE, markdown)] if markdown else captions

    def layout_row(self, row: list[_Element], structural: Structural | None) -> list[Block]:
        """What the cells of one row hold, where a table only serves for layout."""
        return [block for cell in row for block in self.blocks(cell, structural)]

    def cells(self, row: list[_Element]) -> list[Cell]:
        """The cells of one row."""
        return [
            Cell(one_line(self.blocks(cell)), number_of(cell, "colspan"), number_of(cell, "rowspan")) for cell in row
        ]

    # Inline content

    def inline(self, element: _Element) -> str:
        """The content of an element as inline Markdown on one line."""
        pieces: list[str] = []
        self.inline_children(element, pieces)
        return join_pieces(pieces)

    def inline_children(self, element: _Element, out: list[str]) -> None:
        """Appends everything inside an element to the pieces of a paragraph."""
        if self._depth >= MAX_DEPTH:
            out.append(escape(self._flattened(element)))
            return
        self._depth += 1
        if element.text:
            out.append(escape(element.text))
        for child in element:
            if not self.is_dropped(child):
                if self.is_block(child):
                    out.append(" ")
                    self.inline_children(child, out)
                    out.append(" ")
                else:
                    self.inline_element(child, out)
            if child.tail:
                out.append(escape(child.tail))
        self._depth -= 1

    def emphasis(self, element: _Element, mark: str, out: list[str]) -> None:
        """Appends emphasised content, its outer blanks outside the marks."""
        pieces: list[str] = []
        self.inline_children(element, pieces)
        if content := join_pieces(pieces):
            before, after = (" " if edge.isspace() else "" for edge in (pieces[0][:1], pieces[-1][-1:]))
            out.append(f"{before}{mark}{content}{mark}{after}")
        elif pieces:
            out.append(" ")

    def script(self, element: _Element, mark: str, out: list[str]) -> None:
        """Appends a superscript or a subscript: 2^31, log_2."""
        if content := self.inline(element):
            out.append(mark + content)

    def link(self, element: _Element, out: list[str]) -> None:
        """Appends a link; what has no target, or stands inside another link, is text."""
        href = element.get("href")
        target = self._link_target(href) if href and not self._inside_link else None
        outer, self._inside_link = self._inside_link, self._inside_link or target is not None
        label = self.link_label(element)
        self._inside_link = outer
        if label and target is not None:
            if label.count("[") != label.count("]"):
                label = label.replace("[", r"\[").replace("]", r"\]")
            label = f"[{label}]({quote(target, safe=URL_SAFE)})"
        end = element[-1].tail if len(element) else element.text
        before, after = (" " if edge.isspace() else "" for edge in ((element.text or "")[:1], (end or "")[-1:]))
        out.append(f"{before}{label}{after}")

    def _flattened(self, element: _Element) -> str:
        """The text of what is nested too deeply."""
        self._is_flattened = self._is_flattened or len(element) > 0
        return _words_of(element)

    def plain(self, element: _Element) -> str:
        """The text of an element on one line, without any marks."""
        pieces: list[str] = []
        self.plain_children(element, pieces)
        return " ".join("".join(pieces).split())

    def plain_children(self, element: _Element, out: list[str]) -> None:
        """Appends the text inside an element."""
        if self._depth >= MAX_DEPTH:
            out.append(_words_of(element))
            return
        self._depth += 1
        out.append(element.text or "")
        for child in element:
            if not self.is_dropped(child):
                blank = " " if self.is_block(child) or child.tag == "br" else ""
                out.append(blank)
                self.plain_children(child, out)
                out.append(blank)
            out.append(child.tail or "")
        self._depth -= 1


def verbatim(element: _Element) -> str:
    """The text of an element with its line breaks."""
    if next(element.iter("br"), None) is None:
        return text_of(element)
    parts: list[str] = []
    for event, node in iterwalk(element, events=("start", "end")):
        if event == "start":
            parts.append("\n" if node.tag == "br" else node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return "".join(parts)


def definition_groups(element: _Element) -> list[tuple[list[_Element], list[_Element]]]:
    """The terms of a definition list with their definitions: (consecutive `dt`, consecutive `dd`)."""
    groups: list[tuple[list[_Element], list[_Element]]] = []
    for child in element.iterchildren("dt", "dd"):
        is_definition = child.tag == "dd"
        if not groups or (groups[-1][1] and not is_definition):
            groups.append(([], []))
        groups[-1][is_definition].append(child)
    return groups


def table_rows(element: _Element) -> tuple[list[list[_Element]], list[list[_Element]]]:
    """Header rows and body rows of a table as lists of cells, without those of nested tables and of footnotes."""
    header: list[list[_Element]] = []
    body: list[list[_Element]] = []
    for part in element.iterchildren("thead", "tbody", "tfoot", "tr"):
        if part.get("class") == "footnotes":
            continue
        for row in [part] if part.tag == "tr" else part.iterchildren("tr"):
            cells = list(row.iterchildren("td", "th"))
            if not cells:
                continue
            is_header = part.tag == "thead" or (not body and all(cell.tag == "th" for cell in cells))
            (header if is_header else body).append(cells)
    return header, body


def number_of(element: _Element, attribute: str) -> int:
    """A small positive number in an attribute; 1 where it is absent or something else."""
    value = element.get(attribute) or ""
    return int(value) or 1 if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _words_of(element: _Element) -> str:
    """The text of an element and of all that is in it, without what nobody sees."""
    parts: list[str] = []
    walk = iterwalk(element, events=("start", "end"))
    for event, node in walk:
        if event == "end":
            parts.append(node.tail or "" if node is not element else "")
        elif node.tag in _DROPPED:
            walk.skip_subtree()
        else:
            parts.append(node.text or "")
    return " ".join(filter(None, parts))


def _is_layout(cell: _Element) -> bool:
    return next(cell.iter("pre", "table", "img", "ul", "ol", "dl"), None) is not None
