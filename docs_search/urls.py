"""The HTTP API below /v1/."""

from django.urls import path, re_path

from docs_search import api

urlpatterns = [
    path("health", api.HealthView.as_view()),
    path("search", api.SearchView.as_view()),
    path("docs", api.DocView.as_view()),
    path("docs/<str:version>/<path:path>", api.DocByPathView.as_view()),
    path("related", api.RelatedView.as_view()),
    path("openapi.json", api.OpenApiView.as_view()),
    re_path(r"^docs/", api.MissingPathView.as_view()),
]
