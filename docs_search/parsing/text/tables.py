"""Rows of table cells to a Markdown table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MAX_SPANNED_COLUMNS = 12  # no row or column span reaches beyond these
_MAX_REPEATED = 80  # characters


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its content on one line, and how many columns and rows it covers."""

    text: str
    colspan: int = 1
    rowspan: int = 1


def markdown_table(header: Sequence[Sequence[Cell]], body: Sequence[Sequence[Cell]]) -> str:
    """A GitHub-flavoured table. Header rows are folded into one, because Markdown knows only one.

    A cell over several rows is repeated in each, so that a row can be read by itself when the table is cut; one over
    several columns is repeated in the header and stands in the first of them below it. What would blow the table up
    (a thousand columns, a long text in every row) is not repeated.
    """
    head = _fold(_grid(header, repeat_columns=True))
    rows = _grid(body, repeat_columns=False)
    width = max((len(row) for row in [head, *rows]), default=0)
    if width == 0:
        return ""
    head += [""] * (width - len(head))
    lines = [_line(head), "|" + " --- |" * width]
    # Short rows stay short: GitHub-flavoured Markdown fills them, and padding could multiply the size of a page.
    lines += [_line(row) for row in rows if any(row)]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _fold(rows: list[list[str]]) -> list[str]:
    columns: list[list[str]] = [[] for _ in range(max(map(len, rows), default=0))]
    for row in rows:
        for column, text in zip(columns, row, strict=False):
            if text and text not in column:
                column.append(text)
    return [" ".join(column) for column in columns]


def _grid(rows: Sequence[Sequence[Cell]], *, repeat_columns: bool) -> list[list[str]]:
    grid: list[list[str]] = []
    covered: dict[int, tuple[int, str]] = {}  # column → rows that it is still covered for, and by which text
    budget = 1000 + 2 * sum(len(cell.text) for cells in rows for cell in cells)  # characters that may be repeated
    for cells in rows:
        row: list[str] = []
        for cell in cells:
            budget = _take_covered(covered, row, budget)
            for offset in range(max(1, min(cell.colspan, _MAX_SPANNED_COLUMNS - len(row)))):
                repeatable = cell.text if len(cell.text) <= _MAX_REPEATED else ""
                if cell.rowspan > 1 and len(row) < _MAX_SPANNED_COLUMNS:
                    covered[len(row)] = cell.rowspan - 1, repeatable if repeat_columns or offset == 0 else ""
                row.append(cell.text if offset == 0 else repeatable if repeat_columns else "")
        budget = _take_covered(covered, row, budget)
        grid.append(row)
    return grid


def _take_covered(covered: dict[int, tuple[int, str]], row: list[str], budget: int) -> int:
    """Fills in the next columns that cells of earlier rows cover. Returns what is left of the budget."""
    while (column := len(row)) in covered:
        left, text = covered.pop(column)
        budget -= len(text)
        row.append(text if budget > 0 else "")
        if left > 1:
            covered[column] = left - 1, text
    return budget
