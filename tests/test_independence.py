"""The suite is independent of the environment of whoever runs it."""

import os
import subprocess
import sys

from django.conf import settings

from tests.settings import KEPT
from tests.test_docs import settings_in_source

VARIABLES = settings_in_source().keys() - KEPT


def test_variables_that_settings_read_are_not_in_the_environment() -> None:
    assert VARIABLES & os.environ.keys() == set()
    assert os.environ["DJANGO_SETTINGS_MODULE"] == "config.settings"
    assert (settings.API_SERVER_URL, settings.DEFAULT_CORPUS) == ("http://127.0.0.1:8000", "metabase")


def test_variables_that_are_exported_have_no_effect() -> None:
    exported = dict.fromkeys({"DJANGO_SETTINGS_MODULE", *VARIABLES}, "?")
    test = f"{__file__}::{test_variables_that_settings_read_are_not_in_the_environment.__name__}"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=settings.BASE_DIR,
        env=os.environ | exported,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout
