"""A benchmark leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

PROGRAM = """
from bench.__main__ import use_folder_of_its_own
folder = use_folder_of_its_own()
import django
django.setup()
from django.db import connection
connection.ensure_connection()
print(folder, (folder / "postgres").resolve(), oct(folder.stat().st_mode)[-3:])
"""


def test_the_folder_and_the_database_are_gone_afterwards(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir(mode=0o700)  # where root runs the tests, the database cannot be there
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(temporary), "PG_DURABLE": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    folder, database, permissions = run.stdout.split()
    assert (Path(folder).parent, permissions) == (temporary, "711")
    assert [path for path in (folder, database) if Path(path).exists()] == []
