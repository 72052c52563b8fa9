"""A serving process whose database dies under its idle connections, and comes back elsewhere."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

import psutil
import psycopg
import pytest
from django.db import connection as tests_connection
from django.db.utils import OperationalError
from pytest_django import DjangoDbBlocker

from config.postgres import base
from config.postgres.embedded import EmbeddedPostgres
from config.postgres.pool import ConnectionPool
from config.postgres.pooled import base as pooled_base
from tests.live_server import database_url

THREADS = 6


class DatabaseWrapper(base.DatabaseWrapper):
    """The backend of the embedded server, on one that this test may kill."""

    own_server: EmbeddedPostgres

    @property
    def server(self) -> EmbeddedPostgres:
        return self.own_server


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as parent:
        Path(parent).chmod(0o711)
        yield Path(parent) / "postgres"


@pytest.fixture(autouse=True)
def own_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves no pool behind. Aliases are the tests' own, since Django looks up type oids by them."""
    monkeypatch.setattr(pooled_base.DatabaseWrapper, "_pools", {})


@pytest.fixture
def wrappers(
    folder: Path, own_pools: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[list[DatabaseWrapper]]:
    """The database as THREADS threads have it, with a pool between them."""
    server = EmbeddedPostgres(folder, durable=False)
    description = tests_connection.settings_dict | {
        "NAME": "docent",
        "OPTIONS": {"connect_timeout": 5, "pool": {"size": THREADS, "timeout": 10}},
    }
    made = [DatabaseWrapper(description, alias="default") for _ in range(THREADS)]
    for wrapper in made:
        wrapper.own_server = server
        wrapper.inc_thread_sharing()
    try:
        with django_db_blocker.unblock():
            yield made
    finally:
        made[0].close_pool()
        server.leave()


def backends(wrappers: list[DatabaseWrapper]) -> set[int]:
    """The server's processes behind the connections, which are all in use at once and then given back."""
    together = Barrier(len(wrappers), timeout=30)

    def backend(wrapper: DatabaseWrapper) -> int:
        try:
            with wrapper.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                (pid,) = cursor.fetchone()
            together.wait()
        finally:
            wrapper.close()
            tests_connection.close()  # over which Django may have looked up the oids of types
        return int(pid)

    with ThreadPoolExecutor(len(wrappers)) as threads:
        pids = set(threads.map(backend, wrappers))
    assert len(pids) == len(wrappers)
    return pids


def kill_postmaster(folder: Path) -> int:
    """The port on which the server listened until now."""
    lines = next(folder.glob("data/postmaster.pid")).read_text().splitlines()
    postmaster = psutil.Process(int(lines[0]))
    children = postmaster.children()
    postmaster.kill()
    psutil.wait_procs([postmaster, *children], timeout=10)
    return int(lines[3])


def test_all_idle_connections_are_replaced_at_once_when_the_server_was_killed(
    folder: Path, wrappers: list[DatabaseWrapper]
) -> None:
    before = backends(wrappers)
    kill_postmaster(folder)
    begun = time.monotonic()
    backends(wrappers[:1])
    assert time.monotonic() - begun < 8  # 1 s on an idle machine, with the start of the server
    after = backends(wrappers)
    assert after.isdisjoint(before)
    assert backends(wrappers) == after


def test_a_server_that_comes_back_on_another_port_is_found(folder: Path, wrappers: list[DatabaseWrapper]) -> None:
    before = backends(wrappers)
    port = kill_postmaster(folder)
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen(1)
        begun = time.monotonic()
        after = backends(wrappers)
        assert time.monotonic() - begun < 8

    assert after.isdisjoint(before)
    assert wrappers[0].settings_dict["PORT"] != str(port)


@pytest.fixture
def pooled(
    own_pools: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[pooled_base.DatabaseWrapper]:
    """One connection of an external database, shared."""
    options = tests_connection.settings_dict["OPTIONS"] | {"pool": {"size": 1, "timeout": 0.1}}
    wrapper = pooled_base.DatabaseWrapper(tests_connection.settings_dict | {"OPTIONS": options}, alias="default")
    with django_db_blocker.unblock():
        yield wrapper
    wrapper.close()
    wrapper.close_pool()


def backend_of(wrapper: pooled_base.DatabaseWrapper) -> int:
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def test_what_was_left_open_does_not_reach_the_next_user(pooled: pooled_base.DatabaseWrapper) -> None:
    pooled.set_autocommit(False)
    with pooled.cursor() as cursor:
        cursor.execute("CREATE TABLE left_open ()")
    backend = backend_of(pooled)
    pooled.close()

    assert backend_of(pooled) == backend
    with pooled.cursor() as cursor:
        cursor.execute("SELECT to_regclass('left_open')")
        assert cursor.fetchone() == (None,)
    assert pooled.get_autocommit()


def test_a_connection_in_the_middle_of_a_statement_is_not_shared(pooled: pooled_base.DatabaseWrapper) -> None:
    backend = backend_of(pooled)
    pooled.connection.pgconn.send_query(b"SELECT pg_sleep(1)")
    pooled.close()

    assert backend_of(pooled) != backend


def test_who_finds_no_free_connection_is_told_so_and_keeps_none() -> None:
    pool = ConnectionPool(size=1, timeout=0.05)
    first = pool.take(lambda: psycopg.connect(database_url()))
    with pytest.raises(OperationalError, match=r"None of 1 connections became free within 0\.05 s"):
        pool.take(lambda: psycopg.connect(database_url()))
    pool.give_back(first)

    assert pool.take(lambda: psycopg.connect(database_url())) is first
    pool.give_back(first)
    pool.close_idle()
    assert first.closed


def test_connections_that_cannot_be_made_take_no_place() -> None:
    pool = ConnectionPool(size=1, timeout=0.05)
    for _ in range(2):
        with pytest.raises(psycopg.OperationalError, match="refused"):
            pool.take(lambda: psycopg.connect("host=127.0.0.1 port=1"))
