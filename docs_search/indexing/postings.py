"""BM25 in plain SQL: the weights, frozen when a version is published. `retrieval.keyword` sums them.

Robertson and Zaragoza's BM25 as Lucene computes it (Kamphuis et al. 2020, "Which BM25 do you mean?"):

    weight(t, p) = ln(1 + (N - df + 0.5) / (df + 0.5)) · tf / (tf + k1 · (1 - b + b · dl / avgdl))

over the passages of one version, k1 = 1.2, b = 0.75; and over its pages, where the title counts five times.
"""

from django.db import connection

K1 = 1.2
B = 0.75
# Pages differ in length more than passages do, and a long one is not worse for it: on 288 judged questions over four
# manuals hit@1 was .646 with 0.4 and .635 with 0.75 (nDCG@10 .713 with both).
PAGE_B = 0.4
TITLE_WEIGHT = 5
# Raised when terms or weights of an unchanged text come out differently, so that the next run writes every page anew.
POSTINGS_REVISION = 2


def rebuild_postings(version_id: int) -> None:
    """Tokenise the passages of a version and freeze their BM25 weights. Runs inside the publishing transaction.

    PostgreSQL keeps at most 255 positions of a lexeme in a tsvector, which bounds tf.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '64MB'")
        cursor.execute("DROP TABLE IF EXISTS term_frequency, page_term_frequency")
        cursor.execute(
            """CREATE TEMPORARY TABLE term_frequency ON COMMIT DROP AS
               SELECT passage.id AS item_id, passage.page_id, token.lexeme AS term,
                      coalesce(cardinality(token.positions), 1)::real AS tf
               FROM docs_search_passage passage, unnest(to_tsvector('docent', passage.text)) token
               WHERE passage.version_id = %s""",
            [version_id],
        )
        # What this transaction has written is not in the statistics yet, and plans for a few rows would take hours: the
        # plan of the statement below, and those by which COMMIT checks foreign keys.
        cursor.execute("ANALYZE term_frequency, docs_search_page, docs_search_passage")
        cursor.execute(
            """CREATE TEMPORARY TABLE page_term_frequency ON COMMIT DROP AS
               SELECT page_id AS item_id, term, sum(tf)::real AS tf
               FROM (SELECT page_id, term, tf FROM term_frequency
                     UNION ALL
                     SELECT page.id, token.lexeme, %(title)s * coalesce(cardinality(token.positions), 1)
                     FROM (SELECT DISTINCT page_id FROM term_frequency) found
                          JOIN docs_search_page page ON page.id = found.page_id,
                          unnest(to_tsvector('docent', page.title)) token) every
               GROUP BY page_id, term""",
            {"title": TITLE_WEIGHT},
        )
        cursor.execute("ANALYZE page_term_frequency")
        cursor.execute(
            """INSERT INTO docs_search_term (term) SELECT DISTINCT term FROM page_term_frequency
               ON CONFLICT (term) DO NOTHING"""
        )
        cursor.execute(
            "SELECT count(*), count(DISTINCT page_id) FROM docs_search_passage WHERE version_id = %s", [version_id]
        )
        passages, pages = cursor.fetchone()
    _freeze_weights(version_id, passages, table="docs_search_posting", item="passage_id", counts="term_frequency", b=B)
    _freeze_weights(
        version_id, pages, table="docs_search_pageposting", item="page_id", counts="page_term_frequency", b=PAGE_B
    )


def _freeze_weights(version_id: int, documents: int, *, table: str, item: str, counts: str, b: float) -> None:
    """Replace the rows of a version by the weights of the terms that `counts` (item_id, term, tf) has."""
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE version_id = %s", [version_id])
        cursor.execute(
            f"""INSERT INTO {table} (version_id, term_id, {item}, weight)
               WITH length AS (SELECT item_id, sum(tf) AS dl FROM {counts} GROUP BY item_id),
                    size AS (SELECT %(n)s::real AS n, sum(dl) / greatest(%(n)s, 1) AS avgdl FROM length),
                    frequency AS (SELECT term, count(*)::real AS df FROM {counts} GROUP BY term)
               SELECT %(version)s, term.id, counts.item_id,
                      ln(1 + (size.n - df + 0.5) / (df + 0.5))
                      * counts.tf / (counts.tf + %(k1)s * (1 - %(b)s + %(b)s * dl / avgdl))
               FROM {counts} counts
                    JOIN length USING (item_id) JOIN frequency USING (term)
                    JOIN docs_search_term term USING (term), size
               ORDER BY term.id, counts.item_id""",
            {"version": version_id, "n": documents, "k1": K1, "b": b},
        )
