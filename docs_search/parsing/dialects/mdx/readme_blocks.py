"""Blocks of ReadMe: `[block:callout]`, an object in JSON, `[/block]`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from docs_search.parsing.dialects.mdx.components import joined
from docs_search.parsing.markdown.boxes import admonition, label_of, titled
from docs_search.parsing.text.writing import code_block, escape

MAX_CHARACTERS = 200_000  # of one block
MAX_CELLS = 20_000  # of one table

_BLOCK = re.compile(r"\[block:(?P<kind>[a-z-]{1,30})\]\s*(?P<object>\{(?:(?!\[block:).)*?\})\s*\[/block\]", re.DOTALL)
_CELL = re.compile(r"(h|\d{1,5})-(\d{1,3})")
_BREAK = re.compile(r"\s*\n\s*")


def resolve_blocks(markdown: str) -> str:
    """Markdown with what each block shows in its place; one that cannot be read or shows nothing leaves nothing."""
    return _BLOCK.sub(_block, markdown) if "[block:" in markdown else markdown


def _block(match: re.Match[str]) -> str:
    try:
        fields = json.loads(match["object"][:MAX_CHARACTERS], strict=False)
    except (ValueError, RecursionError):
        return ""
    render = _KINDS.get(match["kind"])
    return f"\n\n{render(fields)}\n\n" if render and isinstance(fields, dict) else ""


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value.strip() if isinstance(value, str) else ""


def _entries(fields: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    value = fields.get(name)
    yield from (entry for entry in (value if isinstance(value, list) else ()) if isinstance(entry, dict))


def _callout(fields: Mapping[str, Any]) -> str:
    label = _text(fields, "title") or label_of(_text(fields, "type") or "note")
    return admonition(label, _text(fields, "body")) or (f"**{escape(label)}**" if _text(fields, "title") else "")


def _code(fields: Mapping[str, Any]) -> str:
    parts = []
    for entry in _entries(fields, "codes"):
        blocks = code_block(_text(entry, "code"), re.sub(r"[^\w+#.-]", "", _text(entry, "language")))
        parts.append(titled(escape(_text(entry, "name")), blocks[0].markdown) if blocks else "")
    return joined(*parts)


def _images(fields: Mapping[str, Any]) -> str:
    return joined(*(_text(entry, "caption") or _text(entry, "alt") for entry in _entries(fields, "images")))


def _table(fields: Mapping[str, Any]) -> str:
    data = fields.get("data")
    if not isinstance(data, dict) or len(data) > MAX_CELLS:
        return ""
    rows: dict[int, dict[int, str]] = {}
    for key, value in data.items():
        if isinstance(value, str) and (cell := _CELL.fullmatch(key)):
            row = -1 if cell[1] == "h" else int(cell[1])
            rows.setdefault(row, {})[int(cell[2])] = _BREAK.sub("<br>", value.strip()).replace("|", r"\|")
    columns = 1 + max((column for row in rows.values() for column in row), default=-1)
    if columns * len(rows) > 2 * MAX_CELLS or not columns:
        return ""
    lines = [f"| {' | '.join(row.get(column, '') for column in range(columns))} |" for _, row in sorted(rows.items())]
    head = lines.pop(0) if -1 in rows else f"|{'  |' * columns}"
    return "\n".join([head, f"|{' --- |' * columns}", *lines])


def _heading(fields: Mapping[str, Any]) -> str:
    return f"## {title}" if (title := " ".join(_text(fields, "title").split())) else ""


def _embed(fields: Mapping[str, Any]) -> str:
    url, title = _text(fields, "url"), _text(fields, "title")
    return f"[{escape(title or 'Embedded page')}]({url})" if url.startswith("http") and " " not in url else ""


_KINDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "api-header": _heading,
    "callout": _callout,
    "code": _code,
    "embed": _embed,
    "html": lambda fields: _text(fields, "html"),
    "image": _images,
    "parameters": _table,
    "textarea": lambda fields: _text(fields, "text"),
}
