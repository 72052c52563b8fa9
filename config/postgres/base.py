"""Django's PostgreSQL backend on the embedded server: the first connection of a process finds or starts it."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.backends.postgresql import client
from django.db.utils import OperationalError

from config.postgres.embedded import EmbeddedPostgres, embedded_postgres
from config.postgres.pooled import base
from config.postgres.programs import EmbeddedPostgresError


class DatabaseClient(client.DatabaseClient):
    """The server's own psql, for `manage.py dbshell`."""

    connection: "DatabaseWrapper"

    def runshell(self, parameters: Iterable[str]) -> None:
        self.connection.find_server()
        os.environ["PATH"] = os.pathsep.join([str(self.connection.server.programs), os.environ.get("PATH", os.defpath)])
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes host, port, user and password from the server instead of the settings."""

    client_class = DatabaseClient

    @property
    def server(self) -> EmbeddedPostgres:
        """This process as a user of the server."""
        return embedded_postgres(
            settings.VAR_DIR / "postgres",
            binaries=Path(settings.PG_BINDIR) if settings.PG_BINDIR else None,
            durable=settings.PG_DURABLE,
        )

    def find_server(self) -> None:
        """Start the server where it does not run, and note where it listens."""
        try:
            address = self.server.start()
        except EmbeddedPostgresError as fault:
            raise OperationalError(str(fault)) from fault
        self.settings_dict |= {
            "HOST": address.host,
            "PORT": str(address.port),
            "USER": address.user,
            "PASSWORD": address.password,
        }

    def get_connection_params(self) -> dict[str, Any]:
        self.find_server()
        parameters: dict[str, Any] = super().get_connection_params()
        return parameters
