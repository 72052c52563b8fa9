"""`config.postgres` as Django's database: commands find or start the server without variables."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.postgres.cluster import living_postmaster

BASE_DIR = Path(__file__).resolve().parents[2]
# Each with the connection pool of a serving process, in several threads.
QUERIES = """
from concurrent.futures import ThreadPoolExecutor
from django.db import connection
def query(number):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::int, current_database()", [number])
        row = cursor.fetchone()
    connection.close()
    return row
with ThreadPoolExecutor(4) as threads:
    print(*threads.map(query, range(8)))
"""


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """A var folder in which nothing has run yet."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


def manage(var: Path, *arguments: str, text: str = "", **variables: str) -> str:
    """What a manage.py command prints, run with no variables but those that keep it to `var`."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    finished = subprocess.run(
        [sys.executable, "-W", "error", "manage.py", *arguments],
        cwd=BASE_DIR,
        env=kept | {"DOCENT_VAR": str(var), "PG_DURABLE": "0"} | variables,
        input=text,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


def test_commands_without_a_query_start_no_server(var: Path) -> None:
    manage(var, "check")
    manage(var, "help")
    assert not (var / "postgres").exists()


def test_a_command_that_needs_the_database_starts_it_and_stops_it_again(var: Path) -> None:
    answer = manage(var, "shell", "--no-imports", "--command", QUERIES)
    assert answer.strip() == " ".join(str((number, "docent")) for number in range(8))
    assert (var / "postgres" / "data").is_dir()
    assert living_postmaster(var / "postgres" / "data") is None


def test_a_pool_of_connections_works_on_it(var: Path) -> None:
    answer = manage(var, "shell", "--no-imports", "--command", QUERIES, DATABASE_POOL_SIZE="2")
    assert answer.strip() == " ".join(str((number, "docent")) for number in range(8))
    assert living_postmaster(var / "postgres" / "data") is None


def test_the_shell_of_the_database_is_the_servers_own(var: Path) -> None:
    answer = manage(var, "dbshell", "--", "-At", text="SELECT current_user;", PATH="/nonexistent")
    assert answer.strip() == "docent"


def test_a_server_that_cannot_start_is_a_database_error_that_says_what_to_do(var: Path) -> None:
    query = "from django.db import OperationalError, connection\ntry:\n    connection.cursor()\n"
    query += "except OperationalError as fault:\n    print(fault)"
    answer = manage(var, "shell", "--no-imports", "--command", query, PG_BINDIR="/nonexistent")
    assert answer.startswith("PG_BINDIR=/nonexistent: no pg_ctl there")
