"""What every kind of source shares."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from docs_search.documents import Source
from docs_search.progress import SILENT, Progress

_ADDRESS = re.compile(r"(?:git\+)?https?://", re.IGNORECASE)
_CREDENTIALS = re.compile(r"\s*[a-z][a-z0-9+.-]*:[/\\]{2}[^/?#]*@", re.IGNORECASE)
_QUERY = re.compile(r"\?[^#]*")


MISSING_SUBFOLDER = "is no folder of the source, so all of it was read"


class SourceError(Exception):
    """A location that cannot be read as documents. The message names it and says what to do.

    `retryable` says whether the same location may be read later, with nothing changed here.
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """How a location is read.

    `subfolder` restricts the documents to a folder, and paths are then relative to it; where it does not exist, all is
    read. `progress` hears of what takes long. `is_release` says whether the name of a tag is a release of the wanted
    version, for a location that leaves the tag open. With `sample` a site is only looked at: so many documents at most,
    and nothing is kept for a later run.
    """

    subfolder: str = ""
    progress: Progress = SILENT
    is_release: Callable[[str], bool] | None = None
    sample: int | None = None


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One way to get documents: `accepts` judges a location by itself, `open` reads it.

    What `open` returns cleans up after itself. It raises SourceError.
    """

    name: str
    accepts: Callable[[str], bool]
    open: Callable[[str, SourceOptions], AbstractContextManager[Source]]


def is_address(location: str) -> bool:
    """Whether a location is on the web, not on this machine."""
    return _ADDRESS.match(location) is not None


def has_password(location: str) -> bool:
    """Whether an address has a user name or password in it, which must be neither stored nor shown."""
    return _CREDENTIALS.match(location) is not None


def advice(status: int) -> str:
    """What to do about an address that answers with an error status, in a sentence."""
    if status in {404, 410}:
        return "Check the location."
    if status in {401, 403}:
        return "Its host does not give it to everybody: get the documents yourself, and name their folder or archive."
    return "Try again later."


def without_query(location: str) -> str:
    """A location as it may be stored and shown: the query of an address may be the signature of a download."""
    return _QUERY.sub("", location, count=1) if is_address(location) else location
