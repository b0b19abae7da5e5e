"""A term that is lived: two classes on the timetable, and what is asked of it over REST."""

from __future__ import annotations

from datetime import date
from typing import Any

from schedules.models import AppliedBatch, Schedule
from schedules.services import broken_invariants, class_create
from taskclasses.fields import ItemValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.timetable.helpers import Api, class_values, placed


class Term:
    """Two classes on the timetable of weeks 7 and 8; it is Thursday 10:00 of week 7, 16 April."""

    def __init__(self, user: Any, api: Api) -> None:
        self.user, self.api = user, api
        values = {"start_date": date(2026, 4, 13), "end_date": date(2026, 4, 26), "excluded_slots": []}
        self.first = class_create(user=user, values=class_values(**values, total_slots=8))
        words = [ItemValues(order, f"第 {order} 组") for order in (1, 2, 3)]
        self.second = class_create(user=user, values=class_values(**values, name="单词", items=words, total_slots=6))
        self.items = [item.pk for item in self.first.items.order_by("order")]
        self.words = [item.pk for item in self.second.items.order_by("order")]
        self.apply(self.first, (7, 2, 3), (7, 5, 1), (8, 1, 1), (8, 2, 1))
        self.apply(self.second, (7, 6, 1), (8, 3, 1), (8, 4, 1))

    def apply(self, row: TaskClass, *places: tuple[int, int, int]) -> None:
        ids = [item.pk for item in row.items.order_by("order")]
        rows = [placed(item, week, day, s, s + 1) for item, (week, day, s) in zip(ids, places, strict=True)]
        status, body = self.api.apply({"task_class_id": row.pk, "items": rows})
        assert status == 200, body
        # As a draft of the planner puts it, not the student's own hand.
        TaskItem.objects.filter(pk__in=ids).update(by_hand=False)

    def ask(self, kind: str, **more: Any) -> dict[str, Any]:
        before = list(Schedule.objects.values_list("week", "day_of_week", "section", "event_id").order_by("pk"))
        status, body = self.api("POST", "agent/replan", {"kind": kind, **more})
        assert status == 200, body
        after = list(Schedule.objects.values_list("week", "day_of_week", "section", "event_id").order_by("pk"))
        assert before == after, "nothing is applied by itself"
        return dict(body["data"])

    def move(self, kind: str, **more: Any) -> dict[str, Any]:
        """What moves a lesson or an exam: that alone is written."""
        status, body = self.api("POST", "agent/replan", {"kind": kind, **more})
        assert status == 200, body
        assert broken_invariants() == []
        return dict(body["data"])

    def exam(self, **values: Any) -> int:
        status, body = self.api("POST", "schedule/exams", {"name": "概率论期末", **values})
        assert status == 200, body
        return int(body["data"]["exam"]["id"])

    def batches(self, found: dict[str, Any]) -> list[int]:
        """What an ask wrote and what its draft was applied as, in this order."""
        applied = AppliedBatch.objects.get(conversation=found["conversation_id"], undone_at=None)
        return [found["lesson_change"]["batch_id"], applied.pk]

    def accept(self, found: dict[str, Any]) -> dict[str, Any]:
        body = {"conversation_id": found["conversation_id"], "revision": found["revision"]}
        status, answer = self.api("POST", "agent/schedule-apply", body, Idempotency_Key=found["conversation_id"])
        assert status == 200, answer
        assert broken_invariants() == []
        return dict(answer["data"])

    def mark(self, item: int, progress: str) -> None:
        assert self.api("POST", f"schedule/task-items/{item}/progress", {"progress": progress})[0] == 200
