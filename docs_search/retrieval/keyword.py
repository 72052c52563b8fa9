"""The keyword leg: BM25. The score of a passage, or of a page, is the sum of its weights for the terms of the query."""

from collections.abc import Sequence

from django.db import connection

from docs_search.retrieval.hits import LegHit

# The terms of a query. Stop words take part only when it holds nothing else.
_QUERY_TERMS = """query AS MATERIALIZED (
    SELECT term.id FROM docs_search_term term,
         (SELECT tsvector_to_array(to_tsvector('english', %(query)s)) AS content,
                 tsvector_to_array(to_tsvector('docent', %(query)s)) AS everything) word
    WHERE term.term = ANY (CASE WHEN cardinality(content) > 0 THEN content ELSE everything END))"""


def keyword_leg(query: str, *, version_ids: Sequence[int], limit: int, section: str | None = None) -> list[LegHit]:
    """The passages that score highest for the terms of `query`, best first; none for a query without known terms."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH {_QUERY_TERMS},
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


def keyword_pages(query: str, *, version_ids: Sequence[int], limit: int, section: str | None = None) -> list[int]:
    """Ids of the pages that score highest as a whole, best first."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""WITH {_QUERY_TERMS}
                SELECT posting.page_id
                FROM query JOIN docs_search_pageposting posting
                     ON posting.term_id = query.id AND posting.version_id = ANY (%(versions)s)
                {page_section_filter("posting.page_id", section)}
                GROUP BY posting.page_id ORDER BY sum(posting.weight) DESC, posting.page_id LIMIT %(limit)s""",
            {"query": query, "versions": list(version_ids), "limit": limit, "section": section},
        )
        return [page for (page,) in cursor.fetchall()]


def section_filter(passage_id: str, section: str | None) -> str:
    """A SQL condition that keeps passages of pages in a section; the parameter is named `section`."""
    if section is None:
        return ""
    return f"""WHERE {passage_id} IN (
        SELECT passage.id FROM docs_search_passage passage JOIN docs_search_page page ON page.id = passage.page_id
        WHERE page.version_id = ANY (%(versions)s) AND page.section = %(section)s)"""


def page_section_filter(page_id: str, section: str | None, *, keyword: str = "WHERE") -> str:
    """A SQL condition that keeps pages in a section; the parameter is named `section`."""
    if section is None:
        return ""
    return f"""{keyword} {page_id} IN (
        SELECT id FROM docs_search_page WHERE version_id = ANY (%(versions)s) AND section = %(section)s)"""
