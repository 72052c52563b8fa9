"""Reading passages by id, with what their page and version say of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from docs_search.pages.addresses import served


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A stored passage as search shows it. `cosine` is its similarity to the query, None where it has no vector."""

    passage_id: int
    page_id: int
    version: str
    url: str
    title: str
    anchor: str | None
    heading: str
    heading_path: list[str]
    markdown: str
    text: str
    kind: str
    plan: str | None
    cosine: float | None

    @property
    def content(self) -> str:
        """The plain text without the heading path that stands before it."""
        return self.text.partition("\n")[2]


def read_passages(ids: Sequence[int], *, vector: NDArray[np.float32] | None) -> dict[int, PassageRow]:
    """Rows by passage id, in one statement. Ids that are gone are absent.

    Without a query vector no vector is read either. Raises DatabaseError where the two do not fit.
    """
    cosine, vectors = "NULL", ""
    if vector is not None:
        cosine = "-(item.vector <#> %(vector)s::halfvec)"
        vectors = "LEFT JOIN docs_search_passagevector item ON item.passage_id = passage.id"
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT passage.id, page.id, version.name, page.url, page.title, passage.anchor, passage.heading,
                       passage.heading_path, passage.markdown, passage.text, passage.kind, passage.plan, {cosine}
                FROM docs_search_passage passage
                     JOIN docs_search_page page ON page.id = passage.page_id
                     JOIN docs_search_version version ON version.id = passage.version_id
                     {vectors}
                WHERE passage.id = ANY (%(ids)s)""",
            {"ids": list(ids), "vector": None if vector is None else HalfVector(vector).to_text()},
        )
        rows = [PassageRow(*row) for row in cursor.fetchall()]
    return {row.passage_id: replace(row, url=served(row.url), markdown=served(row.markdown)) for row in rows}
