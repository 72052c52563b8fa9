"""Pages that a reader of a page may want next."""

from dataclasses import dataclass

from django.db import connection

from docs_search.models import Page
from docs_search.pages.addresses import served

# Added to the cosine of the pages' mean vectors (which lies between 0.3 and 0.9 for pages of one manual).
LINK_OUT = 0.15
LINK_IN = 0.10
SAME_SECTION = 0.05


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """`score` orders the pages of one answer; it does not compare across pages."""

    url: str
    title: str
    score: float


def related(page: Page, *, limit: int = 10) -> list[RelatedPage]:
    """The pages of the same version nearest to `page`: alike in content, linked with it, or in the same section."""
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT url, title, score FROM (
                   SELECT other.id, other.url, other.title,
                          coalesce(-(vector.vector <#> own.vector), 0)
                          + CASE WHEN other.path = ANY (%(links)s) THEN %(link_out)s ELSE 0 END
                          + CASE WHEN other.links @> ARRAY[%(path)s]::text[] THEN %(link_in)s ELSE 0 END
                          + CASE WHEN other.section = %(section)s THEN %(same_section)s ELSE 0 END AS score
                   FROM docs_search_page other
                        LEFT JOIN docs_search_pagevector vector ON vector.page_id = other.id
                        LEFT JOIN docs_search_pagevector own ON own.page_id = %(page)s
                   WHERE other.version_id = %(version)s AND other.id <> %(page)s) candidate
               WHERE score > 0 ORDER BY score DESC, id LIMIT %(limit)s""",
            {
                "page": page.pk,
                "version": page.version_id,
                "path": page.path,
                "links": page.links,
                "section": page.section,
                "link_out": LINK_OUT,
                "link_in": LINK_IN,
                "same_section": SAME_SECTION,
                "limit": limit,
            },
        )
        return [RelatedPage(served(url), title, score) for url, title, score in cursor.fetchall()]
