"""Runs of the indexer, with what they warned of."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from docs_search.admin.permissions import ReadOnly
from docs_search.admin.texts import listed, minute
from docs_search.models import IndexRun


@admin.register(IndexRun)
class IndexRunAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("started", "corpus", "version", "status", "progress", "duration", "warning_count")
    list_filter = ("status", "corpus")
    list_select_related = ("corpus",)
    fields = (
        "corpus",
        "version",
        "location",
        "status",
        "error",
        "started",
        "duration",
        "progress",
        "outcome",
        "warning_list",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[IndexRun]:
        return super().get_queryset(request).select_related("corpus")

    @admin.display(description="started", ordering="started_at")
    def started(self, run: IndexRun) -> str:
        return minute(run.started_at)

    @admin.display
    def progress(self, run: IndexRun) -> str:
        """How far a run is, or how far one came that failed."""
        if run.status == IndexRun.Status.SUCCEEDED or not run.stage:
            return ""
        return f"{run.stage} {run.done} of {run.total}" if run.total else run.stage

    @admin.display
    def duration(self, run: IndexRun) -> str:
        return str(run.finished_at - run.started_at).partition(".")[0] if run.finished_at else ""

    @admin.display(description="counts")
    def outcome(self, run: IndexRun) -> str:
        return listed(run.counts)

    @admin.display(description="warnings")
    def warning_count(self, run: IndexRun) -> int:
        return len(run.warnings)

    @admin.display(description="warnings")
    def warning_list(self, run: IndexRun) -> SafeString | str:
        rows = ((warning["page"], warning["message"]) for warning in run.warnings)
        return format_html_join("", "<div><b>{}</b>: {}</div>", rows) or "none"
