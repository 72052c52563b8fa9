"""The exact leg: passages that define or mention the very names in a query, or hold its error text word for word."""

from collections.abc import Sequence

from django.db import connection

from docs_search.identifiers import normalise_identifier, query_identifiers, query_names, query_phrases
from docs_search.retrieval.hits import LegHit
from docs_search.retrieval.keyword import section_filter
from docs_search.stop_words import STOP_WORDS

# The passage is about the one name that the whole query is; more where its page is named after it, too.
WHOLE_SCORE = 4.0
PAGE_NAME_SCORE = 0.5
SUBJECT_SCORE = 2.0
MENTION_SCORE = 1.0
PHRASE_SCORE = 1.0
PHRASE_CANDIDATES = 500
# A name that more passages than this mention says little about any one of them.
COMMON = 200
# Up to so many content words, each may be a name by itself.
SHORT_QUERY = 2

_PUNCTUATION = ".,;:!?"


def exact_leg(query: str, *, version_ids: Sequence[int], limit: int, section: str | None = None) -> list[LegHit]:
    """Passages with exact matches, best first. The score counts what matched: 2 for each name that the passage is
    about (4 where the query is that name and nothing else), 1 for each that it mentions and for each phrase it holds.
    """
    shapes = query_identifiers(query)
    names = _plausible_names(query)
    found: dict[int, LegHit] = {}
    matches = (
        _by_name(shapes, names, whole_name(query), version_ids=version_ids, section=section) if shapes or names else []
    )
    for phrase in query_phrases(query):
        matches += _by_phrase(phrase, version_ids=version_ids, limit=limit, section=section)
    for hit in matches:
        known = found.get(hit.passage_id)
        found[hit.passage_id] = LegHit(
            hit.passage_id, hit.page_id, hit.kind, hit.score + (known.score if known else 0.0)
        )
    return sorted(found.values(), key=lambda hit: (-hit.score, hit.passage_id))[:limit]


def whole_name(query: str) -> str:
    """The query as one name: without function words, unless it holds nothing else."""
    return normalise_identifier(" ".join(_content_words(query) or query.split()).strip(_PUNCTUATION))


def asks_for_names(query: str, hits: Sequence[LegHit]) -> bool:
    """Whether the query is only names: each of exact shape (`pg_dump --jobs`), or one that a passage is about."""
    if any(hit.score >= WHOLE_SCORE for hit in hits):
        return True
    words = _content_words(query)
    return bool(words) and all(map(query_identifiers, words))


def _content_words(query: str) -> list[str]:
    return [word for word in query.split() if word.lower().strip(_PUNCTUATION) not in STOP_WORDS]


def _plausible_names(query: str) -> list[str]:
    """Words of the query that may name something. In a sentence a single plain word (`update`) seldom does."""
    whole = whole_name(query)
    return [name for name in query_names(query) if " " in name or len(whole.split()) <= SHORT_QUERY]


def _by_name(
    shapes: Sequence[str], names: Sequence[str], whole: str, *, version_ids: Sequence[int], section: str | None
) -> list[LegHit]:
    """`shapes` look like identifiers and match any role; `names` are words of the query and match subjects only."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH matched AS (
                    SELECT passage_id, name, role, count(*) OVER (PARTITION BY name, role) AS passages
                    FROM docs_search_identifier
                    WHERE version_id = ANY (%(versions)s)
                      AND (name = ANY (%(shapes)s) OR role = 0 AND name = ANY (%(names)s)))
                SELECT passage_id, passage.page_id, passage.kind,
                       sum(CASE WHEN role = 0 AND name = %(whole)s
                                THEN {WHOLE_SCORE} + {PAGE_NAME_SCORE} * (lower(page.lookup_path) = name)::int
                                WHEN role = 0 THEN {SUBJECT_SCORE} ELSE {MENTION_SCORE} END)::float8
                FROM (SELECT * FROM matched {section_filter("passage_id", section)}) matched
                     JOIN docs_search_passage passage ON passage.id = passage_id
                     JOIN docs_search_page page ON page.id = passage.page_id
                WHERE role = 0 OR passages <= {COMMON}
                GROUP BY passage_id, passage.page_id, passage.kind""",
            {
                "versions": list(version_ids),
                "shapes": list(shapes),
                "names": list(names),
                "whole": whole,
                "section": section,
            },
        )
        return [LegHit(*row) for row in cursor.fetchall()]


def _by_phrase(phrase: str, *, version_ids: Sequence[int], limit: int, section: str | None) -> list[LegHit]:
    """Passages that hold the words of `phrase` in a row. Of those with all of its terms the best by BM25 are read."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH term AS MATERIALIZED (
                    SELECT id FROM docs_search_term
                    WHERE term = ANY (tsvector_to_array(to_tsvector('docent', %(phrase)s)))),
                holding AS MATERIALIZED (
                    SELECT posting.passage_id
                    FROM term JOIN docs_search_posting posting
                         ON posting.term_id = term.id AND posting.version_id = ANY (%(versions)s)
                    {section_filter("posting.passage_id", section)}
                    GROUP BY posting.passage_id
                    HAVING count(*) = cardinality(tsvector_to_array(to_tsvector('docent', %(phrase)s)))
                    ORDER BY sum(posting.weight) DESC, posting.passage_id LIMIT {PHRASE_CANDIDATES})
                SELECT passage.id, passage.page_id, passage.kind, {PHRASE_SCORE}::float8
                FROM holding JOIN docs_search_passage passage ON passage.id = holding.passage_id
                WHERE to_tsvector('docent', passage.text) @@ phraseto_tsquery('docent', %(phrase)s)
                ORDER BY passage.id LIMIT %(limit)s""",
            {"phrase": phrase, "versions": list(version_ids), "limit": limit, "section": section},
        )
        return [LegHit(*row) for row in cursor.fetchall()]
