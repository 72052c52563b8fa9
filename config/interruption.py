"""Signals that ask a process to stop."""

import signal
import threading
from types import FrameType


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
