from django.apps import AppConfig


class ConfigAppConfig(AppConfig):
    """Makes the project's own commands (`run`) visible to manage.py."""

    name = "config"
    label = "docent"
    verbose_name = "Docent"
