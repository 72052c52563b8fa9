"""The settings that tests run under: those of an installation that sets no variable but where its database is.

This is a settings module since pytest-django loads one before any conftest. Processes that tests start inherit the
environment without the variables, and run under `config.settings` as deployed.
"""

import os
import re
from pathlib import Path

KEPT = {"DATABASE_URL", "DOCENT_VAR", "PG_BINDIR", "PG_DURABLE"}
_CONFIG = Path(__file__).resolve().parents[1] / "config"

for _file in _CONFIG.rglob("*.py"):
    for _name in re.findall(r'\benv\.[a-z]+\("([A-Z_]+)"', _file.read_text(encoding="utf-8")):
        if _name not in KEPT:
            os.environ.pop(_name, None)
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

from config.settings import *  # noqa: E402, F403  after the environment is cleared
