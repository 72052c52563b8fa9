"""Every address that Docent serves over Django."""

from django.contrib import admin
from django.urls import include, path

from config.admin_login import login
from docs_search.api.page_views import PageView

urlpatterns = [
    path("admin/login/", login),
    path("admin/", admin.site.urls),
    path("v1/", include("docs_search.urls")),
    path("pages/<str:source>/", PageView.as_view()),
    path("pages/<str:source>/<path:path>", PageView.as_view()),
]

handler400 = "docs_search.api.error_responses.bad_request"
handler404 = "docs_search.api.error_responses.page_not_found"
handler500 = "docs_search.api.error_responses.server_error"
