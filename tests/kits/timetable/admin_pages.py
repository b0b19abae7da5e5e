"""The admin's pages as a browser fills them in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

from django.urls import reverse

from schedules.models import AppliedBatch, Course, Preference, Schedule, ScheduleEvent
from taskclasses.models import TaskClass, TaskItem


def form_of(task_class: Any, **changes: Any) -> dict[str, Any]:
    """What the page of a class sends back, with changes of the class or of an item (`items-0-content`)."""
    rows = list(task_class.items.order_by("order"))
    form = {
        "name": task_class.name, "mode": "auto", "strategy": "steady", "start_date": "2026-04-13",
        "end_date": "2026-04-19", "allow_filler_course": "on", "excluded_slots": "[6]", "excluded_days_of_week": "[]",
        "items-TOTAL_FORMS": len(rows), "items-INITIAL_FORMS": len(rows),
    }  # fmt: skip
    for index, row in enumerate(rows):
        form |= {f"items-{index}-id": row.pk, f"items-{index}-task_class": task_class.pk}
        form |= {f"items-{index}-order": row.order, f"items-{index}-content": row.content}
    return {**form, **changes}


def class_page(task_class: Any) -> str:
    return reverse("admin:taskclasses_taskclass_change", args=(task_class.pk,))


WHEN = datetime(2026, 4, 13, tzinfo=UTC)


def grow(user: Any, semester: Any, count: int) -> None:
    """`count` more classes: one item free, one on the timetable, one inside a course."""
    have = TaskClass.objects.count()
    at = [divmod(have + number, 7) for number in range(count)]
    classes = _made(
        TaskClass(user=user, name=f"c{number}", mode="auto", strategy="steady", start_date=date(2026, 4, 13))
        for number in range(have, have + count)
    )
    times = [{"week": week + 1, "day_of_week": day + 1, "section_from": 1, "section_to": 1} for week, day in at]
    items = _made(
        TaskItem(task_class=one, order=order, content=f"i{order}", status=status, embedded_time=time)
        for one, place in zip(classes, times, strict=True)
        for order, status, time in ((1, 1, None), (2, 2, place), (3, 2, {**place, "section_from": 2, "section_to": 2}))
    )
    common = {"user": user, "semester": semester, "start_at": WHEN, "end_at": WHEN}
    Preference.objects.bulk_create(Preference(user=user, task_class=one, kind="day_part", value=1) for one in classes)
    courses = _made(Course(user=user, semester=semester, name="e") for _ in range(count))
    for kind, section in (("task", 1), ("course", 2)):
        events = _made(
            ScheduleEvent(
                name="e", type=kind, task_item=items[3 * number + 1] if kind == "task" else None,
                course=courses[number] if kind == "course" else None,
                can_be_embedded=kind == "course", week=week + 1, day_of_week=day + 1, section_from=section,
                section_to=section, **common,
            )
            for number, (week, day) in enumerate(at)
        )  # fmt: skip
        Schedule.objects.bulk_create(
            Schedule(
                user=user, semester=semester, event=event, week=event.week, day_of_week=event.day_of_week,
                section=section, embedded_task_item=items[3 * number + 2] if kind == "course" else None,
            )
            for number, event in enumerate(events)
        )  # fmt: skip
    AppliedBatch.objects.bulk_create(
        AppliedBatch(user=user, semester=semester, source="apply-batch") for _ in range(count)
    )


def _made(rows: Iterable[Any]) -> list[Any]:
    """The rows with the ids that they got in the order of their insert, which MySQL does not tell."""
    wanted = list(rows)
    kind = type(wanted[0])
    kind.objects.bulk_create(wanted)
    return list(kind.objects.order_by("-pk")[: len(wanted)])[::-1]
