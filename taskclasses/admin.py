"""Items and class writes in the admin, to look at. Classes are edited one app higher, where the timetable is known."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from taskclasses.kernel.bounded_admin import BoundedAdmin
from taskclasses.models import TaskClassWrite, TaskItem


class ReadOnly(BoundedAdmin):
    """Shows rows that only the use cases write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(TaskItem)
class TaskItemAdmin(ReadOnly):
    list_display = ("content", "class_link", "order", "duration", "status", "mark", "embedded_time", "event_link")
    list_filter = ("status", "mark", "task_class__mode")
    owner = "task_class__user"
    texts = ("content", "task_class__name")
    scopes = ("task_class__id__exact", "task_class__user__id__exact")
    list_select_related = ("task_class", "event")
    fields = (
        "class_link", "order", "content", "duration", "status", "mark", "sections_left", "records", "embedded_time",
        "event_link",
    )  # fmt: skip
    readonly_fields = ("class_link", "event_link")

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaskItem]:
        rows: QuerySet[TaskItem] = super().get_queryset(request)
        return rows.prefetch_related("host_rows__event")

    @admin.display(description=_("任务类"))
    def class_link(self, item: TaskItem) -> SafeString:
        address = reverse("admin:taskclasses_taskclass_change", args=(item.task_class_id,))
        return format_html('<a href="{}">{}</a>', address, item.task_class.name)

    @admin.display(description=_("日程"))
    def event_link(self, item: TaskItem) -> SafeString | str:
        event = getattr(item, "event", None)
        row = next(iter(item.host_rows.all()), None)
        found = event if event is not None else row.event if row is not None else None
        if found is None:
            return "-"
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:schedules_scheduleevent_change", args=(found.pk,)), found
        )


@admin.register(TaskClassWrite)
class TaskClassWriteAdmin(ReadOnly):
    list_display = ("key", "user", "source", "created_at")
    list_filter = ("created_at",)
    owner = "user"
    texts = ("key",)
    scopes = ("user__id__exact",)
    list_select_related = ("user",)
