"""Files whose names do not tell whether they are documents: data that describes an API, and plain text."""

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from docs_search.parsing.detection.families import DATA_EXTENSIONS, extension
from docs_search.parsing.detection.folders import BESIDE_DOCS, NEVER, has_part

MAX_READ = 60  # files that are looked into
HEAD = 4000  # bytes of each

Read = Callable[[str], bytes | None]

_NAMED_OPENAPI = re.compile(r"(?:openapi|swagger)|(?:^|[._-])api(?:[._-]|$)", re.IGNORECASE)
_OPENAPI = re.compile(rb"^\s*[\"']?(?:openapi|swagger)[\"']?\s*:\s*[\"']?[123]\.", re.MULTILINE)
_INLINE_OPENAPI = re.compile(rb"\{\s*\"(?:openapi|swagger)\"\s*:\s*\"[123]\.")
_NO_TEXT_DOCUMENT = re.compile(
    r"(?:.*requirements.*|.*constraints.*|CMakeLists|robots|humans|llms.*|LICEN[CS]E.*|COPYING.*|NOTICE.*|AUTHORS.*"
    r"|objects|spelling.*|.*wordlist.*|dictionary)\.txt",
    re.IGNORECASE,
)
_RST = re.compile(
    rb"^\.\. [\w:-]+::|^\.\. _[^\n]{1,200}:|:[a-z][\w:-]{0,40}:`[^`\n]|``[^`\n]+``"
    rb"|^[^\n]{2,200}\r?\n(?:={3,}|-{3,}|~{3,}|\*{3,})[ \t]*\r?$",
    re.MULTILINE,
)


def find_openapi(paths: Sequence[str], read: Read, root: str) -> Iterator[str]:
    """Descriptions of an API in OpenAPI or Swagger: all below `root`, and elsewhere those whose names say so."""
    candidates = [
        path
        for path in paths
        if extension(path) in DATA_EXTENSIONS
        and not has_part(path.removeprefix(root), NEVER | BESIDE_DOCS)
        and (path.startswith(root) or _is_named_openapi(path))
    ]
    candidates.sort(key=lambda path: (not _is_named_openapi(path), path.count("/"), path))
    for path in candidates[:MAX_READ]:
        head = (read(path) or b"")[:HEAD]
        if _OPENAPI.search(head) or _INLINE_OPENAPI.search(head):
            yield path


def is_rst_text(path: str, read: Read) -> bool:
    """Whether a text file is written in reStructuredText."""
    if _NO_TEXT_DOCUMENT.fullmatch(posixpath.basename(path)):
        return False
    return _RST.search((read(path) or b"")[:HEAD]) is not None


def _is_named_openapi(path: str) -> bool:
    return _NAMED_OPENAPI.search(posixpath.basename(path)) is not None
