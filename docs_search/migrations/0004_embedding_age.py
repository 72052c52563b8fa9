"""When a vector was made, so that old ones without a use can go; and without an index that no statement uses."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("docs_search", "0003_index_storage")]

    operations = [
        migrations.AddField("embedding", "created_at", models.DateTimeField(db_default=Now())),
        migrations.RemoveIndex("page", "page_links"),
    ]
