"""The published document says what is answered: one student uses every operation of a real server."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from openapi_spec_validator import validate

from tests.kits.page.browser import Browser
from tests.kits.servers.server import METRICS_TOKEN
from tests.kits.transports.document import read_document
from tests.kits.transports.openapi import Operation, Witness
from tests.kits.transports.students import Student
from tests.kits.transports.walks import (
    Walk,
    walk_archive,
    walk_exceptions,
    walk_feed,
    walk_lesson_changes,
    walk_table,
)

DOCUMENT = read_document()
OPERATIONS = [(method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods]
PUBLIC = [(method, path) for method, path in OPERATIONS if "security" not in DOCUMENT["paths"][path][method.lower()]]
COURSE = {
    "course_name": "高等代数", "location": "教学楼A",
    "arrangements": [
        {"start_week": 1, "end_week": 1, "day_of_week": 6, "start_section": 11, "end_section": 12, "week_type": "all"}
    ],
}  # fmt: skip
CLASS = {"name": "杂事", "mode": "manual", "items": [{"order": 1, "content": "洗衣服", "duration": 1}]}
NEWCOMER = {"username": "newcomer", "password": "umbrella seven", "email": "newcomer@school.example"}


class Day(Walk):
    """One student's day through the whole server."""

    def account(self) -> None:
        login = {"username": self.student.username, "password": self.student.password}
        self.http.post("/auth/token", json=login, headers={"Authorization": ""})
        self("GET", "/auth/session")
        other = self.http.post("/auth/token", json=login, headers={"Authorization": ""}).json()["data"]
        self("GET", "/auth/tokens")
        self("DELETE", f"/auth/tokens/{other['id']}")
        self("DELETE", f"/auth/tokens/{other['id']}", code="40400")
        self("POST", "/auth/token", json={**login, "password": "wrong"}, code="40014")
        self("POST", "/auth/token", json={"username": 1}, code="40005")
        self("GET", "/account/settings")
        self("PATCH", "/account/settings", json={"appearance": "dark", "progress": {"mode": "tick", "grace_hours": 12}})
        self("PATCH", "/account/settings", json={"semester_id": 999_999}, code="40041")
        self("POST", "/account/password/reset", json={"email": "nobody@school.example"})
        self("POST", "/account/signup", json=NEWCOMER)
        self("POST", "/account/signup", json=NEWCOMER, code="40005")
        self.sessions(login)

    def sessions(self, login: dict[str, str]) -> None:
        """A browser signs in and changes the password to what it is; the token that was ended is made anew."""
        other, browser = Browser(self.student.server), Browser(self.student.server)
        for one in (other, browser):
            one.sign_in(login["username"], login["password"])
        listed = self("GET", "/account/sessions")["list"]
        self("DELETE", f"/account/sessions/{listed[0]['id']}")
        self("DELETE", f"/account/sessions/{listed[0]['id']}", code="40400")
        self("DELETE", "/account/sessions")
        change = {"current_password": login["password"], "new_password": "lantern twelve"}
        self("POST", "/account/password", json={**change, "current_password": "wrong"}, code="40005")
        self("POST", "/account/password", json=change)
        token = self.http.post(
            "/auth/token", json={**login, "password": "lantern twelve"}, headers={"Authorization": ""}
        )
        self.http.headers["Authorization"] = f"Bearer {token.json()['data']['token']}"

    def classes(self) -> None:
        made = self("POST", "/task-class", json=CLASS)
        self("GET", f"/task-class/{made['id']}")
        self("PUT", f"/task-class/{made['id']}", json={**CLASS, "start_date": "2026-09-01"})
        self("PUT", f"/task-class/{made['id']}", json={**CLASS, "mode": "auto"}, code="40044")
        stranger = {**CLASS["items"][0], "id": 999_999}
        self("PUT", f"/task-class/{made['id']}", json={**CLASS, "items": [stranger]}, code="40048")
        twice = [{**made["items"][0], "order": order} for order in (1, 2)]
        self("PUT", f"/task-class/{made['id']}", json={**CLASS, "items": twice}, code="40062")
        late = {**CLASS, "start_date": "1990-09-01", "end_date": "1990-08-01"}
        self("PUT", f"/task-class/{made['id']}", json=late, code="40045")
        self("POST", "/task-class", json={"name": "x" * 61}, code="40006")
        self("POST", "/schedule/smart-planning", json={"task_class_ids": [made["id"]]}, code="40046")
        self("DELETE", f"/task-class/{made['id']}")
        self("GET", f"/task-class/{made['id']}", code="40040")

    def timetable(self) -> None:
        ids = sorted(row["id"] for row in self("GET", "/task-class", params={"page_size": 100})["list"])
        plan = self("POST", "/schedule/smart-planning", json={"task_class_ids": ids})
        body = _applied(plan, ids[0])
        batch = self("PUT", "/task-class/apply-batch-into-schedule", json=body)
        self("PUT", "/task-class/apply-batch-into-schedule", json=body, code="40034")
        self("GET", "/schedule/batches")
        self.semesters()
        self("GET", "/schedule/today")
        self("GET", "/schedule/week", params={"week": body["items"][0]["week"]})
        self("GET", "/schedule/week", params={"week": 99}, code="40005")
        self("DELETE", f"/task-class/{ids[0]}", code="40034")
        applied = batch["applied"][0]["task_item_id"]
        self("POST", f"/schedule/task-items/{applied}/pin")
        self("POST", f"/schedule/task-items/{applied}/unpin", params={"release": "true"})
        self("POST", f"/schedule/task-items/{applied}/undo")
        self("POST", f"/schedule/task-items/{applied}/pin", code="40077")
        self("POST", f"/schedule/batches/{batch['batch_id']}/undo", code="40077")
        again = self("PUT", "/task-class/apply-batch-into-schedule", json={**body, "items": body["items"][:1]})
        self("POST", f"/schedule/batches/{again['batch_id']}/undo")
        self.progress(batch["applied"][0]["task_item_id"])
        clash = self._course_of(plan)
        taken = {**body["items"][0], **clash, "embed_course_event_id": None}
        self("PUT", "/task-class/apply-batch-into-schedule", json={**body, "items": [taken]}, code="40026")

    def progress(self, item: int) -> None:
        self("POST", f"/schedule/task-items/{item}/progress", json={"progress": "missed"}, code="40090")
        made = self("POST", f"/schedule/task-items/{item}/progress", json={"progress": "done"})
        self("POST", "/schedule/progress", json={"items": [{"task_item_id": item, "progress": "open"}]})
        self("POST", "/schedule/progress", json={"items": [{"task_item_id": item, "progress": "x"}]}, code="40005")
        self("POST", f"/schedule/batches/{made['batch_id']}/undo", code="40077")
        self("GET", "/schedule/progress")
        self("PUT", "/schedule/progress-settings", json={"mode": "assume_done", "grace_hours": 24})
        self("GET", "/schedule/progress-settings")
        made = self("POST", "/schedule/preferences", json={"set": [{"kind": "light_weekday", "value": 7}]})
        self("POST", "/schedule/preferences", json={"set": [{"kind": "light_weekday", "value": 8}]}, code="40005")
        self("GET", "/schedule/preferences")
        self("DELETE", f"/schedule/preferences/{made['preferences'][0]['id']}")

    def semesters(self) -> None:
        shared = self("GET", "/schedule/semester")
        body = {"name": "夏季学期", "first_monday": "2026-07-20", "weeks": 6}
        made = self("POST", "/schedule/semesters", json=body)
        path = f"/schedule/semesters/{made['id']}"
        self("PUT", path, json={**body, "weeks": 5})
        self("PUT", "/schedule/semesters/current", json={"semester_id": made["id"]})
        self("GET", "/schedule/semesters")
        self("GET", "/schedule/semester", params={"semester_id": shared["id"]})
        self("POST", "/schedule/imports", params={"dry_run": "false"}, json={"courses": [COURSE]})
        self("PUT", path, json={**body, "section_times": [["08:00", "08:45"]]}, code="40078")
        self("DELETE", path, code="40078")
        self("DELETE", path, params={"release": "true"})
        self("DELETE", path, code="40041")
        assert self("GET", "/schedule/semester") == shared

    def _course_of(self, plan: Any) -> dict[str, int]:
        entry = next(one for one in plan["hybrid_entries"] if one["type"] == "course" and not one["can_be_embedded"])
        place = {"week": entry["week"], "day_of_week": entry["day_of_week"]}
        return {**place, "start_section": entry["section_from"], "end_section": entry["section_to"]}

    def imports(self) -> None:
        calendar = self.http.get("/schedule/exports/ics").content
        body = {"format": "json", "courses": [COURSE]}
        self("POST", "/schedule/imports", json=body)
        self("POST", "/schedule/imports", params={"dry_run": "false"}, json=body)
        self("POST", "/schedule/imports", params={"dry_run": "false"}, json={"courses": [{}]}, code="40019")
        file = io.BytesIO(json.dumps({"courses": [{**COURSE, "course_name": "数论"}]}).encode())
        report = self("POST", "/schedule/imports", files={"file": ("courses.json", file)}, data={"format": "json"})
        assert report["conflicts"]
        file = io.BytesIO(calendar)
        report = self("POST", "/schedule/imports", files={"file": ("term.ics", file)}, data={"format": "ics"})
        assert report["missing"]
        table = {"file": ("courses.csv", io.BytesIO(b"a,b\n1,2\n"))}
        self("POST", "/schedule/imports", files=table, data={"format": "csv"}, code="40005")
        week = self("GET", "/schedule/week", params={"week": 1})
        event = next(row["id"] for row in week["events"] if row["name"] == COURSE["course_name"])
        self("DELETE", f"/schedule/events/{event}")
        self("DELETE", f"/schedule/events/{event}", code="40031")

    def exams(self) -> None:
        monday = date.fromisoformat(self("GET", "/schedule/semester")["first_monday"])
        body = {"name": "概率论期末", "date": f"{monday}", "start_time": "13:30", "end_time": "15:30"}
        made = self("POST", "/schedule/exams", json=body)
        path = f"/schedule/exams/{made['exam']['id']}"
        self("POST", "/schedule/exams", params={"dry_run": "true"}, json={**body, "course_id": 999_999}, code="40042")
        self("POST", "/schedule/exams", json={**body, "start_time": "25:00"}, code="40005")
        self("GET", "/schedule/exams", params={"page_size": 5})
        self("GET", path)
        self("PUT", path, json={**body, "date": f"{monday + timedelta(days=2)}"})
        self("GET", "/schedule/term")
        self("DELETE", path, params={"dry_run": "true"})
        self("DELETE", path)
        self("GET", path, code="40047")
        self("PUT", path, json=body, code="40047")
        self("DELETE", path, code="40047")

    def courses(self) -> None:
        made = self("POST", "/schedule/courses", json=COURSE)
        path = f"/schedule/courses/{made['course']['id']}"
        self("POST", "/schedule/courses", json=COURSE, code="40026")
        self("POST", "/schedule/courses", json={**COURSE, "arrangements": [{}]}, code="40019")
        self("GET", "/schedule/courses", params={"page_size": 5})
        course = self("GET", path)
        self("PUT", path, params={"dry_run": "true"}, json={**course, "arrangements": []})
        self("PUT", path, json={**course, "note": "带电脑"})
        other = self("POST", "/schedule/courses", json={**COURSE, "arrangements": []})["course"]["id"]
        self("POST", f"{path}/merge", json={"course_id": other})
        deleted = self("DELETE", path)
        self("GET", "/schedule/batches")
        self("POST", f"/schedule/batches/{deleted['batch_id']}/undo")
        self("DELETE", path)
        self("DELETE", path, code="40042")
        body = {"courses": [{**COURSE, "course_name": "拓扑学"}]}
        report = self("POST", "/schedule/imports", params={"dry_run": "false"}, json=body)
        self("DELETE", f"/schedule/imports/{report['batch_id']}")
        self("DELETE", f"/schedule/imports/{report['batch_id']}", code="40043")

    def conversation(self) -> None:
        ids = [row["id"] for row in self("GET", "/task-class")["list"]]
        started = self("POST", "/tasks", json={"message": "帮我排一下", "extra": {"task_class_ids": ids[-1:]}})
        run, talk = started["task_id"], started["conversation_id"]
        self.http.get(f"/agent/runs/{run}/stream")
        assert self.http.get(f"/agent/runs/{run}/stream", params={"from": 100_000}).status_code == 204
        self("GET", f"/tasks/{run}", params={"limit": 1000})
        self.http.get(f"/tasks/{run}", params={"bare": "true"})
        self("POST", f"/tasks/{run}/cancel")
        self.http.post("/agent/chat", json={"conversation_id": talk, "message": "把第一个任务挪到后一天"})
        self.http.post("/agent/chat", json={"conversation_id": talk, "message": ""})
        self("GET", f"/agent/conversations/{talk}/timeline", params={"limit": 500})
        self("GET", f"/agent/conversations/{talk}/context-stats")
        self("GET", f"/agent/conversations/{talk}/state")
        self.draft(talk)
        self("POST", f"/agent/conversations/{talk}/cancel")
        self("GET", f"/agent/conversations/{talk}")
        self("GET", "/agent/conversations")
        self("PATCH", f"/agent/conversations/{talk}", json={"title": "概率论"})
        self("DELETE", f"/agent/conversations/{talk}")
        self("GET", f"/agent/conversations/{talk}/state", code="40401")

    def draft(self, talk: str) -> None:
        preview = self("GET", "/agent/schedule-preview", params={"conversation_id": talk})
        entry = next(one for one in preview["hybrid_entries"] if one["status"] == "suggested")
        item = {
            "task_item_id": entry["task_item_id"], "week": entry["week"], "day_of_week": entry["day_of_week"],
            "start_section": entry["section_from"], "end_section": entry["section_to"],
            "embed_course_event_id": entry["event_id"],
        }  # fmt: skip
        self("POST", "/agent/schedule-state", json={"conversation_id": talk, "items": [item]})
        self("POST", "/agent/schedule-state", json={"conversation_id": talk, "items": [item] * 2}, code="40062")
        asked = {"conversation_id": talk, "task_item_id": entry["task_item_id"]}
        self("POST", "/agent/legal-places", json=asked)
        self("POST", "/agent/why", json=asked)
        self("POST", "/agent/why", json={"task_item_id": 10**9}, code="40036")
        self("POST", "/agent/legal-places", json={"task_item_id": 10**9}, code="40036")
        kept = {"conversation_id": talk, "task_item_ids": [entry["task_item_id"]]}
        self("POST", "/agent/draft-pin", json=kept)
        self("POST", "/agent/draft-unpin", json={**kept, "release": True})
        self("POST", "/agent/draft-pin", json={**kept, "task_item_ids": [10**9]}, code="40060")
        far = {**item, "week": 999}
        self("POST", "/agent/schedule-state", json={"conversation_id": talk, "items": [far]}, code="40059")
        self("POST", "/agent/schedule-apply", json={"conversation_id": talk, "revision": 9999}, code="40071")
        found = self("GET", "/agent/draft-diff", params={"conversation_id": talk})
        one = {"conversation_id": talk, "task_item_ids": [found["new"][0]["task_item_id"]]}
        self("POST", "/agent/draft-drop", json=one)
        self("POST", "/agent/draft-drop", json={**one, "revision": 9999}, code="40071")
        self("POST", "/agent/schedule-discard", json={"conversation_id": talk, "revision": 9999}, code="40071")
        self("POST", "/agent/schedule-apply", json={"conversation_id": talk})
        self("POST", "/agent/schedule-discard", json={"conversation_id": talk})
        self("POST", "/agent/replan", json={"kind": "missed", "conversation_id": talk})
        self("POST", "/agent/replan", json={"kind": "ill", "from_date": "2026-09-21"})
        self("POST", "/agent/replan", json={"kind": "ill"}, code="40005")
        self("POST", "/agent/catch-up", json={"kind": "ill", "from_date": "2026-09-21"})
        self("POST", "/agent/catch-up", json={"kind": "missed", "task_item_ids": [10**9]}, code="40036")
        self("POST", "/agent/replan", json={"kind": "keep_free", "from_date": "2030-09-21"}, code="40049")
        self("GET", "/agent/schedule-preview", params={"conversation_id": " "}, code="40004")

    def terms(self) -> None:
        walk_lesson_changes(self, {**COURSE, "course_name": "数学史"})
        walk_exceptions(self)
        walk_feed(self)
        walk_table(self)
        walk_archive(self, NEWCOMER["username"], NEWCOMER["password"])

    def operation(self) -> None:
        root = self.student.server.base_url
        for path in ("/api/schema", "/api/v1/schema/events.json", "/healthz", "/readyz"):
            assert self.http.get(root + path).status_code == 200, path
        figures = self.http.get(f"{root}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        assert figures.status_code == 200


def _applied(plan: Any, class_id: int) -> dict[str, Any]:
    """The body that applies one class as it was planned."""
    items = [
        {
            "task_item_id": row["task_item_id"], "week": row["week"], "day_of_week": row["day_of_week"],
            "start_section": row["section_from"], "end_section": row["section_to"],
            "embed_course_event_id": row["embed_course_event_id"],
        }
        for row in plan["placements"] if row["task_class_id"] == class_id
    ]  # fmt: skip
    return {"task_class_id": class_id, "items": items}


@pytest.fixture(scope="module")
def witness(server: Any) -> Iterator[Witness]:
    """What one student saw of the whole server, first signed in and then not."""
    student = Student(server, "walker", server.account("walker"))
    witness = Witness(httpx.get(f"{server.base_url}/api/schema", timeout=60).json())
    walk = Day(student, witness)
    for part in (
        walk.account,
        walk.classes,
        walk.timetable,
        walk.imports,
        walk.courses,
        walk.exams,
        walk.conversation,
        walk.terms,
        walk.operation,
    ):
        part()
    walk("DELETE", "/auth/token")
    with httpx.Client(base_url=server.base_url, event_hooks={"response": [witness]}) as stranger:
        for method, path in OPERATIONS:
            stranger.request(method, re.sub(r"\{[^}]+\}", "7", path))
    yield witness
    student.http.close()


def test_the_document_is_openapi_3_1() -> None:
    validate(DOCUMENT)


def test_the_server_publishes_the_document_of_this_code(witness: Witness) -> None:
    assert witness.document == json.loads(json.dumps(DOCUMENT))


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join)
def test_every_operation_has_answered_as_documented(witness: Witness, operation: Operation) -> None:
    assert witness.seen[operation] & {"10000", "200", "ok", "ready"}


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one not in PUBLIC], ids=" ".join)
def test_every_operation_refuses_a_stranger_as_documented(witness: Witness, operation: Operation) -> None:
    assert "40014" in witness.seen[operation]


def test_every_success_has_a_typed_answer() -> None:
    """`data` is null or has a schema that says more than that it is JSON."""
    for method, path in OPERATIONS:
        content = DOCUMENT["paths"][path][method.lower()]["responses"]["200"]["content"]
        data = content.get("application/json", {}).get("schema", {}).get("properties", {}).get("data")
        assert data is None or data.keys() & {"$ref", "anyOf", "properties"} or data == {"type": "null"}, (method, path)
