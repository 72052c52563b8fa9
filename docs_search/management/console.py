"""What the commands share: the corpus they are given, and what they show while they work."""

from types import TracebackType
from typing import IO, Self, cast

from django.core.management.base import CommandError, OutputWrapper
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from docs_search.models import Corpus


def find_corpus(slug: str) -> Corpus:
    """The corpus that a command is to work on. Raises CommandError with those that exist."""
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.values_list("slug", flat=True)) or "none; run load_corpora first"
        raise CommandError(f"There is no corpus {slug!r}. Corpora: {known}.")
    return corpus


def console_on(output: OutputWrapper) -> Console:
    """A console that writes to a command's output."""
    return Console(file=cast(IO[str], output), highlight=False)


class ConsoleProgress:
    """One bar for each stage, with its rate and the time left."""

    def __init__(self, console: Console) -> None:
        self._bars = Bars(
            TextColumn("{task.description:8}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:>8}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def stage(self, name: str, total: int) -> None:
        self._task = self._bars.add_task(name, total=total, rate="")

    def advance(self, units: int = 1) -> None:
        if self._task is not None:
            self._bars.update(self._task, advance=units)
            speed = self._bars.tasks[self._task].speed
            self._bars.update(self._task, rate=f"{speed:.0f}/s" if speed else "")
