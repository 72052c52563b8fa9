"""Where documents come from."""

from contextlib import AbstractContextManager
from pathlib import Path

from docs_search.documents import Source
from docs_search.sources.archive import ARCHIVE
from docs_search.sources.base import (
    SourceError,
    SourceKind,
    SourceOptions,
    has_password,
    is_address,
    without_query,
)
from docs_search.sources.directory import DIRECTORY
from docs_search.sources.download import DOWNLOAD
from docs_search.sources.git import GIT
from docs_search.sources.site.source import SITE

__all__ = [
    "KINDS",
    "SourceError",
    "SourceKind",
    "SourceOptions",
    "has_password",
    "is_address",
    "open_source",
    "without_query",
]

KINDS: tuple[SourceKind, ...] = (DIRECTORY, ARCHIVE, GIT, DOWNLOAD, SITE)
DEFAULTS = SourceOptions()


def open_source(location: str | Path, options: SourceOptions = DEFAULTS) -> AbstractContextManager[Source]:
    """The documents at `location`: a folder, an archive here or on the web, a git repository, or a website.

    Raises SourceError when there is nothing to read.
    """
    place = str(location)
    try:
        for kind in KINDS:
            if kind.accepts(place):
                return kind.open(place, options)
        path = Path(place).expanduser()
        exists = path.exists()
    except (OSError, RuntimeError) as error:  # no permission, a name that no file can have, an unknown home
        raise SourceError(f"{place[:200]} cannot be read: {error}.") from error
    absent = "does not exist" if path.is_absolute() or "://" in place else f"does not exist in {Path.cwd()}"
    problem = "is neither a folder nor an archive" if exists else absent
    raise SourceError(
        f"{place} {problem}. Give a folder, a .tar, .tar.gz, .tar.xz, .tar.bz2 or .zip archive or its address, a git"
        " repository as https://host/path.git, or a website as https://host/path/."
    )
