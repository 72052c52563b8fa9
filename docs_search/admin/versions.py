"""Versions: there to be read, and removed by a command."""

from django.contrib import admin
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from docs_search.admin.permissions import ReadOnly, RemovedByCommand
from docs_search.admin.texts import minute
from docs_search.models import Version


@admin.register(Version)
class VersionAdmin(RemovedByCommand, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("source", "scope", "published", "page_count", "passage_count")
    list_filter = ("corpus", "scope")
    search_fields = ("source",)
    fields = ("corpus", "name", "source", "scope", "publication", "published", "pages", "passage_count", "removal_hint")

    @admin.display(description="published", ordering="published_at")
    def published(self, version: Version) -> str:
        return minute(version.published_at)

    @admin.display(description="pages")
    def pages(self, version: Version) -> SafeString:
        pages = reverse("admin:docs_search_page_changelist", query={"version__id__exact": version.pk})
        return format_html('<a href="{}">{}</a>', pages, version.page_count)

    def removal(self, row: Model) -> str:
        if not isinstance(row, Version):
            return ""
        # The one version of an unversioned corpus has no name to remove it by.
        return f"manage.py remove {row.corpus.slug} {row.name or '--yes'}"
