"""Archives that staff upload: kept in the var folder until they have been indexed."""

import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

STALE = timedelta(days=7)


def store(content: Iterable[bytes], name: str) -> Path:
    """Write an archive to a new file, in a folder that nobody else can read or guess the name of. Raises OSError."""
    folder: Path = settings.UPLOAD_DIR / secrets.token_urlsafe(16)
    folder.mkdir(parents=True, mode=0o700)
    # A file name has 255 bytes, and a letter up to four. Without a dot at the beginning it is no hidden file.
    file = folder / (re.sub(r"[^\w.+-]", "-", name)[-60:].lstrip(".") or "archive")
    try:
        file.touch(mode=0o600)
        with file.open("wb") as stored:
            stored.writelines(content)
    except BaseException:
        _delete(file)
        raise
    return file


def is_upload(location: str) -> bool:
    """Whether a location is an archive that was uploaded, and is gone after its run."""
    path = Path(location)
    return path.parent.parent == settings.UPLOAD_DIR and ".." not in path.parts


def discard(location: str | None) -> None:
    """Delete an upload that was indexed, or whose run has failed; any other location stays."""
    if location and is_upload(location):
        _delete(Path(location))


def prune(now: datetime) -> int:
    """Delete uploads whose run never ended, after a week; returns how many."""
    oldest = (now - STALE).timestamp()
    deleted = 0
    for file in settings.UPLOAD_DIR.glob("*/*"):
        with suppress(FileNotFoundError):  # its run has just ended
            if file.is_file() and file.stat().st_mtime < oldest:
                _delete(file)
                deleted += 1
    return deleted


def _delete(file: Path) -> None:
    file.unlink(missing_ok=True)
    with suppress(OSError):  # it is gone, or there is more in it than we put there
        file.parent.rmdir()
