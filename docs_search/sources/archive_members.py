"""The members of tar and zip archives, read one after the other in the same form."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import IO, Self

from docs_search.sources.base import SourceError

_TAR_MAGIC = slice(257, 262)
_MAGIC = {
    b"\x1f\x8b": "tar.gz",
    b"BZh": "tar.bz2",
    b"\xfd7zXZ\x00": "tar.xz",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",  # without members
}
_OPENERS: dict[str, Callable[[Path], io.RawIOBase | io.BufferedIOBase]] = {
    "tar": io.FileIO,
    "tar.gz": gzip.GzipFile,
    "tar.bz2": bz2.BZ2File,
    "tar.xz": lzma.LZMAFile,
}


class MemberType(Enum):
    FILE = auto()
    FOLDER = auto()
    SYMBOLIC_LINK = auto()
    HARD_LINK = auto()


@dataclass(frozen=True, slots=True)
class Member:
    """One entry. `size` is what the archive claims; `open` works until the next member is asked for."""

    name: str
    type: MemberType
    size: int = 0
    link: str = ""
    open: Callable[[], IO[bytes]] = io.BytesIO


def archive_format(path: Path) -> str | None:
    """Name of the format (`tar`, `tar.gz`, `tar.bz2`, `tar.xz`, `zip`) by the file's content, or None."""
    with path.open("rb") as file:
        return format_of(file)


def format_of(file: IO[bytes]) -> str | None:
    """As `archive_format`, for an open file that can be sought in; where it stands afterwards is not told."""
    head = file.read(tarfile.BLOCKSIZE)
    if head[_TAR_MAGIC] == b"ustar" or _is_tar_header(head):
        return "tar"
    if name := next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None):
        return name
    return "zip" if zipfile.is_zipfile(file) else None  # behind a program that unpacks it


def _is_tar_header(block: bytes) -> bool:
    """Whether a header's checksum is right; the tar of Unix version 7 has nothing else to know it by."""
    try:
        tarfile.TarInfo.frombuf(block, tarfile.ENCODING, "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def archive_members(path: Path, stream_bytes: int, stack: ExitStack) -> Iterator[Member]:
    """The files, folders and links of an archive; devices and pipes are left out.

    `stream_bytes` bounds what a tar archive may decompress to, headers included: a header can be a bomb as well.
    `stack` keeps the archive open. Raises SourceError for what is no archive, and what the libraries raise for damage.
    """
    kind = archive_format(path)
    if kind == "zip":
        return _zip_members(stack.enter_context(zipfile.ZipFile(path)))
    if kind is None:
        raise SourceError(f"{path.name} is no archive. Give a .tar, .tar.gz, .tar.xz, .tar.bz2 or .zip file.")
    decompressed = _OPENERS[kind](path)
    stack.callback(decompressed.close)
    stream = _BoundedStream(decompressed, stream_bytes, path.name)
    return _tar_members(stack.enter_context(tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header)))


class _BoundedStream(io.RawIOBase):
    def __init__(self, stream: io.RawIOBase | io.BufferedIOBase, bytes_left: int, archive: str) -> None:
        self._stream = stream
        self._bytes_left = bytes_left
        self._archive = archive

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size) or b""
        self._bytes_left -= len(block)
        if self._bytes_left < 0:
            raise SourceError(f"{self._archive} unpacks to too much. Pack only the documents.")
        return block


class _Header(tarfile.TarInfo):
    """A header that must be whole. By itself `tarfile` takes a damaged or missing one for the end of the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):  # the mark at the end
                raise
            raise tarfile.ReadError(f"it is cut off, or a header in it is broken: {error}") from error


def _tar_members(archive: tarfile.TarFile) -> Iterator[Member]:
    for info in archive:
        if info.isfile():
            yield Member(info.name, MemberType.FILE, info.size, open=partial(_tar_file, archive, info))
        elif info.isdir():
            yield Member(info.name, MemberType.FOLDER)
        elif info.issym():
            yield Member(info.name, MemberType.SYMBOLIC_LINK, link=info.linkname)
        elif info.islnk():
            yield Member(info.name, MemberType.HARD_LINK, link=info.linkname)
    _read_to_end(archive)


def _read_to_end(archive: tarfile.TarFile) -> None:
    """Read what follows the first block of zeros: the second one, and the checksums of the compression."""
    if archive.fileobj is None or any(archive.fileobj.read(tarfile.BLOCKSIZE)):
        raise tarfile.ReadError("a block of zeros stands in its middle")
    while archive.fileobj.read(tarfile.RECORDSIZE):
        pass


def _tar_file(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    if file is None:
        raise tarfile.ReadError(f"{info.name} has no content")
    return file


def _zip_members(archive: zipfile.ZipFile) -> Iterator[Member]:
    for info in archive.infolist():
        mode = info.external_attr >> 16  # the Unix mode, 0 when packed elsewhere
        if info.is_dir():
            yield Member(info.filename, MemberType.FOLDER)
        elif stat.S_ISLNK(mode):
            target = archive.read(info).decode(errors="surrogateescape") if info.file_size < 4096 else ""
            yield Member(info.filename, MemberType.SYMBOLIC_LINK, link=target)
        elif stat.S_IFMT(mode) in (0, stat.S_IFREG):
            yield Member(info.filename, MemberType.FILE, info.file_size, open=partial(archive.open, info))
