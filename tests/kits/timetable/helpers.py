"""Values and shorthands that the tests of the timetable share."""

from __future__ import annotations

import itertools
import json
from datetime import date
from typing import Any

from django.test import Client

from schedules.models import Schedule, ScheduleEvent
from taskclasses.fields import ClassValues, ItemValues
from taskclasses.models import TaskItem

COURSES = [
    {
        "course_name": "大学英语",
        "location": "外语楼 305",
        "is_allow_tasks": False,
        "arrangements": [
            {
                "start_week": 1,
                "end_week": 16,
                "day_of_week": 4,
                "start_section": 5,
                "end_section": 6,
                "week_type": "all",
            }
        ],
    },
    {
        "course_name": "思想政治",
        "location": "教学楼B",
        "is_allow_tasks": True,
        "arrangements": [
            {
                "start_week": 1,
                "end_week": 16,
                "day_of_week": 3,
                "start_section": 5,
                "end_section": 6,
                "week_type": "all",
            }
        ],
    },
    {
        "course_name": "形势与政策",
        "location": "报告厅",
        "is_allow_tasks": True,
        "arrangements": [{"weeks": [7], "day_of_week": 5, "start_section": 9, "end_section": 11}],
    },
]


def class_values(**changes: Any) -> ClassValues:
    names = ("随机变量", "数字特征", "大数定律", "中心极限定理")
    values: dict[str, Any] = {
        "name": "概率论复习",
        "start_date": date(2026, 4, 13),
        "end_date": date(2026, 4, 19),
        "allow_filler_course": True,
        "excluded_slots": [6],
        "items": [ItemValues(order, name) for order, name in enumerate(names, 1)],
    }
    return ClassValues(**{**values, **changes})


class Api:
    """A client that answers (HTTP status, envelope) and gives each apply its own key."""

    _keys = itertools.count(1)

    def __init__(self, client: Client) -> None:
        self.client = client

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
        response = self.raw(method, path, body, **headers)
        document = json.loads(response.content)
        assert set(document) == {"status", "info", "data"}
        assert response["Content-Type"] == "application/json; charset=utf-8"
        return response.status_code, document

    def raw(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, f"/api/v1/{path}", content, content_type="application/json", headers=named)

    def apply(self, body: Any, key: str = "") -> tuple[int, dict[str, Any]]:
        key = key or f"key-{next(self._keys)}"
        return self("PUT", "task-class/apply-batch-into-schedule", body, Idempotency_Key=key)


def placed(item: int, week: int, day: int, first: int, last: int, host: int | None = None) -> dict[str, Any]:
    body = {"task_item_id": item, "week": week, "day_of_week": day, "start_section": first, "end_section": last}
    return body if host is None else body | {"embed_course_event_id": host}


def event_at(name: str, week: int) -> ScheduleEvent:
    return ScheduleEvent.objects.get(name=name, week=week)


def picture(user_id: int) -> dict[str, Any]:
    """The rows of a student without row ids, timestamps and revisions: what undo must restore exactly."""
    columns = "id name location type task_item_id can_be_embedded week day_of_week section_from section_to source"
    columns += " held pattern_place change effect"
    events = ScheduleEvent.objects.filter(user_id=user_id).order_by("id").values(*columns.split(), "start_at", "end_at")
    cells = "event_id week day_of_week section embedded_task_item_id status"
    rows = Schedule.objects.filter(user_id=user_id).order_by("week", "day_of_week", "section").values(*cells.split())
    items = TaskItem.objects.filter(task_class__user_id=user_id).order_by("id").values("id", "status", "embedded_time")
    return {"events": list(events), "rows": list(rows), "items": list(items)}
