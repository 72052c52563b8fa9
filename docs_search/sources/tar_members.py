"""The members of a tar archive that a stranger made, in memory and time that do not depend on its headers.

`tarfile` finds headers and contents. Extended headers (long names) are read here: by itself it takes one into memory
whole, hands those for the whole archive on to each member, and follows a chain of them by calling itself.
"""

import io
import tarfile
from collections.abc import Iterator
from functools import partial
from typing import IO, Self

from docs_search.sources.member import Member, MemberType

_MAX_EXTENDED = 128 << 20  # bytes of all extended headers together
_MARK = b"extended "  # before the type of such a header, so that `tarfile` takes it for a member that it does not know
_EXTENDED = (
    tarfile.XHDTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_KEYS = {b"path", b"linkpath", b"size"}
_SPARSE = "it holds sparse files"


class _Header(tarfile.TarInfo):
    """A header that must be whole. By itself `tarfile` takes a damaged or missing one for the end of the archive."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):  # the mark at the end
                raise
            raise tarfile.ReadError(f"it is cut off, or a header in it is broken: {error}") from error
        if header.type == tarfile.GNUTYPE_SPARSE:
            raise NotImplementedError(_SPARSE)
        if header.size < 0:
            raise tarfile.ReadError("a member in it has less than no content")
        if header.type in _EXTENDED:
            header.type = _MARK + header.type
        return header


def tar_members(stream: io.RawIOBase) -> Iterator[Member]:
    """The members of an archive that is read from front to back. Raises what `tarfile` raises, and NotImplementedError
    for sparse files."""
    room = _MAX_EXTENDED
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:
        extended: dict[bytes, bytes] = {}
        while info := archive.next():
            archive.members = []  # type: ignore[attr-defined]  # which it would keep
            if info.type.startswith(_MARK):
                room -= tarfile.BLOCKSIZE + info.size
                if room < 0:
                    raise tarfile.ReadError("its extended headers are too large")
                extended |= _extended(info, _content(archive, info).read())
            else:
                yield _member(archive, info, extended)
                extended = {}
        _read_to_end(archive)


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo, extended: dict[bytes, bytes]) -> Member:
    name = _text(extended.get(b"path")) or info.name
    link = _text(extended.get(b"linkpath")) or info.linkname
    if extended.get(b"size", b"%d" % info.size) != b"%d" % info.size:  # of more than 8 GiB
        raise tarfile.ReadError(f"the size of {name[:200]!r} is not that of its header")
    if info.isfile():
        return Member(name, MemberType.FILE, info.size, open=partial(_content, archive, info))
    if info.isdir():
        return Member(name, MemberType.FOLDER)
    if info.issym():
        return Member(name, MemberType.SYMBOLIC_LINK, link=link)
    if info.islnk():
        return Member(name, MemberType.HARD_LINK, link=link)
    return Member(name, MemberType.OTHER)


def _extended(info: tarfile.TarInfo, data: bytes) -> dict[bytes, bytes]:
    """What an extended header says of the member that follows it; what it says of all members (`g`) is not needed."""
    match info.type.removeprefix(_MARK):
        case tarfile.GNUTYPE_LONGNAME:
            return {b"path": data.partition(b"\0")[0]}
        case tarfile.GNUTYPE_LONGLINK:
            return {b"linkpath": data.partition(b"\0")[0]}
        case tarfile.XGLTYPE:
            return {}
    records = list(_records(data))
    if any(key.startswith(b"GNU.sparse.") for key, _ in records):
        raise NotImplementedError(_SPARSE)
    return {key: value for key, value in records if key in _KEYS}


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Keys and values of the records `LENGTH KEY=VALUE\\n`, whose length counts all of it (POSIX.1-2001, pax)."""
    start = 0
    while start < len(data):
        length = data[start : start + 20].partition(b" ")[0]
        end = start + int(length) if length.isdigit() else 0
        key, equals, value = data[start + len(length) + 1 : max(0, end - 1)].partition(b"=")
        if not (key and equals) or data[end - 1 : end] != b"\n":
            raise tarfile.ReadError("an extended header in it is broken")
        yield key, value
        start = end


def _text(name: bytes | None) -> str:
    return (name or b"").decode(errors="surrogateescape")


def _content(archive: tarfile.TarFile, info: tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    if file is None:
        raise tarfile.ReadError(f"{info.name[:200]!r} has no content")
    return file


def _read_to_end(archive: tarfile.TarFile) -> None:
    """Read what follows the first block of zeros: the second one, and the checksums of the compression."""
    if archive.fileobj is None or any(archive.fileobj.read(tarfile.BLOCKSIZE)):
        raise tarfile.ReadError("a block of zeros stands in its middle")
    while archive.fileobj.read(tarfile.RECORDSIZE):
        pass
