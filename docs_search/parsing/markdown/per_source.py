"""What a parser knows of a source as a whole: its configuration, its table of contents."""

from collections.abc import Callable
from typing import Generic, TypeVar

from docs_search.documents import ParseContext

Value = TypeVar("Value")
Read = Callable[[str], bytes | None]


class PerSource(Generic[Value]):
    """A value that is read from a source once, for all of its documents.

    `read` makes it from the paths of a source and a function that reads them.
    """

    def __init__(self, read: Callable[[frozenset[str], Read], Value]) -> None:
        self._read = read
        self._paths: frozenset[str] | None = None
        self.value: Value | None = None

    def open(self, context: ParseContext) -> None:
        """Read the value, unless it is that of the same source already."""
        if self._paths is not context.paths:
            self.value = self._read(context.paths, context.read)
            self._paths = context.paths

    def of(self, paths: frozenset[str]) -> Value:
        """The value of the opened source; of another one what the names of its files tell."""
        if self.value is None or self._paths is not paths:
            return self._read(paths, lambda _: None)
        return self.value
