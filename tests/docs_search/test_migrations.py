from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import NotSupportedError, connection

text_search = import_module("docs_search.migrations.0001_text_search")


@pytest.mark.parametrize(
    ("version", "supported"),
    [("0.7.4", False), ("0.8.0", True), ("0.8", True), ("0.8.1-dev", True), ("0.10.0", True), ("1.0.0", True)],
)
def test_versions_of_pgvector_are_compared_as_numbers(version: str, supported: bool) -> None:
    assert text_search.is_supported(version) is supported


@pytest.mark.django_db
def test_an_older_pgvector_in_the_database_is_refused_with_what_to_do() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
    with pytest.raises(NotSupportedError, match=r"is pgvector 0\.7\.4\. .* ALTER EXTENSION vector UPDATE;"):
        text_search.create_vector_extension(apps, SimpleNamespace(connection=connection))
