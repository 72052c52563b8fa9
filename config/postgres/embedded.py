"""How long the embedded PostgreSQL lives: as long as some process uses it.

Every process that uses the server holds a shared lock on the file `users`. The last to leave, which can turn its lock
into an exclusive one, stops the server. A process that is killed leaves nothing to clean up: the operating system
drops its lock, and the server runs on until the next user leaves. `lock` is held by whoever creates, starts or stops
the server.
"""

import atexit
import fcntl
import functools
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from config.postgres.cluster import Address, Cluster
from config.postgres.programs import Account, EmbeddedPostgresError, programs_folder, reachable_folder


class EmbeddedPostgres:
    """This process as a user of the server in `folder`, from its first `start` until `leave` or its exit.

    `binaries` and `durable` are those of Cluster.
    """

    def __init__(self, folder: Path, *, binaries: Path | None = None, durable: bool = True) -> None:
        self._folder = folder
        self._binaries = binaries
        self._durable = durable
        self._cluster: Cluster | None = None
        self._users: BinaryIO | None = None
        self._mutex = threading.Lock()
        _instances.add(self)

    @property
    def programs(self) -> Path:
        """The folder of PostgreSQL's programs that we ourselves can run, such as psql."""
        return programs_folder(self._binaries, Account(), self._folder)

    def start(self) -> Address:
        """Become a user of the server, which is created and started where it does not run.

        Cheap when it already runs, so it may be called before each connection; it also brings a server back that
        was killed. Raises EmbeddedPostgresError.
        """
        with self._mutex:
            try:
                if self._cluster is None:
                    self._cluster = Cluster(reachable_folder(self._folder), self._binaries, self._durable)
                if self._users and (address := self._cluster.address()):
                    return address
                with _alone(self._cluster):
                    users = self._users or _shared(self._cluster)
                    try:
                        address = self._cluster.ensure_running()
                    except BaseException:  # Ctrl-C too: a server that is about to be ready would have no user
                        if users is not self._users:
                            _release(users, self._cluster)
                        raise
                    self._users = users
                    return address
            except OSError as fault:
                raise EmbeddedPostgresError(
                    f"The embedded PostgreSQL in {self._folder} cannot be used: {fault}."
                    " The folder must belong to the account that runs Docent; DOCENT_VAR names another place."
                ) from fault

    def leave(self) -> None:
        """Stop being a user, and stop the server where nobody else is one. Does nothing without `start`."""
        with self._mutex:
            if not self._users or not self._cluster:
                return
            users, self._users = self._users, None
            try:
                with _alone(self._cluster):
                    _release(users, self._cluster)
            except FileNotFoundError:  # the folder was removed; the server notices that by itself
                users.close()

    def forget(self) -> None:
        """In a forked child: it is no user until it calls `start`. The parent keeps its lock."""
        self._mutex = threading.Lock()
        if self._users:
            self._users.close()
            self._users = None


@contextmanager
def _alone(cluster: Cluster) -> Iterator[None]:
    with (cluster.folder / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # closing does not unlock where another thread forked meanwhile


def _shared(cluster: Cluster) -> BinaryIO:
    """The lock of a user. Taken without waiting by whoever is alone."""
    users = (cluster.folder / "users").open("ab")
    fcntl.flock(users, fcntl.LOCK_SH)
    return users


def _release(users: BinaryIO, cluster: Cluster) -> None:
    """Give up the lock of a user, and stop the server where it was the last."""
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        cluster.stop()
    except BlockingIOError:
        pass  # somebody else uses the server
    finally:
        users.close()


@functools.cache
def embedded_postgres(folder: Path, *, binaries: Path | None = None, durable: bool = True) -> EmbeddedPostgres:
    """The one user that this process is of the server in `folder`."""
    return EmbeddedPostgres(folder, binaries=binaries, durable=durable)


_instances: weakref.WeakSet[EmbeddedPostgres] = weakref.WeakSet()


def _leave_all() -> None:
    for instance in list(_instances):
        instance.leave()


def _forget_all() -> None:
    for instance in list(_instances):
        instance.forget()


# At import, and so before most others: what other modules do at exit may still need the database.
atexit.register(_leave_all)
os.register_at_fork(after_in_child=_forget_all)
