"""The embedded PostgreSQL: created, shared, stopped by its last user, and back after every kind of death."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from config.postgres import programs
from config.postgres.cluster import Address, living_postmaster
from config.postgres.embedded import EmbeddedPostgres
from config.postgres.programs import Account, EmbeddedPostgresError, programs_folder, reachable_folder, server_account

BASE_DIR = Path(__file__).resolve().parents[2]
# A process that uses the server until its input ends.
USER = """
import sys
from pathlib import Path
from config.postgres.embedded import embedded_postgres
print(embedded_postgres(Path(sys.argv[1]), durable=False).start().port, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that the server's account can reach, unlike pytest's own where we are root."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture(scope="module")
def created() -> Iterator[Path]:
    """A server that was created once; each test starts and stops it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        server = EmbeddedPostgres(Path(folder) / "postgres", durable=False)
        server.start()
        server.leave()
        yield Path(folder) / "postgres"


@pytest.fixture
def server(created: Path) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(created, durable=False)
    yield server
    server.leave()
    assert not living_postmaster(created / "data")


def connect(address: Address, password: str | None = None) -> psycopg.Connection:
    return psycopg.connect(
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password if password is None else password,
        dbname=address.dbname,
    )


def user_process(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", USER, folder],
        cwd=BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def postmaster_pid(folder: Path) -> int | None:
    postmaster = living_postmaster(folder / "data")
    return postmaster.pid if postmaster else None


def kill_postmaster(folder: Path) -> None:
    pid = postmaster_pid(folder)
    assert pid is not None
    process = psutil.Process(pid)
    process.kill()
    process.wait(10)


def test_the_first_start_creates_a_database_for_local_clients_with_the_password(place: Path) -> None:
    server = EmbeddedPostgres(place / "postgres")
    address = server.start()
    try:
        with connect(address) as connection:
            facts = connection.execute(
                "SELECT current_database(), current_setting('listen_addresses'),"
                " current_setting('unix_socket_directories'), current_setting('fsync'), datctype, datlocale,"
                " to_tsvector('simple', 'Ökologie')::text FROM pg_database WHERE datname = current_database()"
            ).fetchone()
            vector = connection.execute("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'").fetchone()
        assert facts == ("docent", "127.0.0.1", "", "on", "C.UTF-8", "C.UTF-8", "'ökologie':1")
        assert vector == (1,)
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            connect(address, password="guess")
        assert stat.S_IMODE((place / "postgres" / "password").stat().st_mode) == 0o600
        assert address.password not in repr(address)
        assert sorted(file.name for file in (place / "postgres").iterdir()) == [
            "data",
            "lock",
            "password",
            "port",
            "server.log",
            "users",
        ]
    finally:
        server.leave()


def test_starting_again_finds_the_same_server(created: Path, server: EmbeddedPostgres) -> None:
    first = server.start()
    pid = postmaster_pid(created)
    assert server.start() == first
    assert postmaster_pid(created) == pid


def test_the_last_user_stops_the_server(created: Path, server: EmbeddedPostgres) -> None:
    other = EmbeddedPostgres(created, durable=False)
    assert other.start() == server.start()
    other.leave()
    assert postmaster_pid(created) is not None
    server.leave()
    assert postmaster_pid(created) is None
    server.leave()  # nothing more to leave


def test_racing_processes_share_one_server_and_the_last_to_exit_stops_it(place: Path) -> None:
    folder = place / "postgres"
    processes = [user_process(folder) for _ in range(3)]
    ports = {process.stdout.readline() for process in processes if process.stdout}
    assert len(ports) == 1
    assert (folder / "server.log").read_text().count("database system is ready") == 1
    for process in processes:
        assert postmaster_pid(folder) is not None
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == 0
    assert postmaster_pid(folder) is None


def test_after_a_killed_user_the_next_one_to_leave_stops_the_server(created: Path, server: EmbeddedPostgres) -> None:
    with user_process(created) as process:
        assert process.stdout
        process.stdout.readline()
        process.kill()
    pid = postmaster_pid(created)
    assert pid is not None
    server.start()
    assert postmaster_pid(created) == pid
    server.leave()
    assert postmaster_pid(created) is None


def test_a_killed_server_comes_back_with_its_rows(created: Path) -> None:
    server = EmbeddedPostgres(created)
    before = server.start()
    with connect(before) as connection:
        connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS number")
    kill_postmaster(created)
    after = server.start()
    assert after == before
    with connect(after) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (1000,)
    server.leave()


def test_a_killed_server_comes_back_while_one_of_its_sessions_is_still_busy(
    created: Path, server: EmbeddedPostgres
) -> None:
    address = server.start()
    broken = connect(address)
    session = psutil.Process(broken.info.backend_pid)
    session.suspend()  # it cannot notice that the server died, and keeps the shared memory
    kill_postmaster(created)
    with subprocess.Popen(["/bin/sh", "-c", f"sleep 1; kill -CONT {session.pid}"]):
        assert server.start() == address
    broken.close()
    with connect(address) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("command", ["sleep 60", "exit 0"], ids=["another program", "a zombie"])
def test_a_pid_file_that_names_something_else_does_not_stop_the_start(
    created: Path, server: EmbeddedPostgres, command: str
) -> None:
    data = created / "data"
    account = server_account(data)
    with subprocess.Popen(["/bin/sh", "-c", command], user=account.user, group=account.group) as stranger:
        if command == "exit 0":
            while psutil.Process(stranger.pid).status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.01)
        (data / "postmaster.pid").write_text(f"{stranger.pid}\n{data}\n1700000000\n5432\n\n127.0.0.1\n1 1\nready   \n")
        assert server.start().port != 5432
        assert postmaster_pid(created) != stranger.pid
        stranger.kill()


def test_a_second_server_never_runs_on_data_that_were_moved_under_the_first(place: Path) -> None:
    first = EmbeddedPostgres(place / "postgres", durable=False)
    first.start()
    (place / "postgres").rename(place / "moved")
    with pytest.raises(EmbeddedPostgresError, match=r"was started on .* Stop it"):
        EmbeddedPostgres(place / "moved", durable=False).start()
    (place / "moved").rename(place / "postgres")
    first.leave()
    assert postmaster_pid(place / "postgres") is None


def test_a_start_that_is_killed_half_way_leaves_nothing_broken(place: Path) -> None:
    folder = place / "postgres"
    with user_process(folder) as process:
        while not list(folder.glob("staging-data-*/base")):
            time.sleep(0.01)
        process.kill()
    assert not (folder / "data").exists()
    server = EmbeddedPostgres(folder, durable=False)
    with connect(server.start()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    server.leave()
    assert not list(folder.glob("staging-*"))


def test_a_start_that_is_interrupted_leaves_no_server_behind(place: Path) -> None:
    folder = place / "postgres"
    with user_process(folder) as process:
        while not (folder / "data" / "postmaster.pid").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert postmaster_pid(folder) is None
    assert not (folder / "data" / "postmaster.pid").exists()


def test_a_forked_child_is_a_user_of_its_own(created: Path) -> None:
    program = """
import os, sys
from pathlib import Path
from config.postgres.cluster import living_postmaster
from config.postgres.embedded import embedded_postgres
folder = Path(sys.argv[1])
server = embedded_postgres(folder, durable=False)
server.start()
idle, joined = os.fork(), None
if not idle:
    sys.exit()  # leaves as a child that never called start
os.waitpid(idle, 0)
print("after an idle child", bool(living_postmaster(folder / "data")), flush=True)
readable, writable = os.pipe()
child = os.fork()
if child:
    os.read(readable, 1)
    server.leave()
    print("after the parent left", bool(living_postmaster(folder / "data")), flush=True)
    os.kill(child, 15)
    os.waitpid(child, 0)
else:
    import signal, threading
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    server.start()
    os.write(writable, b".")
    threading.Event().wait()
"""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, created],
        cwd=BASE_DIR,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.stderr == ""
    assert finished.stdout.splitlines() == ["after an idle child True", "after the parent left True"]
    assert postmaster_pid(created) is None


def test_a_port_that_was_taken_meanwhile_is_replaced(created: Path, server: EmbeddedPostgres) -> None:
    taken = int((created / "port").read_text())
    with socket.create_server(("127.0.0.1", taken)):
        address = server.start()
        assert address.port != taken
        assert (created / "port").read_text() == str(address.port)


def test_a_server_that_does_not_start_shows_the_end_of_its_log(created: Path, server: EmbeddedPostgres) -> None:
    configuration = created / "data" / "postgresql.auto.conf"
    before = configuration.read_text()
    configuration.write_text("no_such_setting = 1\n")
    try:
        with pytest.raises(EmbeddedPostgresError, match='unrecognized configuration parameter "no_such_setting"'):
            server.start()
    finally:
        configuration.write_text(before)


def test_a_folder_that_cannot_be_used_is_named(place: Path) -> None:
    (place / "file").touch()
    with pytest.raises(EmbeddedPostgresError, match=r"file/postgres cannot be used: .*DOCENT_VAR"):
        EmbeddedPostgres(place / "file" / "postgres").start()


def test_binaries_without_pg_ctl_are_refused(place: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match=r"PG_BINDIR=.*no pg_ctl"):
        EmbeddedPostgres(place / "postgres", binaries=place).start()


def test_other_binaries_are_used_where_they_are_named(place: Path) -> None:
    named = programs_folder(None, Account(), place)
    assert programs_folder(named, Account(), place) == named
    assert (named / "psql").exists()


if os.geteuid() == 0:  # only root has an account to switch to

    def test_programs_that_the_account_cannot_reach_are_copied_for_it(
        place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        source = programs_folder(None, Account(), place).parents[1]
        private = place / "private"
        private.mkdir(mode=0o700)
        (private / source.name).symlink_to(source)
        (private / source.name / "__init__.py").stat()
        account = server_account(place / "data")
        assert not account.reaches(private / source.name / "pginstall" / "bin" / "pg_ctl")
        monkeypatch.syspath_prepend(str(private))
        copied = programs_folder(None, account, place)
        assert copied.is_relative_to(place)
        assert account.reaches(copied / "postgres")
        assert programs_folder(None, account, place) == copied

    def test_state_that_the_account_cannot_reach_goes_where_it_can(
        place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(programs, "SYSTEM_STATE", place / "state")
        checkout = place / "checkout"
        checkout.mkdir(mode=0o700)
        real = reachable_folder(checkout / "var" / "postgres")
        assert real.parent == place / "state"
        assert (checkout / "var" / "postgres").is_symlink()
        assert reachable_folder(checkout / "var" / "postgres") == real
        shutil.rmtree(checkout)
        checkout.mkdir(mode=0o700)
        assert reachable_folder(checkout / "var" / "postgres") == real
        server = EmbeddedPostgres(checkout / "var" / "postgres", durable=False)
        server.start()
        server.leave()
        assert stat.S_IMODE(checkout.stat().st_mode) == 0o700
