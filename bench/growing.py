"""A version of a hundred thousand passages, made of copies of a real one, to time searches in."""

import time

from django.db import connection, transaction
from django.utils import timezone

from docs_search.indexing.maintenance import maintain
from docs_search.indexing.postings import rebuild_postings
from docs_search.models import Corpus, Passage, Version
from docs_search.retrieval.ablation import Ranking, ranked_pages
from docs_search.scope import resolve_scope
from docs_search.versions import SCHEMES

PASSAGES = 100_000
NOISE = 0.02  # added to each number of a copied vector, so that no two are equal


def grow(corpus_slug: str, version_name: str) -> str:
    """Publish a version of at least 100,000 passages and return its name. Prints what it took."""
    corpus = Corpus.objects.get(slug=corpus_slug)
    release = SCHEMES[corpus.version_scheme].parse("1000.0")
    assert release is not None
    model = corpus.versions.get(name=version_name)
    copies = -(-PASSAGES // model.passage_count)
    begun = time.perf_counter()
    with transaction.atomic():
        version = Version.objects.create(
            corpus=corpus, name=release.name, source=f"{corpus.slug}_{release.name}", release=list(release.numbers)
        )
        _copy(model, version, copies)
        rebuild_postings(version.pk)
        version.publication, version.published_at = 1, timezone.now()
        version.passage_count = Passage.objects.filter(version=version).count()
        version.page_count = version.pages.count()
        version.save()
    print(f"{version.passage_count:,} passages: copied and counted in {time.perf_counter() - begun:.0f} s")
    begun = time.perf_counter()
    maintain(corpus, published=True)
    print(f"  their vector index took {time.perf_counter() - begun:.0f} s")
    return release.name


def compare_with_exact_scan(corpus_slug: str, version_name: str, queries: list[str]) -> None:
    """Print how many of the ten nearest pages the vector index finds of those that a scan of everything finds."""
    scope = resolve_scope(corpus_slug, version_name)
    indexed = [ranked_pages(query, scope, Ranking.SEMANTIC) for query in queries]
    with connection.cursor() as cursor:
        cursor.execute("SET enable_indexscan = off")
        exact = [ranked_pages(query, scope, Ranking.SEMANTIC) for query in queries]
        cursor.execute("RESET enable_indexscan")
    found = sum(len(set(some) & set(every)) for some, every in zip(indexed, exact, strict=True))
    print(f"  pages of the exact scan's first ten    {found / sum(map(len, exact)):.3f}")


def _copy(model: Version, version: Version, copies: int) -> None:
    parameters = {"model": model.pk, "version": version.pk, "copies": copies, "noise": NOISE}
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO docs_search_page (version_id, path, lookup_path, url, title, summary, section, plan,
                   deployment, aliases, links, sections, markdown, content_hash)
               SELECT %(version)s, copy || '/' || path, copy || '/' || lookup_path, url, title, summary, section, plan,
                   deployment, '{}', '{}', sections, markdown, content_hash
               FROM docs_search_page, generate_series(1, %(copies)s) copy WHERE version_id = %(model)s""",
            parameters,
        )
        cursor.execute("ANALYZE docs_search_page")
        cursor.execute(
            """INSERT INTO docs_search_passage (version_id, page_id, position, heading, heading_path, anchor, markdown,
                   text, kind, plan, token_count, content_hash, ordinal)
               SELECT %(version)s, copied.id, position, heading, heading_path, anchor, passage.markdown,
                   text, kind, passage.plan, token_count, passage.content_hash, ordinal
               FROM docs_search_passage passage
                    JOIN docs_search_page page ON page.id = passage.page_id
                    JOIN generate_series(1, %(copies)s) copy ON true
                    JOIN docs_search_page copied
                         ON copied.version_id = %(version)s AND copied.path = copy || '/' || page.path
               WHERE passage.version_id = %(model)s""",
            parameters,
        )
        cursor.execute("ANALYZE docs_search_page, docs_search_passage")
        cursor.execute(
            """INSERT INTO docs_search_passagevector (passage_id, version_id, vector)
               SELECT passage.id, %(version)s, l2_normalize(embedding.vector + noise.vector)
               FROM docs_search_passage passage
                    JOIN docs_search_embedding embedding ON embedding.content_hash = passage.content_hash
                    CROSS JOIN LATERAL (
                        SELECT array_agg((random() - 0.5) * 2 * %(noise)s + 0 * (passage.id + place))::real[]::halfvec
                               AS vector
                        FROM generate_series(1, vector_dims(embedding.vector)) place) noise
               WHERE passage.version_id = %(version)s""",
            parameters,
        )
        cursor.execute(
            """INSERT INTO docs_search_pagevector (page_id, version_id, vector)
               SELECT passage.page_id, %(version)s, l2_normalize(avg(item.vector))
               FROM docs_search_passagevector item JOIN docs_search_passage passage ON passage.id = item.passage_id
               WHERE item.version_id = %(version)s GROUP BY passage.page_id""",
            parameters,
        )
        cursor.execute(
            """INSERT INTO docs_search_identifier (version_id, name, passage_id, role)
               SELECT %(version)s, identifier.name, copied.id, identifier.role
               FROM docs_search_identifier identifier
                    JOIN docs_search_passage passage ON passage.id = identifier.passage_id
                    JOIN docs_search_passage copied
                         ON copied.version_id = %(version)s AND copied.content_hash = passage.content_hash
                            AND copied.ordinal = passage.ordinal
               WHERE identifier.version_id = %(model)s
               ON CONFLICT DO NOTHING""",
            parameters,
        )
