"""One run at a time; the next one ends what a killed run left behind."""

import json
import os
import subprocess
from pathlib import Path

import psutil
import pytest

from config.run_lock import AlreadyRunningError, run_lock

URL = "http://127.0.0.1:8000/"


def test_a_second_run_is_refused_and_told_where_the_first_one_is(tmp_path: Path) -> None:
    with (
        run_lock(tmp_path / "run.lock", URL),
        pytest.raises(AlreadyRunningError, match=rf"already runs at {URL} \(process {os.getpid()}\)"),
        run_lock(tmp_path / "run.lock", "http://127.0.0.1:9000/"),
    ):
        pass


def test_after_a_run_the_next_may_start(tmp_path: Path) -> None:
    for _ in range(2):
        with run_lock(tmp_path / "var" / "run.lock", URL):
            assert json.loads((tmp_path / "var" / "run.lock").read_text())["url"] == URL


def test_children_of_a_killed_run_are_ended_by_the_next(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as child:
        with run_lock(tmp_path / "run.lock", URL) as lock:
            lock.note([child.pid])
        with run_lock(tmp_path / "run.lock", URL):
            assert child.wait(5) == -15


def test_a_process_that_got_the_number_of_a_dead_child_is_left_alone(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        created = psutil.Process(stranger.pid).create_time()
        record = {"pid": 1, "url": URL, "children": [[stranger.pid, created - 100], [2**22 + 1, created]]}
        (tmp_path / "run.lock").write_text(json.dumps(record))
        with run_lock(tmp_path / "run.lock", URL):
            assert stranger.poll() is None
        stranger.kill()


def test_an_unreadable_record_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "run.lock").write_text('{"pid": 1')
    with run_lock(tmp_path / "run.lock", URL):
        assert json.loads((tmp_path / "run.lock").read_text())["children"] == []
