"""The timetable in the admin. It reads; what it changes goes through the services and so through the rules."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from schedules.models import (
    CalendarException,
    Course,
    CurrentSemester,
    Schedule,
    ScheduleEvent,
    Semester,
    TimetableVersion,
)
from schedules.services import event_delete, semester_keep
from taskclasses.admin import ReadOnly
from taskclasses.kernel.bounded_admin import BoundedAdmin


def _link(model: str, pk: int | None, label: Any) -> SafeString | str:
    if pk is None:
        return "-"
    return format_html('<a href="{}">{}</a>', reverse(f"admin:{model}_change", args=(pk,)), label)


@admin.register(Semester)
class SemesterAdmin(BoundedAdmin):
    list_display = ("name", "owner", "first_monday", "weeks", "time_zone", "is_current")
    list_filter = ("is_current", ("owner", admin.EmptyFieldListFilter), "first_monday")
    owner = "owner"
    texts = ("name",)
    scopes = ("owner__id__exact",)
    list_select_related = ("owner",)
    # What staff makes is shared; what a student made stays the student's.
    readonly_fields = ("owner",)

    def save_model(self, request: HttpRequest, obj: Semester, form: Any, change: bool) -> None:
        semester_keep(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Course)
class CourseAdmin(ReadOnly):
    list_display = ("name", "teacher", "user", "semester", "location", "can_be_embedded", "color_index")
    list_filter = ("can_be_embedded",)
    owner = "user"
    texts = ("name", "teacher")
    scopes = ("user__id__exact",)
    list_select_related = ("user", "semester")


@admin.register(CalendarException)
class CalendarExceptionAdmin(ReadOnly):
    list_display = (
        "name", "user", "semester", "kind", "first_date", "last_date", "follows_date", "parity", "study_allowed",
    )  # fmt: skip
    list_filter = ("kind", "study_allowed", "first_date")
    owner = "user"
    texts = ("name",)
    scopes = ("user__id__exact",)
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
    list_filter = ("type", "can_be_embedded", "source", "start_at")
    owner = "user"
    texts = ("name", "location")
    scopes = ("user__id__exact", "course__id__exact", "import_batch__id__exact")
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
        self.log_deletions(request, chosen)
        for event in chosen.select_related("user"):
            event_delete(user=event.user, event_id=event.pk)
        self.message_user(request, _now("已删除所选日程"))


@admin.register(Schedule)
class ScheduleAdmin(ReadOnly):
    list_display = ("event_link", "user", "week", "day_of_week", "section", "guest_link", "status")
    list_filter = ("status",)
    owner = "user"
    texts = ("event__name", "embedded_task_item__content")
    scopes = ("user__id__exact", "event__id__exact")
    list_select_related = ("event", "user", "embedded_task_item")

    @admin.display(description=_("日程"))
    def event_link(self, row: Schedule) -> SafeString | str:
        return _link("schedules_scheduleevent", row.event_id, row.event)

    @admin.display(description=_("嵌入的任务项"))
    def guest_link(self, row: Schedule) -> SafeString | str:
        return _link("taskclasses_taskitem", row.embedded_task_item_id, row.embedded_task_item)


@admin.register(CurrentSemester)
class CurrentSemesterAdmin(ReadOnly):
    list_display = ("user", "semester")
    owner = "user"
    scopes = ("user__id__exact",)
    list_select_related = ("user", "semester")


@admin.register(TimetableVersion)
class TimetableVersionAdmin(ReadOnly):
    list_display = ("user", "semester", "version")
    owner = "user"
    scopes = ("user__id__exact",)
    list_select_related = ("user", "semester")
