"""Pages and their passages."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from docs_search.documents import Kind
from docs_search.models.corpora import Version


class Page(models.Model):
    """One document of a version, normalised."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="pages")
    path = models.TextField(help_text="Path under the version on the published site.")
    lookup_path = models.TextField(help_text="The path without its extension, index name and trailing slash.")
    url = models.TextField()
    title = models.TextField()
    summary = models.TextField(null=True, blank=True)  # noqa: DJ001  the contract tells absent from empty
    section = models.TextField(null=True, blank=True)  # noqa: DJ001
    plan = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    deployment = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    aliases = ArrayField(models.TextField(), default=list, blank=True)
    links = ArrayField(models.TextField(), default=list, blank=True)
    sections = models.JSONField(default=list, help_text="[{level, heading, anchor}], in reading order.")
    markdown = models.TextField()
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of everything the page and its passages hold.")

    class Meta:
        ordering = ("version", "path")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="page_of_version", fields=("version", "path"))
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="page_lookup", fields=("version", "lookup_path")),
            GinIndex(name="page_aliases", fields=("aliases",)),
        ]

    def __str__(self) -> str:
        return self.title


class Passage(models.Model):
    """A piece of a page under one heading: what is ranked and cited.

    The identity is (version, page, content hash, ordinal among equals), so that a passage which a new run of the
    same version finds unchanged keeps its id.
    """

    KINDS = [(kind.value, kind.value) for kind in Kind]

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="passages")
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="passages")
    position = models.PositiveIntegerField(help_text="Place on the page, from 0.")
    heading = models.TextField()
    heading_path = ArrayField(models.TextField())
    anchor = models.TextField(null=True, blank=True)  # noqa: DJ001
    markdown = models.TextField()
    text = models.TextField(help_text="Heading path and content without markup: what is embedded and tokenised.")
    kind = models.CharField(max_length=20, choices=KINDS)
    plan = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    token_count = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    ordinal = models.PositiveIntegerField(default=0, help_text="Which of the equal passages of the page, from 0.")

    class Meta:
        ordering = ("page", "position")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="passage_identity", fields=("page", "content_hash", "ordinal")),
            models.CheckConstraint(name="passage_kind", condition=models.Q(kind__in=[kind.value for kind in Kind])),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(name="passage_of_page", fields=("page", "position"))]

    def __str__(self) -> str:
        return " › ".join(self.heading_path)
