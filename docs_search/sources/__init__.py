"""Where documents come from."""

from contextlib import AbstractContextManager
from pathlib import Path

from docs_search.documents import Source
from docs_search.sources.archive import ARCHIVE
from docs_search.sources.base import SourceError, SourceKind
from docs_search.sources.directory import DIRECTORY

__all__ = ["KINDS", "SourceError", "SourceKind", "open_source"]

KINDS: tuple[SourceKind, ...] = (DIRECTORY, ARCHIVE)


def open_source(location: str | Path, subfolder: str | None = None) -> AbstractContextManager[Source]:
    """The documents at `location`: a folder, or a .tar, .tar.gz, .tar.xz, .tar.bz2 or .zip archive.

    With `subfolder` (such as `docs`) only what is below it, where it exists; paths are then relative to it.
    Raises SourceError when there is nothing to read.
    """
    place = str(location)
    for kind in KINDS:
        if kind.accepts(place):
            return kind.open(place, subfolder)
    if not Path(place).expanduser().exists():
        raise SourceError(
            f"{place} does not exist. Give a folder or an archive (.tar, .tar.gz, .tar.xz, .tar.bz2, .zip)."
        )
    raise SourceError(f"{place} is neither a folder nor an archive (.tar, .tar.gz, .tar.xz, .tar.bz2, .zip).")
