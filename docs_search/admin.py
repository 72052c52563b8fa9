"""The admin: corpora are edited here; what the indexer and the searches write is there to be read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.timezone import localtime

from docs_search.corpora import KEYS, corpus_faults
from docs_search.models import Corpus, IndexRun, Page, Passage, SearchLog, Version
from docs_search.pages.addresses import served
from docs_search.parsing.registry import AUTO, PARSER_NAMES
from docs_search.versions import SCHEMES

QUERY_CHARACTERS = 60  # of a query in a list
PATH_CHARACTERS = 36  # of a path in a list, where it is not wrapped

admin.site.site_header = admin.site.site_title = "Docent"
admin.site.index_title = "Administration"
admin.site.site_url = None  # there is no page of ours at /


class ReadOnly:
    """Rows that a program writes; the mixin goes before the admin class."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RemovedByCommand:
    """What holds too many rows for Django to delete; the mixin goes before the admin class."""

    def removal(self, row: Model) -> str:
        """The command that removes a row, or blank where the admin may delete it."""
        raise NotImplementedError

    @admin.display(description="to remove it")
    def removal_hint(self, row: Model) -> str:
        return f"run {command}" if (command := self.removal(row)) else ""

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if row and self.has_view_permission(request, row) and (command := self.removal(row)):  # type: ignore[attr-defined]
            messages.error(request, f"{row} is not deleted here. Run: {command}")
            return HttpResponseRedirect(reverse(f"admin:docs_search_{row._meta.model_name}_change", args=[row.pk]))
        response: HttpResponse = super().delete_view(request, object_id, extra_context)  # type: ignore[misc]
        return response


class CorpusForm(forms.ModelForm):  # type: ignore[type-arg]
    """Holds a corpus to the same rules as corpora.toml."""

    parser = forms.ChoiceField(
        choices=[(name, name) for name in PARSER_NAMES], initial=AUTO, help_text="auto finds out from the documents."
    )
    version_scheme = forms.ChoiceField(choices=[(name, name) for name in SCHEMES])

    class Meta:
        model = Corpus
        fields = ("slug", *KEYS)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            slug = values.get("slug") or self.instance.slug
            # What may not be changed is no field of the form.
            table = {key: values[key] if key in values else getattr(self.instance, key) for key in KEYS}
            for key, reason in corpus_faults(slug, table):
                self.add_error(key, reason)
        return values


class VersionInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Version
    fields = ("scope", "published", "page_count", "passage_count")
    readonly_fields = ("published",)
    show_change_link = True

    @admin.display(description="published")
    def published(self, version: Version) -> str:
        return _minute(version.published_at)


@admin.register(Corpus)
class CorpusAdmin(RemovedByCommand, admin.ModelAdmin):  # type: ignore[type-arg]
    form = CorpusForm
    list_display = ("slug", "title", "parser", "version_scheme", "embedding_model")
    search_fields = ("slug", "title")
    readonly_fields = ("embedding_model", "embedding_dimension", "removal_hint")
    actions = ("delete_selected",)
    inlines: ClassVar = [VersionInline]
    fieldsets = (
        (None, {"fields": ("slug", "title", "parser", "version_scheme", "plans")}),
        ("Source", {"fields": ("source", "subfolder", "cloud_prefixes", "shared_prefixes")}),
        ("Published at", {"fields": ("url", "url_exceptions", "url_aliases", "index_path")}),
        ("Index", {"fields": ("embedding_model", "embedding_dimension", "removal_hint")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Corpus | None = None) -> tuple[str, ...]:
        """Sources of versions hold the slug, and their names follow the scheme, so both stay what they were."""
        if obj is None:
            return self.readonly_fields
        return ("slug", *(["version_scheme"] if obj.versions.exists() else []), *self.readonly_fields)

    def has_delete_permission(self, request: HttpRequest, obj: Corpus | None = None) -> bool:
        """Only a corpus that was never indexed; the rest of them hold a million rows."""
        return super().has_delete_permission(request, obj) and (obj is None or not self.removal(obj))

    def removal(self, row: Model) -> str:
        if not isinstance(row, Corpus) or row.pk is None or not (row.versions.exists() or row.runs.exists()):
            return ""
        return f"manage.py remove {row.slug} --yes"

    @admin.action(permissions=["delete"], description="Delete selected %(verbose_name_plural)s")
    def delete_selected(self, request: HttpRequest, queryset: QuerySet[Corpus]) -> HttpResponse | None:
        """Django's own action, which would only say that the account may not do it."""
        versions, runs = (model.objects.filter(corpus=OuterRef("pk")) for model in (Version, IndexRun))
        indexed = list(queryset.filter(Exists(versions) | Exists(runs)))
        for corpus in indexed:
            self.message_user(request, f"{corpus} is not deleted here. Run: {self.removal(corpus)}", messages.ERROR)
        return None if indexed else delete_selected(self, request, queryset)


@admin.register(Version)
class VersionAdmin(RemovedByCommand, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("source", "scope", "published", "page_count", "passage_count")
    list_filter = ("corpus", "scope")
    search_fields = ("source",)
    fields = ("corpus", "name", "source", "scope", "publication", "published", "pages", "passage_count", "removal_hint")

    @admin.display(description="published", ordering="published_at")
    def published(self, version: Version) -> str:
        return _minute(version.published_at)

    @admin.display(description="pages")
    def pages(self, version: Version) -> SafeString:
        pages = reverse("admin:docs_search_page_changelist", query={"version__id__exact": version.pk})
        return format_html('<a href="{}">{}</a>', pages, version.page_count)

    def removal(self, row: Model) -> str:
        if not isinstance(row, Version):
            return ""
        # The one version of an unversioned corpus has no name to remove it by.
        return f"manage.py remove {row.corpus.slug} {row.name or '--yes'}"


class PassageInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Passage
    template = "admin/docs_search/page/passages.html"
    fields = ("kind", "plan", "anchor", "token_count")


@admin.register(Page)
class PageAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "short_path", "version")
    list_filter = ("version__corpus", "version", "plan", "deployment")
    list_select_related = ("version",)
    search_fields = ("title", "path")
    fields = ("title", "version", "path", "address", "summary", "section", "plan", "deployment", "aliases", "links")
    inlines: ClassVar = [PassageInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Page]:
        return super().get_queryset(request).defer("markdown", "sections")

    @admin.display(description="path", ordering="path")
    def short_path(self, page: Page) -> str:
        return Truncator(page.path).chars(PATH_CHARACTERS)

    @admin.display(description="url")
    def address(self, page: Page) -> str:
        return served(page.url)

    def view_on_site(self, page: Page) -> str:
        return served(page.url)


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
        return _minute(run.started_at)

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
        return _listed(run.counts)

    @admin.display(description="warnings")
    def warning_count(self, run: IndexRun) -> int:
        return len(run.warnings)

    @admin.display(description="warnings")
    def warning_list(self, run: IndexRun) -> SafeString | str:
        rows = ((warning["page"], warning["message"]) for warning in run.warnings)
        return format_html_join("", "<div><b>{}</b>: {}</div>", rows) or "none"


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
        return _listed({stage: f"{duration:.1f} ms" for stage, duration in log.timings.items()})

    @admin.display(description="done without")
    def left_out(self, log: SearchLog) -> str:
        return ", ".join(log.degraded)


def _minute(moment: datetime | None) -> str:
    return f"{localtime(moment):%Y-%m-%d %H:%M}" if moment else ""


def _listed(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
