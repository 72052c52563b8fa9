"""Every address that Docent serves over Django."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("v1/", include("docs_search.urls")),
]

handler400 = "docs_search.error_responses.bad_request"
handler404 = "docs_search.error_responses.page_not_found"
handler500 = "docs_search.error_responses.server_error"
