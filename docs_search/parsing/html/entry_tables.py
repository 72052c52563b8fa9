"""Tables that are none: lists of names with what they mean, and elements that only a stylesheet sets in rows."""

from lxml.etree import _Element

from docs_search.parsing.html.document import classes_of
from docs_search.parsing.html.rendering import table_rows

_NAME_CELLS = frozenset({"fieldArg", "fieldname", "hdlist1", "paramname"})
_CELLS = frozenset({"col-constructor-name", "col-first", "col-last", "col-second", "col-summary-item-name"})


def entries_of(table: _Element) -> list[tuple[_Element, list[_Element]]]:
    """The names in a table with the cells of what they mean; none of a table that is one.

    These are the horizontal lists of Asciidoctor and the parameters and fields of Doxygen and pydoctor.
    """
    header, body = table_rows(table)
    entries = [(row[0], row[1:]) for row in body if len(row) > 1]
    if len(entries) != len(body) or not entries:
        return []
    if any(_NAME_CELLS.isdisjoint(classes_of(name)) for name, _ in entries):
        return []
    return entries if all(len(row) == 1 or _spans(row[0]) for row in header) else []


def grid_of(element: _Element) -> tuple[list[_Element], list[list[_Element]]]:
    """The header and the rows of a grid, as Javadoc sets its summaries; none of any other element."""
    if element.tag != "div" or "summary-table" not in classes_of(element):
        return [], []
    cells = [cell for cell in element.iterchildren("div") if not _CELLS.isdisjoint(classes_of(cell))]
    header = [cell for cell in cells if "table-header" in classes_of(cell)]
    body = cells[len(header) :]
    width = max(1, len(header))
    return header, [body[start : start + width] for start in range(0, len(body), width)]


def _spans(cell: _Element) -> bool:
    return (cell.get("colspan") or "1") != "1"
