from django.apps import AppConfig
from django.core.checks import Tags, register

from docs_search.limits import check_rates


class DocsSearchAppConfig(AppConfig):
    name = "docs_search"
    verbose_name = "Documentation search"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from docs_search.checks import check_embedding_models, check_reranker  # noqa: PLC0415  models exist only now

        register(check_rates, Tags.caches)
        register(check_embedding_models, Tags.database)
        register(check_reranker)
