"""Batches in the admin: what each changed row by row, and its undo on a student's request."""

from __future__ import annotations

from itertools import islice
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from schedules.admin.batch_rows import changed_rows
from schedules.models import AppliedBatch
from schedules.services import schedule_undo
from taskclasses.admin import ReadOnly
from taskclasses.kernel.bounded_admin import UNREADABLE, tell_stored
from taskclasses.kernel.errors import GARBAGE, CodedError

WHY_NOT_UNDONE = {"already_undone": _("已经撤销过"), "changed_since": _("之后又有改动，无法撤销")}
ROWS_SHOWN = 300


def _rows_part(batch: AppliedBatch) -> str:
    shown = list(islice(changed_rows(batch), ROWS_SHOWN))
    count = len(batch.changes) + sum(len(pairs) for pairs in (batch.row_changes or {}).values())
    return render_to_string("admin/batch_rows.html", {"rows": shown, "more": count - len(shown)})


@admin.register(AppliedBatch)
class AppliedBatchAdmin(ReadOnly):
    list_display = ("id", "user", "source", "semester", "conversation", "created_at", "undone_at")
    list_filter = ("source", "created_at", ("undone_at", admin.EmptyFieldListFilter))
    owner = "user"
    scopes = ("user__id__exact",)
    list_select_related = ("user", "semester")
    actions = ("undo",)
    fields = readonly_fields = ("user", "source", "semester", "conversation", "created_at", "undone_at", "rows")
    change_form_template = "admin/batch_page.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[AppliedBatch]:
        rows: QuerySet[AppliedBatch] = super().get_queryset(request)
        return rows.defer("changes", "row_changes")  # up to a megabyte each, and a list shows a hundred

    def get_urls(self) -> list[URLPattern]:
        undo = path(
            "<int:batch_id>/undo/", self.admin_site.admin_view(self.undo_one), name="schedules_appliedbatch_undo"
        )
        return [undo, *super().get_urls()]

    @admin.display(description=_("变更的行"))
    def rows(self, batch: AppliedBatch) -> str:
        return tell_stored(lambda: _rows_part(batch))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        undoable = self.has_undo_permission(request)
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "undoable": undoable})

    def has_undo_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("schedules.change_appliedbatch")

    @admin.action(description=_("撤销所选批次"), permissions=["undo"])
    def undo(self, request: HttpRequest, chosen: QuerySet[AppliedBatch]) -> None:
        for batch in chosen.select_related("user").order_by("-pk"):
            self._undo(request, batch)

    def undo_one(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        """Undoes one batch: the button on the page of a batch."""
        if not self.has_undo_permission(request):
            raise PermissionDenied
        return require_POST(self._undo_and_return)(request, batch_id)

    def _undo_and_return(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        self._undo(request, get_object_or_404(AppliedBatch.objects.select_related("user"), pk=batch_id))
        return HttpResponseRedirect(reverse("admin:schedules_appliedbatch_change", args=(batch_id,)))

    def _undo(self, request: HttpRequest, batch: AppliedBatch) -> None:
        try:
            schedule_undo(user=batch.user, batch_id=batch.pk)
        except CodedError as error:
            reason = WHY_NOT_UNDONE.get(error.data["reason"], error.data["reason"])
            self.message_user(request, f"{batch}: {reason}", messages.WARNING)
        except GARBAGE:
            self.message_user(request, f"{batch}: {UNREADABLE}", messages.ERROR)
        else:
            self.log_change(request, batch, [{"changed": {"fields": ["undone_at"]}}])
            self.message_user(request, f"{batch}: {_now('已撤销')}")
