"""`manage.py run`: everything starts with one command, stays up, and stops with one signal."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import psutil
import pytest
from django.conf import settings
from django.contrib.auth import get_user_model

from config.endpoint import Endpoint
from config.management.commands.run import address_variables, first_admin_password
from config.postgres.cluster import living_postmaster

# Variables that would make it another installation.
OTHERWISE = {"API_SERVER_URL", "DATABASE_URL", "DEFAULT_CORPUS", "PG_BINDIR", "REDIS_URL"}
READY = "Ctrl-C stops Docent."
MANUAL = """# Manual

## Index documentation

Declare a corpus, name the folder that holds its documentation, and run the command that indexes it.
"""
CORPORA = """
[docent]
title = "Docent"
url = "{{server}}/pages/docent/{{path}}"
source = "{source}"
parser = "markdown"
version_scheme = "none"
"""


class Run:
    """One `manage.py run` and what it prints."""

    def __init__(self, process: subprocess.Popen[bytes], file: Path) -> None:
        self.process = process
        self._file = file

    @property
    def output(self) -> str:
        return self._file.read_text()

    def wait_until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline, self.output
            time.sleep(0.02)

    def wait_until_ready(self) -> None:
        self.wait_until(lambda: READY in self.output or self.process.poll() is not None)
        assert READY in self.output, self.output

    def family(self) -> list[psutil.Process]:
        """The processes of the run: itself, server, worker and theirs."""
        leader = psutil.Process(self.process.pid)
        return [leader, *leader.children(recursive=True)]

    def server(self) -> psutil.Process | None:
        for process in self.family():
            with suppress(psutil.Error):  # it just ended
                if "daphne" in process.cmdline():
                    return process
        return None


class Installation:
    """A var folder and a manual of the tests' own, on a free port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.var = folder / "var"
        self.var.mkdir()
        settings.MODEL_DIR.mkdir(parents=True, exist_ok=True)
        (self.var / "models").symlink_to(settings.MODEL_DIR)  # made once for all tests
        (folder / "manual").mkdir()
        (folder / "manual" / "index.md").write_text(MANUAL)
        (folder / "corpora.toml").write_text(CORPORA.format(source=folder / "manual"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.runs: list[Run] = []

    def start(self, *arguments: str, **variables: str) -> Run:
        environment = {name: value for name, value in os.environ.items() if name not in OTHERWISE}
        environment |= {"DOCENT_VAR": str(self.var), "CORPORA_FILE": str(self.folder / "corpora.toml")}
        environment |= {"PG_DURABLE": "0", "PORT": str(self.port)} | variables
        file = self.folder / f"output-{len(self.runs)}"
        with file.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "run", *arguments],
                cwd=settings.BASE_DIR,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.runs.append(Run(process, file))
        return self.runs[-1]

    def stop(self) -> None:
        """End what a failed test left running."""
        for run in self.runs:
            run.process.terminate()
            run.process.wait(30)

    def get(self, path: str) -> bytes:
        """The body of a page. Raises URLError where nothing answers or the status is no success."""
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as response:
            return bytes(response.read())

    def healthy(self) -> bool:
        try:
            return bool(self.get("/v1/health"))
        except URLError:
            return False

    def postmaster(self) -> int | None:
        postmaster = living_postmaster(self.var / "postgres" / "data")
        return postmaster.pid if postmaster else None


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        installation = Installation(Path(folder))
        yield installation
        installation.stop()


@pytest.fixture(scope="module")
def first_run(installation: Installation) -> Run:
    """The first run of the installation. The tests below follow it to its end, in their order."""
    run = installation.start()
    run.wait_until_ready()
    return run


def is_alive(process: psutil.Process) -> bool:
    """Whether it runs; what has ended and waits to be reaped does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_the_first_run_serves_the_manual_and_makes_an_admin(installation: Installation, first_run: Run) -> None:
    assert re.search(r"as admin with the password \S{16}\n", first_run.output)
    urls = re.findall(rf"http://127\.0\.0\.1:{installation.port}(/\S*)", first_run.output)
    assert {"/v1/search?q=index+my+documentation", "/v1/openapi.json", "/admin/"} <= set(urls)
    assert all(installation.get(url) for url in urls)
    results = json.loads(installation.get("/v1/search?q=index+documentation&corpus=docent"))["results"]
    assert [(result["title"], result["url"]) for result in results] == [
        ("Manual", f"http://127.0.0.1:{installation.port}/pages/docent/index")
    ]


def test_a_second_run_is_refused(installation: Installation, first_run: Run) -> None:
    refused = installation.start(PORT="1")
    assert refused.process.wait(30) == 1
    assert f"Docent already runs at http://127.0.0.1:{installation.port}/" in refused.output


def test_a_server_and_a_database_that_were_killed_come_back(installation: Installation, first_run: Run) -> None:
    server, database = first_run.server(), installation.postmaster()
    assert server
    assert database
    server.kill()
    first_run.wait_until(lambda: first_run.server() not in {None, server} and installation.healthy())
    assert installation.get("/v1/search?q=index&corpus=docent")  # leaves connections in the server's pool
    psutil.Process(database).kill()
    first_run.wait_until(lambda: installation.postmaster() not in {None, database})
    assert all(installation.get("/v1/search?q=index&corpus=docent") for _ in range(5))


def test_the_next_run_ends_what_a_killed_run_left_is_quick_and_stops_completely(
    installation: Installation, first_run: Run
) -> None:
    orphans = first_run.family()[1:]
    first_run.process.kill()
    first_run.process.wait()
    assert all(is_alive(orphan) for orphan in orphans)

    run = installation.start("--port", str(installation.port), PORT="")
    run.wait_until_ready()
    document = json.loads(installation.get("/v1/openapi.json"))
    assert document["servers"] == [{"url": f"http://127.0.0.1:{installation.port}"}]
    assert not any(is_alive(orphan) for orphan in orphans)
    assert "password" not in run.output
    seconds = re.search(r"ready after (\S+) s", run.output)
    assert seconds
    assert float(seconds[1]) < 25  # 3 s on an idle machine, and 6 s for the worker that was left

    run.wait_until(lambda: len(run.family()) == 5)  # itself, the server, and the worker with its pool and its clock
    family = run.family()
    begun = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(30) == 0
    assert time.monotonic() - begun < 4  # 1 s on an idle machine
    assert run.output.endswith("Ctrl-C stops Docent.\n\nDocent is stopping.\nDocent stopped.\n")
    assert [process for process in family if is_alive(process)] == []
    assert installation.postmaster() is None


def test_a_taken_port_is_named_before_anything_starts(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    with socket.create_server(("127.0.0.1", installation.port)):
        run = installation.start()
        assert run.process.wait(30) == 1
    expected = f"Cannot listen on 127.0.0.1, port {installation.port}: Address already in use. Choose another: PORT="
    assert expected in run.output
    assert not (installation.var / "postgres").exists()


def test_an_impossible_port_is_refused(tmp_path: Path) -> None:
    run = Installation(tmp_path).start(PORT="70000")
    assert run.process.wait(30) == 2
    assert "'70000' is not a number from 1 to 65535" in run.output


@pytest.mark.parametrize(
    ("host", "given", "address"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:9000"),
        ("0.0.0.0", "  ", "http://127.0.0.1:9000"),
        ("::", "", "http://[::1]:9000"),
        ("192.0.2.7", "", "http://192.0.2.7:9000"),
        ("0.0.0.0", "https://docs.example.org", "https://docs.example.org"),
    ],
)
def test_server_and_worker_know_the_address_that_is_listened_on(
    monkeypatch: pytest.MonkeyPatch, host: str, given: str, address: str
) -> None:
    monkeypatch.setenv("API_SERVER_URL", given)
    assert address_variables(Endpoint(host, 9000)) == {"PORT": "9000", "API_SERVER_URL": address}


@pytest.mark.django_db
def test_an_admin_is_made_once() -> None:
    password = first_admin_password()
    assert password
    admin = get_user_model()._default_manager.get()
    assert (admin.get_username(), admin.is_superuser, admin.check_password(password)) == ("admin", True, True)
    assert first_admin_password() is None
