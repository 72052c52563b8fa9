"""Families of formats: what can be told from the name of a file alone."""

import posixpath
from enum import StrEnum


class Family(StrEnum):
    """Formats that share a way to be read. Where two documents have one path, the family that stands first wins."""

    MARKDOWN = "markdown"
    RST = "rst"
    NOTEBOOK = "notebook"
    OPENAPI = "openapi"
    HTML = "html"


EXTENSIONS = {
    ".md": Family.MARKDOWN,
    ".markdown": Family.MARKDOWN,
    ".mdx": Family.MARKDOWN,
    ".qmd": Family.MARKDOWN,
    ".rmd": Family.MARKDOWN,
    ".ipynb": Family.NOTEBOOK,
    ".rst": Family.RST,
    ".rest": Family.RST,
    ".html": Family.HTML,
    ".htm": Family.HTML,
    ".xhtml": Family.HTML,
}
DATA_EXTENSIONS = (".json", ".yaml", ".yml")
TEXT_EXTENSION = ".txt"
_LIKELY = {**dict.fromkeys(DATA_EXTENSIONS, Family.OPENAPI), TEXT_EXTENSION: Family.RST}

UNREAD = {
    ".adoc": "AsciiDoc",
    ".asciidoc": "AsciiDoc",
    ".docx": "Word",
    ".org": "Org",
    ".pdf": "PDF",
    ".tex": "LaTeX",
    ".textile": "Textile",
    ".wiki": "wiki",
}
"""Formats of documents that nothing here reads, by extension."""


def extension(path: str) -> str:
    """The extension of a file, in lower case and with its point; empty where it has none."""
    return posixpath.splitext(path)[1].lower()


def family_of(path: str) -> Family | None:
    """The family of a file by its extension; None of what is no document, or not to be told without reading it."""
    return EXTENSIONS.get(extension(path))


def precedence(path: str) -> int:
    """What to sort documents by, so that the first of those with one path is the one to keep."""
    family = family_of(path) or _LIKELY.get(extension(path), Family.HTML)
    return list(Family).index(family)
