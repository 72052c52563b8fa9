"""The members of a zip archive that a stranger made."""

import io
import stat
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from docs_search.sources.member import Member, MemberType

_ENTRY = b"PK\x01\x02"  # begins each entry of the list of members
_MAX_ENTRY = 1024  # bytes of an entry on average; a name and a few time stamps take a tenth
_MAX_LINK = 4096
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


class TooManyMembers(Exception):
    """More members than were allowed."""


class _ZipFile(io.FileIO):
    """`zipfile` reads the list of members at once, however long, and makes a large object of each."""

    def __init__(self, path: Path, members: int) -> None:
        super().__init__(path)
        self._members = members

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > self._members * _MAX_ENTRY:
            raise TooManyMembers
        data = super().read(size) or b""
        if data.count(_ENTRY) > self._members:
            raise TooManyMembers
        return data


def zip_members(path: Path, members: int) -> Iterator[Member]:
    """The members of an archive of at most so many. Raises TooManyMembers, NotImplementedError for one that is
    compressed in a rare way, and what `zipfile` raises."""
    with _ZipFile(path, members) as file, zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            yield _member(archive, info)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    if info.compress_type not in _METHODS:  # which `zipfile` would undo without a bound to the memory
        raise NotImplementedError(f"{info.filename[:200]!r} is compressed by method {info.compress_type}")
    mode = info.external_attr >> 16  # the Unix mode, 0 when packed elsewhere
    if info.filename.endswith("/"):
        return Member(info.filename, MemberType.FOLDER)
    if stat.S_ISLNK(mode):
        target = archive.read(info).decode(errors="surrogateescape") if info.file_size < _MAX_LINK else ""
        return Member(info.filename, MemberType.SYMBOLIC_LINK, link=target)
    if stat.S_IFMT(mode) in (0, stat.S_IFREG):
        return Member(info.filename, MemberType.FILE, info.file_size, open=partial(archive.open, info))
    return Member(info.filename, MemberType.OTHER)
