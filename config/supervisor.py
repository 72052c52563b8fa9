"""Child processes that are kept running until their parent stops: restarted when they die, ended together."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

QUICK_DEATH_SECONDS = 10.0
MOST_QUICK_DEATHS = 5
FIRST_PAUSE_SECONDS = 1.0
GRACE_SECONDS = 10.0


class ServiceFailedError(Exception):
    """A service keeps dying right after its start."""


@dataclass(frozen=True, slots=True)
class Service:
    """A program to keep running, in `folder`, with `environment` added to our own. `stop_signal` tells it to end."""

    name: str
    command: Sequence[str | Path]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    stop_signal: signal.Signals = signal.SIGTERM


class Supervisor:
    """Keeps services running. `report` is told what goes wrong; `changed` gets the process ids after each start."""

    def __init__(
        self, services: Sequence[Service], *, report: Callable[[str], None], changed: Callable[[list[int]], None]
    ) -> None:
        self._children = [Child(service) for service in services]
        self._report = report
        self._changed = changed

    def tend(self) -> None:
        """Start what does not run and is due. Raises ServiceFailedError for a service that does not stay up."""
        for child in self._children:
            if message := child.reap():
                self._report(message)
            if child.due():
                child.start()
                self._changed([child.process.pid for child in self._children if child.process])

    def stop(self) -> None:
        """Tell every child to end, wait, then end by force what is left of them and of their own children."""
        running = [(child.process, child.service.stop_signal) for child in self._children if child.process]
        for process, stop_signal in running:
            process.send_signal(stop_signal)
        deadline = time.monotonic() + GRACE_SECONDS
        for process, _ in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            kill_group(process.pid)
            process.wait()


class Child:
    """One service and its present process, the leader of a process group of its own."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._next_start = 0.0
        self._quick_deaths = 0

    def due(self) -> bool:
        return self.process is None and time.monotonic() >= self._next_start

    def start(self) -> None:
        self._started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - our own arguments
            self.service.command,
            cwd=self.service.folder,
            env=os.environ | self.service.environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is for the supervisor alone
        )

    def reap(self) -> str | None:
        """What to report where the process has died since the last look; its next start is planned."""
        if self.process is None or self.process.poll() is None:
            return None
        status = self.process.returncode
        kill_group(self.process.pid)
        self.process = None
        quick = time.monotonic() - self._started < QUICK_DEATH_SECONDS
        self._quick_deaths = self._quick_deaths + 1 if quick else 0
        if self._quick_deaths >= MOST_QUICK_DEATHS:
            raise ServiceFailedError(
                f"The {self.service.name} died {MOST_QUICK_DEATHS} times right after its start,"
                f" the last time with status {status}."
            )
        pause = FIRST_PAUSE_SECONDS * 2 ** max(0, self._quick_deaths - 1)
        self._next_start = time.monotonic() + pause
        return f"The {self.service.name} died with status {status}; it starts again in {pause:g} s."


def kill_group(leader: int) -> None:
    """End a process group by force, if anything is left of it."""
    with suppress(ProcessLookupError, PermissionError):  # macOS refuses what is dead and not reaped
        os.killpg(leader, signal.SIGKILL)
