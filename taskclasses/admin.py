"""Task classes in the admin: the same checks as the API, links to items and to their place on the timetable."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from taskclasses.i18n import language_of
from taskclasses.models import TaskClass, TaskClassWrite, TaskItem
from taskclasses.spec import Limits, check_class

# The semester is not known in this app: its dates and its number of blocks are checked by the API.
_WIDE = Limits(blocks=8, first_day=date.min, last_day=date.max)


class TaskClassForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = TaskClass
        fields = "__all__"  # noqa: DJ007

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        for name in ("subject_type", "difficulty_level", "cognitive_intensity"):
            values[name] = values.get(name) or None
        for name in ("excluded_slots", "excluded_days_of_week"):
            numbers = values.get(name) or []
            values[name] = sorted(set(numbers)) if all(type(n) is int for n in numbers) else numbers
        # Items are edited in their own rows below the class, so their absence is no fault of this form.
        known = [{"order": 1, "content": "-"}]
        for issue in check_class({**values, "items": known}, _WIDE, locale=language_of(get_language() or "zh")):
            if issue.severity == "error" and issue.field in self.fields and issue.field not in self.errors:
                self.add_error(issue.field, issue.message)
        return values


class TaskItemForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = TaskItem
        fields = ("order", "content", "duration")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The event of an applied item carries its name: renaming goes through the API, which keeps both alike.
        if self.instance.status == TaskItem.Status.APPLIED:
            self.fields["content"].disabled = True


class TaskItemInline(admin.TabularInline):  # type: ignore[type-arg]
    model = TaskItem
    form = TaskItemForm
    extra = 0
    fields = ("order", "content", "duration", "status", "embedded_time")
    readonly_fields = ("status", "embedded_time")
    show_change_link = True

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # An item on the timetable leaves it through the API, never behind the rules.
        return False


@admin.register(TaskClass)
class TaskClassAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = TaskClassForm
    list_display = ("name", "user", "mode", "strategy", "subject_type", "start_date", "end_date", "item_count")
    list_filter = ("mode", "strategy", "subject_type", "difficulty_level", "allow_filler_course")
    search_fields = ("name", "user__username", "items__content")
    date_hierarchy = "start_date"
    autocomplete_fields = ("user",)
    readonly_fields = ("created_at", "updated_at")
    inlines = (TaskItemInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaskClass]:
        rows: QuerySet[TaskClass] = super().get_queryset(request)
        return rows.select_related("user").annotate(item_count=Count("items"))

    def has_delete_permission(self, request: HttpRequest, obj: TaskClass | None = None) -> bool:
        applied = obj is not None and obj.items.filter(status=TaskItem.Status.APPLIED).exists()
        return not applied and super().has_delete_permission(request, obj)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # Deleting many at once would pass over classes with applied items.
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    @admin.display(description=_("项数"), ordering="item_count")
    def item_count(self, row: TaskClass) -> int:
        return int(row.item_count)  # type: ignore[attr-defined]


@admin.register(TaskItem)
class TaskItemAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("content", "class_link", "order", "duration", "status", "embedded_time", "event_link")
    list_filter = ("status", "duration", "task_class__mode")
    search_fields = ("content", "task_class__name", "task_class__user__username")
    list_select_related = ("task_class", "event")
    readonly_fields = ("task_class", "content", "status", "embedded_time", "class_link", "event_link")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("任务类"), ordering="task_class__name")
    def class_link(self, item: TaskItem) -> SafeString:
        address = reverse("admin:taskclasses_taskclass_change", args=(item.task_class_id,))
        return format_html('<a href="{}">{}</a>', address, item.task_class.name)

    @admin.display(description=_("日程"))
    def event_link(self, item: TaskItem) -> SafeString | str:
        event = getattr(item, "event", None)
        row = None if event is not None else item.host_rows.select_related("event").first()
        found = event if event is not None else row.event if row is not None else None
        if found is None:
            return "-"
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:schedules_scheduleevent_change", args=(found.pk,)), found
        )


@admin.register(TaskClassWrite)
class TaskClassWriteAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("key", "user", "source", "created_at")
    list_filter = ("source",)
    search_fields = ("key", "user__username")
    date_hierarchy = "created_at"
    readonly_fields = ("user", "key", "source", "answer", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
