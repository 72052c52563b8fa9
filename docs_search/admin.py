"""The admin: corpora are edited here; what the indexer and the searches write is there to be read."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from docs_search.corpora import KEYS, corpus_faults
from docs_search.models import Corpus, IndexRun, Page, Passage, SearchLog, Version
from docs_search.pages.addresses import served
from docs_search.parsing.registry import PARSERS
from docs_search.versions import SCHEMES


class ReadOnly:
    """Rows that a program writes; the mixin goes before the admin class."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class CorpusForm(forms.ModelForm):  # type: ignore[type-arg]
    """Holds a corpus to the same rules as corpora.toml."""

    parser = forms.ChoiceField(choices=[(name, name) for name in PARSERS])
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
    fields = ("name", "scope", "publication", "published_at", "page_count", "passage_count")
    show_change_link = True


@admin.register(Corpus)
class CorpusAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = CorpusForm
    list_display = ("slug", "title", "parser", "version_scheme", "url", "embedding_model")
    search_fields = ("slug", "title")
    readonly_fields = ("embedding_model", "embedding_dimension")
    inlines: ClassVar = [VersionInline]
    fieldsets = (
        (None, {"fields": ("slug", "title", "parser", "version_scheme", "plans")}),
        ("Source", {"fields": ("source", "subfolder", "cloud_prefixes", "shared_prefixes")}),
        ("Published at", {"fields": ("url", "url_exceptions", "url_aliases", "index_path")}),
        ("Embeddings", {"fields": ("embedding_model", "embedding_dimension")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Corpus | None = None) -> tuple[str, ...]:
        """Sources of versions hold the slug, and their names follow the scheme, so both stay what they were."""
        if obj is None:
            return self.readonly_fields
        return ("slug", *(["version_scheme"] if obj.versions.exists() else []), *self.readonly_fields)

    def has_delete_permission(self, request: HttpRequest, obj: Corpus | None = None) -> bool:
        """Only a corpus that was never indexed; the rest of them hold a million rows."""
        return super().has_delete_permission(request, obj) and (obj is None or not obj.versions.exists())


@admin.register(Version)
class VersionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("source", "corpus", "name", "scope", "publication", "published_at", "page_count", "passage_count")
    list_filter = ("corpus", "scope")
    list_select_related = ("corpus",)
    search_fields = ("source",)
    fields = ("corpus", "name", "source", "scope", "publication", "published_at", "pages", "passage_count")

    @admin.display(description="pages")
    def pages(self, version: Version) -> SafeString:
        pages = reverse("admin:docs_search_page_changelist", query={"version__id__exact": version.pk})
        return format_html('<a href="{}">{}</a>', pages, version.page_count)


class PassageInline(ReadOnly, admin.StackedInline):  # type: ignore[type-arg]
    model = Passage
    fields = ("kind", "plan", "anchor", "token_count", "markdown")


@admin.register(Page)
class PageAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "path", "version", "section", "plan", "deployment")
    list_filter = ("version__corpus", "version", "plan", "deployment")
    list_select_related = ("version",)
    search_fields = ("title", "path")
    fields = ("title", "version", "path", "address", "summary", "section", "plan", "deployment", "aliases", "links")
    inlines: ClassVar = [PassageInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Page]:
        return super().get_queryset(request).defer("markdown", "sections")

    @admin.display(description="url")
    def address(self, page: Page) -> str:
        return served(page.url)

    def view_on_site(self, page: Page) -> str:
        return served(page.url)


@admin.register(IndexRun)
class IndexRunAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("started_at", "corpus", "version", "status", "stage", "progress", "duration", "warning_count")
    list_filter = ("status", "corpus")
    list_select_related = ("corpus",)
    fields = (
        ("corpus", "version", "location"),
        ("status", "started_at", "duration"),
        ("stage", "progress"),
        "counts",
        "error",
        "warning_list",
    )

    @admin.display
    def progress(self, run: IndexRun) -> str:
        return f"{run.done} of {run.total}" if run.total else ""

    @admin.display
    def duration(self, run: IndexRun) -> str:
        return str(run.finished_at - run.started_at).partition(".")[0] if run.finished_at else ""

    @admin.display(description="warnings")
    def warning_count(self, run: IndexRun) -> int:
        return len(run.warnings)

    @admin.display(description="warnings")
    def warning_list(self, run: IndexRun) -> str:
        return "\n".join(f"{warning['page']}: {warning['message']}" for warning in run.warnings)


@admin.register(SearchLog)
class SearchLogAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "at",
        "query",
        "surface",
        "corpus",
        "version",
        "results",
        "top_relevance",
        "milliseconds",
        "limited",
    )
    list_filter = ("surface", "corpus", "version", "limited")
    date_hierarchy = "at"
    search_fields = ("query",)
    show_full_result_count = False

    @admin.display(description="ms")
    def milliseconds(self, log: SearchLog) -> str:
        return f"{log.timings['total']:.0f}" if "total" in log.timings else ""
