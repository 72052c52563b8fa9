"""A folder on this machine."""

import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NoReturn

from docs_search.documents import PageWarning, Source
from docs_search.sources.base import MISSING_SUBFOLDER, SourceError, SourceKind, SourceOptions


class DirectorySource:
    """The files below a folder, as they were when it was opened.

    Hidden files and folders are left out, and so are links that lead out of the folder. Linked folders are not
    entered, which also ends every loop. Paths are in Unicode's composed form (NFC), as addresses are, whatever form
    the file system keeps. What cannot be read is an error: it must not pass for something that was deleted.
    """

    def __init__(self, root: Path) -> None:
        """Raises OSError for a folder that cannot be read."""
        self._root = root.resolve()
        self._files: dict[str, Path] = {}
        self._warnings: list[PageWarning] = []
        for file in sorted(self._walk()):
            path = unicodedata.normalize("NFC", file.relative_to(self._root).as_posix())
            if path in self._files:
                self._warnings.append(PageWarning(path, "is the name of two files, of which one was left out"))
            self._files.setdefault(path, file)
        self._paths = sorted(self._files)

    def paths(self) -> list[str]:
        return list(self._paths)

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise FileNotFoundError(path)
        try:
            return self._files[path].read_bytes()
        except OSError as error:
            raise SourceError(f"{self._files[path]} cannot be read: {error.strerror}.") from error

    def address(self, path: str) -> str | None:
        return None

    def warnings(self) -> list[PageWarning]:
        return list(self._warnings)

    def warn(self, warnings: Iterable[PageWarning]) -> None:
        """Add what was left out before the files came into the folder."""
        self._warnings += warnings

    def _walk(self) -> Iterator[Path]:
        for folder, folders, files in os.walk(self._root, onerror=_refuse):
            folders[:] = filter(self._is_wanted, folders)
            for name in filter(self._is_wanted, files):
                path = Path(folder, name)
                if self._holds(path):
                    yield path

    def _is_wanted(self, name: str) -> bool:
        if name.startswith("."):
            return False
        if not _is_text(name):
            self._warnings.append(PageWarning(ascii(name), "has a name that is not UTF-8, and was left out"))
            return False
        return True

    def _holds(self, path: Path) -> bool:
        if not path.is_symlink():
            return stat.S_ISREG(path.lstat().st_mode)
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):  # a link to nothing or to itself; Python 3.11 and 3.12 raise RuntimeError
            return False
        return target.is_file() and target.is_relative_to(self._root)


def open_directory(root: Path, subfolder: str, location: str) -> DirectorySource:
    """The source of `root`, or of its `subfolder` where that exists; `location` names it in errors."""
    if ".." in PurePosixPath(subfolder).parts or PurePosixPath(subfolder).is_absolute():
        raise SourceError(f"The subfolder {subfolder} is not below {location}. Give a path such as docs/.")
    missing = subfolder and not (root / subfolder).is_dir()
    try:
        source = DirectorySource(root if missing else root / subfolder)
    except OSError as error:
        raise SourceError(f"{location} cannot be read: {error}.") from error
    if not source.paths():
        raise SourceError(f"{location} holds no files. Give the folder or archive in which the documents are.")
    if missing:
        source.warn([PageWarning(subfolder, MISSING_SUBFOLDER)])
    return source


def _is_text(name: str) -> bool:
    """Whether a file name can be stored and shown; names in another encoding come with surrogates in them."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(error: OSError) -> NoReturn:
    raise error


def _accepts(location: str) -> bool:
    return Path(location).expanduser().is_dir()


@contextmanager
def _open(location: str, options: SourceOptions) -> Iterator[Source]:
    yield open_directory(Path(location).expanduser(), options.subfolder, location)


DIRECTORY = SourceKind(name="directory", accepts=_accepts, open=_open)
