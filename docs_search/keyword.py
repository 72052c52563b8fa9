"""The keyword leg: BM25 in plain SQL.

Robertson and Zaragoza's BM25 as Lucene computes it (Kamphuis et al. 2020, "Which BM25 do you mean?"):

    weight(t, p) = ln(1 + (N - df + 0.5) / (df + 0.5)) · tf / (tf + k1 · (1 - b + b · dl / avgdl))

over the passages of one version, k1 = 1.2, b = 0.75. Weights are frozen when the version is published; the score of
a passage is the sum of its weights for the terms of the query.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class LegHit:
    """A passage as one retriever ranked it. `score` compares only within that retriever; higher is better."""

    passage_id: int
    page_id: int
    kind: str
    score: float


def rebuild_postings(version_id: int) -> None:
    """Tokenise the passages of a version and freeze their BM25 weights. Runs inside the publishing transaction.

    PostgreSQL keeps at most 255 positions of a lexeme in a tsvector, which bounds tf.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '64MB'")
        cursor.execute("DROP TABLE IF EXISTS term_frequency")
        cursor.execute(
            """CREATE TEMPORARY TABLE term_frequency ON COMMIT DROP AS
               SELECT passage.id AS passage_id, token.lexeme AS term,
                      coalesce(cardinality(token.positions), 1)::real AS tf
               FROM docs_search_passage passage, unnest(to_tsvector('docent', passage.text)) token
               WHERE passage.version_id = %s""",
            [version_id],
        )
        cursor.execute("ANALYZE term_frequency")
        cursor.execute(
            """INSERT INTO docs_search_term (term) SELECT DISTINCT term FROM term_frequency
               ON CONFLICT (term) DO NOTHING"""
        )
        cursor.execute("DELETE FROM docs_search_posting WHERE version_id = %s", [version_id])
        cursor.execute(
            """INSERT INTO docs_search_posting (version_id, term_id, passage_id, weight)
               WITH size AS (SELECT count(*)::real AS n FROM docs_search_passage WHERE version_id = %(version)s),
                    length AS (SELECT passage_id, sum(tf) AS dl FROM term_frequency GROUP BY passage_id),
                    average AS (SELECT sum(dl) / greatest((SELECT n FROM size), 1) AS avgdl FROM length),
                    frequency AS (SELECT term, count(*)::real AS df FROM term_frequency GROUP BY term)
               SELECT %(version)s, term.id, tf.passage_id,
                      ln(1 + (size.n - df + 0.5) / (df + 0.5))
                      * tf.tf / (tf.tf + %(k1)s * (1 - %(b)s + %(b)s * dl / avgdl))
               FROM term_frequency tf
                    JOIN length USING (passage_id) JOIN frequency USING (term)
                    JOIN docs_search_term term USING (term), size, average
               ORDER BY term.id, tf.passage_id""",
            {"version": version_id, "k1": K1, "b": B},
        )


def keyword_leg(query: str, *, version_ids: Sequence[int], limit: int, section: str | None = None) -> list[LegHit]:
    """The passages that score highest for the terms of `query`, best first; none for a query without known terms.

    Stop words take part only when the query holds nothing else.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH query AS MATERIALIZED (
                    SELECT term.id FROM docs_search_term term,
                         (SELECT tsvector_to_array(to_tsvector('english', %(query)s)) AS content,
                                 tsvector_to_array(to_tsvector('docent', %(query)s)) AS everything) word
                    WHERE term.term = ANY (CASE WHEN cardinality(content) > 0 THEN content ELSE everything END)),
                ranked AS (
                    SELECT posting.passage_id, sum(posting.weight) AS score
                    FROM query JOIN docs_search_posting posting
                         ON posting.term_id = query.id AND posting.version_id = ANY (%(versions)s)
                    {section_filter("posting.passage_id", section)}
                    GROUP BY posting.passage_id ORDER BY score DESC, posting.passage_id LIMIT %(limit)s)
                SELECT ranked.passage_id, passage.page_id, passage.kind, ranked.score
                FROM ranked JOIN docs_search_passage passage ON passage.id = ranked.passage_id
                ORDER BY ranked.score DESC, ranked.passage_id""",
            {"query": query, "versions": list(version_ids), "limit": limit, "section": section},
        )
        return [LegHit(*row) for row in cursor.fetchall()]


def section_filter(passage_id: str, section: str | None) -> str:
    """A SQL condition that keeps passages of pages in a section; the parameter is named `section`."""
    if section is None:
        return ""
    return f"""WHERE {passage_id} IN (
        SELECT passage.id FROM docs_search_passage passage JOIN docs_search_page page ON page.id = passage.page_id
        WHERE page.version_id = ANY (%(versions)s) AND page.section = %(section)s)"""
