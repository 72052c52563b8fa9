"""The members of tar and zip archives, read one after the other in the same form."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO

from docs_search.sources.base import SourceError
from docs_search.sources.member import Member
from docs_search.sources.tar_members import tar_members
from docs_search.sources.zip_members import zip_members

_TAR_MAGIC = slice(257, 262)
_MAGIC = {
    b"\x1f\x8b": "tar.gz",
    b"BZh": "tar.bz2",
    b"\xfd7zXZ\x00": "tar.xz",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",  # without members
}
_BLOCK = 1 << 16
_XZ_MEMORY = 256 << 20  # bytes; `xz -9`, the most that it takes by itself, needs a quarter


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


def archive_members(path: Path, stream_bytes: int, members: int) -> Generator[Member, None, None]:
    """The members of an archive, which stays open until they are exhausted or closed.

    `stream_bytes` bounds what a tar archive may decompress to, headers included: a header can be a bomb as well.
    `members` bounds how many a zip archive may list. Raises SourceError for what is no archive, TooManyMembers, and
    what the libraries raise for damage.
    """
    kind = archive_format(path)
    if kind == "zip":
        yield from zip_members(path, members)
        return
    if kind is None:
        raise SourceError(f"{path.name} is no archive. Give a .tar, .tar.gz, .tar.xz, .tar.bz2 or .zip file.")
    with _OPENERS[kind](path) as decompressed:
        yield from tar_members(_BoundedStream(decompressed, stream_bytes, path.name))


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


class _XzFile(io.FileIO):
    """What a .xz file holds. `lzma.LZMAFile` would take as much memory as the file asks for, up to 4 GiB."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)

    def read(self, size: int | None = -1) -> bytes:
        """Up to `size` bytes, none at the end. Raises LZMAError, and EOFError for a file that is cut off."""
        limit = -1 if size is None else size
        data = b""
        while not data:
            if self._decoder.eof:  # several streams may follow one another, each padded with zeros
                packed = self._decoder.unused_data.lstrip(b"\0")
                while not packed and (block := super().read(_BLOCK)):
                    packed = block.lstrip(b"\0")
                if not packed:
                    break
                self._decoder = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
            else:
                packed = (super().read(_BLOCK) or b"") if self._decoder.needs_input else b""
                if self._decoder.needs_input and not packed:
                    raise EOFError("its compressed form is cut off")
            data = self._decoder.decompress(packed, limit)
        return data


_OPENERS: dict[str, Callable[[Path], io.RawIOBase | io.BufferedIOBase]] = {
    "tar": io.FileIO,
    "tar.gz": gzip.GzipFile,
    "tar.bz2": bz2.BZ2File,
    "tar.xz": _XzFile,
}
