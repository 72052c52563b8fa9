"""What a DocBook page documents one by one: terms of variable lists, rows of function tables, classes of error codes,
questions and answers. Each becomes a section of its own."""

import re
from dataclasses import dataclass, field

from lxml.etree import _Element

from docs_search.documents import Block, BlockType, Kind
from docs_search.parsing.docbook.markup import DocBookRenderer, signature, term_elements, without_number
from docs_search.parsing.docbook.terms import Definition, definition_of
from docs_search.parsing.docbook.titles import stable_id
from docs_search.parsing.html.document import text_of
from docs_search.parsing.html.rendering import definition_groups, table_rows
from docs_search.parsing.text.tables import markdown_table
from docs_search.parsing.text.writing import code_block

_ENOUGH_WORDS = 40  # for a named thing to stand by itself where its markup leaves doubt
_MANY_WORDS = 80  # for anything else to get a heading: a list item of that length is none any more
_LONGEST_HEADING = 100  # characters; it is repeated in every passage below it
_CALL = re.compile(r"(?<=\w) \(")


@dataclass(slots=True)
class Entry:
    """One documented thing before it is a section: its content is `blocks`, then what the elements of `body` hold.

    `kind` is None for that of the section around it. `entries` stand below it: those of a table, for instance.
    """

    heading: str
    anchor: str | None = None
    kind: Kind | None = None
    own: bool = True
    names: tuple[str, ...] = ()
    blocks: list[Block] = field(default_factory=list)
    body: list[_Element] = field(default_factory=list)
    entries: "list[Entry]" = field(default_factory=list)


Split = tuple[list[Entry], list[Block]]
"""The entries of an element, and the blocks of what is left of it in the running text."""


def split_entries(
    element: _Element, renderer: DocBookRenderer, *, within: Kind, inside_entry: bool = False
) -> Split | None:
    """The entries of a list, a table or a set of questions in a section of kind `within`. None of anything else.

    Inside an entry only what can be linked to is one of its own: the values of a setting belong to the setting.
    """
    kind = element.get("class") or ""
    if element.tag == "dl":
        return _terms(element, renderer, within, inside_entry)
    if kind.startswith("itemizedlist") and element.tag == "ul":
        return _environment(element, renderer)
    if kind in ("table", "informaltable") and element.tag == "div":
        return _table(element, renderer)
    if kind == "qandaset":
        return _questions(element, renderer), []
    return None


def _terms(element: _Element, renderer: DocBookRenderer, within: Kind, inside_entry: bool) -> Split:
    """Terms that name something, or say much, as entries. The others stay items of a list."""
    entries: list[Entry] = []
    items: list[Block] = []
    for terms, definitions in definition_groups(element):
        spans = term_elements(terms)
        texts = [renderer.plain(span).rstrip(", ") for span in spans]
        anchor = next(filter(None, map(stable_id, terms)), None)
        found = definition_of(spans, texts, has_id=bool(anchor), within=within) if spans else Definition()
        words = sum(len(text_of(definition).split()) for definition in definitions)
        own = found.sure or (bool(found.names) and words >= _ENOUGH_WORDS)
        heading = ", ".join(filter(None, texts))
        is_entry = (found.sure and bool(anchor)) if inside_entry else (own or words >= _MANY_WORDS)
        if not heading or not is_entry:
            items += renderer.definition(spans, definitions)
            continue
        entry = Entry(heading, anchor, found.kind, own, found.names if own else (), body=definitions)
        if len(heading) > _LONGEST_HEADING and entry.names:
            entry.heading, entry.blocks = ", ".join(entry.names), code_block("\n".join(texts))
        entries.append(entry)
    return entries, items


def _environment(element: _Element, renderer: DocBookRenderer) -> Split | None:
    """A plain list of environment variables: items that begin with the name of one."""
    items = list(element.iterchildren("li"))
    variables = [_leading_variable(item) for item in items]
    if not items or not all(variables):
        return None
    return [
        Entry(name, kind=Kind.SETTING, names=(name,), body=[item]) for name, item in zip(variables, items, strict=True)
    ], []


def _leading_variable(item: _Element) -> str:
    paragraph = next(item.iterchildren(), None)
    if paragraph is None or (paragraph.text or "").strip():
        return ""
    for element in paragraph:
        if element.get("class") == "envar":
            return text_of(element).strip()
        if element.get("class") != "indexterm" or (element.tail or "").strip():
            return ""
    return ""


def _table(element: _Element, renderer: DocBookRenderer) -> Split | None:
    table = next(element.iter("table"), None)
    if table is None:
        return None
    notes = [block for part in table.iterchildren("tbody") if _is_notes(part) for block in renderer.blocks(part)]
    header, body = table_rows(table)
    if body and body[0][0].get("class") == "func_table_entry":
        entries = _functions(body, renderer)
    elif any(column.get("class") == "errorcode" for column in table.iter("col")):
        entries = _error_classes(header, body, renderer)
    else:
        return None
    titles = (child for child in element.iterchildren("p") if child.get("class") == "title")
    heading = next((without_number(renderer.plain(title)) for title in titles), "")
    group = Entry(heading, stable_id(element), own=False, blocks=notes, entries=entries)
    return ([group], []) if heading else (entries, notes)


def _is_notes(part: _Element) -> bool:
    return part.get("class") == "footnotes"


def _functions(rows: list[list[_Element]], renderer: DocBookRenderer) -> list[Entry]:
    """One entry per function or operator: consecutive rows of the same name are its overloads."""
    entries: list[Entry] = []
    for row in rows:
        signatures = [child for cell in row for child in cell if _is_signature(child)]
        names = tuple(dict.fromkeys(filter(None, map(_function_name, signatures))))
        texts = list(filter(None, (_signature(element, renderer) for element in signatures)))
        blocks = code_block("\n".join(texts))
        for cell in row:
            blocks += renderer.blocks(cell, structural=lambda child: [] if _is_signature(child) else None)
        if names and entries and entries[-1].names == names:
            entries[-1].blocks += blocks
        elif blocks:
            heading = ", ".join(names or texts[:1]) or renderer.plain(row[0])
            entries.append(Entry(heading, kind=Kind.FUNCTION, names=names, blocks=blocks))
    return entries


def _is_signature(element: _Element) -> bool:
    """A signature of several lines is preformatted, which ends the paragraph that it should be in."""
    return element.get("class") in ("func_signature", "synopsis") and element.tag in ("p", "pre")


def _signature(element: _Element, renderer: DocBookRenderer) -> str:
    if element.tag == "pre":
        return text_of(element).strip()
    return _CALL.sub("(", signature(renderer.plain(element)), count=1)


def _function_name(element: _Element) -> str:
    """The function that a signature is of, else its operator: the first thing that is neither a type nor a result."""
    for kinds in (("function",), ("literal", "token")):
        for code in element.iter("code"):
            if code.get("class") in kinds:
                name = " ".join(text_of(code).split())
                return name.split("(")[0].strip() if kinds == ("function",) else name
    return ""


def _error_classes(header: list[list[_Element]], rows: list[list[_Element]], renderer: DocBookRenderer) -> list[Entry]:
    """One entry per class of SQLSTATE codes, the codes and condition names as its names."""
    head = [renderer.cells(row) for row in header]
    entries: list[Entry] = []
    tables: list[list[list[_Element]]] = []
    for row in rows:
        if len(row) == 1 and (heading := renderer.plain(row[0])):
            entries.append(Entry(heading, kind=Kind.ERROR))
            tables.append([])
        elif tables:
            tables[-1].append(row)
    for entry, codes in zip(entries, tables, strict=True):
        entry.names = tuple(dict.fromkeys(renderer.plain(cell) for row in codes for cell in row))
        entry.blocks = [Block(BlockType.TABLE, markdown_table(head, [renderer.cells(row) for row in codes]))]
    return entries


def _questions(element: _Element, renderer: DocBookRenderer) -> list[Entry]:
    """One entry per question, which is its heading."""
    entries: list[Entry] = []
    for row in element.iter("tr"):
        cells = list(row.iterchildren("td"))[1:]
        heading = " ".join(renderer.plain(cell) for cell in cells)
        if row.get("class") == "question" and heading:
            anchor = next(filter(None, map(stable_id, (row, *row.iterchildren("td")))), None)
            entries.append(Entry(heading, anchor, kind=Kind.FAQ))
        elif row.get("class") == "answer" and entries:
            entries[-1].body += cells
    return entries
