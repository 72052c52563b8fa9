"""The ASGI application that daphne serves."""

import os

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from config.env import limit_statements

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Here, so that it holds for every process that serves and for no other: commands and workers may take their time.
limit_statements(settings.DATABASES["default"], settings.DATABASE_STATEMENT_TIMEOUT)

application = ProtocolTypeRouter({"http": get_asgi_application()})
