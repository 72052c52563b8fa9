"""`manage.py run`: everything that one machine needs, until Ctrl-C. `make run` calls it."""

import http.client
import secrets
import signal
import socket
import sys
import threading
import time
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import suppress
from types import FrameType
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.urls import is_valid_path

from config import env
from config.postgres.base import DatabaseWrapper
from config.postgres.programs import EmbeddedPostgresError
from config.run_lock import AlreadyRunningError, RunLock, run_lock
from config.supervisor import Service, ServiceFailedError, Supervisor

READY_SECONDS = 120.0
LOOK_SECONDS = 0.2
POOL_SIZE = 10  # connections of the serving process; clients beyond them wait
WORKER_MEMORY_KIB = 600_000  # a worker process that indexed something large is replaced after its task


class Command(BaseCommand):
    help = "Prepare the database, index Docent's manual, then run the server and a worker until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=_port, default=env.text("PORT", "8000"), help="port to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        begun = time.monotonic()
        host, port = options["host"], options["port"]
        interruption = Interruption()
        try:
            with run_lock(settings.VAR_DIR / "run.lock", _url(host, port)) as lock:
                _require_free(host, port)
                self._prepare()
                interruption.defer()
                self._serve(host, port, lock, interruption, begun)
        except AlreadyRunningError as fault:
            raise CommandError(str(fault)) from None
        except (EmbeddedPostgresError, ServiceFailedError) as fault:
            raise CommandError(f"{fault} Docent stopped.") from None
        except KeyboardInterrupt:
            pass
        self.stdout.write("Docent stopped.")

    def _prepare(self) -> None:
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except DatabaseError as fault:
            raise CommandError(f"The database cannot be used: {fault}") from fault
        call_command("load_corpora", stdout=self.stdout)
        try:
            call_command("ingest", settings.MANUAL_CORPUS, stdout=self.stdout)
        except CommandError as fault:  # the other corpora can be searched all the same
            self.stderr.write(f"Docent's manual was not indexed: {fault}")
        connections.close_all()
        self.stdout.flush()

    def _serve(self, host: str, port: int, lock: RunLock, interruption: "Interruption", begun: float) -> None:
        supervisor = Supervisor(_services(host, port), report=self.stderr.write, changed=lock.note)
        try:
            deadline = time.monotonic() + READY_SECONDS
            while not _answers(host, port):
                supervisor.tend()
                if time.monotonic() > deadline:
                    raise CommandError(f"The server did not answer {_url(host, port)}v1/health. Docent stopped.")
                if interruption.wait(LOOK_SECONDS):
                    return
            self._announce(_url(host, port), time.monotonic() - begun)
            while not interruption.wait(LOOK_SECONDS):
                supervisor.tend()
                _keep_database()
        finally:
            with suppress(OSError):  # the terminal may be gone
                self.stdout.write("\nDocent is stopping.")
            supervisor.stop()
            connections.close_all()
            if isinstance(database := connections["default"], DatabaseWrapper):
                database.server.leave()

    def _announce(self, url: str, seconds: float) -> None:
        addresses = {
            "Search page": "",
            "Search": "v1/search?q=index+my+documentation",
            "API description": "v1/openapi.json",
            "Admin": "admin/",
        }
        self.stdout.write(f"\nDocent is ready after {seconds:.1f} s.\n")
        for name, path in addresses.items():
            if is_valid_path("/" + path.partition("?")[0]):
                self.stdout.write(f"  {name + ':':17}{url}{path}")
        if password := first_admin_password():
            self.stdout.write(f"\nSign in to the admin as admin with the password {password}")
            self.stdout.write("It is not shown again; `.venv/bin/python manage.py changepassword admin` sets another.")
        connections.close_all()
        self.stdout.write("\nCtrl-C stops Docent.")
        self.stdout.flush()


class Interruption:
    """SIGINT, SIGTERM and SIGHUP as a request to stop: at once, or once deferred, when somebody looks.

    A second request changes nothing, so that stopping is not itself interrupted.
    """

    def __init__(self) -> None:
        self._requested = threading.Event()
        self._deferred = False
        signal.signal(signal.SIGINT, self._receive)
        signal.signal(signal.SIGTERM, self._receive)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup leaves it
            signal.signal(signal.SIGHUP, self._receive)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self._requested.is_set():
            return
        self._requested.set()
        if not self._deferred:
            raise KeyboardInterrupt

    def defer(self) -> None:
        """From now on, only `wait` tells of a request."""
        self._deferred = True

    def wait(self, seconds: float) -> bool:
        """Whether a request has come by then."""
        return self._requested.wait(seconds)


def _services(host: str, port: int) -> list[Service]:
    server = [sys.executable, "-m", "daphne", "-v", "0", "-b", host, "-p", str(port), "config.asgi:application"]
    # Celery warns root at each start; its messages are JSON from our own broker, and containers run as root.
    worker = [sys.executable, "-W", "ignore:You're running the worker with superuser privileges", "-m"]
    worker += ["celery", "-A", "config", "--quiet", "worker", "--beat", "--loglevel", "WARNING"]
    worker += ["--concurrency", "1", "--max-memory-per-child", str(WORKER_MEMORY_KIB)]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]  # there is no other worker to talk to
    pool = {} if settings.DATABASE_POOL_SIZE else {"DATABASE_POOL_SIZE": str(POOL_SIZE)}
    return [
        Service("server", server, settings.BASE_DIR, pool),
        Service("worker", worker, settings.BASE_DIR),
    ]


def _keep_database() -> None:
    """Bring the embedded database back should somebody have killed it."""
    if isinstance(database := connections["default"], DatabaseWrapper):
        database.server.start()


def first_admin_password() -> str | None:
    """The password of the account `admin`, which is made where there is no account yet; None where there is one."""
    users = get_user_model()._default_manager
    if users.exists():
        return None
    password = secrets.token_urlsafe(12)
    users.create_superuser("admin", "", password)
    return password


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to 65535")
    return int(text)


def _require_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            raise CommandError(
                f"Cannot listen on {host}, port {port}: {fault.strerror}. Choose another: PORT={port + 1} make run"
            ) from None


def _answers(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(_local(host), port, timeout=5)
    try:
        connection.request("GET", "/v1/health")
        return connection.getresponse().status < 500  # 400: ALLOWED_HOSTS names other hosts only
    except OSError:
        return False
    finally:
        connection.close()


def _local(host: str) -> str:
    """An address by which this machine reaches what listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound


def _url(host: str, port: int) -> str:
    name = _local(host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"
