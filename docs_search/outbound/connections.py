"""Connections to the very addresses that were checked, with an end to how long a request may take in all."""

import math
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from typing import Any

import httpcore

from docs_search.outbound.addresses import resolve


class Deadline(threading.local):
    """When the request of this thread must be over. A request over HTTP/1.1 is read and written by one thread."""

    def __init__(self) -> None:
        self._at = math.inf

    def start(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def cut(self, timeout: float | None) -> float:
        """`timeout`, or the seconds that are left where those are fewer. Raises httpcore.ReadTimeout for none."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("the time for the whole request is over")
        return left if timeout is None else min(timeout, left)


class CheckedBackend(httpcore.NetworkBackend):
    """Connects to addresses that `addresses.resolve` lets pass, by number, so that no second look-up can differ.

    Certificates are still checked against the name, which is not looked at here.
    """

    def __init__(self, deadline: Deadline, *, allow_private: bool) -> None:
        self._deadline = deadline
        self._allow_private = allow_private
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Raises RefusedAddress and httpcore's errors."""
        try:
            seconds = self._deadline.cut(timeout)
            addresses = resolve(host, port, allow_private=self._allow_private, seconds=seconds)
        except socket.gaierror as error:
            raise httpcore.ConnectError(f"the host is not known ({error.strerror})") from error
        fault: Exception = httpcore.ConnectError("the host has no address")
        for address in addresses:
            seconds = self._deadline.cut(timeout)
            try:
                stream = self._backend.connect_tcp(address, port, seconds, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                fault = error
            else:
                return _TimedStream(stream, self._deadline)
        raise fault

    def sleep(self, seconds: float) -> None:
        time.sleep(self._deadline.cut(seconds))


class _TimedStream(httpcore.NetworkStream):
    """A stream whose every step ends with the deadline, whatever the server sends in which small portions."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.cut(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.cut(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        seconds = self._deadline.cut(timeout)
        return _TimedStream(self._stream.start_tls(ssl_context, server_hostname, seconds), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
