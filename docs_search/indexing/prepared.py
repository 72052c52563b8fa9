"""Pages that are parsed and cut and wait to be embedded and published.

They wait in a temporary file rather than in memory, so that the memory a run needs does not grow with the corpus.
"""

import hashlib
import json
import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import islice
from operator import attrgetter
from types import TracebackType
from typing import Any, Self

from docs_search.documents import Chunk, ParsedPage, Role
from docs_search.identifiers import passage_identifiers
from docs_search.indexing.embeddings import Text
from docs_search.indexing.postings import POSTINGS_REVISION
from docs_search.pages.addresses import lookup_path


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """What is stored of one page: the columns of `Page`, its passages in reading order, and the identifiers of each.
    `document` is the path of the document in its source, which is not stored.

    `content_hash` (hexadecimal SHA-256) covers all of it: equal hashes mean that there is nothing to do.
    """

    path: str
    columns: dict[str, Any]
    chunks: list[Chunk]
    identifiers: list[dict[str, Role]]
    content_hash: str
    document: str

    def identified(self) -> Iterator[tuple[Chunk, int]]:
        """Each passage with its ordinal among the equal ones of this page."""
        seen: dict[str, int] = {}
        for chunk in self.chunks:
            ordinal = seen.get(chunk.content_hash, 0)
            seen[chunk.content_hash] = ordinal + 1
            yield chunk, ordinal


def prepare(page: ParsedPage, chunks: list[Chunk], *, url: str, document: str) -> PreparedPage:
    """Turn the page that a document was parsed into and its passages into what is stored."""
    columns = {
        "lookup_path": lookup_path(page.path),
        "url": url,
        "title": page.title,
        "summary": page.summary,
        "section": page.section,
        "plan": page.plan,
        "deployment": page.deployment,
        "aliases": list(page.aliases),
        "links": list(page.links),
        "sections": [
            {"level": section.level, "heading": section.heading, "anchor": section.anchor}
            for section in page.sections
            if section.anchor
        ],
        "markdown": page.markdown,
    }
    identifiers = [
        passage_identifiers(chunk.markdown, chunk.names, chunk.heading, text=chunk.text.partition("\n")[2])
        for chunk in chunks
    ]
    stored = [page.path, columns, [_values(chunk) for chunk in chunks], identifiers]
    everything = json.dumps([POSTINGS_REVISION, *stored], sort_keys=True)
    content_hash = hashlib.sha256(everything.encode()).hexdigest()
    return PreparedPage(page.path, columns, chunks, identifiers, content_hash, document)


_values = attrgetter(*(field.name for field in fields(Chunk)))


class Spool:
    """A file of prepared pages that is written once and read as often as needed. Gone when it is closed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  lives as long as the spool
        self.count = 0
        self.passages = 0

    def append(self, page: PreparedPage) -> None:
        pickle.dump(page, self._file, protocol=pickle.HIGHEST_PROTOCOL)
        self.count += 1
        self.passages += len(page.chunks)

    def __iter__(self) -> Iterator[PreparedPage]:
        self._file.seek(0)
        for _ in range(self.count):
            yield pickle.load(self._file)  # noqa: S301  our own file, which has no name that others could open

    def texts(self) -> Iterator[Text]:
        """What there is to embed."""
        return (Text(chunk.content_hash, chunk.text) for page in self for chunk in page.chunks)

    def batches(self, size: int) -> Iterator[list[PreparedPage]]:
        """The pages in groups of `size`."""
        pages = iter(self)
        while batch := list(islice(pages, size)):
            yield batch

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
