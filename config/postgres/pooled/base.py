"""Django's PostgreSQL backend whose connections, where OPTIONS has a `pool`, come from and go back to ours."""

import atexit
from typing import Any, ClassVar

from django.db.backends.base.base import NO_DB_ALIAS
from django.db.backends.postgresql import base
from psycopg import Connection

from config.postgres.pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """OPTIONS["pool"] holds the arguments of ConnectionPool."""

    # Of the process, by alias; the wrappers are those of threads.
    _pools: ClassVar[dict[str, ConnectionPool]] = {}

    @property
    def pool(self) -> None:
        """Tells Django that it has no pool of its own to make."""
        return

    def _own_pool(self) -> ConnectionPool | None:
        options = self.settings_dict["OPTIONS"].get("pool")
        if not options or self.alias == NO_DB_ALIAS:
            return None
        return self._pools.get(self.alias) or self._pools.setdefault(self.alias, ConnectionPool(**options))

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection[Any]:
        """One from the pool; where it has none, a new one by `conn_params`, which are those of this moment."""
        connect = super().get_new_connection
        pool = self._own_pool()
        connection: Connection[Any] = pool.take(lambda: connect(conn_params)) if pool else connect(conn_params)
        return connection

    def _close(self) -> None:
        pool = self._own_pool()
        if pool and self.connection is not None:
            # At once: closed within a transaction, Django would keep what another thread may use by now.
            connection, self.connection = self.connection, None
            pool.give_back(connection)
        else:
            super()._close()  # type: ignore[misc]  # django-stubs lack it

    def close_pool(self) -> None:
        """Make the next connections new ones."""
        if pool := self._own_pool():
            pool.close_idle()


def _close_pools() -> None:
    for pool in DatabaseWrapper._pools.values():
        pool.close_idle()


atexit.register(_close_pools)
