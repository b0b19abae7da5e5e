"""The timetable in the admin. It reads; what it changes goes through the services and so through the rules."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from schedules.models import AppliedBatch, Course, CurrentSemester, Schedule, ScheduleEvent, Semester, TimetableVersion
from schedules.services import event_delete, schedule_undo, semester_change
from taskclasses.admin import ReadOnly
from taskclasses.kernel.errors import CodedError

WHY_NOT_UNDONE = {"already_undone": _("已经撤销过"), "changed_since": _("之后又有改动，无法撤销")}


def _link(model: str, pk: int | None, label: Any) -> SafeString | str:
    if pk is None:
        return "-"
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{model}_change", args=(pk,)), label)


@admin.register(Semester)
class SemesterAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "owner", "first_monday", "weeks", "time_zone", "is_current")
    list_filter = ("is_current", ("owner", admin.EmptyFieldListFilter), "time_zone")
    search_fields = ("name", "owner__username")
    date_hierarchy = "first_monday"
    list_select_related = ("owner",)
    # What staff makes is shared; what a student made stays the student's.
    readonly_fields = ("owner",)

    def save_model(self, request: HttpRequest, obj: Semester, form: Any, change: bool) -> None:
        semester_change(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Course)
class CourseAdmin(ReadOnly):
    list_display = ("name", "teacher", "user", "semester", "location", "can_be_embedded", "color_index")
    list_filter = ("can_be_embedded", "semester")
    search_fields = ("name", "teacher", "user__username")
    list_select_related = ("user", "semester")


class ScheduleInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Schedule
    extra = 0
    fields = readonly_fields = ("week", "day_of_week", "section", "embedded_task_item", "status")
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(ScheduleEvent)
class ScheduleEventAdmin(ReadOnly):
    list_display = (
        "name", "user", "type", "course", "week", "day_of_week", "section_from", "section_to", "location",
        "can_be_embedded", "source", "item_link",
    )  # fmt: skip
    list_filter = ("type", "can_be_embedded", "source", "semester", "week", "day_of_week")
    search_fields = ("name", "location", "user__username")
    date_hierarchy = "start_at"
    list_select_related = ("user", "task_item", "course")
    inlines = (ScheduleInline,)
    actions = ("remove",)

    @admin.display(description=_("任务项"))
    def item_link(self, event: ScheduleEvent) -> SafeString | str:
        return _link("taskclasses_taskitem", event.task_item_id, event.task_item)

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("schedules.delete_scheduleevent")

    @admin.action(description=_("删除日程并释放任务项"), permissions=["remove"])
    def remove(self, request: HttpRequest, chosen: QuerySet[ScheduleEvent]) -> None:
        for event in chosen.select_related("user"):
            event_delete(user=event.user, event_id=event.pk)
        self.message_user(request, _now("已删除所选日程"))


@admin.register(Schedule)
class ScheduleAdmin(ReadOnly):
    list_display = ("event_link", "user", "week", "day_of_week", "section", "guest_link", "status")
    list_filter = ("status", "semester", "week", "day_of_week")
    search_fields = ("event__name", "user__username", "embedded_task_item__content")
    list_select_related = ("event", "user", "embedded_task_item")

    @admin.display(description=_("日程"), ordering="event__name")
    def event_link(self, row: Schedule) -> SafeString | str:
        return _link("schedules_scheduleevent", row.event_id, row.event)

    @admin.display(description=_("嵌入的任务项"))
    def guest_link(self, row: Schedule) -> SafeString | str:
        return _link("taskclasses_taskitem", row.embedded_task_item_id, row.embedded_task_item)


@admin.register(AppliedBatch)
class AppliedBatchAdmin(ReadOnly):
    list_display = ("id", "user", "source", "semester", "conversation", "created_at", "undone_at")
    list_filter = ("source", "semester", ("undone_at", admin.EmptyFieldListFilter))
    search_fields = ("user__username", "conversation")
    date_hierarchy = "created_at"
    list_select_related = ("user", "semester")
    actions = ("undo",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AppliedBatch]:
        rows: QuerySet[AppliedBatch] = super().get_queryset(request)
        return rows.defer("changes", "course_changes")  # up to a megabyte each, and a list shows a hundred

    def has_undo_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("schedules.change_appliedbatch")

    @admin.action(description=_("撤销所选批次"), permissions=["undo"])
    def undo(self, request: HttpRequest, chosen: QuerySet[AppliedBatch]) -> None:
        for batch in chosen.select_related("user").order_by("-pk"):
            try:
                schedule_undo(user=batch.user, batch_id=batch.pk)
            except CodedError as error:
                reason = WHY_NOT_UNDONE.get(error.data["reason"], error.data["reason"])
                self.message_user(request, f"{batch}: {reason}", messages.WARNING)
            else:
                self.message_user(request, f"{batch}: {_now('已撤销')}")


@admin.register(CurrentSemester)
class CurrentSemesterAdmin(ReadOnly):
    list_display = ("user", "semester")
    list_filter = ("semester",)
    search_fields = ("user__username",)
    list_select_related = ("user", "semester")


@admin.register(TimetableVersion)
class TimetableVersionAdmin(ReadOnly):
    list_display = ("user", "semester", "version")
    list_filter = ("semester",)
    search_fields = ("user__username",)
    list_select_related = ("user", "semester")
