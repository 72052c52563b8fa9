"""The table of contents of a book: `SUMMARY.md`, as mdBook and GitBook have it."""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.plain_text import plain_text

NAME = "SUMMARY.md"

_ENTRY = re.compile(r"(?<!!)\[(?P<title>(?:[^\[\]\n]|\[[^\[\]\n]{0,100}\]){1,300})\]\((?P<file><[^<>\n]+>|[^()\s#]+)")


@dataclass(frozen=True, slots=True)
class Summary:
    """`root` is the folder of the book, as a prefix; `titles` those of its pages by their files."""

    root: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)


def read_summary(paths: frozenset[str], read: Callable[[str], bytes | None], docs_root: str = "") -> Summary:
    """The contents of the book below `docs_root`, else of the one nearest to the root of the source."""
    found = [path for path in paths if posixpath.basename(path).upper() == NAME.upper() and path.startswith(docs_root)]
    if not found:
        return Summary(docs_root)
    path = min(found, key=lambda path: (path.count("/"), path))
    root = posixpath.join(posixpath.dirname(path), "")
    titles: dict[str, str] = {}
    for part, is_code in split_code(_without_code_spans(decode(read(path) or b"")[0])):
        if not is_code:
            for entry in _ENTRY.finditer(part):
                file = posixpath.normpath(posixpath.join(root, unquote(entry["file"].strip("<>"))))
                if file in paths:
                    titles.setdefault(file, " ".join(plain_text(entry["title"]).split()))
    return Summary(root, titles)


def _without_code_spans(text: str) -> str:
    """Titles keep their words where they are code."""
    return text.replace("`", "")
