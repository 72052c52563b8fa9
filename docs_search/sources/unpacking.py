"""Unpack archives that strangers made.

Nothing is written outside the target, what is unpacked is counted as it is read (a header may lie), and links are
made last, so that no member is written through one.
"""

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docs_search.documents import PageWarning
from docs_search.sources.archive_members import Member, MemberType, archive_members
from docs_search.sources.base import SourceError

_BLOCK = 1 << 16
_MAX_WARNINGS = 100
_LINK = "is a link that leads out of the archive or to nothing in it, and was left out"


@dataclass(frozen=True, slots=True)
class UnpackLimits:
    """Upper bounds: members of the archive, bytes of all files together, bytes of a single one."""

    members: int = 50_000
    total_bytes: int = 2 << 30
    file_bytes: int = 64 << 20


DEFAULT_LIMITS = UnpackLimits()


def unpack(archive: Path, target: Path, limits: UnpackLimits = DEFAULT_LIMITS) -> list[PageWarning]:
    """Write the files of `archive` below the existing folder `target`.

    Links to a file or folder of the archive are kept. Others are left out, which the result tells, and so are devices
    and pipes.
    Raises SourceError for what is no archive, is damaged, exceeds `limits`, or has a member that would leave `target`.
    """
    headers = limits.members * 3 * tarfile.BLOCKSIZE
    try:
        with ExitStack() as stack:
            return _write_members(
                archive_members(archive, limits.total_bytes + headers, stack), target, limits, archive.name
            )
    except (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError) as error:
        raise SourceError(f"{archive.name} is damaged ({error}). Download or pack it again.") from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile: encrypted, or compressed in an unknown way
        raise SourceError(f"{archive.name} cannot be unpacked ({error}). Pack it again, without a password.") from error
    except (OSError, ValueError) as error:  # names that the file system refuses, a full disk, no permission
        raise SourceError(f"{archive.name} cannot be unpacked: {error}.") from error


def _write_members(members: Iterable[Member], target: Path, limits: UnpackLimits, archive: str) -> list[PageWarning]:
    total = 0
    links: list[tuple[PurePosixPath, Member]] = []
    for count, member in enumerate(members, start=1):
        if count > limits.members:
            raise SourceError(f"{archive} has more than {limits.members:,} members. Pack only the documents.")
        path = _path_inside(member.name, archive)
        if member.type is MemberType.FOLDER:
            (target / path).mkdir(parents=True, exist_ok=True)
        elif member.type is MemberType.FILE:
            total += _write(member, target / path, min(limits.file_bytes, limits.total_bytes - total), archive)
        else:
            links.append((path, member))
    root = target.resolve()
    left_out = [path for path, member in links if not _link(path, member, root)]
    return [PageWarning(_shown(path), _LINK) for path in left_out[:_MAX_WARNINGS]]


def _shown(path: PurePosixPath) -> str:
    """A path as text that can be stored, whatever bytes the archive has for it."""
    return str(path).encode(errors="replace").decode()[:500]


def _path_inside(name: str, archive: str) -> PurePosixPath:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1]):
        raise SourceError(
            f"{archive} has a member that would leave its folder ({name!r}). Pack it with relative paths."
        )
    return path


def _write(member: Member, path: Path, room: int, archive: str) -> int:
    """How many bytes were written: at most `room`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    too_large = SourceError(f"{archive} unpacks to too much at {member.name!r}. Pack only the documents.")
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
    place.parent.mkdir(parents=True, exist_ok=True)
    start = root if member.type is MemberType.HARD_LINK else place.parent
    try:
        aim = (start / member.link).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # leads nowhere, to itself, or is no path
        return False
    inside = aim.is_relative_to(root) and place.parent.resolve().is_relative_to(root)
    if not inside or PurePosixPath(member.link).is_absolute() or place.is_symlink() or place.exists():
        return False
    if member.type is MemberType.SYMBOLIC_LINK:
        place.symlink_to(member.link)
        return True
    if aim.is_file():
        place.hardlink_to(aim)
    return aim.is_file()
