"""Leaving an endpoint alone that fails, so that not every search waits for it in vain (a circuit breaker)."""

import time
from threading import Lock

FAILURES = 3  # in a row
PAUSE = 30.0  # seconds
LONGEST_PAUSE = 300.0  # seconds, whatever the server asks for


class CircuitBreaker:
    """Counts failures in a row. After some of them, or where the server asks for it, calls are refused for a while;
    then one call tries again, and the others wait for what becomes of it. Used by several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failures = 0
        self._reason = ""
        self._next_try_at = 0.0

    def refusal(self) -> str:
        """Why a call must not be made now; blank where it may."""
        with self._lock:
            now = time.monotonic()
            if self._reason and now < self._next_try_at:
                return self._reason
            self._next_try_at = now + PAUSE
            return ""

    def succeeded(self) -> None:
        """Close the circuit: the next calls are made."""
        with self._lock:
            self._failures, self._reason = 0, ""

    def failed(self, reason: str, *, asked: float = 0.0) -> None:
        """Count a failure. `asked` is how many seconds the server wants to be left alone."""
        with self._lock:
            self._failures += 1
            pause = min(asked, LONGEST_PAUSE)
            if self._failures >= FAILURES:
                pause = max(pause, PAUSE)
            if pause:
                self._reason, self._next_try_at = reason, time.monotonic() + pause
