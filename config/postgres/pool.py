"""Connections that outlive the requests they served, for the threads of one process.

Django's own pool, that of psycopg, replaces dead connections in the background, with pauses that double, and by the
address it was made with: after a restart of the database requests would fail for as long as the outage took.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from django.db.utils import OperationalError
from psycopg import Connection, Error
from psycopg.pq import TransactionStatus

Connect = Callable[[], Connection[Any]]


class ConnectionPool:
    """At most `size` connections at once, in use or idle; whoever needs one more waits up to `timeout` seconds."""

    def __init__(self, size: int, timeout: float) -> None:
        self._size = size
        self._timeout = timeout
        self._places = threading.BoundedSemaphore(size)
        self._idle: deque[Connection[Any]] = deque()  # safe between threads

    def take(self, connect: Connect) -> Connection[Any]:
        """A connection that works: one that was given back, or a new one. What `connect` raises is raised at once."""
        if not self._places.acquire(timeout=self._timeout):
            raise OperationalError(
                f"None of {self._size} connections became free within {self._timeout:g} s."
                " DATABASE_POOL_SIZE sets their number."
            )
        try:
            if idle := self._pop():
                if _works(idle):
                    return idle
                idle.close()
                self.close_idle()  # the server restarted, so the others died with it
            return connect()
        except BaseException:
            self._places.release()
            raise

    def give_back(self, connection: Connection[Any]) -> None:
        """Keep a connection that `take` returned for others, unless it is broken or in the middle of a statement."""
        try:
            if _cleaned(connection):
                self._idle.append(connection)
            else:
                connection.close()
        finally:
            self._places.release()

    def close_idle(self) -> None:
        """Close the connections that nobody uses. The pool stays usable."""
        while connection := self._pop():
            connection.close()

    def _pop(self) -> Connection[Any] | None:
        """The idle connection that was used last: those that are needed seldom stay at the other end."""
        try:
            return self._idle.pop()
        except IndexError:
            return None


def _works(connection: Connection[Any]) -> bool:
    """Ask the server (40 µs on the same machine)."""
    try:
        connection.execute("")
    except Error:
        return False
    return True


def _cleaned(connection: Connection[Any]) -> bool:
    """End what the last user left open. False where that is impossible."""
    try:
        if connection.info.transaction_status != TransactionStatus.IDLE:
            connection.rollback()
        connection.autocommit = True
    except Error:
        return False
    return connection.info.transaction_status == TransactionStatus.IDLE
