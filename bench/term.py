"""Queries and time of a student's endpoints on a term with few rows and one with many, beside their limits.

    python -m bench.term [--rounds N]

A database of its own; the seeded demo term is planned and applied, then measured; then the same student has
many more courses, classes, exams, exceptions, conversations and batches. Times are CPU milliseconds of a warm process,
the least of the rounds, from the request to the answer. Printed, never asserted.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smartmate.settings")
FOLDER = tempfile.mkdtemp(prefix="bench-term-")
OWN = {"SMARTMATE_VAR": FOLDER, "DATABASE_URL": "", "REDIS_URL": "", "AGENT_BACKEND": "offline", "RATE_LIMITS": "false"}
OWN["PLANNER_PROCESSES"] = "0"  # whose CPU is measured is this process
os.environ.update(OWN)

import django  # noqa: E402

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db.backends.signals import connection_created  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import override_settings  # noqa: E402
from django.utils import timezone  # noqa: E402

from schedules.models import ScheduleEvent, Semester  # noqa: E402
from schedules.services.demo import demo_load, demo_semester  # noqa: E402
from smartmate.accounts.tokens import token_create  # noqa: E402
from taskclasses.models import TaskClass, TaskItem  # noqa: E402

MONDAY = date(2026, 3, 2)
TODAY = date(2026, 3, 25)
NOW = datetime(2026, 3, 25, 7, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
LIMITS = {"legal places": 30.0, "today": 30.0, "re-planning": 150.0}
"""Milliseconds; the other rows have no limit of their own."""
Row = dict[str, float]


class Term:
    """One student with the demo's term, and what is asked of it."""

    def __init__(self) -> None:
        self.user = User.objects.create_user("bench")
        self.client = Client(headers={"Authorization": f"Bearer {token_create(user=self.user)[1]}"})
        self.keys = 0
        semester = demo_semester(today=TODAY, first_monday=MONDAY)
        demo_load(user=self.user, today=TODAY, semester=semester)
        self.semester = Semester.objects.get(pk=semester.pk)
        self.plan([row.pk for row in TaskClass.objects.filter(user=self.user)])

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        content = b"" if body is None else json.dumps(body).encode()
        answer = self.client.generic(
            method, f"/api/v1/{path}", content, content_type="application/json", headers=headers
        )
        assert answer.status_code == 200, (path, answer.content[:500])
        return json.loads(answer.content)["data"] if answer["Content-Type"].startswith("application/json") else None

    def plan(self, ids: list[int]) -> None:
        """Puts a plan of these classes on the timetable."""
        planned = self.ask("POST", "schedule/smart-planning", {"task_class_ids": ids})["placements"]
        by_class: dict[int, list[Any]] = {}
        for one in planned:
            names = ("task_item_id", "week", "day_of_week", "embed_course_event_id")
            places = {"start_section": one["section_from"], "end_section": one["section_to"]}
            by_class.setdefault(one["task_class_id"], []).append({name: one[name] for name in names} | places)
        rows = [{"task_class_id": class_id, "items": items} for class_id, items in by_class.items()]
        self.keys += 1
        key = {"Idempotency-Key": f"bench-{self.keys}"}
        self.ask("PUT", "task-class/apply-batch-into-schedule", {"batches": rows}, **key)

    def grow(self) -> None:
        """Many more rows of every kind that the endpoints read."""
        for number in range(30):
            arrangement = {"weeks": [number % 20 + 1], "day_of_week": 6, "start_section": 11, "end_section": 11}
            body = {"course_name": f"讲座 {number}", "arrangements": [arrangement] if number < 20 else []}
            self.ask("POST", "schedule/courses", body)
            day = (MONDAY + timedelta(days=7 * (number % 18) + 1)).isoformat()
            exam = {"name": f"测验 {number}", "date": day, "start_time": "06:00", "end_time": "06:40"}
            self.ask("POST", "schedule/exams", exam)
            items = [{"order": order, "content": f"{number}.{order}"} for order in range(1, 7)]
            dates = {"start_date": "2026-04-13", "end_date": "2026-07-19"}
            self.ask("POST", "task-class", {"name": f"任务 {number}", **dates, "items": items})
            self.ask("POST", "agent/replan", {"kind": "hand"})
        days = [{"kind": "holiday", "name": f"假 {week}", "first_date": day, "last_date": day, "study_allowed": True}
                for week in range(10, 18) for day in [(MONDAY + timedelta(days=7 * week + 6)).isoformat()]]  # fmt: skip
        self.ask("POST", "schedule/exceptions", {"exceptions": days})
        ids = [row.pk for row in TaskClass.objects.filter(user=self.user, name__startswith="任务").order_by("pk")]
        for at in (0, 15):
            self.plan(ids[at : at + 15])

    def calls(self) -> dict[str, Callable[[], Any]]:
        """What is measured, by name."""
        item = TaskItem.objects.filter(task_class__user=self.user, status=2, embedded_time__week__gt=4).first()
        assert item is not None
        course = self.ask("GET", "schedule/courses")["list"][0]["id"]
        free = {"kind": "keep_free", "from_date": "2026-03-30", "to_date": "2026-04-03", "evenings": True}
        ill = {"kind": "ill", "from_date": "2026-03-26", "to_date": "2026-03-31"}
        lesson = ScheduleEvent.objects.filter(user=self.user, type="course", week=6).order_by("pk").first()
        assert lesson is not None
        moved = {"kind": "lesson_moved", "event_id": lesson.pk, "week": 6, "day_of_week": 7}
        moved |= {"section_from": 1, "section_to": lesson.section_to - lesson.section_from + 1}
        draft = self.ask("POST", "agent/replan", ill)["conversation_id"]
        asks: dict[str, tuple[str, str, Any]] = {
            "legal places": ("POST", "agent/legal-places", {"task_item_id": item.pk}),
            "today": ("GET", "schedule/today", None),
            "re-planning: ill for six days": ("POST", "agent/replan", ill),
            "re-planning: evenings of a week": ("POST", "agent/replan", free),
            "re-planning: a lecture moved": ("POST", "agent/replan", moved),
            "week": ("GET", "schedule/week?week=5", None),
            "term": ("GET", "schedule/term", None),
            "courses": ("GET", "schedule/courses", None),
            "course": ("GET", f"schedule/courses/{course}", None),
            "exams": ("GET", "schedule/exams", None),
            "exceptions": ("GET", "schedule/exceptions", None),
            "lesson changes": ("GET", "schedule/lesson-changes", None),
            "progress": ("GET", "schedule/progress", None),
            "task classes": ("GET", "task-class", None),
            "batches": ("GET", "schedule/batches", None),
            "conversations": ("GET", "agent/conversations", None),
            "preview of a draft": ("GET", f"agent/schedule-preview?conversation_id={draft}", None),
            "state of a conversation": ("GET", f"agent/conversations/{draft}/state", None),
            "timeline": ("GET", f"agent/conversations/{draft}/timeline", None),
            "calendar file": ("GET", "schedule/exports/ics", None),
            "why": ("POST", "agent/why", {"task_item_id": item.pk}),
            "mark of an item": ("POST", f"schedule/task-items/{item.pk}/progress", {"progress": "done"}),
        }
        return {name: lambda ask=ask: self.ask(*ask) for name, ask in asks.items()}  # type: ignore[misc]


class Counter:
    """Statements of every connection; requests are answered in threads of their own."""

    def __init__(self) -> None:
        self.count = 0
        connection_created.connect(self.watch, weak=False)

    def watch(self, connection: Any, **signal: Any) -> None:
        connection.execute_wrappers.append(self.run)

    def run(self, execute: Callable[..., Any], *call: Any) -> Any:
        self.count += 1
        return execute(*call)


def measure(counter: Counter, call: Callable[[], Any], rounds: int) -> Row:
    """Queries of one call, and the least CPU time of several."""
    call()
    before = counter.count
    call()
    seen, spent = counter.count - before, []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        spent.append(1000 * (time.process_time() - begin))
    return {"queries": seen, "ms": min(spent)}


def limit_of(name: str) -> str:
    found = [limit for key, limit in LIMITS.items() if name.startswith(key)]
    return f"< {found[0]:.0f}" if found else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    rounds, counter = parser.parse_args().rounds, Counter()
    call_command("migrate", verbosity=0)
    timezone.now = lambda: NOW  # type: ignore[assignment]
    with override_settings(ALLOWED_HOSTS=["*"]):
        term = Term()
        few = {name: measure(counter, call, rounds) for name, call in term.calls().items()}
        counted = TaskItem.objects.count(), ScheduleEvent.objects.count()
        term.grow()
        many = {name: measure(counter, call, rounds) for name, call in term.calls().items()}
    more = TaskItem.objects.count(), ScheduleEvent.objects.count()
    print("few: {} items, {} events; many: {} items, {} events".format(*counted, *more))
    print(f"{'':<34} {'queries few':>11} {'many':>5} {'ms few':>8} {'many':>7} {'limit':>7}")
    for name, row in few.items():
        other = many[name]
        print(
            f"{name:<34} {row['queries']:>11.0f} {other['queries']:>5.0f} {row['ms']:>8.1f} {other['ms']:>7.1f} "
            f"{limit_of(name):>7}"
        )


if __name__ == "__main__":
    main()
