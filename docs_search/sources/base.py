"""What every kind of source shares."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from docs_search.documents import Source


class SourceError(Exception):
    """A location that cannot be read as documents. The message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One way to get documents: `accepts` judges a location by itself, `open` reads it.

    `open` takes the location and a subfolder to which the documents are restricted where it exists; what it returns
    cleans up after itself. It raises SourceError.
    """

    name: str
    accepts: Callable[[str], bool]
    open: Callable[[str, str | None], AbstractContextManager[Source]]
