"""The HTTP API below /v1/."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
