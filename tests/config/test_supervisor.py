"""Child processes: restarted when they die, given up when they never stay, ended with all their own children."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from config import supervisor
from config.supervisor import Service, ServiceFailedError, Supervisor

# Notes its process id, then does what the test wants.
NOTE = "import os, signal, subprocess, sys, time; open('pids', 'a').write(f'{os.getpid()}\\n'); "


class Watched:
    """A supervisor with what it reported."""

    def __init__(self, folder: Path, program: str, stop_signal: signal.Signals, environment: dict[str, str]) -> None:
        self.folder = folder
        self.reports: list[str] = []
        self.children: list[list[int]] = []
        command = [sys.executable, "-c", NOTE + program]
        service = Service("worker", command, folder, environment, stop_signal)
        self.supervisor = Supervisor([service], report=self.reports.append, changed=self.children.append)

    def pids(self) -> list[int]:
        """The processes that have started so far."""
        file = self.folder / "pids"
        return [int(line) for line in file.read_text().split()] if file.exists() else []

    def tend_until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < deadline
            self.supervisor.tend()
            time.sleep(0.01)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    watched: list[Watched] = []

    def start(program: str, stop_signal: signal.Signals = signal.SIGTERM, **environment: str) -> Watched:
        watched.append(Watched(tmp_path, program, stop_signal, environment))
        return watched[-1]

    yield start
    for each in watched:
        each.supervisor.stop()


def test_a_service_that_dies_is_started_again(watch: Callable[..., Watched]) -> None:
    watched = watch("time.sleep(60)")
    watched.tend_until(watched.pids)
    psutil.Process(watched.pids()[0]).kill()
    watched.tend_until(lambda: len(watched.pids()) == 2)
    assert watched.reports == ["The worker died with status -9; it starts again in 1 s."]
    assert watched.children == [[pid] for pid in watched.pids()]


def test_pauses_grow_and_a_service_that_never_stays_up_is_given_up(
    watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "FIRST_PAUSE_SECONDS", 0.01)
    watched = watch("sys.exit(3)")
    with pytest.raises(ServiceFailedError, match=r"The worker died 5 times right after its start.*status 3"):
        watched.tend_until(lambda: False)
    assert len(watched.pids()) == 5
    assert [report.split()[-2] for report in watched.reports] == ["0.01", "0.02", "0.04", "0.08"]


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, signal.SIGQUIT])
def test_stopping_lets_a_service_finish(watch: Callable[..., Watched], stop_signal: signal.Signals) -> None:
    watched = watch(
        f"signal.signal({stop_signal.value}, lambda *_: (open('finished', 'w').close(), sys.exit()));"
        "open('ready', 'w').close(); time.sleep(60)",
        stop_signal,
    )
    watched.tend_until((watched.folder / "ready").exists)
    watched.supervisor.stop()
    assert (watched.folder / "finished").exists()
    assert not psutil.pid_exists(watched.pids()[0])


def test_stopping_ends_by_force_what_does_not_listen_and_its_children(
    watch: Callable[..., Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "GRACE_SECONDS", 0.2)
    watched = watch(
        "signal.signal(signal.SIGTERM, signal.SIG_IGN); child = subprocess.Popen(['sleep', '60']);"
        "open('child', 'w').write(str(child.pid)); open('ready', 'w').close(); time.sleep(60)"
    )
    watched.tend_until((watched.folder / "ready").exists)
    child = psutil.Process(int((watched.folder / "child").read_text()))
    watched.supervisor.stop()
    assert not psutil.pid_exists(watched.pids()[0])
    assert child.wait(5) is None


def test_children_of_a_service_that_died_do_not_outlive_it(watch: Callable[..., Watched]) -> None:
    watched = watch(
        "child = subprocess.Popen(['sleep', '60']); open('child', 'w').write(str(child.pid));"
        "open('ready', 'w').close(); time.sleep(60)"
    )
    watched.tend_until((watched.folder / "ready").exists)
    child = psutil.Process(int((watched.folder / "child").read_text()))
    psutil.Process(watched.pids()[0]).kill()
    watched.tend_until(lambda: watched.reports)
    assert child.wait(5) is None


def test_a_service_has_its_folder_its_variables_and_a_process_group_of_its_own(watch: Callable[..., Watched]) -> None:
    watched = watch(
        "open('facts', 'w').write(f'{os.getcwd()} {os.environ[\"POOL\"]} {os.getpgid(0) == os.getpid()}');"
        "open('ready', 'w').close(); time.sleep(60)",
        POOL="7",
    )
    watched.tend_until((watched.folder / "ready").exists)
    assert (watched.folder / "facts").read_text() == f"{os.path.realpath(watched.folder)} 7 True"
