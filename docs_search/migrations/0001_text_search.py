"""The vector type, and the text search configuration that makes BM25 terms.

The stock `english` configuration drops stop words, and with them FROM, IF, NOT IN and TO, which people search for in
a database manual. `docent` stems like `english` and drops nothing; queries decide what to leave out.
"""

import re

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.utils import DatabaseError, NotSupportedError

OLDEST_PGVECTOR = (0, 8)


def is_supported(version: str) -> bool:
    """Whether a version of pgvector, as PostgreSQL names it (`0.8.1`), has what Docent needs."""
    return tuple(int(number) for number in re.findall(r"\d+", version)) >= OLDEST_PGVECTOR


def create_vector_extension(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    with schema_editor.connection.cursor() as cursor:
        try:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except DatabaseError as fault:
            raise NotSupportedError(
                f"PostgreSQL could not create the extension `vector`: {fault}. Docent needs pgvector 0.8 or newer:"
                " install it on the database server, then run CREATE EXTENSION vector; in this database as a superuser."
            ) from fault
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        version = cursor.fetchone()[0]
    if not is_supported(version):
        raise NotSupportedError(
            f"The extension `vector` of this database is pgvector {version}. Docent needs pgvector 0.8 or newer:"
            " install it on the database server, then run ALTER EXTENSION vector UPDATE; in this database as a"
            " superuser."
        )


class Migration(migrations.Migration):
    dependencies = []

    operations = [
        migrations.RunPython(create_vector_extension, migrations.RunPython.noop),
        migrations.RunSQL(
            sql="""
                CREATE TEXT SEARCH DICTIONARY docent_stem (TEMPLATE = snowball, LANGUAGE = english);
                CREATE TEXT SEARCH CONFIGURATION docent (COPY = english);
                ALTER TEXT SEARCH CONFIGURATION docent
                    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part
                    WITH docent_stem;
            """,
            reverse_sql="""
                DROP TEXT SEARCH CONFIGURATION docent;
                DROP TEXT SEARCH DICTIONARY docent_stem;
            """,
        ),
    ]
