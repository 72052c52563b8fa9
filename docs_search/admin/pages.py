"""Pages with their passages, as they are stored."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import Truncator

from docs_search.admin.permissions import ReadOnly
from docs_search.models import Page, Passage
from docs_search.pages.addresses import served

PATH_CHARACTERS = 36  # of a path in a list, where it is not wrapped


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
