"""Unpack archives that strangers made.

Nothing is written outside the target, what is unpacked is counted as it is read (a header may lie), and links are
made last, so that no member is written through one.
"""

import errno
import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docs_search.documents import PageWarning
from docs_search.sources.archive_members import archive_members
from docs_search.sources.base import SourceError
from docs_search.sources.member import Member, MemberType
from docs_search.sources.temporary import MAX_LEVELS
from docs_search.sources.zip_members import TooManyMembers

_BLOCK = 1 << 16
_MAX_WARNINGS = 100
_LINK = "is a link that leads out of the archive or to nothing in it, and was left out"
_NAME = "has a name that no file can have here (too long, too deep, or taken), and was left out"
# What the system says of a name: too long, taken by a folder, below what is a file.
_NAME_FAULTS = {errno.ENAMETOOLONG, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.EINVAL, errno.EILSEQ}


@dataclass(frozen=True, slots=True)
class UnpackLimits:
    """Upper bounds: members of the archive, bytes of all files together, bytes of a single one."""

    members: int = 50_000
    total_bytes: int = 2 << 30
    file_bytes: int = 64 << 20


DEFAULT_LIMITS = UnpackLimits()


def unpack(archive: Path, target: Path, limits: UnpackLimits = DEFAULT_LIMITS) -> list[PageWarning]:
    """Write the files of `archive` below the existing folder `target`.

    Links to a file or folder of the archive are kept. Others are left out, and so are files with a name that cannot be
    written, which the result tells; devices and pipes are left out without a word.
    Raises SourceError for what is no archive, is damaged, exceeds `limits`, or has a member that would leave `target`.
    """
    headers = limits.members * 3 * tarfile.BLOCKSIZE
    try:
        with closing(archive_members(archive, limits.total_bytes + headers, limits.members)) as members:
            return _write_members(members, target, limits, archive.name)
    except TooManyMembers:
        raise _too_many(archive.name, limits) from None
    except (
        *(tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError),
        struct.error,  # zipfile: for a header that is cut off
    ) as error:
        raise SourceError(f"{archive.name} is damaged ({error}). Download or pack it again.") from error
    except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in a rare way
        raise SourceError(
            f"{archive.name} cannot be unpacked ({error}). Pack it again with the usual compression, without a password"
            " or sparse files."
        ) from error
    except (OSError, ValueError) as error:  # a full disk, no permission
        raise SourceError(f"{archive.name} cannot be unpacked: {error}.") from error


def _write_members(members: Iterable[Member], target: Path, limits: UnpackLimits, archive: str) -> list[PageWarning]:
    total = 0
    links: list[tuple[PurePosixPath, Member]] = []
    left_out: list[PageWarning] = []
    for count, member in enumerate(members, start=1):
        if count > limits.members:
            raise _too_many(archive, limits)
        path = _path_inside(member.name, archive)
        if len(path.parts) > MAX_LEVELS or "\0" in member.name:
            left_out.append(PageWarning(_shown(path), _NAME))
        elif member.type in {MemberType.SYMBOLIC_LINK, MemberType.HARD_LINK}:
            links.append((path, member))
        else:
            try:
                total += _write(member, target / path, min(limits.file_bytes, limits.total_bytes - total), archive)
            except OSError as error:
                if error.errno not in _NAME_FAULTS:
                    raise
                left_out.append(PageWarning(_shown(path), _NAME))
    root = target.resolve()
    left_out += [PageWarning(_shown(path), _LINK) for path, member in links if not _link(path, member, root)]
    return left_out[:_MAX_WARNINGS]


def _shown(path: PurePosixPath) -> str:
    """A path as text that can be stored, whatever bytes the archive has for it."""
    return str(path).encode(errors="replace").decode()[:500]


def _too_many(archive: str, limits: UnpackLimits) -> SourceError:
    return SourceError(f"{archive} has more than {limits.members:,} members. Pack only the documents.")


def _path_inside(name: str, archive: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1]):
        raise SourceError(
            f"{archive} has a member that would leave its folder ({name[:200]!r}). Pack it with relative paths."
        )
    return path


def _write(member: Member, path: Path, room: int, archive: str) -> int:
    """How many bytes were written of a file or folder: at most `room`."""
    if member.type is MemberType.FOLDER:
        path.mkdir(parents=True, exist_ok=True)
    if member.type is not MemberType.FILE:
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    too_large = SourceError(f"{archive} unpacks to too much at {member.name[:200]!r}. Pack only the documents.")
    if member.size > room:
        raise too_large
    with member.open() as content, path.open("wb") as file:
        while block := content.read(_BLOCK):
            written += len(block)
            if written > room:
                raise too_large
            file.write(block)
    return written


def _link(path: PurePosixPath, member: Member, root: Path) -> bool:
    """Make the link if it leads to something that was unpacked and its place is free."""
    place = root / path
    start = root if member.type is MemberType.HARD_LINK else place.parent
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        aim = (start / member.link).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # leads nowhere, to itself, or is no path
        return False
    inside = aim.is_relative_to(root) and place.parent.resolve().is_relative_to(root)
    if not inside or not member.link or PurePosixPath(member.link).is_absolute():
        return False
    try:
        if member.type is MemberType.SYMBOLIC_LINK:
            place.symlink_to(member.link)
        else:
            place.hardlink_to(aim)
    except OSError as error:  # for a hard link to a folder the system has no permission
        if error.errno not in _NAME_FAULTS | {errno.EPERM}:
            raise
        return False
    return True
