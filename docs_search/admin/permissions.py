"""What may not be done to rows in the admin: what programs write, and what is too much to be deleted in a request."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse


class ReadOnly:
    """Rows that a program writes; the mixin goes before the admin class."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RemovedByCommand:
    """What holds too many rows for Django to delete; the mixin goes before the admin class."""

    def removal(self, row: Model) -> str:
        """The command that removes a row, or blank where the admin may delete it."""
        raise NotImplementedError

    @admin.display(description="to remove it")
    def removal_hint(self, row: Model) -> str:
        return f"run {command}" if (command := self.removal(row)) else ""

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)  # type: ignore[attr-defined]
        if row and self.has_view_permission(request, row) and (command := self.removal(row)):  # type: ignore[attr-defined]
            messages.error(request, f"{row} is not deleted here. Run: {command}")
            return HttpResponseRedirect(reverse(f"admin:docs_search_{row._meta.model_name}_change", args=[row.pk]))
        response: HttpResponse = super().delete_view(request, object_id, extra_context)  # type: ignore[misc]
        return response
