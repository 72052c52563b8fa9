"""An archive file, unpacked for as long as it is read: members of a .tar.xz cannot be read in any order."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from docs_search.documents import Source
from docs_search.sources.archive_members import archive_format
from docs_search.sources.base import SourceKind, SourceOptions
from docs_search.sources.directory import open_directory
from docs_search.sources.temporary import temporary_folder
from docs_search.sources.unpacking import unpack


def _accepts(location: str) -> bool:
    path = Path(location).expanduser()
    return path.is_file() and archive_format(path) is not None


@contextmanager
def open_archive(path: Path, location: str, options: SourceOptions) -> Iterator[Source]:
    """The documents in the archive file at `path`; `location` names it in errors. Raises SourceError."""
    with temporary_folder() as root:
        left_out = unpack(path, root)
        source = open_directory(_single_folder(root), options.subfolder, location)
        source.warn(left_out)
        yield source


def _open(location: str, options: SourceOptions) -> AbstractContextManager[Source]:
    return open_archive(Path(location).expanduser(), location, options)


def _single_folder(root: Path) -> Path:
    """The folder that wraps everything (`product-1.2/`), or `root` itself."""
    entries = [entry for entry in root.iterdir() if not entry.name.startswith((".", "__MACOSX"))]
    return entries[0] if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink() else root


ARCHIVE = SourceKind(name="archive", accepts=_accepts, open=_open)
