"""What a client or the server keeps of the week, a draft, a conversation and the list of changes is never older than
the rows.

Every writing endpoint is walked; after each write a read under the kept tag and one without are compared with one that
nobody kept.
"""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from agent.models import Run
from agent.store import keys
from agent.store.connection import sync_client
from schedules.models import ScheduleEvent, Semester
from schedules.services import semester_change
from smartmate.accounts.tokens import token_create
from taskclasses.kernel import entity_tags
from tests.kits.agent.lived_term import Term
from tests.kits.agent.runs import pause
from tests.kits.timetable.fixtures import courses
from tests.kits.timetable.helpers import Api, placed
from tests.kits.transports.document import read_document

__all__ = ["courses"]
THURSDAY = datetime(2026, 4, 16, 2, 0, 30, tzinfo=UTC)
ELSEWHERE = {
    "account/signup": "makes another account",
    "account/password": "ends the tokens that ask",
    "account/password/reset": "sends a message",
    "account/sessions": "devices",
    "account/sessions/{session_id}": "devices",
    "account": "nobody is left to read",
    "auth/token": "devices",
    "auth/tokens/{token_id}": "devices",
    "account/archive": "takes in where nothing stands",
    "agent/chat": "starts runs, as POST tasks does; what runs write has a test of its own",
    "tasks": "starts runs; what runs write has a test of its own",
    "tasks/{run_id}/cancel": "as the conversation's",
    "agent/legal-places": "reads",
    "agent/catch-up": "reads",
    "agent/why": "reads",
    "schedule/smart-planning": "reads",
    "schedule/feed": "what calendar programs read",
}
"""Endpoints below `/api/v1/` that write nothing of what is kept, and why."""
OPERATIONS = {
    f"{method.upper()} {path.removeprefix('/api/v1/')}"
    for path, methods in read_document()["paths"].items()
    for method in methods
    if path.startswith("/api/v1/") and method != "get" and path.removeprefix("/api/v1/") not in ELSEWHERE
}
EXAM = {"name": "期末", "date": "2026-06-20", "start_time": "08:00", "end_time": "09:40"}
COURSE = {
    "course_name": "金工",
    "arrangements": [{"weeks": [7], "day_of_week": 1, "start_section": 9, "end_section": 9}],
}
CLASS = {"name": "概率", "start_date": "2026-04-13", "end_date": "2026-04-26", "items": [{"order": 1, "content": "一"}]}
OWN = {"name": "夏", "first_monday": "2026-07-20", "weeks": 4, "section_times": [["08:00", "08:45"]]}


class Kept:
    """A client that keeps answers with their tags, and holds each against one that nobody kept."""

    def __init__(self, user: User, paths: list[str]) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})
        self.paths = paths
        self.held: dict[str, tuple[str, bytes]] = {}
        self.look()

    def look(self) -> set[str]:
        """Reads all again; answers the paths whose answer is another one now."""
        return {path for path in self.paths if self._look_at(path)}

    def _look_at(self, path: str) -> bool:
        tag, body = self.held.get(path, ("", b""))
        again = self.client.get(f"/api/v1/{path}", headers={"If-None-Match": tag})
        known = self.client.get(f"/api/v1/{path}")
        with patch.object(entity_tags, "kept_answers", entity_tags.KeptAnswers()):
            fresh = self.client.get(f"/api/v1/{path}")
        assert (known.status_code, known.content) == (fresh.status_code, fresh.content), f"{path} is kept and old"
        if fresh.status_code == 200:
            assert fresh["Cache-Control"] == "private, no-cache"
            assert {"Accept-Language", "Authorization", "Cookie"} <= {*fresh["Vary"].split(", ")}
        if again.status_code == 304:
            assert (again.content, again["ETag"]) == (b"", tag)
            assert json.loads(body) == json.loads(fresh.content), f"{path} is kept and old"
        else:
            assert (again.status_code, again.content) == (fresh.status_code, fresh.content)
        self.held[path] = (fresh.get("ETag", ""), fresh.content)
        return bool(fresh.content != body)


class Walk:
    """Goes through the writing endpoints; `seen` are those that changed what is read."""

    def __init__(self, term: Term) -> None:
        self.term, self.api, self.draft = term, term.api, ""
        self.walked: set[str] = set()
        self.seen: dict[str, set[str]] = {}
        self.keys = itertools.count()
        self.kept = Kept(term.user, ["schedule/week?week=7", "schedule/batches", "schedule/batches?page=2&page_size=1"])

    def keep_draft(self, conversation_id: str) -> None:
        self.draft = conversation_id
        paths = [f"agent/schedule-preview?conversation_id={conversation_id}"]
        self.kept.paths = [*self.kept.paths, *paths, f"agent/conversations/{conversation_id}/state"]
        self.kept.look()

    def do(self, operation: str, body: Any = None, query: str = "", **names: Any) -> Any:
        """One write, its answer, and a look at what it made of all that is kept."""
        method, path = operation.split()
        key = {"Idempotency-Key": f"walk-{next(self.keys)}"}
        status, document = self.api(method, path.format(**names) + query, body, **key)
        assert status == 200, (operation, document)
        self.walked.add(operation)
        self.seen.setdefault(operation, set()).update(path.partition("?")[0] for path in self.kept.look())
        return document["data"]

    def shown(self, operation: str, *paths: str) -> None:
        assert {f"{path}" for path in paths} <= self.seen[operation], (operation, self.seen[operation])


@pytest.fixture
def walk(transactional_db: None, user: Any, semester: Any, courses: None, monkeypatch: pytest.MonkeyPatch) -> Walk:
    monkeypatch.setattr(timezone, "now", lambda: THURSDAY)
    return Walk(Term.lived(user, Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"}))))


WEEK, BATCHES, PREVIEW = "schedule/week", "schedule/batches", "agent/schedule-preview"


def test_every_write_makes_what_is_kept_old(walk: Walk) -> None:
    write_draft(walk)
    write_items(walk)
    write_courses(walk)
    write_calendar(walk)
    write_choices(walk)
    write_conversation(walk)
    assert walk.walked == OPERATIONS


def write_draft(walk: Walk) -> None:
    do, term = walk.do, walk.term
    do("POST schedule/task-items/{task_item_id}/progress", {"progress": "missed"}, task_item_id=term.items[0])
    walk.shown("POST schedule/task-items/{task_item_id}/progress", WEEK, BATCHES)
    walk.keep_draft(do("POST agent/replan", {"kind": "missed"})["conversation_id"])
    named = {"conversation_id": walk.draft, "task_item_ids": [term.items[0]]}
    do("POST agent/draft-pin", named)
    do("POST agent/draft-unpin", named)
    item = {"task_item_id": term.items[0], "week": 7, "day_of_week": 4, "start_section": 9, "end_section": 10}
    do("POST agent/schedule-state", {"conversation_id": walk.draft, "items": [item]})
    do("POST agent/draft-drop", named)
    do("POST agent/schedule-state", {"conversation_id": walk.draft, "items": [{**item, "from_timetable": True}]})
    do("POST agent/schedule-discard", {"conversation_id": walk.draft})
    do("POST agent/schedule-state", {"conversation_id": walk.draft, "items": [{**item, "from_timetable": True}]})
    applied = do("POST agent/schedule-apply", {"conversation_id": walk.draft})
    do("POST schedule/batches/{batch_id}/undo", batch_id=applied["batch_id"])
    for operation in ("draft-pin", "draft-unpin", "schedule-state", "draft-drop", "schedule-discard"):
        walk.shown(f"POST agent/{operation}", PREVIEW)
    walk.shown("POST agent/schedule-apply", PREVIEW, WEEK, BATCHES)
    walk.shown("POST schedule/batches/{batch_id}/undo", PREVIEW, WEEK, BATCHES)


def write_items(walk: Walk) -> None:
    do, term = walk.do, walk.term
    do("POST schedule/task-items/{task_item_id}/pin", task_item_id=term.words[0])
    do("POST schedule/task-items/{task_item_id}/unpin", task_item_id=term.words[0])
    do("POST schedule/progress", {"items": [{"task_item_id": term.words[0], "progress": "done"}]})
    do("POST schedule/progress", {"items": [{"task_item_id": term.words[0], "progress": "open"}]})
    do("POST schedule/task-items/{task_item_id}/undo", task_item_id=term.words[1])
    made = do("POST task-class", CLASS)
    item = made["items"][0]["id"]
    batch = {"task_class_id": made["id"], "items": [placed(item, 7, 5, 7, 8)]}
    do("PUT task-class/apply-batch-into-schedule", batch)
    do(
        "PUT task-class/{class_id}",
        {**CLASS, "items": [{"id": item, "order": 1, "content": "二"}]},
        class_id=made["id"],
    )
    event = ScheduleEvent.objects.get(task_item=item)
    do("DELETE schedule/events/{event_id}", event_id=event.pk)
    do("DELETE task-class/{class_id}", class_id=made["id"])
    for operation in (
        "POST schedule/task-items/{task_item_id}/pin",
        "PUT task-class/apply-batch-into-schedule",
        "PUT task-class/{class_id}",
        "DELETE schedule/events/{event_id}",
        "POST schedule/progress",
    ):
        walk.shown(operation, WEEK)


def write_courses(walk: Walk) -> None:
    do = walk.do
    made = do("POST schedule/courses", COURSE)["course"]
    named = {**COURSE, "course_name": "金工实习"}
    do("PUT schedule/courses/{course_id}", named, course_id=made["id"])
    other = {
        "course_name": "金工实习",
        "teacher": "王",
        "arrangements": [{**COURSE["arrangements"][0], "day_of_week": 2}],
    }  # type: ignore[dict-item]
    second = do("POST schedule/courses", other)["course"]
    do("POST schedule/courses/{course_id}/merge", {"course_id": made["id"]}, course_id=second["id"])
    do("DELETE schedule/courses/{course_id}", course_id=second["id"])
    imported = do("POST schedule/imports", {"courses": [COURSE]}, query="?dry_run=false")
    do("DELETE schedule/imports/{batch_id}", batch_id=imported["batch_id"])
    for operation in (
        "POST schedule/courses",
        "PUT schedule/courses/{course_id}",
        "POST schedule/imports",
        "DELETE schedule/courses/{course_id}",
        "DELETE schedule/imports/{batch_id}",
    ):
        walk.shown(operation, WEEK, BATCHES)


def write_calendar(walk: Walk) -> None:
    do = walk.do
    exam = do("POST schedule/exams", {**EXAM, "date": "2026-04-18"})["exam"]["id"]
    do(
        "PUT schedule/exams/{exam_id}",
        {**EXAM, "date": "2026-04-17", "start_time": "20:00", "end_time": "21:00"},
        exam_id=exam,
    )
    do("DELETE schedule/exams/{exam_id}", exam_id=exam)
    day = {"kind": "holiday", "name": "校庆", "first_date": "2026-04-19", "last_date": "2026-04-19"}
    exception = do("POST schedule/exceptions", {"exceptions": [day]})["exceptions"][0]["id"]
    do("PUT schedule/exceptions/{exception_id}", {**day, "name": "运动会"}, exception_id=exception)
    do("DELETE schedule/exceptions/{exception_id}", exception_id=exception)
    lesson = ScheduleEvent.objects.get(name="大学英语", week=7)
    do("POST schedule/lesson-changes", {"kind": "cancelled", "event_id": lesson.pk})
    do("DELETE schedule/lesson-changes/{event_id}", event_id=lesson.pk)
    for operation in (
        "POST schedule/exams",
        "DELETE schedule/exams/{exam_id}",
        "POST schedule/lesson-changes",
        "DELETE schedule/lesson-changes/{event_id}",
        "DELETE schedule/exceptions/{exception_id}",
    ):
        walk.shown(operation, WEEK)


def write_choices(walk: Walk) -> None:
    do = walk.do
    do("POST schedule/progress", {"items": [{"task_item_id": walk.term.items[0], "progress": "open"}]})
    wish = do("POST schedule/preferences", {"set": [{"kind": "blocks_a_day", "value": 2}]})["preferences"][0]["id"]
    do("DELETE schedule/preferences/{preference_id}", preference_id=wish)
    do("PUT schedule/progress-settings", {"mode": "tick", "grace_hours": 0})
    do("PATCH account/settings", {"language": "en"})
    do("PATCH account/settings", {"progress": {"mode": "assume_done"}})
    walk.shown("PUT schedule/progress-settings", WEEK)
    walk.shown("PATCH account/settings", WEEK)
    own = do("POST schedule/semesters", OWN)["id"]
    do("PUT schedule/semesters/{semester_id}", {**OWN, "name": "秋"}, semester_id=own)
    do("PUT schedule/semesters/current", {"semester_id": own})
    do("PUT schedule/semesters/current", {"semester_id": None})
    do("DELETE schedule/semesters/{semester_id}", semester_id=own)


def write_conversation(walk: Walk) -> None:
    named = {"conversation_id": walk.draft}
    walk.do("PATCH agent/conversations/{conversation_id}", {"title": "别名"}, **named)
    walk.shown("PATCH agent/conversations/{conversation_id}", f"agent/conversations/{walk.draft}/state")
    walk.do("POST agent/conversations/{conversation_id}/cancel", **named)
    walk.do("DELETE agent/conversations/{conversation_id}", **named)


def test_nothing_is_said_twice_to_who_has_it(walk: Walk) -> None:
    walk.keep_draft(walk.do("POST agent/replan", {"kind": "hand"})["conversation_id"])
    for path, (tag, _) in walk.kept.held.items():
        answer = walk.kept.client.get(f"/api/v1/{path}", headers={"If-None-Match": f'"other", {tag}'})
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag), path
        assert "Content-Length" not in answer, "it would be that of the kept answer"
        assert walk.kept.client.get(f"/api/v1/{path}", headers={"If-None-Match": "*"}).status_code == 304
    unknown = walk.kept.client.get("/api/v1/agent/conversations/none/state", headers={"If-None-Match": "*"})
    assert unknown.status_code == 404


def test_a_tag_is_one_student_s_in_one_language(walk: Walk, other_user: Any) -> None:
    path, (tag, _) = next(iter(walk.kept.held.items()))
    english = walk.kept.client.get(f"/api/v1/{path}", headers={"If-None-Match": tag, "Accept-Language": "en"})
    assert english.status_code == 200
    other = Client(headers={"Authorization": f"Bearer {token_create(user=other_user)[1]}"})
    assert other.get(f"/api/v1/{path}", headers={"If-None-Match": tag}).status_code == 200


def test_a_section_that_ends_makes_the_week_old(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Friday's item, sections 1 and 2, ends at 09:40; by ticks it is missed an hour later."""
    walk.do("PUT schedule/progress-settings", {"mode": "tick", "grace_hours": 1})
    friday = datetime(2026, 4, 17, 1, 39, 59, tzinfo=UTC)
    changed = []
    for minutes in (0, 1, 30, 59, 60, 61, 120):
        monkeypatch.setattr(timezone, "now", lambda at=friday + timedelta(minutes=minutes): at)
        changed.append("schedule/week?week=7" in walk.kept.look())
    assert changed == [False, False, False, False, False, True, False]


def test_what_is_written_beside_the_endpoints_is_told_too(walk: Walk, semester: Semester) -> None:
    walk.keep_draft(walk.do("POST agent/replan", {"kind": "hand"})["conversation_id"])
    state = f"agent/conversations/{walk.draft}/state"
    semester.section_times = [[begin, end.replace(":40", ":39")] for begin, end in semester.section_times]
    semester_change(semester)
    assert {"schedule/week?week=7", f"{PREVIEW}?conversation_id={walk.draft}"} <= walk.kept.look()
    run = Run.objects.create(conversation_id=walk.draft, number=1, status="running")
    assert walk.kept.look() == {state}
    pause(run, "ask_user")
    assert walk.kept.look() == {state}
    sync_client().hset(keys.meta(str(run.pk)), "next", 7)
    assert walk.kept.look() == {state}


def test_a_draft_that_redis_lost_is_read_anew(walk: Walk) -> None:
    """Its revision counts on from the durable copy: the same number may then stand for another draft."""
    walk.keep_draft(walk.do("POST agent/replan", {"kind": "hand"})["conversation_id"])
    user_id = walk.term.user.pk
    sync_client().delete(keys.state(user_id, walk.draft))
    assert walk.kept.client.get(f"/api/v1/{PREVIEW}?conversation_id={walk.draft}").status_code == 200
    walk.kept.look()
    key = keys.state(user_id, walk.draft)
    sync_client().hset(key, "document", str(sync_client().hget(key, "document")).replace("概率论复习", "概率论复习课"))
    sync_client().hset(key, "digest", "of another document")
    assert f"{PREVIEW}?conversation_id={walk.draft}" in walk.kept.look()


def test_who_asks_anew_is_answered_without_the_rows(walk: Walk, django_assert_max_num_queries: Any) -> None:
    """Also on a second device, which has no tag: only who asks and what the answer is made of is looked up."""
    walk.keep_draft(walk.do("POST agent/replan", {"kind": "hand"})["conversation_id"])
    other = Client(headers={"Authorization": f"Bearer {token_create(user=walk.term.user)[1]}"})
    for path, (tag, body) in walk.kept.held.items():
        with django_assert_max_num_queries(6):
            answer = other.get(f"/api/v1/{path}")
        assert (answer.status_code, answer["ETag"], answer.content) == (200, tag, body), path


def test_answers_that_are_kept_take_no_more_than_their_share(settings: Any) -> None:
    settings.ANSWERS_KEPT_MB = 1
    kept, half = entity_tags.KeptAnswers(), bytes(500_000)
    for tag in "abc":
        kept.put(tag, half)
        assert kept.get("a") == half  # what is asked for stays longest
    assert [tag for tag in "abc" if kept.get(tag)] == ["a", "c"]
    kept.put("d", bytes(2_000_000))
    assert [tag for tag in "abcd" if kept.get(tag)] == ["a", "c"]
