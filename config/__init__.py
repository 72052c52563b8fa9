"""Settings, entry points and the assembly of the apps."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
