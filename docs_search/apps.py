from django.apps import AppConfig


class DocsSearchAppConfig(AppConfig):
    name = "docs_search"
    verbose_name = "Documentation search"
    default_auto_field = "django.db.models.BigAutoField"
