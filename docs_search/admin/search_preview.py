"""A page that shows what a search finds, stage by stage, with the pages marked that it was judged to find."""

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse

from docs_search.errors import DocentError
from docs_search.evaluation.preview import Preview, preview
from docs_search.models import EvaluationResult
from docs_search.retrieval.search import MAX_QUERY
from docs_search.storable_text import storable

MAX_JUDGED = 50


def preview_address(result: EvaluationResult) -> str:
    """The preview of a question as it was asked."""
    judged = [entry["page"] for entry in result.judged[:MAX_JUDGED]]
    query = {"query": result.text, "corpus": result.corpus, "version": result.version, "judged": judged}
    return reverse("admin:docs_search_evaluationresult_preview", query=query)


class PreviewForm(forms.Form):
    query = forms.CharField(max_length=MAX_QUERY, widget=forms.TextInput(attrs={"size": 80}))
    corpus = forms.CharField(max_length=40)
    version = forms.CharField(max_length=90, required=False, help_text="The newest, where it is left out.")


class PreviewView(admin.ModelAdmin):  # type: ignore[type-arg]
    """Adds the page to the admin of results; it goes before the admin class."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.preview_view)
        return [path("preview/", view, name="docs_search_evaluationresult_preview"), *super().get_urls()]

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        judged = [storable(path) for path in request.GET.getlist("judged")[:MAX_JUDGED]]
        form = PreviewForm(request.GET or None)
        found: Preview | None = None
        if form.is_valid():
            try:
                found = preview(judged=judged, **form.cleaned_data)
            except DocentError as fault:
                form.add_error(None, fault.message)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Search preview",
            "form": form,
            "judged": judged,
            "preview": found,
        }
        return render(request, "admin/docs_search/evaluationresult/preview.html", context)
