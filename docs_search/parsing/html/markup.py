"""The HTML that documentation generators write, to blocks of normalised Markdown."""

import re
from collections.abc import Callable
from urllib.parse import quote

from lxml.etree import _Element

from docs_search.documents import Block, BlockType
from docs_search.parsing.html.admonitions import (
    body_of_admonition,
    icons_of_admonition,
    label_of_admonition,
    label_of_footnote,
    title_of_admonition,
)
from docs_search.parsing.html.boilerplate import is_boilerplate
from docs_search.parsing.html.declarations import declaration_code, is_declaration
from docs_search.parsing.html.document import classes_of, text_of
from docs_search.parsing.html.entry_tables import entries_of, grid_of
from docs_search.parsing.html.listings import code_of, is_listing, is_listing_table, language_of
from docs_search.parsing.html.rendering import (
    HEADINGS,
    URL_SAFE,
    MarkdownRenderer,
    Structural,
    definition_groups,
    number_of,
    table_rows,
)
from docs_search.parsing.html.tabs import TabLabels, Tabs, radio_tabs
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import InlineCode, code_block, escape, one_line, paragraph

_MORE_BLOCKS = frozenset({"hgroup", "legend", "math-block", "picture"})
_BLOCK_CONTENT = (
    "article", "blockquote", "div", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "section",
    "table", "ul",
)  # fmt: skip
_MAY_HOLD_BLOCKS = frozenset({"a", "b", "center", "font", "form", "i", "ins", "label", "slot", "span", "strong", "u"})
_FEWEST_OF_MENU = 5  # links
_MOSTLY = 0.7
_LONGEST_CARD = 1000  # characters; a link around more was never closed
_TEX = "application/x-tex"
_MATH_MARKS = (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"))
_MATH_CLASSES = frozenset({"arithmatex", "math"})
_NOTE_MARKS = frozenset({"doc-noteref", "doc-biblioref"})
_CAPTION_NUMBER = re.compile(r"\A(?:Example|Figure|Listing|Table)\s+\d+(?:[.-]\d+)*[.:]\s+")
_COLON = re.compile(r":((?:\*{1,2}|\]\([^()]*\))*)\Z")  # also inside emphasis or a link
_DIAGRAM = ("digraph ", "graph ", "Inheritance diagram")


class SiteRenderer(MarkdownRenderer):
    """Renders the elements of one page."""

    def __init__(self, link_target: Callable[[str], str | None]) -> None:
        super().__init__(link_target)
        self._tabs: TabLabels | None = None

    def is_dropped(self, element: _Element) -> bool:
        """Furniture of the site, marks beside headings, numbers of lines."""
        if element.tag == "button":
            return True
        return super().is_dropped(element) or is_boilerplate(element) or _is_label_of_listing(element)

    def is_block(self, element: _Element) -> bool:
        """Whether an element stands by itself; unknown elements and inline ones do where they hold what does."""
        tag = element.tag
        if super().is_block(element) or tag in _MORE_BLOCKS:
            return True
        if tag in _MAY_HOLD_BLOCKS or "-" in tag:
            return len(element) > 0 and next(element.iter(*_BLOCK_CONTENT), None) is not None
        return False

    def block(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """The blocks of one block element."""
        tag = element.tag
        role = element.get("role")
        if role == "tablist" and element in self._tab_labels(element).lists:
            return []
        if role == "tabpanel" and (tab := self._tab_labels(element).by_panel.pop(element, "")):
            return self._panel(tab, element, structural)
        if tag == "pre" or is_listing(element) or is_listing_table(element) or is_declaration(element):
            return self._listing(element)
        if structural is not None and tag in ("ul", "ol") and _holds_sections(element):
            return [block for item in element for block in self.blocks(item, structural)]
        if tag == "div" and (tabs := radio_tabs(element)):
            return self._panels(tabs, structural)
        if (label := label_of_admonition(element)) is not None:
            return self._admonition(element, label)
        if tag == "a" and element.get("href") and len(text_of(element)) < _LONGEST_CARD:
            return self._card(element)
        if tag == "summary":
            holds_heading = structural is not None and next(element.iter(*HEADINGS), None) is not None
            return self.blocks(element, structural) if holds_heading else self.caption(element)
        if tag in ("aside", "div") and (number := label_of_footnote(element)) is not None:
            return self._footnote(element, number)
        if tag == "p" and (names := classes_of(element)):
            return self._paragraph(element, names)
        if tag == "div" and (grid := grid_of(element))[1]:
            return self._grid(*grid)
        if tag == "math" or (tag == "div" and not _MATH_CLASSES.isdisjoint(classes_of(element))):
            return code_block(_tex(element), "math") if _tex(element) else super().block(element, structural)
        return super().block(element, structural)

    def inline_element(self, element: _Element, out: list[str]) -> None:
        """Appends one inline element to the pieces of a paragraph."""
        tag = element.tag
        names = classes_of(element)
        if tag == "math" or (tag == "span" and not {"katex", "mwe-math-element", *_MATH_CLASSES}.isdisjoint(names)):
            out.append(InlineCode(_tex(element) or text_of(element)))
        elif (tag == "a" and _is_note_mark(element, names)) or (tag == "sup" and _holds_note_mark(element)):
            number = " ".join(text_of(element).split()).strip("[]")
            out.append(f"[{escape(number)}]" if number else "")
        elif tag == "a" and (element.get("role") == "doc-backlink" or "fn-backref" in names):
            self.inline_children(element, out)
        elif tag == "img" and (element.get("alt") or "").startswith(_DIAGRAM):
            pass
        else:
            super().inline_element(element, out)

    def _listing(self, element: _Element) -> list[Block]:
        if is_listing_table(element):
            return self._listing_table(element)
        return code_block(declaration_code(element)) if is_declaration(element) else self.code(element)

    def code(self, element: _Element) -> list[Block]:
        """A listing with its language."""
        return code_block(code_of(element), language_of(element))

    def caption(self, element: _Element) -> list[Block]:
        """A title inside the flow as a paragraph, without its number; nothing becomes bold twice."""
        text = _CAPTION_NUMBER.sub("", self.inline(element).strip("*").strip(), count=1)
        return [Block(BlockType.PARAGRAPH, f"**{text}**")] if text else []

    def definitions(self, element: _Element) -> list[Block]:
        """One block per term; the colon that some generators put after a term is ours."""
        items: list[Block] = []
        for terms, definitions in definition_groups(element):
            labels = [_COLON.sub(r"\1", self.inline(term).rstrip(": ")) for term in terms]
            items += self.list_item("- ", definitions, term=", ".join(filter(None, labels)))
        return items

    def table(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """A table; one for presentation is read cell by cell, and so is one whose cells hold sections."""
        if entries := entries_of(element):
            return self._entries(entries)
        header, body = table_rows(element)
        if _is_layout(element):
            return [block for row in header + body for block in self._cells_in_line(row, structural)]
        if element.get("role") in ("presentation", "none"):
            cells = [cell for row in header + body for cell in row]
            return [block for cell in cells for block in self.blocks(cell, structural)]
        blocks = super().table(element, structural)
        if any(block.type is BlockType.TABLE for block in blocks):
            return blocks
        return [*(block for part in element.iterchildren("caption") for block in self.caption(part)), *blocks]

    def layout_row(self, row: list[_Element], structural: Structural | None) -> list[Block]:
        """What the cells of one row hold, without the menu beside the text."""
        cells = [cell for cell in row if not self.is_dropped(cell)]
        if any(_is_menu(cell) for cell in cells):
            cells = [cell for cell in cells if not _is_menu(cell)] or cells
        return super().layout_row(cells, structural)

    def _cells_in_line(self, row: list[_Element], structural: Structural | None) -> list[Block]:
        """A row of a table with headings in it: a line of text, or what its cells hold."""
        if len(row) > 1 and all(next(cell.iter(*_BLOCK_CONTENT), None) is None for cell in row):
            return paragraph(" ".join(filter(None, (self.inline(cell) for cell in row if not self.is_dropped(cell)))))
        return self.layout_row(row, structural)

    def _entries(self, entries: list[tuple[_Element, list[_Element]]]) -> list[Block]:
        return [item for name, cells in entries for item in self.list_item("- ", cells, term=self.inline(name))]

    def _grid(self, header: list[_Element], rows: list[list[_Element]]) -> list[Block]:
        markdown = markdown_table([self.cells(header)] if header else [], [self.cells(row) for row in rows])
        return [Block(BlockType.TABLE, markdown)] if markdown else []

    def cells(self, row: list[_Element]) -> list[Cell]:
        """The cells of one row; of a table inside a cell only its words."""
        return [
            Cell(one_line(_flat(self.blocks(cell))), number_of(cell, "colspan"), number_of(cell, "rowspan"))
            for cell in row
        ]

    def heading(self, element: _Element) -> tuple[str, str]:
        """The text of a heading, plain and as Markdown without links."""
        outer, self._inside_link = self._inside_link, True
        markdown = self.inline(element)
        self._inside_link = outer
        return self.plain(element), markdown

    def _tab_labels(self, element: _Element) -> TabLabels:
        if self._tabs is None:
            self._tabs = TabLabels(element.getroottree().getroot())
        return self._tabs

    def _panels(self, tabs: Tabs, structural: Structural | None) -> list[Block]:
        return [block for label, panel in tabs for block in self._panel(label, panel, structural)]

    def _panel(self, label: str, panel: _Element, structural: Structural | None) -> list[Block]:
        """A panel under its label; without one for a panel that says nothing."""
        content = self.block(panel, structural)
        if not content or not label:
            return content
        return [Block(BlockType.PARAGRAPH, f"**{escape(label)}**"), *content]

    def _paragraph(self, element: _Element, names: list[str]) -> list[Block]:
        """A paragraph whose class may say that it is something else: a title, or an item of a list of Word."""
        if "rubric" in names:
            return self.caption(element)
        is_item = names[0].startswith("MsoListParagraph")
        return self.list_item("- ", [element]) if is_item else super().block(element)

    def _admonition(self, element: _Element, label: str) -> list[Block]:
        title = title_of_admonition(element)
        if title is not None:
            _remove(title)
        body = body_of_admonition(element)
        for icon in icons_of_admonition(body):
            _remove(icon)
        colon = "" if label.endswith(("?", "!", ".")) else ":"
        return self.quote(body, label=f"**{escape(label)}{colon}**" if label else "")

    def _card(self, element: _Element) -> list[Block]:
        """A link around blocks: the first of them is its label."""
        content = self.blocks(element)
        target = self._link_target(element.get("href") or "")
        if target and content and content[0].type is BlockType.PARAGRAPH and "](" not in content[0].markdown:
            content[0] = Block(BlockType.PARAGRAPH, f"[{content[0].markdown}]({quote(target, safe=URL_SAFE)})")
        return content

    def _footnote(self, element: _Element, label: _Element) -> list[Block]:
        """A note with its number before its text, without the links back to the text."""
        number = " ".join(text_of(label).split())
        for mark in [label, *(part for part in element if "backrefs" in classes_of(part))]:
            _remove(mark)
        content = self.blocks(element)
        if content and content[0].type is BlockType.PARAGRAPH:
            content[0] = Block(BlockType.PARAGRAPH, f"{escape(number)} {content[0].markdown}")
        return content

    def _listing_table(self, element: _Element) -> list[Block]:
        """A listing beside the numbers of its lines, after the name of its file."""
        names = [cell for cell in element.iter("th", "caption") if "filename" in classes_of(cell)]
        rows = [row for row in element.iter("tr") if next(row.iterchildren("td"), None) is not None]
        cells = list(rows[0].iterchildren("td")) if len(rows) == 1 else []
        code = cells[-1] if cells else element
        return [*(block for name in names for block in self.blocks(name)), *self.code(code)]


def _holds_sections(element: _Element) -> bool:
    """Whether a list is one of sections, as Javadoc writes its members: their headings can be linked to."""
    for heading in element.iter("h1", "h2", "h3", "h4"):
        section = heading.getparent()
        if heading.get("id") or (section is not None and section.tag == "section" and section.get("id")):
            return True
    return any(is_declaration(part) for part in element.iter("div"))


def _remove(element: _Element) -> None:
    """Takes an element out of its document, and leaves the text after it there."""
    parent, previous = element.getparent(), element.getprevious()
    if parent is None:
        return
    if previous is not None:
        previous.tail = (previous.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _tex(element: _Element) -> str:
    """A formula as it was written; empty where the document only has its picture or its parts."""
    annotation = next((part for part in element.iter("annotation") if part.get("encoding") == _TEX), None)
    if annotation is not None:
        return text_of(annotation).strip()
    text = text_of(element).strip()
    for opening, closing in _MATH_MARKS:
        if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening) + len(closing):
            return text[len(opening) : -len(closing)].strip()
    return ""


def _is_note_mark(element: _Element, names: list[str]) -> bool:
    return (
        "footnote-ref" in names
        or "footnote-reference" in names
        or element.get("role") in _NOTE_MARKS
        or element.get("data-footnote-ref") is not None
    )


def _holds_note_mark(element: _Element) -> bool:
    links = list(element.iterchildren("a"))
    return len(links) == len(element) == 1 and (links[0].get("href") or "").startswith("#")


def _is_label_of_listing(element: _Element) -> bool:
    """VitePress shows the language of a listing as text beside it."""
    if element.tag != "span" or element.get("class") != "lang":
        return False
    parent = element.getparent()
    return parent is not None and any(name.startswith("language-") for name in classes_of(parent))


def _is_layout(table: _Element) -> bool:
    """Whether a table without head holds headings, as the pages of old sites do."""
    if next(table.iterchildren("thead"), None) is not None:
        return False
    return next(table.iter(*HEADINGS), None) is not None


def _is_menu(cell: _Element) -> bool:
    """Whether a cell holds hardly anything but links, as those beside the text of old sites do."""
    links = [len(text_of(link).strip()) for link in cell.iter("a")]
    return len(links) >= _FEWEST_OF_MENU and sum(links) > _MOSTLY * len(" ".join(text_of(cell).split()))


def _flat(blocks: list[Block]) -> list[Block]:
    return [
        Block(BlockType.PARAGRAPH, "; ".join(_words_of_row(row) for row in _rows(block)))
        if block.type is BlockType.TABLE
        else block
        for block in blocks
    ]


def _rows(block: Block) -> list[str]:
    head, _, *rows = block.markdown.split("\n")
    return [row for row in (head, *rows) if row.strip("| ")]


def _words_of_row(row: str) -> str:
    return " ".join(row.replace(r"\|", "\ufffe").replace("|", " ").replace("\ufffe", "|").split())
