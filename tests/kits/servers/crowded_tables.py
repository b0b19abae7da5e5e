"""Tables of a server that many students have used: a hundred thousand rows of every kind that support looks at."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User

from agent.models import Conversation, PendingInteraction, Run, TimelineItem
from schedules.models import AppliedBatch, Course, Schedule, ScheduleEvent
from taskclasses.models import TaskClass, TaskItem

START = datetime(2026, 3, 2, tzinfo=UTC)
CHUNK = 5_000


def crowd(semester: Any, rows: int, *, students: int = 50) -> None:
    """About so many rows more of each kind, spread over students of their own."""
    first = User.objects.count()
    _make(User(username=f"crowd{first + n}") for n in range(students))
    people = list(User.objects.order_by("-pk").values_list("pk", flat=True)[:students])[::-1]  # MySQL tells no new ids
    owner = [people[n % students] for n in range(rows)]
    at = [START + timedelta(seconds=n) for n in range(rows)]
    base = Conversation.objects.count()
    ids = [UUID(int=(base + n) * 7 + 1) for n in range(rows)]
    _make(
        Conversation(id=ids[n], user_id=owner[n], title=f"t{n}", created_at=at[n], last_message_at=at[n])
        for n in range(rows)
    )
    _make(
        Run(
            id=UUID(int=ids[n].int + 1), conversation_id=ids[n], number=1, created_at=at[n],
            status="failed" if n == 0 else "succeeded", outcome="failed" if n == 0 else "completed",
        )
        for n in range(rows)
    )  # fmt: skip
    runs = [UUID(int=one.int + 1) for one in ids]
    _make(
        TimelineItem(
            conversation_id=ids[n], run_id=runs[n], seq=1, kind="user_text", role="user", stage="chat", block_id="b",
            content=f"c{n}", created_at=at[n],
        )
        for n in range(rows)
    )  # fmt: skip
    _make(
        PendingInteraction(
            id=UUID(int=ids[n].int + 2), conversation_id=ids[n], run_id=runs[n], type="confirm", status="answered",
            question=f"q{n}", details={}, created_at=at[n], expires_at=at[n],
        )
        for n in range(rows)
    )  # fmt: skip
    _make(AppliedBatch(user_id=owner[n], semester=semester, source="apply-batch") for n in range(rows))
    _make(Course(user_id=owner[n], semester=semester, name=f"k{n}") for n in range(rows))
    _make(TaskClass(user_id=owner[n], name=f"z{n}", mode="manual", strategy="steady") for n in range(rows))
    classes = list(TaskClass.objects.order_by("-pk").values_list("pk", flat=True)[:rows])
    _make(TaskItem(task_class_id=classes[n], order=1, content=f"i{n}") for n in range(rows))
    spread = [(n // students % 20 + 1, n // students // 20 % 7 + 1, n // students // 140 % 12 + 1) for n in range(rows)]
    _make(
        ScheduleEvent(
            user_id=owner[n], semester=semester, name=f"e{n}", type="course", week=week, day_of_week=day,
            section_from=section, section_to=section, start_at=at[n], end_at=at[n],
        )
        for n, (week, day, section) in enumerate(spread)
    )  # fmt: skip
    events = list(ScheduleEvent.objects.order_by("-pk").values_list("pk", "user_id", "week", "day_of_week")[:rows])
    fresh: dict[tuple[int, int, int], int] = {}
    cells = []
    for pk, user_id, week, day in events:
        section = fresh[user_id, week, day] = fresh.get((user_id, week, day), 0) + 1
        cells.append(
            Schedule(user_id=user_id, semester=semester, event_id=pk, week=week, day_of_week=day, section=section)
        )
    _make(iter(cells))


def _make(rows: Any) -> None:
    made = list(rows)
    type(made[0]).objects.bulk_create(made, batch_size=CHUNK)
