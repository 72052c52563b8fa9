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
    """Write an archive to a new file that nobody else can read or guess the name of. Raises OSError."""
    folder: Path = settings.UPLOAD_DIR
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    readable = re.sub(r"[^\w.+-]", "-", name)[-50:]  # a file name has 255 bytes, and a letter up to four
    file = folder / f"{secrets.token_urlsafe(16)}-{readable}"
    file.touch(mode=0o600, exist_ok=False)
    try:
        with file.open("wb") as stored:
            stored.writelines(content)
    except BaseException:
        file.unlink()
        raise
    return file


def discard(location: str | None) -> None:
    """Delete an upload that was indexed, or whose run has failed; any other location stays."""
    if location and Path(location).parent == settings.UPLOAD_DIR:
        Path(location).unlink(missing_ok=True)


def prune(now: datetime) -> int:
    """Delete uploads whose run never ended, after a week; returns how many."""
    oldest = (now - STALE).timestamp()
    deleted = 0
    for file in settings.UPLOAD_DIR.glob("*"):
        with suppress(FileNotFoundError):  # its run has just ended
            if file.is_file() and file.stat().st_mtime < oldest:
                file.unlink()
                deleted += 1
    return deleted
