"""Jupyter notebooks: their text in Markdown and their code, in order. What cells put out is left out."""

import json
import posixpath
from collections.abc import Iterator, Mapping

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.dialects.myst.parser import MystParser
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.writing import code_block

EXTENSION = ".ipynb"
MAX_CHARACTERS = 20_000_000  # with all that cells put out

_HIDDEN = frozenset(f"{verb}{mark}{part}" for verb in ("hide", "remove") for mark in "-_" for part in ("cell", "input"))


class NotebookParser(MystParser):
    """The `Parser` of notebooks in version 3 or 4 of their format. Their text may be MyST, as Jupyter Book has it."""

    def is_page(self, path: str) -> bool:
        """Notebooks, and the Markdown beside them that they may link to."""
        stem, extension = posixpath.splitext(path)
        return super().is_page(f"{stem}.md" if extension.lower() == EXTENSION else path)

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page, or None for what is no notebook and for one without any text or code."""
        try:
            notebook = json.loads(decode(data)[0][:MAX_CHARACTERS])
        except (ValueError, RecursionError):
            return None
        text = "\n\n".join(_parts(notebook)) if isinstance(notebook, dict) else ""
        return super().parse(path, text.encode(), context) if text.strip() else None


def _parts(notebook: Mapping[str, object]) -> Iterator[str]:
    """What each cell shows. Older notebooks have their cells on a worksheet."""
    language = _language(notebook)
    for cell in _cells(notebook):
        metadata = cell.get("metadata")
        tags = metadata.get("tags") if isinstance(metadata, dict) else None
        if isinstance(tags, list) and any(tag in _HIDDEN for tag in tags if isinstance(tag, str)):
            continue
        source = _text(cell.get("source", cell.get("input")))
        match cell.get("cell_type"):
            case "markdown":
                yield source
            case "heading":
                level = cell.get("level")
                yield f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {' '.join(source.split())}"
            case "code":
                yield from (block.markdown for block in code_block(source, language))


def _cells(notebook: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    sheets = notebook.get("worksheets")
    for sheet in (notebook, *(sheets if isinstance(sheets, list) else ())):
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        yield from (cell for cell in (cells if isinstance(cells, list) else ()) if isinstance(cell, dict))


def _language(notebook: Mapping[str, object]) -> str:
    metadata = notebook.get("metadata")
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        entry = metadata.get(key) if isinstance(metadata, dict) else None
        value = entry.get(name) if isinstance(entry, dict) else None
        if isinstance(value, str) and value.replace("+", "").isalnum():
            return value.lower()
    return "python"


def _text(source: object) -> str:
    """A cell's text, which is a string or the list of its lines."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
