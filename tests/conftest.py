"""Fixtures that every test may use."""

import os

import pytest
from django.conf import settings


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """Lets several runs of the suite share one server: TEST_DB names this run's database."""
    if name := os.environ.get("TEST_DB"):
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = name
