"""Corpora: edited under the rules of corpora.toml, and indexed from an upload."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.actions import delete_selected
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse

from docs_search.admin.permissions import ReadOnly, RemovedByCommand
from docs_search.admin.texts import minute
from docs_search.admin.upload import UploadView
from docs_search.corpora import KEYS, corpus_faults
from docs_search.models import Corpus, IndexRun, Version
from docs_search.parsing.registry import AUTO, PARSER_NAMES
from docs_search.versions import SCHEMES


class CorpusForm(forms.ModelForm):  # type: ignore[type-arg]
    """Holds a corpus to the same rules as corpora.toml."""

    parser = forms.ChoiceField(
        choices=[(name, name) for name in PARSER_NAMES], initial=AUTO, help_text="auto finds out from the documents."
    )
    version_scheme = forms.ChoiceField(choices=[(name, name) for name in SCHEMES])

    class Meta:
        model = Corpus
        fields = ("slug", *KEYS)
        help_texts: ClassVar = {
            "slug": "Its name in commands and the API: lower-case letters, digits and hyphens.",
            "plans": "Paid plans, the lowest first, separated by commas: pro, enterprise.",
            "cloud_prefixes": "Beginnings of the paths of pages of the hosted product only, separated by commas.",
            "shared_prefixes": "Beginnings of the paths of pages that apply to every release, separated by commas.",
            "url_exceptions": 'Address patterns of single versions which differ: {"3.3": "https://…/{path}"}.',
            "url_aliases": "Other address patterns of the same pages, separated by commas.",
        }

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
        return minute(version.published_at)


@admin.register(Corpus)
class CorpusAdmin(UploadView, RemovedByCommand, admin.ModelAdmin):  # type: ignore[type-arg]
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
