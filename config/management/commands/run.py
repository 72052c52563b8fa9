"""`manage.py run`: everything that one machine needs, until Ctrl-C. `make run` calls it."""

import os
import secrets
import signal
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.urls import is_valid_path

from config import env
from config.endpoint import Endpoint
from config.interruption import Interruption
from config.postgres.base import DatabaseWrapper
from config.postgres.programs import EmbeddedPostgresError
from config.run_lock import AlreadyRunningError, RunLock, run_lock
from config.supervisor import Service, ServiceFailedError, Supervisor

HEALTH = "/v1/health"
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
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)  # into a pipe or a log too
        endpoint = Endpoint(options["host"], options["port"])
        interruption = Interruption()
        try:
            with run_lock(settings.VAR_DIR / "run.lock", endpoint.url) as lock:
                _require_free(endpoint)
                self._prepare()
                interruption.defer()
                self._serve(endpoint, lock, interruption, begun)
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
            call_command("ingest", settings.MANUAL_CORPUS, stdout=self.stdout, verbosity=0)
        except CommandError as fault:  # the other corpora can be searched all the same
            self.stderr.write(f"Docent's manual was not indexed: {fault}")
        connections.close_all()

    def _serve(self, endpoint: Endpoint, lock: RunLock, interruption: Interruption, begun: float) -> None:
        supervisor = Supervisor(_services(endpoint), report=self.stderr.write, changed=lock.note)
        try:
            deadline = time.monotonic() + READY_SECONDS
            while not endpoint.answers(HEALTH):
                supervisor.tend()
                if time.monotonic() > deadline:
                    raise CommandError(f"The server does not answer at {endpoint.url}. Docent stopped.")
                if interruption.wait(LOOK_SECONDS):
                    return
            self._announce(endpoint.url, time.monotonic() - begun)
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


def _require_free(endpoint: Endpoint) -> None:
    try:
        endpoint.check_free()
    except OSError as fault:
        raise CommandError(
            f"Cannot listen on {endpoint.host}, port {endpoint.port}: {fault.strerror}."
            f" Choose another: PORT={endpoint.port + 1} make run"
        ) from None


def _services(endpoint: Endpoint) -> list[Service]:
    server = [sys.executable, "-m", "daphne", "-v", "0", "-b", endpoint.host, "-p", str(endpoint.port)]
    server.append("config.asgi:application")
    # Celery warns root at each start; its messages are JSON from our own broker, and containers run as root.
    worker = [sys.executable, "-W", "ignore:You're running the worker with superuser privileges", "-m"]
    worker += ["celery", "-A", "config", "--quiet", "worker", "--beat", "--loglevel", "WARNING"]
    worker += ["--concurrency", "1", "--max-memory-per-child", str(WORKER_MEMORY_KIB)]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]  # there is no other worker to talk to
    environment = address_variables(endpoint)
    pool = {"DATABASE_POOL_SIZE": str(settings.DATABASE_POOL_SIZE or POOL_SIZE)}
    return [
        Service("server", server, settings.BASE_DIR, environment | pool),
        # See config.celery.
        Service("worker", worker, settings.BASE_DIR, environment, stop_signal=signal.SIGQUIT),
    ]


def address_variables(endpoint: Endpoint) -> dict[str, str]:
    """What tells the processes of this run where readers reach it, since --host and --port are not in the environment.

    An API_SERVER_URL that is set goes before: it is the address of a proxy.
    """
    address = os.environ.get("API_SERVER_URL", "").strip() or endpoint.url.rstrip("/")
    return {"PORT": str(endpoint.port), "API_SERVER_URL": address}


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
