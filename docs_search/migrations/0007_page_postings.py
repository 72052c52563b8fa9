"""BM25 over whole pages: a covering primary key like that of the postings of passages."""

import django.db.models.deletion
from django.db import migrations, models


def _key(name: str) -> models.ForeignKey:
    return models.ForeignKey(
        to=f"docs_search.{name}",
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
    )


class Migration(migrations.Migration):
    dependencies = [("docs_search", "0006_folder_addresses")]

    operations = [
        migrations.CreateModel(
            name="PagePosting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "version_id",
                        "term_id",
                        "page_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("version", _key("version")),
                ("term", _key("term")),
                ("page", _key("page")),
                ("weight", models.FloatField()),
            ],
        ),
        migrations.RunSQL(
            sql="""
                ALTER TABLE docs_search_pageposting DROP CONSTRAINT docs_search_pageposting_pkey;
                ALTER TABLE docs_search_pageposting ALTER COLUMN weight TYPE real;
                ALTER TABLE docs_search_pageposting
                    ADD CONSTRAINT docs_search_pageposting_pkey
                    PRIMARY KEY (version_id, term_id, page_id) INCLUDE (weight);
            """,
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]
