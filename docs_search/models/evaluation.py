"""How well search answers judged questions: the questions of staff, and runs over any set of questions."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q

from docs_search.models.logs import SearchLog


class JudgedQuestion(models.Model):
    """A question of readers with the pages that answer it: a row of the regression set.

    It names its corpus by slug, so that it outlives a corpus that is removed and indexed again.
    """

    text = models.CharField("question", max_length=1000)
    corpus = models.CharField(max_length=40)
    kind = models.CharField(
        max_length=40, default="question", help_text="Such as howto, config or error; free to choose."
    )
    relevant = models.JSONField(default=list, blank=True, help_text="[{page, grade}]; a path without the version.")
    search = models.ForeignKey(
        SearchLog, null=True, blank=True, editable=False, on_delete=models.SET_NULL, related_name="judged_questions"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("corpus", "text")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="judged_question_once",
                fields=("corpus", "text"),
                violation_error_message="This question is judged already.",
            )
        ]

    def __str__(self) -> str:
        return self.text[:80]


class EvaluationRun(models.Model):
    """One run over a set of questions, with what it was made under."""

    name = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    questions = models.CharField(
        "question set", max_length=500, help_text="The files of the questions, or the regression set of the database."
    )
    ranking = models.CharField(max_length=20)
    settings = models.JSONField(default=dict, help_text="Model, ranking, chunking, publications and code.")
    scores = models.JSONField(
        default=list, help_text="[{by, name, questions, scores, intervals}]; the last is overall."
    )
    ndcg_at_10 = models.FloatField("nDCG@10", help_text="Overall.")
    question_count = models.PositiveIntegerField("scored")
    unanswerable = models.PositiveIntegerField(default=0, help_text="Questions without a page, which are not scored.")
    missing = models.JSONField(default=dict, blank=True, help_text="Judged pages that the index lacks, by version.")

    class Meta:
        ordering = ("-created_at", "-pk")

    def __str__(self) -> str:
        return self.name or f"run {self.pk}"


class EvaluationResult(models.Model):
    """One question of a run."""

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="results")
    question_id = models.CharField(max_length=200)
    text = models.TextField("question")
    corpus = models.CharField(max_length=40)
    version = models.CharField(max_length=90, help_text="The source slug of what was searched.")
    kind = models.CharField(max_length=100)
    judged = models.JSONField(default=list, help_text="[{page, grade}]")
    ranked = models.JSONField(default=list, help_text="The first ten pages: [{page, grade}]")
    first = models.PositiveSmallIntegerField(
        "first hit", null=True, validators=[MinValueValidator(1)], help_text="Rank of the first page that helps."
    )
    scores = models.JSONField(default=dict)

    class Meta:
        ordering = ("run", "corpus", "pk")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="result_of_question", fields=("run", "corpus", "question_id")),
            models.CheckConstraint(name="result_first_rank", condition=Q(first=None) | Q(first__gte=1)),
        ]

    def __str__(self) -> str:
        return self.text[:80]
