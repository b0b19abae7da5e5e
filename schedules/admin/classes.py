"""Task classes in the admin: saved by the use case of the API, so open drafts notice and names of events follow."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from schedules.models import ScheduleEvent
from schedules.selectors import semester_current
from schedules.services import class_delete, class_replace, limits_of, timetable_lock
from schedules.services.classes import CLASSES_MAX, refuse_full
from taskclasses.fields import CLASS_FIELDS, ClassField, ClassValues, ItemValues, read_fields
from taskclasses.kernel.bounded_admin import BoundedAdmin
from taskclasses.kernel.canonical_json import digest_of
from taskclasses.kernel.errors import CodedError
from taskclasses.kernel.i18n import language_of
from taskclasses.models import TaskClass, TaskItem
from taskclasses.presentation import class_json
from taskclasses.seals import choose_color
from taskclasses.spec import FieldIssue, check_class

BADGE = ("color_index", "seal", "course_id", "exam_id")
"""What the student chooses; staff sees it."""
COLUMNS = tuple(name for name in ClassValues.__dataclass_fields__ if name not in ("items", *BADGE))


def faults(user_id: int, values: dict[str, Any]) -> list[FieldIssue]:
    """Returns what the API would refuse this student, in the language of the page."""
    limits = limits_of(semester_current(user_id))
    issues = check_class(values, limits, locale=language_of(get_language() or "zh"))
    return [issue for issue in issues if issue.severity == "error"]


def _sort_whole(field: ClassField, given: Any) -> Any:
    """Sorts a list, each value once; one that cannot be sorted is left for the check to refuse."""
    try:
        return field.sort_values(given)
    except (TypeError, KeyError):
        return given


def mark_of(row: TaskClass) -> str:
    """Returns what a class with its items is known by as it stands: another after each change."""
    return digest_of(class_json(row))


class TaskClassForm(forms.ModelForm):  # type: ignore[type-arg]
    """Takes what staff says of a class, and the mark that it had when the page was opened."""

    mark = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = TaskClass
        fields = ("user", *COLUMNS)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            self.initial["mark"] = mark_of(self.instance)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("mark") and values["mark"] != self.initial.get("mark"):
            # Saved all the same, it would take back the student's names and delete the items that the page has not.
            raise forms.ValidationError(gettext("打开这个页面之后，任务类或它的任务项有了改动。请重新打开页面再改"))
        for field in CLASS_FIELDS:
            if field.kind == "choice" and field.default is None:
                values[field.name] = values.get(field.name) or None
            elif field.is_list:
                values[field.name] = _sort_whole(field, values.get(field.name) or [])
        # Items are judged in their own rows below the class, so their absence is no fault of this form.
        owner = values.get("user") or getattr(self.instance, "user", None)
        if self.instance.pk is None and owner and TaskClass.objects.filter(user=owner).count() >= CLASSES_MAX:
            self.add_error("user", gettext("已经有 {n} 个任务类，到上限了，先删掉用不着的").format(n=CLASSES_MAX))
        for issue in faults(owner.pk if owner else 0, {**values, "items": [{"order": 1, "content": "-"}]}):
            if issue.field in self.fields and issue.field not in self.errors:
                self.add_error(issue.field, issue.message)
        return values


class TaskItemFormSet(forms.BaseInlineFormSet):  # type: ignore[type-arg]
    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        values = read_fields(self.instance)
        rows = [vars(item) for item in self.item_values()]
        found = [
            issue.message
            for issue in faults(self.instance.user_id, {**values, "items": rows})
            if issue.field.startswith("items")
        ]
        if found:
            raise forms.ValidationError(found)

    def item_values(self) -> list[ItemValues]:
        rows = [form.instance for form in self.forms if form.instance.pk or form.has_changed()]
        return [ItemValues(row.order, row.content, row.duration, row.pk) for row in rows]


class TaskItemInline(admin.TabularInline):  # type: ignore[type-arg]
    model = TaskItem
    formset = TaskItemFormSet
    extra = 0
    fields = ("order", "content", "duration", "status", "embedded_time")
    readonly_fields = ("status", "embedded_time")
    show_change_link = True

    # Items are a part of their class: who may do something to it may do it to them. Were they left out of the page for
    # want of a permission of their own, saving the class would delete them.
    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._class_admin.has_view_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._class_admin.has_change_permission(request, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        classes = self._class_admin
        return classes.has_add_permission(request) if obj is None else classes.has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # An item on the timetable leaves it through the API, never behind the rules.
        return False

    @property
    def _class_admin(self) -> admin.ModelAdmin[Any]:
        return self.admin_site.get_model_admin(TaskClass)


@admin.register(TaskClass)
class TaskClassAdmin(BoundedAdmin):
    form = TaskClassForm
    list_display = ("name", "user", "mode", "strategy", "subject_type", "start_date", "end_date", "item_count")
    list_filter = ("mode", "strategy", "subject_type", "difficulty_level", "allow_filler_course")
    owner = "user"
    texts = ("name", "items__content")
    scopes = ("user__id__exact",)
    autocomplete_fields = ("user",)
    inlines = (TaskItemInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TaskClass]:
        rows: QuerySet[TaskClass] = super().get_queryset(request)
        # Counted beside the rows: a join would multiply with the one of a search by item.
        own = TaskItem.objects.filter(task_class=OuterRef("pk")).order_by().values("task_class")
        count = Subquery(own.annotate(number=Count("pk")).values("number"))
        return rows.select_related("user").annotate(item_count=Coalesce(count, 0))

    def get_readonly_fields(self, request: HttpRequest, obj: TaskClass | None = None) -> tuple[str, ...]:
        # A class stays with its student: its items may stand on that student's timetable.
        if obj is None:
            return ("created_at", "updated_at")
        follows = ("end_date",) if obj.exam_id is not None else ()
        return ("user", *follows, *BADGE, "created_at", "updated_at")

    def get_fields(self, request: HttpRequest, obj: TaskClass | None = None) -> list[Any]:
        shown = [name for name in super().get_fields(request, obj) if name != "mark"]
        return [*shown, "mark"] if obj is not None and self.has_change_permission(request, obj) else shown

    def save_model(self, request: HttpRequest, obj: TaskClass, form: Any, change: bool) -> None:
        if not change:
            timetable_lock(user_id=obj.user_id, semester=semester_current(obj.user_id))
            refuse_full(obj.user)
            others = TaskClass.objects.filter(user=obj.user)
            obj.color_index = choose_color(others.values_list("color_index", flat=True))
            super().save_model(request, obj, form, change)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        # Nothing is written here; the page's history asks the formset what is new and what changed.
        formset.save(commit=False)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        row = form.instance
        items = [item for formset in formsets for item in formset.item_values()]
        values, known = ClassValues(**read_fields(row), items=items), form.cleaned_data.get("mark")

        def check(present: TaskClass) -> None:
            if known and mark_of(present) != known:
                raise CodedError(40079)

        class_replace(user=row.user, class_id=row.pk, values=values, check=check)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        to_delete, counts, _needed, protected = super().get_deleted_objects(objs, request)
        applied = TaskItem.objects.filter(task_class__in=objs, status=TaskItem.Status.APPLIED).exists()
        # Items go with their class; what stands on a timetable leaves it, and that is a permission of its own.
        allowed = not applied or request.user.has_perm("schedules.delete_scheduleevent")
        return to_delete, counts, set() if allowed else {ScheduleEvent._meta.verbose_name}, protected

    def delete_model(self, request: HttpRequest, obj: TaskClass) -> None:
        class_delete(user=obj.user, class_id=obj.pk, release=True)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # Each class is deleted by its use case, after a look at what goes with it.
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    @admin.display(description=_("项数"))
    def item_count(self, row: TaskClass) -> int:
        return int(row.item_count)  # type: ignore[attr-defined]
