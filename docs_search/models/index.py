"""The search index: vectors, BM25 postings and identifiers. Rows are written in bulk by a publish, never one by one."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from docs_search.documents import Role
from docs_search.models.corpora import Version
from docs_search.models.pages import Page, Passage


class Embedding(models.Model):
    """The vector of a text under one model, computed once however many versions hold the text."""

    model = models.CharField(max_length=200)
    content_hash = models.CharField(max_length=64)
    vector = HalfVectorField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="embedding_of_text", fields=("model", "content_hash"))
        ]

    def __str__(self) -> str:
        return f"{self.model} {self.content_hash[:12]}"


class PassageVector(models.Model):
    """A passage's vector in a narrow table of its own, so that an exact scan reads little.

    The column has no dimension: corpora may use different models. HNSW indexes are partial (one version) and cast.
    """

    passage = models.OneToOneField(Passage, on_delete=models.CASCADE, primary_key=True, related_name="vector")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    vector = HalfVectorField()

    class Meta:
        verbose_name = "passage vector"

    def __str__(self) -> str:
        return str(self.passage_id)


class PageVector(models.Model):
    """The normalised mean of a page's passage vectors."""

    page = models.OneToOneField(Page, on_delete=models.CASCADE, primary_key=True, related_name="vector")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="+")
    vector = HalfVectorField()

    class Meta:
        verbose_name = "page vector"

    def __str__(self) -> str:
        return str(self.page_id)


class Term(models.Model):
    """A stemmed word of any version."""

    term = models.TextField(unique=True, db_collation="C")

    def __str__(self) -> str:
        return self.term


class Posting(models.Model):
    """That a passage holds a term, with the term's BM25 weight in it, frozen when the version was published.

    The migration lets the primary key carry the weight, so that a query reads the index alone. Foreign keys are not
    checked row by row: a publish writes a million rows from one SELECT over the rows they point at.
    """

    pk = models.CompositePrimaryKey("version_id", "term_id", "passage_id")
    version = models.ForeignKey(
        Version, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+"
    )
    term = models.ForeignKey(Term, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+")
    passage = models.ForeignKey(
        Passage, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+"
    )
    weight = models.FloatField()

    def __str__(self) -> str:
        return f"{self.version_id} {self.term_id} {self.passage_id}"


class PagePosting(models.Model):
    """That a page holds a term in its passages or its title, with the term's BM25 weight in it; see `Posting`."""

    pk = models.CompositePrimaryKey("version_id", "term_id", "page_id")
    version = models.ForeignKey(
        Version, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+"
    )
    term = models.ForeignKey(Term, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+")
    page = models.ForeignKey(Page, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="+")
    weight = models.FloatField()

    def __str__(self) -> str:
        return f"{self.version_id} {self.term_id} {self.page_id}"


class Identifier(models.Model):
    """That a passage defines or mentions an exact name: a setting, a function, an option, an error code."""

    ROLES = [(role.value, role.name.capitalize()) for role in Role]

    pk = models.CompositePrimaryKey("version_id", "name", "passage_id")
    version = models.ForeignKey(Version, on_delete=models.CASCADE, db_index=False, related_name="+")
    name = models.CharField(max_length=100, db_collation="C", help_text="Case-folded.")
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="+")
    role = models.SmallIntegerField(choices=ROLES)

    def __str__(self) -> str:
        return self.name


class Counter(models.Model):
    """A rate-limit counter that all processes share; see `counter_cache`."""

    key = models.CharField(max_length=300, primary_key=True)
    value = models.PositiveIntegerField()
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.key
