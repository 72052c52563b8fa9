"""Corpora and their versions."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q


class Corpus(models.Model):
    """One product's documentation: where it comes from, how it is read, and how it is published."""

    slug = models.CharField(max_length=40, unique=True)
    title = models.CharField(max_length=200)
    source = models.CharField(
        max_length=1000,
        blank=True,
        help_text="A folder, an archive, a git repository or a website; {version} and {site} are filled in.",
    )
    subfolder = models.CharField(max_length=200, blank=True, help_text="The folder of the source that holds the docs.")
    parser = models.CharField(max_length=40, default="auto")
    url = models.CharField(
        max_length=500,
        help_text="Address of a page on the docs' own site, with {version} and {path} (or {folder} and {rest}).",
    )
    url_exceptions = models.JSONField(
        default=dict, blank=True, help_text="Address patterns of single versions which differ from the rest."
    )
    url_aliases = ArrayField(
        models.CharField(max_length=500), default=list, blank=True, help_text="Other addresses of the same pages."
    )
    index_path = models.CharField(max_length=100, blank=True, help_text="Path of the page at the root of a version.")
    version_scheme = models.CharField(max_length=20, default="none")
    plans = ArrayField(
        models.CharField(max_length=40), default=list, blank=True, help_text="Paid plans, the lowest first."
    )
    cloud_prefixes = ArrayField(
        models.CharField(max_length=200), default=list, blank=True, help_text="Pages of the hosted product only."
    )
    shared_prefixes = ArrayField(
        models.CharField(max_length=200), default=list, blank=True, help_text="Pages that apply to every release."
    )
    embedding_model = models.CharField(max_length=200, blank=True, editable=False)
    embedding_dimension = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name_plural = "corpora"
        ordering = ("slug",)
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(name="corpus_slug_shape", condition=Q(slug__regex=r"^[a-z][a-z0-9-]*$")),
            models.CheckConstraint(
                name="corpus_url_has_path",
                condition=Q(url__contains="{path}") | Q(url__regex=r"\{folder\}.*\{rest\}"),
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class VersionQuerySet(models.QuerySet["Version"]):
    def published(self) -> "VersionQuerySet":
        """Versions that readers can search, the newest release first."""
        return self.filter(publication__gt=0).order_by("corpus__slug", "-release")

    def releases(self) -> "VersionQuerySet":
        """Versions that a reader can ask for by name, without the pages that apply to every release."""
        return self.filter(scope=Version.Scope.RELEASE)


class Version(models.Model):
    """One release of a corpus, or its pages that apply to every release (`cloud`, `shared`)."""

    class Scope(models.TextChoices):
        RELEASE = "release"
        CLOUD = "cloud"
        SHARED = "shared"

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="versions")
    name = models.CharField(max_length=40, blank=True, help_text="As the docs spell it: v0.63, 17, 3.5; blank if none.")
    source = models.CharField(max_length=90, unique=True, help_text="Name of corpus and version in one: postgres_17.")
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.RELEASE)
    release = ArrayField(
        models.PositiveIntegerField(), default=list, help_text="The numbers of the release, to order versions by."
    )
    publication = models.PositiveIntegerField(default=0, help_text="How many times it was published; 0: never.")
    published_at = models.DateTimeField(null=True, blank=True)
    page_count = models.PositiveIntegerField(default=0)
    passage_count = models.PositiveIntegerField(default=0)
    fingerprint = models.CharField(
        max_length=64, blank=True, editable=False, help_text="Of what its last run was made from."
    )

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ("corpus__slug", "-release", "name")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="version_of_corpus", fields=("corpus", "name")),
            models.CheckConstraint(
                name="version_published_at",
                condition=Q(publication=0, published_at=None) | Q(publication__gt=0, published_at__isnull=False),
            ),
            models.CheckConstraint(name="version_scope_name", condition=Q(scope="release") | Q(scope=F("name"))),
        ]

    def __str__(self) -> str:
        return self.source
