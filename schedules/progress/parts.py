"""What was done in part: it has left its place, and is told on the day where it stood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schedules.models import Semester
from schedules.planner.grid import week_and_weekday
from schedules.presentation.shapes.progress import DonePart
from taskclasses.models import TaskItem

COLUMNS = ("pk", "task_class_id", "task_class__name", "content", "embedded_time", "sections_left", "records")


def parts_on(*, user_id: int, semester: Semester, days: Sequence[int]) -> list[DonePart]:
    """Returns what was done in part on some days of a semester, by day and time."""
    mine = TaskItem.objects.filter(task_class__user_id=user_id, mark=TaskItem.Mark.PARTIAL).order_by()
    items = mine.values_list(*COLUMNS, named=True)
    told = [_part(item, semester) for item in items if _is_on(item, semester, days)]
    return sorted(told, key=lambda part: (part["day_of_week"], part["section_from"], part["task_item_id"]))


def _is_on(item: Any, semester: Semester, days: Sequence[int]) -> bool:
    """Tells whether the last thing that was said of an item is a part on one of the days; what was done before that is
    no part of it."""
    last = item.records[-1] if item.records else None
    if last is None or last["progress"] != "partial" or last["semester_id"] != semester.pk:
        return False
    here = (last["week"], last["day_of_week"]) in {week_and_weekday(day) for day in days}
    return here and 1 <= last["section_from"] <= last["section_to"] <= len(semester.section_times)


def _part(item: Any, semester: Semester) -> DonePart:
    last = (item.records or [])[-1]
    times = semester.calendar.section_times
    return {
        "task_item_id": item.pk,
        "task_class_id": item.task_class_id,
        "class_name": item.task_class__name,
        "name": item.content,
        "day_of_week": last["day_of_week"],
        "section_from": last["section_from"],
        "section_to": last["section_to"],
        "start_time": f"{times[last['section_from'] - 1][0]:%H:%M}",
        "end_time": f"{times[last['section_to'] - 1][1]:%H:%M}",
        "sections_left": item.sections_left or 0,
        "rest_placed": item.embedded_time is not None,
    }
