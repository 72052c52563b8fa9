"""The ASGI application that daphne serves."""

import os
from contextlib import suppress
from threading import Thread

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from config.env import limit_statements
from docs_search.embedding.embedder import EmbeddingError, get_embedder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Here, so that it holds for every process that serves and for no other: commands and workers may take their time.
limit_statements(settings.DATABASES["default"], settings.DATABASE_STATEMENT_TIMEOUT)


def _load_embedding_model() -> None:
    """Spare the first search the second that loading takes. A failure is left to searches to report."""
    with suppress(EmbeddingError):
        get_embedder().embed_query("warm-up")


application = ProtocolTypeRouter({"http": get_asgi_application()})
# Here and nowhere else: commands and workers that embed nothing load no model.
# No daemon: stopping in the middle waits, since a thread of onnxruntime that is cut off aborts the process.
Thread(target=_load_embedding_model, name="load-embedding-model").start()
