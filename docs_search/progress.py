"""How a long run tells what it is doing."""

from typing import Protocol


class Progress(Protocol):
    """Receives the stages of a run, one after the other, and the units done in each."""

    def stage(self, name: str, total: int) -> None:
        """A stage of `total` units begins."""

    def advance(self, units: int = 1) -> None:
        """So many more units of the stage are done."""

    def grow(self, units: int) -> None:
        """The stage turns out to have so many more units."""


class Silent:
    """Tells nobody."""

    def stage(self, name: str, total: int) -> None:
        pass

    def advance(self, units: int = 1) -> None:
        pass

    def grow(self, units: int) -> None:
        pass


SILENT = Silent()
