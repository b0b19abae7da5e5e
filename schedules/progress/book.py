"""How far items are at a moment: marks, places and the student's way of counting the past, read together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from schedules.mapping import marked_of, place_of
from schedules.models import ProgressRule, Schedule, ScheduleEvent
from schedules.planner.draft.progress import PastRule, Progress, progress_of
from schedules.planner.grid import Place
from schedules.presentation.shapes.progress import MarkedItem
from taskclasses.models import TaskItem


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
        cls, *, user_id: int, item_ids: Iterable[int], now: datetime, rule: PastRule | None = None
    ) -> ProgressBook:
        """Loads the book of the named items, in three queries."""
        return cls(rule or rule_of(user_id), now, ends_of(user_id, item_ids))

    def progress(self, item: TaskItem) -> Progress:
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


def seat_of(item: TaskItem) -> Place | None:
    """Tells where an item stands."""
    time = item.embedded_time
    return (
        None if time is None else place_of(time["week"], time["day_of_week"], time["section_from"], time["section_to"])
    )


def ends_of(user_id: int, item_ids: Iterable[int]) -> dict[int, datetime]:
    """Returns the instant at which each applied item ends; a guest ends with its last section, not with its host."""
    ids = list(item_ids)
    own = ScheduleEvent.objects.filter(user_id=user_id, task_item__in=ids).order_by()
    found: dict[int, datetime] = {item or 0: end for item, end in own.values_list("task_item_id", "end_at")}
    rows = Schedule.objects.filter(user_id=user_id, embedded_task_item__in=ids).select_related("semester")
    for row in rows.order_by("section"):
        place = place_of(row.week, row.day_of_week, row.section, row.section)
        found[row.embedded_task_item_id or 0] = row.semester.calendar.interval(place)[1]
    return found
