"""What looks wrong with a page, although it was read: each a sign of a wrong format, or of a layout nobody knew."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator

from docs_search.documents import Source
from docs_search.indexing.passages import TARGET_WORDS
from docs_search.indexing.prepared import PreparedPage
from docs_search.indexing.residue import find_residue
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.decoding import decode

LONG_PASSAGE = 2 * TARGET_WORDS
LONG_PAGE = 4 * TARGET_WORDS  # words from which a page should have headings
COMMON_ENDING = 0.5  # the share of titles from which an ending is the site's, not the page's

_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_NO_WORD = re.compile(r"[\W_]+")
_ENDING = re.compile(r"\s[|–—·-]\s+(?P<ending>[^|–—·]+)$")


def find_faults(page: PreparedPage, source: Source) -> Iterator[tuple[str, str]]:
    """Faults of one page, each with a detail that helps to find it."""
    markdown = page.columns["markdown"]
    headings = _headings(markdown)
    if not page.chunks:
        yield "pages without a passage, as there is next to nothing to read on them", ""
    if _is_named_after_file(page, source):
        yield "pages without a title, which are named after their files", page.columns["title"]
    words = len(markdown.split())
    if headings <= 1 and words > LONG_PAGE:
        yield "long pages without a heading below their title", f"{words:,} words"
    anchors = [section["anchor"] for section in page.columns["sections"]]
    if headings - 1 > len(anchors):
        yield "pages with headings that have no anchor", f"{headings - 1 - len(anchors)} of {headings - 1}"
    if twice := [anchor for anchor, count in Counter(anchors).items() if count > 1]:
        yield "pages on which an anchor occurs twice", twice[0]
    for chunk in page.chunks:
        if (words := len(chunk.text.split())) > LONG_PASSAGE:
            yield f"passages of more than {LONG_PASSAGE} words", f"{words} words under {chunk.heading}"
    for residue, line in find_residue(markdown):
        yield f"pages with residue: {residue}", line


class Titles:
    """The titles of a source, to find those that cannot tell pages apart."""

    def __init__(self) -> None:
        self._pages: dict[str, list[str]] = {}
        self._endings: Counter[str] = Counter()
        self._count = 0

    def add(self, page: PreparedPage) -> None:
        """Remember the title of a page."""
        title = page.columns["title"]
        self._count += 1
        self._pages.setdefault(title, []).append(page.path)
        if ending := _ENDING.search(title):
            self._endings[ending["ending"]] += 1

    def faults(self) -> Iterator[tuple[str, str, str]]:
        """What is wrong: a message, a page, and the title."""
        for title, paths in self._pages.items():
            for path in paths[1:]:
                yield "pages with the title of another page", path, f"{title}, as {paths[0]}"
        for ending, count in self._endings.items():
            if count > 3 and count >= COMMON_ENDING * self._count:
                yield "titles that end with the name of the site", f"{count} pages", ending


def _headings(markdown: str) -> int:
    return sum(len(_HEADING.findall(piece)) for piece, is_code in split_code(markdown) if not is_code)


def _is_named_after_file(page: PreparedPage, source: Source) -> bool:
    """Whether the title is only the name of the file: that occurs nowhere in the document."""
    title = page.columns["title"]
    stem = posixpath.splitext(page.document)[0]
    names = {_folded(posixpath.basename(stem)), _folded(posixpath.basename(posixpath.dirname(stem)))}
    if _folded(title) not in names:
        return False
    return title.casefold() not in decode(source.read(page.document))[0].casefold()


def _folded(text: str) -> str:
    return _NO_WORD.sub(" ", text).strip().casefold()
