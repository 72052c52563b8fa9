"""What Django cannot say about two tables: a covering primary key, and counters that need not survive a crash."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("docs_search", "0002_tables")]

    operations = [
        migrations.RunSQL(
            sql="""
                ALTER TABLE docs_search_posting DROP CONSTRAINT docs_search_posting_pkey;
                ALTER TABLE docs_search_posting ALTER COLUMN weight TYPE real;
                ALTER TABLE docs_search_posting
                    ADD CONSTRAINT docs_search_posting_pkey
                    PRIMARY KEY (version_id, term_id, passage_id) INCLUDE (weight);
            """,
            reverse_sql=migrations.RunSQL.noop,
        ),
        migrations.RunSQL(
            sql="ALTER TABLE docs_search_counter SET UNLOGGED",
            reverse_sql="ALTER TABLE docs_search_counter SET LOGGED",
        ),
    ]
