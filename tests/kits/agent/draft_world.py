"""The draft of the documents' example: class 5 with four items, three courses of week 7, three suggestions.

Mon 1-2 a course, Wed 5-6 an embeddable course with a suggested guest, Thu 5-6 a course; suggestions Tue 3-4 and
Fri 3-4; the fourth item has no place. A second class has one applied item on Sat 1-2.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from agent.loop.state.agent_state import AgentState
from agent.loop.state.draft import DraftPart
from agent.models import Conversation
from agent.store import keys
from agent.store.connection import sync_client
from agent.store.snapshots import SnapshotStore
from schedules.models import Schedule, ScheduleEvent, Semester
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import Arranged, arrange
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Place, day_number
from schedules.planner.rules.placement import FREE
from schedules.selectors import facts_load
from schedules.services import schedule_apply_batch
from schedules.services.placement.apply import ApplyClass, ApplyItem
from smartmate.accounts.tokens import token_create
from taskclasses.models import TaskClass, TaskItem

WEEK = 7
NAMES = ("随机变量", "数字特征", "大数定律", "中心极限定理")
COURSES = (("高等数学", 1, 1, 2, False), ("思想政治", 3, 5, 6, True), ("大学英语", 4, 5, 6, False))
RUN_ID = "7b0e4c0a-52f1-4a0e-9d53-0a6a8f4c1e11"


@dataclass
class DraftWorld:
    user: User
    conversation: Conversation
    task_class: TaskClass
    items: dict[str, int]
    events: dict[str, int]
    applied_item: int
    client: Client

    @property
    def id(self) -> str:
        return str(self.conversation.pk)

    def place(
        self, name: str, day: int, first: int, *, length: int = 2, host: str = "", week: int = WEEK
    ) -> dict[str, Any]:
        """One item of a request body."""
        row = {
            "task_item_id": self.items[name],
            "week": week,
            "day_of_week": day,
            "start_section": first,
            "end_section": first + length - 1,
        }
        return {**row, "embed_course_event_id": self.events[host]} if host else row

    def post(self, path: str, body: Any, **headers: str) -> HttpResponse:
        return self.client.post(f"/api/v1/agent/{path}", body, content_type="application/json", headers=headers)

    def save(self, *items: dict[str, Any], **more: Any) -> HttpResponse:
        return self.post("schedule-state", {"conversation_id": self.id, "items": list(items), **more})

    def apply(self, key: str = "k-1", **more: Any) -> HttpResponse:
        return self.post("schedule-apply", {"conversation_id": self.id, **more}, **{"Idempotency-Key": key})

    def preview(self) -> dict[str, Any]:
        answer = self.client.get("/api/v1/agent/schedule-preview", {"conversation_id": self.id})
        assert answer.status_code == 200, answer.content
        data: dict[str, Any] = answer.json()["data"]
        return data

    def stored(self) -> AgentState:
        snapshot = SnapshotStore(sync_client()).load(self.user.pk, self.id)
        assert snapshot is not None
        return AgentState.from_document(snapshot.document)


def status_of(answer: HttpResponse) -> str:
    status: str = json.loads(answer.content)["status"]
    return status


def items_of(preview: dict[str, Any]) -> list[dict[str, Any]]:
    """The client's own function: what both buttons send."""
    return [
        {
            "task_item_id": entry["task_item_id"],
            "week": entry["week"],
            "day_of_week": entry["day_of_week"],
            "start_section": entry["section_from"],
            "end_section": entry["section_to"],
            **({"embed_course_event_id": entry["event_id"]} if entry["event_id"] else {}),
        }
        for entry in preview["hybrid_entries"]
        if entry["status"] == "suggested" and entry["task_item_id"]
    ]


def client_of(user: User) -> Client:
    _, token = token_create(user=user)
    return Client(headers={"Authorization": f"Bearer {token}"})


@dataclass(frozen=True)
class Written:
    """What the rows of a world are found by, and the draft that it begins with."""

    user: int
    semester: int
    task_class: int
    conversation: str
    items: dict[str, int]
    events: dict[str, int]
    applied_item: int
    schedule: ScheduleState


def make_world(user: User, semester: Semester) -> DraftWorld:
    return open_world(write_rows(user, semester))


def write_rows(user: User, semester: Semester) -> Written:
    events = _courses(user, semester)
    task_class = TaskClass.objects.create(
        user=user, name="概率论复习", start_date=date(2026, 4, 13), end_date=date(2026, 4, 19), total_slots=8,
        subject_type="quantitative", allow_filler_course=True, excluded_slots=[6], excluded_days_of_week=[7],
    )  # fmt: skip
    items = {
        name: TaskItem.objects.create(task_class=task_class, order=order, content=name).pk
        for order, name in enumerate(NAMES, 1)
    }
    applied = _applied_item(user)
    conversation = Conversation.objects.create(user=user, title="帮我把概率论复习排进下周")
    schedule = _suggested(user, task_class, items, events)
    return Written(user.pk, semester.pk, task_class.pk, str(conversation.pk), items, events, applied, schedule)


def open_world(written: Written) -> DraftWorld:
    """The world with its draft at its first revision, whatever became of it before."""
    user = User.objects.get(pk=written.user)
    conversation, task_class = (
        Conversation.objects.get(pk=written.conversation),
        TaskClass.objects.get(pk=written.task_class),
    )
    state = AgentState.fresh(conversation_id=written.conversation, user_id=user.pk)
    state.draft = DraftPart(schedule=written.schedule, written_at="2026-04-12T10:00:01Z", written_by=RUN_ID)
    sync_client().delete(keys.state(user.pk, written.conversation))
    SnapshotStore(sync_client()).save(user.pk, written.conversation, state.to_document(), expected=0)
    return DraftWorld(
        user, conversation, task_class, dict(written.items), dict(written.events), written.applied_item, client_of(user)
    )


def _courses(user: User, semester: Semester) -> dict[str, int]:
    noon = datetime(2026, 4, 13, 4, tzinfo=UTC)
    for name, day, first, last, embeddable in COURSES:
        event = ScheduleEvent.objects.create(
            user=user, semester=semester, name=name, location="教学楼A", type="course", can_be_embedded=embeddable,
            week=WEEK, day_of_week=day, section_from=first, section_to=last, start_at=noon, end_at=noon,
        )  # fmt: skip
        for section in range(first, last + 1):
            Schedule.objects.create(
                user=user, semester=semester, event=event, week=WEEK, day_of_week=day, section=section
            )
    return dict(ScheduleEvent.objects.filter(user=user).values_list("name", "pk"))


def _applied_item(user: User) -> int:
    other = TaskClass.objects.create(
        user=user, name="英语阅读", start_date=date(2026, 4, 13), end_date=date(2026, 4, 30)
    )
    item = TaskItem.objects.create(task_class=other, order=1, content="阅读一")
    row = ApplyItem(item.pk, WEEK, 6, 1, 2)
    schedule_apply_batch(user=user, batches=[ApplyClass(other.pk, [row])])
    return item.pk


def _suggested(user: User, task_class: TaskClass, items: dict[str, int], events: dict[str, int]) -> ScheduleState:
    facts = facts_load(user_id=user.pk, class_ids=[task_class.pk])
    bare = load_state(facts, scope=(task_class.pk,), now=(day_number(6, 7), 1))
    placed = arrange(
        bare,
        [
            (items["随机变量"], Place(day_number(WEEK, 2), 3, 2), FREE),
            (items["数字特征"], Place(day_number(WEEK, 3), 5, 2), events["思想政治"]),
            (items["大数定律"], Place(day_number(WEEK, 5), 3, 2), FREE),
        ],
        planned=items.values(),
    )
    assert isinstance(placed, Arranged), placed
    return placed.state
