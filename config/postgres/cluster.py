"""One PostgreSQL server on disk and in memory: make its data, start it, stop it, tell whether it runs.

Nothing here locks: whoever changes something must be alone (see `config.postgres.embedded`).
"""

import secrets
import shutil
import socket
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from config.postgres.programs import EmbeddedPostgresError, Programs, programs_folder, server_account

HOST = "127.0.0.1"
USER = "docent"
DBNAME = "docent"
READY_SECONDS = 300  # crash recovery after a bulk load takes the longest
RETRY_SECONDS = 30
STOP_SECONDS = 60
LOG_BYTES = 10_000_000

# For a machine that also runs the embedding model: little memory, and no parallel workers, whose shared memory does
# not fit into the 64 MB that container runtimes give to /dev/shm.
SETTINGS = {
    "shared_buffers": "256MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "effective_cache_size": "1GB",
    "max_connections": "100",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "random_page_cost": "1.1",
    "jit": "off",
    # Bulk loads: fewer checkpoints, and nothing logged for replicas that do not exist.
    "max_wal_size": "2GB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "wal_compression": "on",
    # Statements that fail hold readers' questions and document text; the application reports them without.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_checkpoints": "off",
}
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}


@dataclass(frozen=True, slots=True)
class Address:
    """What a client needs to connect."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    dbname: str


@dataclass(frozen=True, slots=True)
class Postmaster:
    """The server process that a data folder's `postmaster.pid` names; `port` and `status` come a little later."""

    pid: int
    port: int | None
    status: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """A server in `folder`, which holds `password`, `port`, `server.log` and `data`.

    `binaries` is a folder of PostgreSQL's programs to use instead of the installed package's. A server that is not
    `durable` is faster and may lose its data when the machine stops.
    """

    folder: Path
    binaries: Path | None = None
    durable: bool = True

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def address(self) -> Address | None:
        """Where the server accepts connections, or None where it does not (yet)."""
        postmaster = living_postmaster(self.data)
        if postmaster is None or postmaster.port is None or postmaster.status != "ready":
            return None
        return Address(HOST, postmaster.port, USER, (self.folder / "password").read_text(), DBNAME)

    def ensure_running(self) -> Address:
        """Create what is missing, start the server unless it runs, and wait until it accepts connections."""
        begun = time.monotonic()
        while not (address := self.address()):
            waited = time.monotonic() - begun
            if waited > READY_SECONDS:
                raise self._failure("PostgreSQL does not become ready")
            if living_postmaster(self.data):  # somebody was killed while starting it, or it is stopping
                time.sleep(0.02)
                continue
            _remove_stale_pid_file(self.data)
            programs = self._programs()
            if not self.data.exists():
                self._create(programs)
            if not self._launch(programs, may_retry=waited < RETRY_SECONDS):
                time.sleep(0.2)
        return address

    def stop(self) -> None:
        """Stop the server if it runs, with the sessions that it still has."""
        if not living_postmaster(self.data):
            return
        programs = self._programs()
        stop = ["stop", "-D", str(self.data), "-w", "-t", str(STOP_SECONDS), "-m"]
        if not programs.run("pg_ctl", *stop, "fast") and not programs.run("pg_ctl", *stop, "immediate"):
            raise self._failure("PostgreSQL does not stop")

    def _programs(self) -> Programs:
        account = server_account(self.data)
        return Programs(programs_folder(self.binaries, account, self.folder), account, self._log)

    @property
    def _log(self) -> Path:
        return self.folder / "server.log"

    def _create(self, programs: Programs) -> None:
        """Make `data`, with the database in it. It appears complete or not at all."""
        staging = Path(tempfile.mkdtemp(prefix="staging-data-", dir=self.folder))
        programs.account.own(staging)
        password = secrets.token_urlsafe(32)
        _write_private(self.folder / "password", password)
        with tempfile.NamedTemporaryFile("w", dir=self.folder) as handed_over:
            handed_over.write(password)
            handed_over.flush()
            programs.account.own(Path(handed_over.name))
            created = programs.run(
                "initdb",
                f"--pgdata={staging}",
                f"--username={USER}",
                f"--pwfile={handed_over.name}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                # The text search parser tells letters of other scripts by the C library's character types.
                f"--lc-ctype={'en_US.UTF-8' if sys.platform == 'darwin' else 'C.UTF-8'}",
                "--no-instructions",
                "--no-sync",
            )
        single_user = ["--single", "-D", str(staging), "-c", "exit_on_error=true", "-c", "fsync=off", "template1"]
        created = created and programs.run("postgres", *single_user, text=f"CREATE DATABASE {DBNAME}\n")
        if self.durable:
            created = created and programs.run("initdb", f"--pgdata={staging}", "--sync-only")
        if not created:
            raise self._failure("The embedded PostgreSQL could not be created")
        staging.rename(self.data)
        # What a killed process left. At the end, because its initdb may have run on and be writing there until now.
        for abandoned in self.folder.glob("staging-data-*"):
            shutil.rmtree(abandoned, ignore_errors=True)

    def _launch(self, programs: Programs, *, may_retry: bool) -> bool:
        """Start the server and wait for it. False for a failure that passes by itself, where that is acceptable."""
        if self._log.exists() and self._log.stat().st_size > LOG_BYTES:
            self._log.replace(self._log.with_suffix(".log.1"))
        known = self._log.stat().st_size if self._log.exists() else 0
        port = self._usable_port()
        settings = SETTINGS if self.durable else SETTINGS | NOT_DURABLE
        options = " ".join([f"-h {HOST} -p {port} -k ''", *(f"-c {name}={value}" for name, value in settings.items())])
        if programs.run("pg_ctl", "start", "-D", str(self.data), "-w", "-t", str(READY_SECONDS), "-o", options):
            return True
        with self._log.open(errors="replace") as log:
            log.seek(known)
            output = log.read()
        # The port was taken meanwhile, or processes of a server that was killed are about to notice it.
        passing = not _is_free(port) or "shared memory block" in output
        if passing and may_retry:
            return False
        raise self._failure("PostgreSQL did not start")

    def _usable_port(self) -> int:
        """The port that the server had last time, or a new one where that is taken."""
        file = self.folder / "port"
        port = int(file.read_text()) if file.exists() else 0
        if not port or not _is_free(port):
            with socket.socket() as probe:
                probe.bind((HOST, 0))
                port = int(probe.getsockname()[1])
            _write_private(file, str(port))
        return port

    def _failure(self, problem: str) -> EmbeddedPostgresError:
        end = "\n".join(self._log.read_text(errors="replace").splitlines()[-15:]) if self._log.exists() else ""
        return EmbeddedPostgresError(f"{problem}. The end of {self._log}:\n{end}")


def living_postmaster(data: Path) -> Postmaster | None:
    """The server that runs on `data`: not a dead one whose pid file was left, nor what has its number today."""
    postmaster = _recorded_postmaster(data)
    if postmaster is None:
        return None
    try:
        process = psutil.Process(postmaster.pid)
        if process.status() == psutil.STATUS_ZOMBIE or process.uids().real != data.stat().st_uid:
            return None
        command = process.cmdline()
    except psutil.Error:
        return None
    if not command or Path(command[0]).name != "postgres" or "-D" not in command:
        return None
    served = Path(command[command.index("-D") + 1])
    if served == data:
        return postmaster
    other = _recorded_postmaster(served)
    if other is None or other.pid != postmaster.pid:
        # Perhaps ours, from before the folder was moved: a second server on the same data would destroy it.
        raise EmbeddedPostgresError(
            f"Process {postmaster.pid} is a PostgreSQL server that was started on {served} and may be using {data}."
            " Stop it, then try again."
        )
    return None


def _remove_stale_pid_file(data: Path) -> None:
    """Remove the pid file of a server that does not live.

    PostgreSQL would refuse to start while any process of its account has the recorded number, which after the restart
    of a container is likely, and while its dead predecessor waits for its parent, in a container without init for ever.
    """
    if _recorded_postmaster(data) and not living_postmaster(data):
        (data / "postmaster.pid").unlink(missing_ok=True)


def _recorded_postmaster(data: Path) -> Postmaster | None:
    """Read `postmaster.pid`: pid, data folder, start time, port, socket folder, host, shared memory, status."""
    try:
        lines = [line.strip() for line in (data / "postmaster.pid").read_text().splitlines()]
    except OSError:
        return None
    if not lines or not lines[0].isdigit():
        return None
    port = int(lines[3]) if len(lines) > 3 and lines[3].isdigit() else None
    return Postmaster(int(lines[0]), port, lines[7] if len(lines) > 7 else "")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _write_private(file: Path, content: str) -> None:
    """Replace a file that only its owner can read, at once."""
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as new:  # created with mode 0600
        new.write(content)
    Path(new.name).replace(file)
