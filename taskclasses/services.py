"""Writes of task classes and items. They do not know the timetable: `schedules.services` calls them under its lock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from django.contrib.auth.models import User

from taskclasses.fields import ClassValues, ItemValues
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskClass, TaskItem
from taskclasses.seals import choose_color, choose_seal, follow_name
from taskclasses.selectors import task_class_get
from taskclasses.spec import ClassLimits, FieldIssue, check_class


def task_class_create(*, user: User, values: ClassValues, limits: ClassLimits, locale: str = "zh") -> TaskClass:
    """Creates a new class with its items. Ids of items are ignored: they are new. Errors 40005, 40044, 40045."""
    refuse_issues(check_class(asdict(values), limits, locale=locale))
    row = TaskClass.objects.create(user=user, **_add_badge(user, values, None).columns())
    _add_items(row, values.items)
    return task_class_get(user=user, class_id=row.pk)


class DatesRefused(CodedError):
    """Tells of dates that do not fit. The wire tells the code alone; `issues` say which date is wrong and why."""

    def __init__(self, code: int, issues: Sequence[FieldIssue]) -> None:
        super().__init__(code)
        self.issues = issues


@dataclass(frozen=True)
class Replaced:
    task_class: TaskClass
    renamed: dict[int, str]
    """New content of the items whose content changed."""


def task_class_replace(
    *, user: User, class_id: int, values: ClassValues, limits: ClassLimits, locale: str = "zh"
) -> Replaced:
    """Replaces a class. Items match by id, new ones have none, those left out go unless they are applied (40034)."""
    row = task_class_get(user=user, class_id=class_id)
    refuse_issues(check_class(asdict(values), limits, locale=locale))
    known = {item.pk: item for item in row.items.all()}
    kept = [item for item in values.items if item.id is not None]
    _refuse_item_ids(known, [item.id for item in kept if item.id is not None])
    left_out = [item for pk, item in known.items() if pk not in {item.id for item in kept}]
    applied = sorted(item.pk for item in left_out if item.status == TaskItem.Status.APPLIED)
    if applied:
        raise CodedError(40034, {"task_item_ids": applied})
    for name, value in _add_badge(user, values, row).columns().items():
        setattr(row, name, value)
    row.save()
    TaskItem.objects.filter(pk__in=[item.pk for item in left_out]).delete()
    renamed = {}
    for wanted in kept:
        item, content = known[wanted.id or 0], wanted.content.strip()
        if item.content != content:
            renamed[item.pk] = content
        item.order, item.content, item.duration = wanted.order, content, wanted.duration
    TaskItem.objects.bulk_update([known[item.id or 0] for item in kept], ["order", "content", "duration"])
    _add_items(row, [item for item in values.items if item.id is None])
    return Replaced(task_class_get(user=user, class_id=class_id), renamed)


def _add_badge(user: User, values: ClassValues, row: TaskClass | None) -> ClassValues:
    """Returns the values with a colour and a seal: those given, else those of the row, else free ones of the
    student's."""
    if values.color_index is not None and values.seal:
        return values
    others = TaskClass.objects.filter(user=user).exclude(pk=row.pk if row else 0)
    used = list(others.values_list("color_index", "seal"))
    taken = {seal for _, seal in used}
    if row is None:
        color, seal = choose_color(index for index, _ in used), choose_seal(values.name, taken)
    else:
        color, seal = row.color_index, follow_name(row.seal, before=row.name, after=values.name, taken=taken)
    given = values.color_index
    return replace(values, color_index=color if given is None else given, seal=values.seal or seal)


def task_class_delete(*, user: User, class_id: int) -> None:
    """Deletes a class without applied items; 40040, 40034."""
    row = task_class_get(user=user, class_id=class_id)
    applied = applied_items(row)
    if applied:
        raise CodedError(40034, {"task_item_ids": applied})
    row.delete()


def applied_items(row: TaskClass) -> list[int]:
    return sorted(item.pk for item in row.items.all() if item.status == TaskItem.Status.APPLIED)


def _add_items(row: TaskClass, items: Iterable[ItemValues]) -> None:
    TaskItem.objects.bulk_create(
        TaskItem(task_class=row, order=item.order, content=item.content.strip(), duration=item.duration)
        for item in items
    )


def _refuse_item_ids(known: dict[int, TaskItem], ids: Sequence[int]) -> None:
    twice = sorted({pk for pk in ids if ids.count(pk) > 1})
    if twice:
        raise CodedError(40062, {"task_item_ids": twice})
    strangers = sorted(set(ids) - set(known))
    if strangers:
        raise CodedError(40048, {"task_item_ids": strangers})


def refuse_issues(issues: Sequence[FieldIssue]) -> None:
    """Raises 40005 for what is wrong in itself, then 40044 for missing dates, then 40045 for dates that do not fit."""
    errors = [issue for issue in issues if issue.severity == "error"]
    dates = [issue for issue in errors if (issue.field, issue.code) in _DATE_CODES]
    others = [issue for issue in errors if (issue.field, issue.code) not in _DATE_CODES]
    if others:
        raise CodedError(40005, {"errors": [{"field": issue.field, "message": issue.message} for issue in others]})
    if dates:
        raise DatesRefused(min(_DATE_CODES[issue.field, issue.code] for issue in dates), dates)


_DATE_CODES = {
    ("start_date", "missing"): 40044,
    ("end_date", "missing"): 40044,
    ("end_date", "bad_range"): 40045,
    ("start_date", "outside_semester"): 40045,
    ("end_date", "outside_semester"): 40045,
}
