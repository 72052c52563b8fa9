"""A cache backend that only counts: one shared, atomic counter for all processes without Redis.

django-ratelimit needs `add`, `incr` and `get`. Each is one statement here, so that racing processes never count
twice or start a window twice; Django's DatabaseCache reads, then writes, and lets many times the limit through.
"""

from datetime import datetime
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connection

from docs_search.models import Counter


class PostgresCounterCache(BaseCache):
    """Counters in an unlogged table named by LOCATION: (key, value, expires_at)."""

    def __init__(self, table: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._table = connection.ops.quote_name(table)

    def add(self, key: str, value: int, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Start a counter unless a live one exists; True where it was started."""
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        row = self._row(
            f"""INSERT INTO {self._table} AS counter (key, value, expires_at)
                VALUES (%s, %s, now() + %s * interval '1 second')
                ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
                WHERE counter.expires_at < now()
                RETURNING value""",
            self.make_and_validate_key(key, version=version),
            value,
            seconds,
        )
        return row is not None

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count up and return the new value. Raises ValueError where no such counter exists."""
        row = self._row(
            f"UPDATE {self._table} SET value = value + %s WHERE key = %s RETURNING value",
            delta,
            self.make_and_validate_key(key, version=version),
        )
        if row is None:
            raise ValueError(f"no counter {key!r}")
        return int(row[0])

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """The value of a live counter, else `default`."""
        row = self._row(
            f"SELECT value FROM {self._table} WHERE key = %s AND expires_at > now()",
            self.make_and_validate_key(key, version=version),
        )
        return default if row is None else row[0]

    def clear(self) -> None:
        self._row(f"DELETE FROM {self._table} RETURNING 1")

    def _row(self, sql: str, *parameters: Any) -> tuple[Any, ...] | None:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            row: tuple[Any, ...] | None = cursor.fetchone()
            return row


def prune(now: datetime) -> int:
    """Delete counters that have expired; returns how many."""
    deleted, _ = Counter.objects.filter(expires_at__lt=now).delete()
    return deleted
