"""Runs over judged questions, and the questions that each of them lost."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from docs_search.admin.permissions import ReadOnly
from docs_search.admin.search_preview import PreviewView, preview_address
from docs_search.admin.texts import minute
from docs_search.evaluation.metrics import LABELS, MEASURES
from docs_search.evaluation.snapshot import differences
from docs_search.evaluation.trend import trend
from docs_search.models import EvaluationResult, EvaluationRun

TREND_RUNS = 30
QUESTION_CHARACTERS = 60  # in a list


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "created",
        "name",
        "questions",
        "question_count",
        "hit_at_1",
        "hit_at_5",
        "recall_at_10",
        "mrr_at_10",
        "ndcg",
    )
    list_display_links = ("created", "name")
    list_filter = ("questions", "ranking")
    search_fields = ("name", "questions")
    fields = (
        "name",
        "created",
        "questions",
        "ranking",
        "question_count",
        "unanswerable",
        "score_table",
        "result_links",
        "missing_pages",
        "changed_settings",
        "setting_table",
    )

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Its results go with a run, though they are not deleted by themselves."""
        rows, counts, _, protected = super().get_deleted_objects(objs, request)
        return rows, counts, set(), protected

    def get_queryset(self, request: HttpRequest) -> QuerySet[EvaluationRun]:
        return super().get_queryset(request).defer("settings", "missing")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With the course of the newest listed run's questions: other questions have other scores."""
        response = super().changelist_view(request, extra_context)
        if isinstance(response, TemplateResponse) and response.context_data and "cl" in response.context_data:
            response.context_data |= _course(response.context_data["cl"])
        return response

    @admin.display(description="created", ordering="created_at")
    def created(self, run: EvaluationRun) -> str:
        return minute(run.created_at)

    @admin.display(description="hit@1")
    def hit_at_1(self, run: EvaluationRun) -> str:
        return _overall(run, "hit_at_1")

    @admin.display(description="hit@5")
    def hit_at_5(self, run: EvaluationRun) -> str:
        return _overall(run, "hit_at_5")

    @admin.display(description="recall@10")
    def recall_at_10(self, run: EvaluationRun) -> str:
        return _overall(run, "recall_at_10")

    @admin.display(description="MRR@10")
    def mrr_at_10(self, run: EvaluationRun) -> str:
        return _overall(run, "mrr_at_10")

    @admin.display(description="nDCG@10", ordering="ndcg_at_10")
    def ndcg(self, run: EvaluationRun) -> str:
        return _overall(run, "ndcg_at_10")

    @admin.display(description="scores")
    def score_table(self, run: EvaluationRun) -> SafeString:
        groups = [
            {
                "name": f"{group['by']}: {group['name']}" if group["by"] != "overall" else "overall",
                "questions": group["questions"],
                "cells": [
                    (f"{group['scores'][name]:.3f}", "–".join(f"{bound:.2f}" for bound in group["intervals"][name]))
                    for name in MEASURES
                ],
            }
            for group in run.scores
        ]
        context = {"groups": groups, "labels": LABELS.values()}
        return render_to_string("admin/docs_search/evaluationrun/scores.html", context)

    @admin.display(description="results")
    def result_links(self, run: EvaluationRun) -> SafeString:
        results = reverse("admin:docs_search_evaluationresult_changelist")
        choices = [("", "all"), *OutcomeFilter.CHOICES]
        return format_html_join(
            ", ", '<a href="{}?run={}&outcome={}">{}</a>', ((results, run.pk, key, name) for key, name in choices)
        )

    @admin.display(description="missing pages")
    def missing_pages(self, run: EvaluationRun) -> SafeString | str:
        rows = ((version, ", ".join(pages)) for version, pages in run.missing.items())
        return format_html_join("", "<div><b>{}</b>: {}</div>", rows) or "none"

    @admin.display(description="changed since the run before")
    def changed_settings(self, run: EvaluationRun) -> SafeString | str:
        before = EvaluationRun.objects.filter(questions=run.questions, pk__lt=run.pk).order_by("-pk").first()
        if before is None:
            return "There is no earlier run over the same questions."
        rows = ((name, _value(old), _value(new)) for name, old, new in differences(before.settings, run.settings))
        return format_html_join("", "<div><b>{}</b>: {} → {}</div>", rows) or f"nothing since {before}"

    @admin.display(description="settings")
    def setting_table(self, run: EvaluationRun) -> SafeString:
        rows = ((name, _value(new)) for name, _, new in differences({}, run.settings))
        return format_html_join("", "<div><b>{}</b>: {}</div>", rows)


def _course(listed: ChangeList) -> dict[str, Any]:
    """The trend of the runs over the questions of the newest listed one, for the template."""
    runs = listed.queryset.order_by("-pk")
    newest = runs.values_list("questions", "ranking")[:1]
    if not newest:
        return {}
    questions, ranking = newest[0]
    found = list(runs.filter(questions=questions, ranking=ranking)[:TREND_RUNS])[::-1]
    points = [(f"{run}, {minute(run.created_at)}", dict(run.scores[-1]["scores"])) for run in found]
    return {"trend": trend(points), "trend_of": questions}


def _overall(run: EvaluationRun, measure: str) -> str:
    return f"{run.scores[-1]['scores'][measure]:.3f}"


def _value(value: object) -> object:
    return "–" if value is None else value


class OutcomeFilter(admin.SimpleListFilter):
    title = "outcome"
    parameter_name = "outcome"
    CHOICES = [("first", "first page helps"), ("lost", "lost: below the first"), ("none", "no page of ten helps")]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return self.CHOICES

    def queryset(self, request: HttpRequest, queryset: QuerySet[EvaluationResult]) -> QuerySet[EvaluationResult]:
        match self.value():
            case "first":
                return queryset.filter(first=1)
            case "lost":
                return queryset.exclude(first=1)
            case "none":
                return queryset.filter(first=None)
        return queryset


@admin.register(EvaluationResult)
class EvaluationResultAdmin(PreviewView, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("short_text", "corpus", "kind", "first_hit", "ndcg", "preview", "run")
    list_filter = (OutcomeFilter, "corpus", "kind")
    list_select_related = ("run",)
    search_fields = ("text", "question_id")
    show_full_result_count = False
    fields = ("text", "run", "question_id", "corpus", "version", "kind", "first_hit", "measures", "pages", "preview")

    @admin.display(description="question", ordering="text")
    def short_text(self, result: EvaluationResult) -> str:
        return Truncator(result.text).chars(QUESTION_CHARACTERS)

    @admin.display(description="first hit", ordering="first")
    def first_hit(self, result: EvaluationResult) -> str:
        return str(result.first or "none in ten")

    @admin.display(description="nDCG@10", ordering="scores__ndcg_at_10")
    def ndcg(self, result: EvaluationResult) -> str:
        return f"{result.scores['ndcg_at_10']:.3f}"

    @admin.display(description="scores")
    def measures(self, result: EvaluationResult) -> str:
        return ", ".join(f"{LABELS[name]} {result.scores[name]:.3f}" for name in MEASURES)

    @admin.display(description="pages")
    def pages(self, result: EvaluationResult) -> SafeString:
        context = {"ranked": result.ranked, "judged": result.judged}
        return render_to_string("admin/docs_search/evaluationresult/pages.html", context)

    @admin.display(description="search")
    def preview(self, result: EvaluationResult) -> SafeString:
        return format_html('<a href="{}">preview</a>', preview_address(result))
