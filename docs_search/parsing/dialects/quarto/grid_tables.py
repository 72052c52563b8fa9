"""Tables that are drawn with plus signs, hyphens and bars, as Pandoc has them, as tables of GitHub's Markdown."""

import re

from docutils.parsers.rst.tableparser import GridTableParser, TableMarkupError
from docutils.statemachine import StringList

MAX_LINES, MAX_WIDTH = 400, 1000  # of one table; larger ones stay as they are

_TABLE = re.compile(
    r"^(?P<indent>[ ]*)\+(?:[-=:]+\+)+[ \t]*\n(?:(?P=indent)[|+][^\n]*[|+][ \t]*(?:\n|\Z)){2,}", re.MULTILINE
)
_RULE = re.compile(r"\+(?:[-=:]+\+)+")


def resolve_grid_tables(markdown: str) -> str:
    """Markdown without grid tables: cells on one line each, those that span others only at their first place."""
    return _TABLE.sub(_pipe_table, markdown) if "+-" in markdown or "+=" in markdown or "+:" in markdown else markdown


def _pipe_table(match: re.Match[str]) -> str:
    lines = [line.strip() for line in match[0].strip("\n").split("\n")]
    if len(lines) > MAX_LINES or max(map(len, lines)) > MAX_WIDTH or len({len(line) for line in lines}) > 1:
        return match[0]
    # Marks of alignment are no part of the table that docutils knows.
    plain = [line.replace(":", line[1:2] or "-") if _RULE.fullmatch(line) else line for line in lines]
    try:
        columns, head, body = GridTableParser().parse(StringList(plain))
    except (TableMarkupError, AssertionError, IndexError):
        return match[0]
    header = head[0] if head else [None] * len(columns)
    rows = [header, *head[1:], *body]
    written = [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    rule = f"|{' --- |' * len(columns)}"
    return "\n".join(match["indent"] + line for line in [written[0], rule, *written[1:]]) + "\n"


def _cell(cell: tuple[int, int, int, list[str]] | None) -> str:
    return " ".join(" ".join(cell[3]).split()).replace("|", r"\|") if cell else ""
