"""How far items are at a moment: marks, places and the student's way of counting the past, read together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from schedules.mapping import marked_of, place_of
from schedules.models import ProgressRule, Schedule, ScheduleEvent, Semester
from schedules.planner.draft.progress import PastRule, Progress, progress_of
from schedules.planner.grid import Place
from schedules.presentation.shapes.progress import MarkedItem
from taskclasses.models import TaskItem

ITEM_COLUMNS = (
    "pk", "task_class_id", "order", "content", "duration", "embedded_time", "mark", "sections_left", "records",
)  # fmt: skip
"""What tells of an item how far it is: a student may have ten thousand, and tuples cost a third of rows."""


def items_by_class(items: QuerySet[TaskItem]) -> dict[int, list[Any]]:
    """Returns items as tuples of `ITEM_COLUMNS`, by class, in class order."""
    found: dict[int, list[Any]] = defaultdict(list)
    for item in items.order_by("task_class_id", "order", "pk").values_list(*ITEM_COLUMNS, named=True):
        found[item.task_class_id].append(item)
    return found


def rule_of(user_id: int) -> PastRule:
    """Tells how a student counts the past; who chose nothing has it done."""
    row = ProgressRule.objects.filter(user_id=user_id).first()
    return PastRule() if row is None else PastRule(row.mode, timedelta(hours=row.grace_hours))  # type: ignore[arg-type]


@dataclass(frozen=True)
class ProgressBook:
    """Holds what counts as done; `ends`: the instant at which the place of an item ends, for those that stand
    somewhere."""

    rule: PastRule
    now: datetime
    ends: dict[int, datetime]

    @classmethod
    def load(
        cls, *, user_id: int, item_ids: Iterable[int] | None = None, now: datetime, rule: PastRule | None = None
    ) -> ProgressBook:
        """Loads the book of the named items, of all without names; in a fixed number of queries."""
        return cls(rule or rule_of(user_id), now, ends_of(user_id, item_ids))

    def progress(self, item: Any) -> Progress:
        """Tells how far an item is, which is a row or a tuple of `ITEM_COLUMNS`."""
        if not item.mark and item.pk not in self.ends:
            return "partial" if item.sections_left else "open"
        return progress_of(marked_of(item), seat_of(item), self.ends.get(item.pk), self.now, self.rule)

    def describe_item(self, item: TaskItem) -> MarkedItem:
        return {
            "task_item_id": item.pk,
            "task_class_id": item.task_class_id,
            "mark": item.mark,
            "progress": self.progress(item),
            "sections_left": item.sections_left,
            "embedded_time": item.embedded_time,
            "records": list(item.records or ()),
        }


def seat_of(item: Any) -> Place | None:
    """Tells where an item stands."""
    time = item.embedded_time
    return (
        None if time is None else place_of(time["week"], time["day_of_week"], time["section_from"], time["section_to"])
    )


def ends_of(user_id: int, item_ids: Iterable[int] | None) -> dict[int, datetime]:
    """Returns the instant at which each applied item ends; a guest ends with its last section, not with its host."""
    own = ScheduleEvent.objects.filter(user_id=user_id, task_item__isnull=False).order_by()
    seats = Schedule.objects.filter(user_id=user_id, embedded_task_item__isnull=False).order_by("section")
    if item_ids is not None:
        ids = list(item_ids)
        own, seats = own.filter(task_item__in=ids), seats.filter(embedded_task_item__in=ids)
    found: dict[int, datetime] = {item or 0: end for item, end in own.values_list("task_item_id", "end_at")}
    cells = list(seats.values_list("embedded_task_item_id", "semester_id", "week", "day_of_week", "section"))
    terms = Semester.objects.in_bulk({cell[1] for cell in cells}) if cells else {}
    calendars = {pk: semester.calendar for pk, semester in terms.items()}
    for item, term, week, weekday, section in cells:
        found[item or 0] = calendars[term].interval(place_of(week, weekday, section, section))[1]
    return found
