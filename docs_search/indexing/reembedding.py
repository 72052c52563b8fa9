"""Changing the model of a corpus: its stored passages get new vectors, without reading the documentation again."""

from django.db import transaction

from docs_search.embedding.embedder import get_embedder
from docs_search.indexing.embeddings import Text, embed_missing
from docs_search.indexing.maintenance import maintain
from docs_search.indexing.publish import count_publication
from docs_search.indexing.runs import claim
from docs_search.indexing.vectors import attach_vectors, drop_vector_index
from docs_search.models import Corpus, Passage, PassageVector
from docs_search.progress import SILENT, Progress


def reembed(corpus: Corpus, *, progress: Progress = SILENT) -> int:
    """Embed every passage of `corpus` with the configured model and switch to it; returns how many were embedded.

    Until the switch, which is one transaction, searches go on without vectors. Raises IndexingError where another
    run holds the corpus, and EmbeddingError.
    """
    embedder = get_embedder()
    with claim(corpus):
        passages = Passage.objects.filter(version__corpus=corpus)
        progress.stage("embed", passages.count())
        texts = passages.order_by("content_hash").values_list("content_hash", "text").iterator(chunk_size=1000)
        embedded = embed_missing((Text(*row) for row in texts), embedder, progress)
        versions = list(corpus.versions.published())
        for version in versions:
            drop_vector_index(version.pk)  # it is cast to the dimension of the former model
        progress.stage("publish", len(versions))
        with transaction.atomic():
            PassageVector.objects.filter(version__in=versions).delete()
            for version in versions:
                attach_vectors(version, embedder.name)
                count_publication(version)
                progress.advance()
            corpus.embedding_model, corpus.embedding_dimension = embedder.name, embedder.dimension
            corpus.save(update_fields=["embedding_model", "embedding_dimension"])
        maintain(corpus, published=True)
    return embedded
