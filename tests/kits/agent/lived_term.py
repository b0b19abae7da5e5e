"""A term that is lived: two classes on the timetable, and what is asked of it over REST."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from schedules.models import AppliedBatch, Schedule
from schedules.services import broken_invariants, class_create
from smartmate.accounts.tokens import token_create
from taskclasses.fields import ItemValues
from taskclasses.models import TaskClass, TaskItem
from tests.kits.suite.stores import keep_database
from tests.kits.timetable.helpers import Api, class_values, placed

NOW = datetime(2026, 4, 16, 2, tzinfo=UTC)
NAMES = ("概率论复习", "单词")


class Term:
    """Two classes on the timetable of weeks 7 and 8; it is Thursday 10:00 of week 7, 16 April."""

    def __init__(self, user: Any, api: Api) -> None:
        self.user, self.api = user, api
        self.first, self.second = (TaskClass.objects.get(user=user, name=name) for name in NAMES)
        self.items = [item.pk for item in self.first.items.order_by("order")]
        self.words = [item.pk for item in self.second.items.order_by("order")]

    @classmethod
    def lived(cls, user: Any, api: Api) -> Term:
        """Makes the classes and puts them on the timetable."""
        values = {"start_date": date(2026, 4, 13), "end_date": date(2026, 4, 26), "excluded_slots": []}
        words = [ItemValues(order, f"第 {order} 组") for order in (1, 2, 3)]
        class_create(user=user, values=class_values(**values, name=NAMES[0], total_slots=8))
        class_create(user=user, values=class_values(**values, name=NAMES[1], items=words, total_slots=6))
        term = cls(user, api)
        term.apply(term.first, (7, 2, 3), (7, 5, 1), (8, 1, 1), (8, 2, 1))
        term.apply(term.second, (7, 6, 1), (8, 3, 1), (8, 4, 1))
        return term

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


@dataclass(frozen=True)
class Lived:
    """What puts the database of the lived term back, who lives there when, and the key of the student's token."""

    bring_back: Callable[[], None]
    user: int
    semester: int
    key: str


_LIVED: list[Lived] = []


@pytest.fixture
def term(
    transactional_db: None, user: Any, semester: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Term:
    """The term at `NOW`: lived once for each process, then copied."""
    if _LIVED:
        lived = _LIVED[0]
        lived.bring_back()
        for row, number in ((user, lived.user), (semester, lived.semester)):
            row.pk = number
            row.refresh_from_db()
        monkeypatch.setattr(timezone, "now", lambda: NOW)
        return Term(user, _api_of(lived.key))
    request.getfixturevalue("courses")
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    key = token_create(user=user)[1]
    found = Term.lived(user, _api_of(key))
    _LIVED.append(Lived(keep_database(), user.pk, semester.pk, key))
    return found


def _api_of(key: str) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {key}"}))
