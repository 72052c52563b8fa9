"""The HTML that the DocBook XSL stylesheets write, to blocks of normalised Markdown."""

import re
from collections.abc import Callable

from lxml.etree import _Element

from docs_search.documents import Block, BlockType
from docs_search.parsing.html.document import text_of
from docs_search.parsing.html.rendering import (
    HEADINGS,
    MarkdownRenderer,
    Structural,
    definition_groups,
    table_rows,
    verbatim,
)
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import InlineCode, code_block, escape, one_line

_NAVIGATION = frozenset(
    {"id_link", "indexterm", "legalnotice", "list-of-examples", "list-of-figures", "list-of-tables", "navfooter"}
    | {"navheader", "titlepage", "toc"}
)
_ADMONITIONS = frozenset({"caution", "important", "note", "tip", "warning"})
_REPLACEABLE = frozenset({"parameter", "replaceable"})
_TITLED = frozenset({"refnamediv", "refsect1", "refsect2", "refsect3", "refsection", "refsynopsisdiv"})
_ICON_TEXT = re.compile(r"\[(?:Note|Tip|Warning|Caution|Important)\]")

_NUMBER = re.compile(
    r"(?:(?:Chapter|Appendix|Part|Table|Figure|Example|Procedure|Equation)\s+[A-Z0-9]+(?:[.-][A-Z]?\d+)*\.\s+"
    r"|(?:[A-Z]\.)?\d+(?:\.\d+)*\.\s+)"
)
_NUMBERED_REFERENCE = re.compile(
    r"(?:Section|Chapter|Appendix|Part|Table|Figure|Example|Procedure|Equation)\s+[A-Z0-9]+(?:[.-][A-Z]?\d+)*(?:,\s.*)?"
    r"|the section called .*",
    re.DOTALL,
)
_SQL = re.compile(
    r"\s*(?:--[^\n]*\n\s*)*(?:ALTER|ANALYZE|BEGIN|CALL|COMMENT ON|COMMIT|COPY|CREATE|DECLARE|DELETE FROM|DO|DROP"
    r"|EXECUTE|EXPLAIN|FETCH|GRANT|INSERT INTO|LISTEN|LOCK|MERGE INTO|NOTIFY|PREPARE|REFRESH|REINDEX|REVOKE|ROLLBACK"
    r"|SAVEPOINT|SELECT|SET|SHOW|TABLE|TRUNCATE|UPDATE|VACUUM|VALUES|WITH)\b[^;]*;"
)


class DocBookRenderer(MarkdownRenderer):
    """Renders the elements of one page."""

    def __init__(self, link_target: Callable[[str], str | None]) -> None:
        super().__init__(link_target)
        self._handlers: dict[str, Callable[[_Element, str], list[Block]]] = {
            **dict.fromkeys(_ADMONITIONS, self._admonition),
            "calloutlist": self._callouts,
            "cmdsynopsis": self._command_synopsis,
            "funcsynopsis": self._function_synopsis,
            "literallayout": self._literal_layout,
            "title": self._title,
        }

    def is_dropped(self, element: _Element) -> bool:
        """Navigation, tables of contents and index marks; title pages are read by whoever wants the title."""
        return element.get("class") in _NAVIGATION or super().is_dropped(element)

    def block(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """The blocks of one block element, by its DocBook class where that means something."""
        if (kind := element.get("class")) and (handler := self._handlers.get(kind)):
            return handler(element, kind)
        if element.tag in HEADINGS and is_section_title(element):
            return []
        return super().block(element, structural)

    def inline_element(self, element: _Element, out: list[str]) -> None:
        """Replaceable text and user input are code; the mark of a footnote is neither a link nor an exponent."""
        kind = element.get("class")
        if kind == "userinput" or (kind in _REPLACEABLE and element.tag == "em"):
            out.append(InlineCode(text_of(element)))
        elif element.tag == "em" and kind == "glossterm":
            self.inline_children(element, out)
        elif element.tag == "img" and _ICON_TEXT.fullmatch(element.get("alt") or ""):
            pass
        elif element.tag in ("a", "sup") and kind in ("footnote", "footnoteref", "para"):
            self.inline_children(element, out)
        elif element.tag == "a" and element.text == "§":  # release notes: the commit of an item
            pass
        else:
            super().inline_element(element, out)

    def link_label(self, element: _Element) -> str:
        """What a link shows; instead of a section's number, which shifts from release to release, its title."""
        title = _title_of_reference(element)
        return escape(title) if title else super().link_label(element)

    def plain_children(self, element: _Element, out: list[str]) -> None:
        """The same in plain text."""
        if title := _title_of_reference(element):
            out.append(title)
        else:
            super().plain_children(element, out)

    def code(self, element: _Element) -> list[Block]:
        """A listing; one that starts with a complete SQL statement is marked as SQL."""
        code = verbatim(element)
        is_sql = element.get("class") == "programlisting" and _SQL.match(code)
        return code_block(code, "sql" if is_sql else "")

    def caption(self, element: _Element) -> list[Block]:
        """The title of a table, a figure or an example without its number."""
        text = without_number(self.inline(element).removeprefix("**").removesuffix("**"))
        return [Block(BlockType.PARAGRAPH, f"**{text}**")] if text else []

    def definitions(self, element: _Element) -> list[Block]:
        """One list item per entry of a variable list."""
        return [
            item
            for terms, definitions in definition_groups(element)
            for item in self.definition(term_elements(terms), definitions)
        ]

    def definition(self, terms: list[_Element], definitions: list[_Element]) -> list[Block]:
        """The list item of one entry of a variable list."""
        texts = [self.inline(term).rstrip(", ") for term in terms]
        return self.list_item("- ", definitions, term=", ".join(filter(None, texts)))

    def table(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        """A table. Some of the stylesheets' tables are lists or quotes, and some of their cells are rows."""
        kind = element.get("class")
        if kind == "simplelist":
            return [item for row in table_rows(element)[1] for cell in row for item in self.list_item("- ", [cell])]
        if kind == "blockquote":
            return self.quote(element)
        header, body = table_rows(element)
        if body and body[0][0].get("class") in ("catalog_table_entry", "func_table_entry"):
            markdown = markdown_table(
                [self._entry_cells(row) for row in header], [self._entry_cells(row) for row in body]
            )
            return [Block(BlockType.TABLE, markdown)]
        notes = [part for part in element.iterchildren("tbody") if part.get("class") == "footnotes"]
        return [*super().table(element, structural), *(block for part in notes for block in self.blocks(part))]

    def _entry_cells(self, row: list[_Element]) -> list[Cell]:
        """A one-cell row of a catalog or function table as two cells: what is defined, and its description."""
        first: list[str] = []
        rest: list[Block] = []
        for cell in row:
            for child in cell:
                if child.get("class") in ("column_definition", "func_signature"):
                    first.append(self.inline(child))
                elif not self.is_dropped(child):
                    rest += self.block(child)
        return [Cell(" ".join(first)), Cell(one_line(rest))]

    def _admonition(self, element: _Element, kind: str) -> list[Block]:
        label = kind.capitalize()
        title = next(element.iterchildren("h3"), None)
        if title is not None:
            label = self.plain(title) or label
            element.text = (element.text or "") + (title.tail or "")
            element.remove(title)
        return self.quote(element, label=f"**{escape(label)}:**")

    def _callouts(self, element: _Element, kind: str) -> list[Block]:
        rows = [row for table in element.iterchildren("table") for row in table_rows(table)[1] if len(row) > 1]
        return [item for number, row in enumerate(rows, start=1) for item in self.list_item(f"{number}. ", row[1:])]

    def _command_synopsis(self, element: _Element, kind: str) -> list[Block]:
        return code_block("\n".join(self.plain(command) for command in element.iter("p")))

    def _function_synopsis(self, element: _Element, kind: str) -> list[Block]:
        return code_block("\n".join(signature(self.plain(prototype)) for prototype in element.iter("p")))

    def _literal_layout(self, element: _Element, kind: str) -> list[Block]:
        return code_block(verbatim(element))

    def _title(self, element: _Element, kind: str) -> list[Block]:
        return self.caption(element)


def term_elements(terms: list[_Element]) -> list[_Element]:
    """The terms that `dt` elements hold: one entry of a variable list may have several."""
    spans = [span for term in terms for span in term.iterchildren("span") if span.get("class") in ("term", "glossterm")]
    return spans or terms


def without_number(title: str) -> str:
    """A title without its number: "19.3. Connections", "Chapter 19. Server", "Table A.1. Codes", "E.2. Release 17"."""
    number = _NUMBER.match(title)
    return title[number.end() :] if number else title


def _title_of_reference(element: _Element) -> str | None:
    """The title of what a generated reference ("Section 5.4") leads to; None for other elements."""
    if element.tag != "a" or element.get("class") != "xref" or not (title := element.get("title")):
        return None
    text = " ".join(text_of(element).split())
    return without_number(" ".join(title.split())) if _NUMBERED_REFERENCE.fullmatch(text) else None


def signature(text: str) -> str:
    """The text of a function's prototype without the blanks that its markup leaves."""
    return re.sub(r"\s+(?=[,)\]])|(?<=[(\[])\s+", "", text)


def is_section_title(element: _Element) -> bool:
    """Whether this heading is the title of the reference section that it stands in."""
    parent = element.getparent()
    return (
        parent is not None and parent.get("class") in _TITLED and next(parent.iterchildren(*HEADINGS), None) is element
    )
