"""BM25 in plain SQL: the weights, frozen when a version is published. `retrieval.keyword` sums them.

Robertson and Zaragoza's BM25 as Lucene computes it (Kamphuis et al. 2020, "Which BM25 do you mean?"):

    weight(t, p) = ln(1 + (N - df + 0.5) / (df + 0.5)) · tf / (tf + k1 · (1 - b + b · dl / avgdl))

over the passages of one version, k1 = 1.2, b = 0.75.
"""

from django.db import connection

K1 = 1.2
B = 0.75
# Raised when terms or weights of an unchanged text come out differently, so that the next run writes every page anew.
POSTINGS_REVISION = 1


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
