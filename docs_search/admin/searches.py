"""What was searched for, and how well that went."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.timezone import localtime

from docs_search.admin.permissions import ReadOnly
from docs_search.admin.texts import listed
from docs_search.models import SearchLog

QUERY_CHARACTERS = 60  # of a query in a list


class RateLimitFilter(admin.SimpleListFilter):
    title = "rate limit"
    parameter_name = "limited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("0", "Answered"), ("1", "Refused")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[SearchLog]) -> QuerySet[SearchLog]:
        return queryset.filter(limited=self.value() == "1") if self.value() in {"0", "1"} else queryset


@admin.register(SearchLog)
class SearchLogAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("time", "short_query", "corpus", "version", "surface", "found", "relevance", "milliseconds")
    list_display_links = ("time", "short_query")
    list_filter = ("surface", "corpus", "version", RateLimitFilter)
    date_hierarchy = "at"
    search_fields = ("query",)
    show_full_result_count = False
    fields = (
        "time",
        "query",
        "surface",
        "client",
        "corpus",
        "version",
        "requested_version",
        "section",
        "found",
        "relevance",
        "stages",
        "left_out",
    )

    @admin.display(description="time", ordering="at")
    def time(self, log: SearchLog) -> str:
        return f"{localtime(log.at):%Y-%m-%d %H:%M:%S}"

    @admin.display(description="query", ordering="query")
    def short_query(self, log: SearchLog) -> str:
        return Truncator(log.query).chars(QUERY_CHARACTERS)

    @admin.display(description="results", ordering="results")
    def found(self, log: SearchLog) -> str:
        return "refused: rate limit" if log.limited else str(log.results)

    @admin.display(description="relevance", ordering="top_relevance")
    def relevance(self, log: SearchLog) -> str:
        """Of the first result."""
        return "" if log.top_relevance is None else f"{log.top_relevance:.2f}"

    @admin.display(description="ms")
    def milliseconds(self, log: SearchLog) -> str:
        return f"{log.timings['total']:.0f}" if "total" in log.timings else ""

    @admin.display(description="time taken")
    def stages(self, log: SearchLog) -> str:
        return listed({stage: f"{duration:.1f} ms" for stage, duration in log.timings.items()})

    @admin.display(description="done without")
    def left_out(self, log: SearchLog) -> str:
        return ", ".join(log.degraded)
