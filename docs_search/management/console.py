"""What the commands share: the corpus they are given, what they show while they work, and how they end early."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from types import TracebackType
from typing import IO, Self, cast

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import Error
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from docs_search.embedding.embedder import EmbeddingError
from docs_search.errors import DocentError
from docs_search.indexing.runs import IndexingError
from docs_search.models import Corpus
from docs_search.sources import SourceError
from docs_search.storable_text import storable

INTERRUPTED = 130  # as a shell reports what SIGINT ended
_UNCHANGED = "The published version is unchanged; the vectors computed so far are kept."


def find_corpus(slug: str) -> Corpus:
    """The corpus that a command is to work on. Raises CommandError with those that exist."""
    corpus = Corpus.objects.filter(slug=storable(slug)).first()
    if corpus is None:
        slugs = list(Corpus.objects.values_list("slug", flat=True))
        close = get_close_matches(slug, slugs, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        known = ", ".join(slugs) or "none; run load_corpora first"
        raise CommandError(f"There is no corpus {slug!r}.{hint} Corpora: {known}.")
    return corpus


class IndexingCommand(BaseCommand):
    """A command that indexes: it ends early with one line that tells what became of the index."""

    def run_from_argv(self, argv: list[str]) -> None:
        """Only in a terminal: commands that call this one end by themselves when they are interrupted."""
        try:
            super().run_from_argv(argv)
        except KeyboardInterrupt as interruption:
            self.stderr.write(f"Interrupted. {str(interruption) or _UNCHANGED}")
            sys.exit(INTERRUPTED)


@contextmanager
def readable_faults() -> Iterator[None]:
    """Turn what a run may meet into a CommandError that says what to do; --traceback shows the rest."""
    try:
        yield
    except (DocentError, EmbeddingError, IndexingError, SourceError) as fault:
        raise CommandError(str(fault)) from fault
    except OSError as fault:
        place = f": {fault.filename}" if fault.filename else ""
        raise CommandError(
            f"{fault.strerror or fault}{place}. Mend that, then run the command again. {_UNCHANGED}"
        ) from fault
    except Error as fault:
        reason = " ".join(str(fault).split()) or type(fault).__name__
        raise CommandError(
            f"The database does not go on: {reason.rstrip('.')}. Mend that, then run the command again. {_UNCHANGED}"
        ) from fault


def console_on(output: OutputWrapper) -> Console:
    """A console that writes to a command's output."""
    return Console(file=cast(IO[str], output), highlight=False)


class ConsoleProgress:
    """One bar for each stage, with its rate and the time left; nothing where there is no terminal."""

    def __init__(self, console: Console, *, shown: bool = True) -> None:
        self._shown = shown and console.is_interactive
        self._bars = Bars(
            TextColumn("{task.description:8}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:>8}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not self._shown,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown and self._task is not None:
            self._bars.stop()  # elsewhere this would print a blank line

    def stage(self, name: str, total: int) -> None:
        if self._task is None:  # not before, since bars without a stage are a blank line
            self._bars.start()
        self._task = self._bars.add_task(name, total=total, rate="")

    def advance(self, units: int = 1) -> None:
        if self._task is not None:
            self._bars.update(self._task, advance=units)
            speed = self._bars.tasks[self._task].speed
            self._bars.update(self._task, rate=f"{speed:.0f}/s" if speed else "")

    def grow(self, units: int) -> None:
        if self._task is not None:
            self._bars.update(self._task, total=(self._bars.tasks[self._task].total or 0) + units)
