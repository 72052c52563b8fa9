"""The HTTP API below /v1/."""

from django.urls import path, re_path

from docs_search.api import views

urlpatterns = [
    path("health", views.HealthView.as_view()),
    path("search", views.SearchView.as_view()),
    path("docs", views.DocView.as_view()),
    path("docs/<str:version>/<path:path>", views.DocByPathView.as_view()),
    path("related", views.RelatedView.as_view()),
    path("openapi.json", views.OpenApiView.as_view()),
    re_path(r"^docs/", views.MissingPathView.as_view()),
]
