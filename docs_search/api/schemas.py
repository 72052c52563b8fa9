"""What the HTTP API takes and gives, field by field: the source of its OpenAPI document.

Names, types and bounds are those of the API's contract, which `tests/data/openapi_contract.json` pins.
"""

from typing import Any

from django.utils.encoding import iri_to_uri
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from docs_search.models import Page
from docs_search.pages.related import RelatedPage
from docs_search.retrieval.hits import Hit, SearchResult
from docs_search.versions import Fallback

VERSION_HELP = "A version of the docs as they name it, like `v0.63` or `17`; `cloud` and `shared` apply to every one."
PLAN_HELP = "The lowest plan that has the feature, or null where every plan has it."
CORPUS_HELP = "The documentation to read, by its slug; the default one unless given. An addition to the contract."


class SearchParametersSerializer(serializers.Serializer[dict[str, Any]]):
    q = serializers.CharField(min_length=1, max_length=1000, help_text="A question or search terms.")
    version = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=20,
        help_text="The version to search, in any usual spelling: `v0.63`, `0.63`, `63`, `17.2`, `latest`. "
        "The newest one unless given.",
    )
    section = serializers.CharField(
        required=False, allow_blank=True, help_text="Only pages in this top-level folder of the docs."
    )
    limit = serializers.IntegerField(
        required=False, default=8, min_value=1, max_value=30, help_text="The largest number of passages."
    )
    debug = serializers.ChoiceField(
        required=False, choices=["1"], help_text="1 adds timings and what each stage gave each passage."
    )
    corpus = serializers.CharField(required=False, allow_blank=True, help_text=CORPUS_HELP)


class DocParametersSerializer(serializers.Serializer[dict[str, Any]]):
    url = serializers.CharField(
        allow_blank=True,
        help_text="Any address the page has or had on the docs' own site. The anchor does not matter; "
        "`latest` in the place of a version is the newest one.",
    )


@extend_schema_serializer(exclude_fields=["version", "path"])
class DocPathParametersSerializer(serializers.Serializer[dict[str, Any]]):
    """Those in the address are documented at the view: a serializer's fields all count as query parameters."""

    version = serializers.CharField()
    path = serializers.CharField()
    corpus = serializers.CharField(required=False, allow_blank=True, help_text=CORPUS_HELP)


class RelatedParametersSerializer(serializers.Serializer[dict[str, Any]]):
    url = serializers.CharField(allow_blank=True, help_text="Any address the page has or had on the docs' own site.")


class ErrorSerializer(serializers.Serializer[dict[str, Any]]):
    error = serializers.CharField(help_text="A code for programs, like `unknown_version`.")
    message = serializers.CharField(required=False, help_text="What is wrong and what to do, for people.")
    retryAfter = serializers.IntegerField(required=False, help_text="Seconds until the client may ask again.")
    versions = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The versions that can be asked for."
    )


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "integer"}],
            "minItems": 2,
            "maxItems": 2,
        },
    }
)
class HighlightsField(serializers.ListField):
    """Half-open character ranges."""


@extend_schema_field({"type": "object"})
class StagesField(serializers.DictField):
    """What each stage gave a passage; its keys follow the pipeline and are no part of the contract."""


class PassageSerializer(serializers.Serializer[Hit]):
    id = serializers.CharField(source="passage_id", help_text="Stays the same while the passage does.")
    url = serializers.URLField(help_text="The page's address, without an anchor.")
    anchor = serializers.CharField(allow_null=True, help_text="Where on the page the passage stands.")
    title = serializers.CharField(help_text="The page's title.")
    heading = serializers.CharField(help_text="The heading that the passage stands under.")
    headingPath = serializers.ListField(
        child=serializers.CharField(), source="heading_path", help_text="The headings above it, from the title down."
    )
    snippet = serializers.CharField(help_text="The part of the passage that says most about the query, as plain text.")
    highlights = HighlightsField(help_text="Where the query's terms are in `snippet`: [start, end) in characters.")
    text = serializers.CharField(source="markdown", help_text="The whole passage as Markdown.")
    version = serializers.CharField(help_text=VERSION_HELP)
    plan = serializers.CharField(allow_null=True, help_text=PLAN_HELP)
    # Fields leave the class when it is made, so that a field's own `source` is not overwritten.
    source = serializers.CharField(  # type: ignore[assignment]
        source="corpus", help_text="The documentation it is from, by its slug."
    )
    kind = serializers.CharField(
        help_text="What it documents: section, setting, function, command, api, error, release_note or faq."
    )
    score = serializers.FloatField(help_text="What the results are sorted by; means nothing outside this response.")
    relevance = serializers.FloatField(
        min_value=0, max_value=1, help_text="How well it answers the query; can be compared across queries."
    )
    exact = serializers.BooleanField(help_text="Whether it holds an identifier that the query names.")
    debug = StagesField(
        source="stages", required=False, help_text="What each stage gave the passage. Only with `debug=1`."
    )

    def to_representation(self, instance: Hit) -> dict[str, Any]:
        passage: dict[str, Any] = super().to_representation(instance)
        if not self.context.get("debug"):
            del passage["debug"]
        return passage


class PageGroupSerializer(serializers.Serializer[dict[str, Any]]):
    url = serializers.CharField()
    title = serializers.CharField()
    version = serializers.CharField(help_text=VERSION_HELP)
    passages = PassageSerializer(many=True)


class VersionFallbackSerializer(serializers.Serializer[Fallback]):
    """Null where the version that was asked for is the one that was searched."""

    to = serializers.CharField(source="used", help_text="The version that was searched.")
    note = serializers.CharField(help_text="Why.")

    def get_fields(self) -> dict[str, Any]:
        # `from` is no name that a class body could define.
        return {
            "from": serializers.CharField(source="requested", help_text="The version asked for."),
            **super().get_fields(),
        }


class SearchResponseSerializer(serializers.Serializer[SearchResult]):
    query = serializers.CharField()
    version = serializers.CharField(help_text=VERSION_HELP)
    fallback = VersionFallbackSerializer()
    results = PassageSerializer(many=True, source="hits", help_text="Passages, the best first.")
    pages = PageGroupSerializer(many=True, help_text="The same passages by page, in the order of the results.")
    timing = serializers.DictField(
        child=serializers.FloatField(),
        source="timings",
        required=False,
        help_text="Milliseconds by stage, and `total`. Only with `debug=1`.",
    )
    degraded = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Stages that failed and were left out. Absent where none did.",
    )

    def to_representation(self, instance: SearchResult) -> dict[str, Any]:
        """The response with `pages` made of the passages in `results`, so that each is rendered once."""
        fields = self.fields
        results = fields["results"].to_representation(instance.hits)
        pages: dict[int, dict[str, Any]] = {}
        for hit, passage in zip(instance.hits, results, strict=True):
            group = {"url": hit.url, "title": hit.title, "version": hit.version, "passages": []}
            pages.setdefault(hit.page_id, group)["passages"].append(passage)
        fallback = instance.fallback and fields["fallback"].to_representation(instance.fallback)
        return {
            "query": instance.query,
            "version": instance.version,
            "fallback": fallback,
            "results": results,
            "pages": list(pages.values()),
            **({"timing": instance.timings} if self.context.get("debug") else {}),
            **({"degraded": instance.degraded} if instance.degraded else {}),
        }


class DocSectionSerializer(serializers.Serializer[dict[str, Any]]):
    level = serializers.IntegerField()
    heading = serializers.CharField()
    anchor = serializers.CharField()
    url = serializers.CharField(help_text="The page's address with the anchor.")


@extend_schema_field(DocSectionSerializer(many=True))
class DocSectionsField(serializers.Field[Page, Any, list[dict[str, Any]], Page]):
    """The sections of a page that have an anchor, each with its address."""

    def to_representation(self, page: Page) -> list[dict[str, Any]]:
        return [
            {**section, "url": iri_to_uri(f"{page.url}#{section['anchor']}")}
            for section in page.sections
            if section["anchor"]
        ]


class DocPageSerializer(serializers.Serializer[Page]):
    url = serializers.CharField()
    version = serializers.CharField(source="version.name", help_text=VERSION_HELP)
    title = serializers.CharField()
    summary = serializers.CharField(allow_null=True)
    section = serializers.CharField(allow_null=True, help_text="The top-level folder.")
    plan = serializers.CharField(allow_null=True, help_text=PLAN_HELP)
    deployment = serializers.CharField(allow_null=True, help_text="The kind of installation it applies to, or null.")
    aliases = serializers.ListField(child=serializers.CharField(), help_text="Paths that the page had before.")
    sections = DocSectionsField(source="*", help_text="The headings that can be linked to, in reading order.")
    markdown = serializers.CharField(help_text="The whole page.")


class RelatedPageSerializer(serializers.Serializer[RelatedPage]):
    url = serializers.CharField()
    title = serializers.CharField()
    score = serializers.FloatField(help_text="What the list is sorted by.")


class RelatedResponseSerializer(serializers.Serializer[dict[str, Any]]):
    url = serializers.CharField(source="page.url")
    title = serializers.CharField(source="page.title")
    version = serializers.CharField(source="page.version.name", help_text=VERSION_HELP)
    related = RelatedPageSerializer(many=True, help_text="Pages of the same version, the most related first.")
