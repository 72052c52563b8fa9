"""Text that a document includes from other files of its source."""

import posixpath
import re
from collections.abc import Callable
from functools import partial

from docs_search.documents import ParseContext
from docs_search.parsing.markdown.front_matter import split_front_matter
from docs_search.parsing.text.decoding import decode

MAX_DEPTH = 8
MAX_CHARACTERS = 2_000_000
_MAX_CHARACTERS_READ = 20 * MAX_CHARACTERS  # a few lines of a large file can be included thousands of times
_WITH_FRONT_MATTER = frozenset({".html", ".markdown", ".md", ".mdx"})

_MARKER = re.compile(r"^.*\[<(?:end)?snippet [^\n]*>\].*\n?", re.MULTILINE)


class FileIncludes:
    """Reads the includes of one document, within bounds: a few files that include each other grow without end.

    Faults are collected in `warnings` and leave an empty text.
    """

    def __init__(self, context: ParseContext, document: str) -> None:
        self._context = context
        self._open = [document]
        self._characters_left = MAX_CHARACTERS
        self._characters_to_read = _MAX_CHARACTERS_READ
        self._texts: dict[str, str] = {}
        self.warnings: list[str] = []

    def text(self, path: str, snippet: str | None, expand: Callable[[str], str]) -> str:
        """The content of a file, or its named part, after `expand` has resolved the includes in it.

        Named parts stand between lines with `[<snippet name>]` and `[<endsnippet name>]`, in whatever comment.
        """
        select = None if snippet is None else partial(_part, name=snippet)
        return self.selected(path, snippet, select, expand)

    def selected(
        self, path: str, name: str | None, select: Callable[[str], str | None] | None, expand: Callable[[str], str]
    ) -> str:
        """The same of what `select` makes of a file's text; where it is None the file has no part of that name."""
        path = posixpath.normpath(path)
        if path in self._open or len(self._open) > MAX_DEPTH:
            return self._fault(f"the include of {path} leads back to itself or too deep")
        text = self._text_of(path)
        if text is None:
            return self._fault(f"the included file {path} is not in the source")
        self._characters_to_read -= len(text)
        if min(self._characters_left, self._characters_to_read) < 0:
            return self._fault(f"the include of {path} exceeds {MAX_CHARACTERS} characters")
        if select is not None:
            part = select(text)
            if part is None:
                return self._fault(f"the included file {path} has no part named {name}")
            text = part
        self._characters_left -= len(text)
        if self._characters_left < 0:
            return self._fault(f"the include of {path} exceeds {MAX_CHARACTERS} characters")
        self._open.append(path)
        expanded = expand(_MARKER.sub("", text).strip("\n"))
        self._open.pop()
        return expanded

    def _text_of(self, path: str) -> str | None:
        if path not in self._texts:
            data = self._context.read(path) if path in self._context.paths else None
            if data is None:
                return None
            text = decode(data)[0]
            if posixpath.splitext(path)[1] in _WITH_FRONT_MATTER:  # in a YAML file, such a block is a document
                text = split_front_matter(text)[1]
            self._texts[path] = text
        return self._texts[path]

    def _fault(self, warning: str) -> str:
        self.warnings.append(warning)
        return ""


def _part(text: str, name: str) -> str | None:
    start = text.find(f"[<snippet {name}>]")
    end = text.find(f"[<endsnippet {name}>]", start)
    if start < 0 or end < 0:
        return None
    return text[text.find("\n", start) + 1 : text.rfind("\n", 0, end) + 1]
