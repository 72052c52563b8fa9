"""What happened: runs of the indexer and searches. The ground for progress displays and analytics."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from docs_search.models.corpora import Corpus


class IndexRun(models.Model):
    """One run of the indexer over one version."""

    class Status(models.TextChoices):
        RUNNING = "running"
        SUCCEEDED = "succeeded"
        FAILED = "failed"

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="runs")
    version = models.CharField(max_length=40, blank=True)
    location = models.CharField(max_length=1000)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.RUNNING)
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    stage = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0, help_text="Units of the stage that are done.")
    total = models.PositiveIntegerField(default=0, help_text="Units of the stage in all.")
    counts = models.JSONField(default=dict, help_text="Pages and passages by what became of them.")
    warnings = models.JSONField(default=list, help_text="[{page, message}]")
    error = models.TextField(blank=True)

    class Meta:
        ordering = ("-started_at",)

    def __str__(self) -> str:
        named = (self.corpus.slug, self.version, f"{self.started_at:%Y-%m-%d %H:%M}")
        return " ".join(part for part in named if part)


class SearchLog(models.Model):
    """One search, its text masked of secrets; blank after the retention period."""

    class Surface(models.TextChoices):
        API = "api"
        WEB = "web"
        WIDGET = "widget"
        MCP = "mcp"
        ADMIN = "admin"

    at = models.DateTimeField()
    surface = models.CharField(max_length=10, choices=Surface.choices)
    client = models.CharField(max_length=64, blank=True, help_text="A hash of the address that changes every day.")
    corpus = models.CharField(max_length=40, blank=True)
    version = models.CharField(max_length=40, blank=True, help_text="The version that was searched.")
    requested_version = models.CharField(max_length=40, blank=True)
    query = models.TextField(blank=True)
    section = models.CharField(max_length=200, blank=True)
    results = models.PositiveIntegerField(default=0)
    top_relevance = models.FloatField(null=True, blank=True)
    timings = models.JSONField(default=dict, help_text="Milliseconds by stage.")
    degraded = ArrayField(models.CharField(max_length=20), default=list)
    limited = models.BooleanField(default=False, help_text="Refused by the rate limit.")

    class Meta:
        ordering = ("-at",)
        indexes: ClassVar[list[models.Index]] = [models.Index(name="searchlog_at", fields=("at",))]

    def __str__(self) -> str:
        return self.query[:80]
