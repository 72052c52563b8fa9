"""A folder on this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from docs_search.documents import Source
from docs_search.sources.base import SourceError, SourceKind


class DirectorySource:
    """The files below a folder, as they were when it was opened.

    Hidden files and folders are left out, and so are links that lead out of the folder. Linked folders are not
    entered, which also ends every loop.
    """

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._paths = sorted(self._walk())
        self._known = frozenset(self._paths)

    def paths(self) -> list[str]:
        return list(self._paths)

    def read(self, path: str) -> bytes:
        if path not in self._known:
            raise FileNotFoundError(path)
        return (self._root / path).read_bytes()

    def _walk(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self._root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in files:
                path = Path(folder, name)
                if not name.startswith(".") and _is_text(name) and self._holds(path):
                    yield path.relative_to(self._root).as_posix()

    def _holds(self, path: Path) -> bool:
        if not path.is_symlink():
            return path.is_file()
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):  # a link to nothing or to itself; Python 3.11 and 3.12 raise RuntimeError
            return False
        return target.is_file() and target.is_relative_to(self._root)


def open_directory(root: Path, subfolder: str | None, location: str) -> DirectorySource:
    """The source of `root`, or of its `subfolder` where that exists; `location` names it in errors."""
    if subfolder:
        if ".." in PurePosixPath(subfolder).parts or PurePosixPath(subfolder).is_absolute():
            raise SourceError(f"The subfolder {subfolder} is not below {location}. Give a path such as docs/.")
        if (root / subfolder).is_dir():
            root = root / subfolder
    try:
        source = DirectorySource(root)
    except OSError as error:
        raise SourceError(f"{location} cannot be read: {error}.") from error
    if not source.paths():
        raise SourceError(f"{location} holds no files. Give the folder or archive in which the documents are.")
    return source


def _is_text(name: str) -> bool:
    """Whether a file name can be stored and shown; names in another encoding come with surrogates in them."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _accepts(location: str) -> bool:
    return Path(location).expanduser().is_dir()


@contextmanager
def _open(location: str, subfolder: str | None) -> Iterator[Source]:
    yield open_directory(Path(location).expanduser(), subfolder, location)


DIRECTORY = SourceKind(name="directory", accepts=_accepts, open=_open)
