"""Where the server listens."""

import http.client
import socket
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and a port of this machine."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address for a browser on this machine, with a slash at the end."""
        name = self._local_host
        return f"http://[{name}]:{self.port}/" if ":" in name else f"http://{name}:{self.port}/"

    def check_free(self) -> None:
        """Raises OSError where nobody can listen there now."""
        with socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((self.host, self.port))

    def answers(self, path: str) -> bool:
        """Whether a server answers there with anything but an error of its own."""
        connection = http.client.HTTPConnection(self._local_host, self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status < 500  # 400 where ALLOWED_HOSTS names other hosts only
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    @property
    def _local_host(self) -> str:
        """An address by which this machine reaches what listens on `host`."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared, not bound
