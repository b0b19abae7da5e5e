"""Everything of a student goes out as one archive and comes back the same, or not at all."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agent.models import Conversation
from agent.runs import Ask
from agent.runs.start import run_create
from agent.store import keys
from agent.store.connection import sync_client
from schedules.models import (
    AppliedBatch,
    CalendarException,
    Course,
    CurrentSemester,
    Preference,
    ProgressRule,
    ScheduleEvent,
    Semester,
)
from schedules.services import broken_invariants
from smartmate.accounts.tokens import token_create
from smartmate.archive.tables import BY_MODEL, LEFT_OUT, TABLES
from smartmate.archive.writing import archive_make, archive_schema
from smartmate.middleware.login_limit import known_addresses
from smartmate.models import AccountSettings
from taskclasses.models import TaskClass, TaskItem
from tests.kits.agent.runs import pause
from tests.kits.timetable.helpers import Api, event_at, placed
from tests.kits.timetable.lasting import semester, student, user, write_class

__all__ = ["semester", "student", "user"]


def api_of(user: User) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"}))


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> None:
    lasting_rows(lambda: write_all(User.objects.get(pk=student), *write_class(student)))


@pytest.fixture
def full(written: None, user: Any) -> Api:
    """A student with courses, a guest, an item on its own, a term of their own, marks and choices."""
    return api_of(user)


def write_all(user: User, api: Api, task_class: TaskClass) -> None:
    semester = Semester.objects.get()
    items = list(task_class.items.order_by("order"))
    host = event_at("思想政治", 7)
    body = {"task_class_id": task_class.pk, "items": [
        placed(items[0].pk, 7, 1, 1, 2), placed(items[1].pk, 7, 3, 5, 6, host.pk),
    ]}  # fmt: skip
    assert api.apply(body)[0] == 200
    term = {"name": "我的学期", "first_monday": "2026-09-07", "weeks": 18}
    own = api("POST", "schedule/semesters", term)[1]["data"]["id"]
    lesson = {"weeks": [1, 3], "day_of_week": 2, "start_section": 1, "end_section": 2}
    api(
        "POST", f"schedule/courses?semester_id={own}", {"course_name": "书法", "arrangements": [lesson], "note": "带笔"}
    )
    api("PUT", "schedule/semesters/current", {"semester_id": semester.pk})
    AccountSettings.objects.create(user=user, language="en", appearance="dark")
    ProgressRule.objects.create(user=user, mode="tick", grace_hours=48)
    Preference.objects.create(user=user, kind="light_weekday", value=7)
    CalendarException.objects.create(
        user=user, semester=semester, kind="holiday", name="周末", first_date="2026-05-02", last_date="2026-05-03"
    )
    kept = {"kind": "kept_free", "name": "社团", "section_from": 9, "section_to": 10}
    CalendarException.objects.create(
        user=user, semester=semester, first_date="2026-05-04", last_date="2026-05-08", **kept
    )
    exam = {
        "name": "期末",
        "date": "2026-06-30",
        "start_time": "13:30",
        "end_time": "15:30",
        "course_id": host.course_id,
    }
    made = api("POST", "schedule/exams", {**exam, "course_id": host.course_id})[1]["data"]["exam"]["id"]
    TaskClass.objects.filter(pk=task_class.pk).update(
        exam_id=made, course_id=host.course_id, excluded_cells=[{"day_of_week": 6, "block": 1}]
    )
    TaskItem.objects.filter(pk=items[0].pk).update(mark="partial", sections_left=1)
    pause(run_create(user.pk, Ask(message="帮我排一下")).run)


def told(document: dict[str, Any]) -> dict[str, Any]:
    return {name: document[name] for name in ("format", "version", "schema", "tables")}


def archive_of(api: Api) -> dict[str, Any]:
    answer = api.raw("GET", "account/archive")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json; charset=utf-8")
    assert "attachment" in answer["Content-Disposition"]
    document: dict[str, Any] = json.loads(answer.content)
    return document


def test_every_model_of_a_student_is_in_the_archive_or_left_out_for_a_reason() -> None:
    covered = {model._meta.label for model in BY_MODEL}
    assert not covered & set(LEFT_OUT)
    students = covered | set(LEFT_OUT) | {"auth.User"}
    unknown = {
        model._meta.label
        for model in apps.get_models()
        if model._meta.label not in students
        and any(
            field.related_model and field.related_model._meta.label in students for field in model._meta.concrete_fields
        )
    }
    assert unknown == set(), "give each an entry in smartmate/archive/tables.py, or a reason in LEFT_OUT"
    assert {apps.get_model(label)._meta.label for label in LEFT_OUT} == set(LEFT_OUT)


def test_an_archive_comes_back_as_the_same_archive(full: Api, other_user: Any) -> None:
    document = archive_of(full)
    counts = {name: len(rows) for name, rows in document["tables"].items()}
    assert all(counts.values()), counts
    other = api_of(other_user)
    status, answer = other("POST", "account/archive", document)
    assert (status, answer["data"]) == (200, {"rows": counts})
    assert told(archive_of(other)) == told(document)
    assert broken_invariants() == []
    mine, theirs = (Semester.objects.get(owner=owner) for owner in (User.objects.get(username="li"), other_user))
    assert (mine.name, mine.pk != theirs.pk) == (theirs.name, True)
    assert CurrentSemester.objects.get(user=other_user).semester.owner is None
    assert not AppliedBatch.objects.filter(user=other_user).exists()
    linked = TaskClass.objects.get(user=other_user)
    assert Course.objects.get(pk=linked.course_id).user == other_user
    week = full("GET", "schedule/week?week=7")[1]["data"]
    again = other("GET", "schedule/week?week=7")[1]["data"]
    assert [row["name"] for row in again["events"]] == [row["name"] for row in week["events"]]
    item = TaskItem.objects.filter(task_class__user=other_user, status=2).order_by("order").last()
    assert item is not None
    assert other("POST", f"schedule/task-items/{item.pk}/undo")[0] == 200


def test_an_uploaded_archive_is_taken_in_once(full: Api, other_user: Any) -> None:
    other = api_of(other_user)
    content = json.dumps(archive_of(full)).encode()
    for expected in (200, 409):
        upload = SimpleUploadedFile("archive.json", content)
        answer = other.client.post("/api/v1/account/archive", {"file": upload})
        assert answer.status_code == expected
    assert json.loads(answer.content)["status"] == "40087"


def test_a_semester_that_is_not_there_becomes_ones_own(full: Api, semester: Any, other_user: Any) -> None:
    document = archive_of(full)
    document["tables"]["semesters"][0]["name"] = "别处的学期"
    assert api_of(other_user)("POST", "account/archive", document)[0] == 200
    assert set(Semester.objects.filter(owner=other_user).values_list("name", flat=True)) == {"别处的学期", "我的学期"}


def test_an_archive_fits_its_published_schema(full: Api) -> None:
    schema = json.loads(Client().get("/api/v1/schema/archive.json").content)
    assert schema == archive_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(archive_of(full), schema)


def test_it_tells_what_was_said_and_no_secret(full: Api, user: Any) -> None:
    full("POST", "schedule/feed")
    document = archive_of(full)
    assert [len(conversation["timeline"]) > 0 for conversation in document["conversations"]] == [True]
    assert "帮我排一下" in json.dumps(document["conversations"], ensure_ascii=False)
    written = document["batches"]
    assert [row["created_at"] for row in written] == sorted(row["created_at"] for row in written)
    assert {"import", "apply-batch"} & {row["source"] for row in written}
    text = json.dumps(document)
    for secret in (user.password, user.calendar_feed.digest, user.auth_token_set.first().digest):
        assert secret not in text


def test_two_archives_of_the_same_rows_are_equal(full: Api) -> None:
    first, second = archive_of(full), archive_of(full)
    assert {**first, "exported_at": ""} == {**second, "exported_at": ""}


def test_the_number_of_queries_does_not_depend_on_the_rows(
    full: Api, user: Any, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(23):
        archive_make(user=user)


def test_an_archive_older_than_a_column_comes_in_with_its_default(full: Api, user: Any, other_user: Any) -> None:
    later = ("always_execute", "course_colors", "evening_question", "less_motion", "letter_keys", "thinking")
    AccountSettings.objects.filter(user=user).update(letter_keys=False, thinking=True)
    document = archive_of(full)
    for name in later:
        del document["tables"]["settings"][0][name]
    status, answer = api_of(other_user)("POST", "account/archive", document)
    assert status == 200, answer
    found = AccountSettings.objects.filter(user=other_user).values("language", "appearance", *later).get()
    assert found == {
        "language": "en", "appearance": "dark", "always_execute": False, "course_colors": True,
        "evening_question": False, "less_motion": False, "letter_keys": True, "thinking": False,
    }  # fmt: skip


def change(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    *way, last = path.split(".")
    target: Any = changed
    for step in way:
        target = target[int(step)] if isinstance(target, list) else target[step]
    if isinstance(target, list):
        target[int(last)] = value
    else:
        target[last] = value
    return changed


RECORD = {
    "progress": "done", "week": 1, "day_of_week": 1, "section_from": 1, "section_to": 2, "semester_id": 1,
    "sections": 2, "in_place": True, "marked_at": "2026-03-02T08:00:00Z",
}  # fmt: skip
BAD = [
    ("format", "x"),
    ("version", 2),
    ("tables", []),
    ("tables.unknown", []),
    ("tables.events", {}),
    ("tables.events.0", 5),
    ("tables.events.0.week", 99),
    ("tables.events.0.week", "1"),
    ("tables.events.0.week", 10**30),
    ("tables.events.0.day_of_week", 9),
    ("tables.events.0.semester", 0),
    ("tables.events.0.semester", 77),
    ("tables.events.0.semester", True),
    ("tables.events.0.type", "party"),
    ("tables.events.0.name", "x" * 256),
    ("tables.events.0.name", "\u0000"),
    ("tables.events.0.name", None),
    ("tables.events.0.section_to", 40),
    ("tables.events.0.course", 999),
    ("tables.sections.0.section", 12),
    ("tables.sections.0.embedded_task_item", 1),
    ("tables.sections.0.status", "gone"),
    ("tables.sections", []),
    ("tables.semesters.1.first_monday", "2026-09-08"),
    ("tables.semesters.1.section_times", [["x", "y"]]),
    ("tables.semesters.1.time_zone", "Moon/Base"),
    ("tables.semesters.1.weeks", 31),
    ("tables.task_classes.0.excluded_slots", ["a"]),
    ("tables.task_classes.0.excluded_days_of_week", {"a": 1}),
    ("tables.task_classes.0.excluded_cells", [{"day_of_week": 9, "block": 1}]),
    ("tables.task_classes.0.excluded_cells", [7]),
    ("tables.task_classes.0.course_id", 99),
    ("tables.calendar_exceptions.0.last_date", "2026-05-01"),
    ("tables.calendar_exceptions.0.first_date", "2020-05-01"),
    ("tables.calendar_exceptions.0.kind", "makeup"),
    ("tables.events.0.pattern_place", {"week": 1}),
    ("tables.events.0.change", {"kind": "gone"}),
    ("tables.events.0.effect", {"extra": [1]}),
    ("tables.task_classes.0.end_date", "yesterday"),
    ("tables.task_classes.0.end_date", "1999-01-01"),
    ("tables.task_classes.0.strategy", "lazy"),
    ("tables.task_items.0.records", [5]),
    ("tables.task_items.0.records", [{"a": 1}]),
    ("tables.task_items.0.records", [{**RECORD, "marked_at": "once"}]),
    ("tables.task_items.0.records", [{**RECORD, "week": "1"}]),
    ("tables.task_items.0.records", [{**RECORD, "progress": "begun"}]),
    ("tables.task_items.0.records", [RECORD] * 1_001),
    ("tables.task_items.0.embedded_time", {"week": 1}),
    ("tables.task_items.0.status", 1),
    ("tables.task_items.0.task_class", None),
    ("tables.courses.0.color_index", 99),
    ("tables.settings.0.appearance", "pink"),
]


def test_a_damaged_archive_changes_nothing(full: Api, other_user: Any, subtests: pytest.Subtests) -> None:
    """Whatever is refused leaves the account as it was: the next one meets it so."""
    whole, other = archive_of(full), api_of(other_user)
    for path, value in BAD:
        with subtests.test(path=path, value=str(value)[:40]):
            status, answer = other("POST", "account/archive", change(whole, path, value))
            assert (status, answer["status"]) == (400, "40005"), answer
            for table in TABLES:
                assert not table.rows(other_user.pk).exists(), table.name
            assert broken_invariants() == []


@pytest.mark.parametrize(
    ("table", "most"),
    [("task_items", 100), ("task_classes", 1_000), ("courses", 1_000), ("exams", 400), ("preferences", 80),
     ("calendar_exceptions", 200), ("semesters", 80), ("events", 10_000)],
)  # fmt: skip
def test_an_archive_brings_no_more_than_a_student_can_have(full: Api, other_user: Any, table: str, most: int) -> None:
    document = archive_of(full)
    rows = document["tables"][table]
    assert len(rows) <= most
    document["tables"][table] = rows[:1] * (most + 1)
    status, answer = api_of(other_user)("POST", "account/archive", document)
    assert (status, answer["data"]) == (413, {"field": f"tables.{table}", "limit": most})
    assert not other_user.task_classes.exists()


def test_what_a_class_refuses_is_taken_in_once_however_often_it_is_told(full: Api, other_user: Any) -> None:
    document = archive_of(full)
    cell = {"day_of_week": 2, "block": 1, "more": "x"}
    document["tables"]["task_classes"][0] |= {"excluded_slots": [3, 3] * 50_000, "excluded_cells": [cell] * 50_000}
    assert api_of(other_user)("POST", "account/archive", document)[0] == 200
    row = TaskClass.objects.get(user=other_user)
    assert (row.excluded_slots, row.excluded_cells) == ([3], [{"day_of_week": 2, "block": 1}])


@pytest.mark.parametrize("keyed", [False, True])
def test_an_archive_comes_back_whatever_was_said_in_years(full: Api, other_user: Any, keyed: bool) -> None:
    whole, other = archive_of(full), api_of(other_user)
    said = {"seq": 1, "kind": "user_text", "role": "user", "content": "字" * 1_000, "payload": {}}
    whole["conversations"] = [{"title": "", "created_at": whole["exported_at"], "timeline": [said] * 6_000}]
    content = json.dumps(whole, ensure_ascii=False, indent=1).encode()
    assert len(content) > 16 * 1024 * 1024
    upload = SimpleUploadedFile("archive.json", content, "application/json")
    headers = {"Idempotency-Key": "years"} if keyed else {}
    answer = other.client.post("/api/v1/account/archive", {"file": upload}, headers=headers)
    assert answer.json()["status"] == "10000", answer.content
    assert archive_of(other)["tables"] == whole["tables"]
    cut = SimpleUploadedFile("archive.json", content.replace(b'"tables"', b'"tables" 7'), "application/json")
    assert other.client.post("/api/v1/account/archive", {"file": cut}).json()["status"] == "40005"


def test_an_archive_of_another_never_reaches_their_rows(full: Api, user: Any, other_user: Any) -> None:
    before = list(ScheduleEvent.objects.filter(user=user).values())
    assert api_of(other_user)("POST", "account/archive", archive_of(full))[0] == 200
    assert list(ScheduleEvent.objects.filter(user=user).values()) == before
    assert TaskClass.objects.filter(user=other_user).count() == TaskClass.objects.filter(user=user).count()


def delete(api: Api, password: Any) -> tuple[int, str]:
    status, answer = api("DELETE", "account", {"password": password})
    return status, answer["status"]


def test_an_account_ends_with_everything_once_its_password_says_so(
    full: Api, user: Any, other_user: Any, django_capture_on_commit_callbacks: Any
) -> None:
    full("POST", "schedule/feed")
    assert delete(full, "wrong") == (403, "40088")
    assert delete(full, 5) == (400, "40005")
    assert User.objects.filter(pk=user.pk).exists()
    with django_capture_on_commit_callbacks(execute=True):
        assert delete(full, "correct horse") == (200, "10000")
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.related_model is User:
                assert not model._default_manager.filter(**{field.name: user.pk}).exists(), model
    assert not Conversation.objects.exists()
    assert full("GET", "schedule/week")[0] == 401
    assert User.objects.filter(pk=other_user.pk).exists()


def test_what_redis_and_other_browsers_hold_of_an_account_ends_with_it(
    user: Any, other_user: Any, semester: Any, django_capture_on_commit_callbacks: Any
) -> None:
    redis = sync_client()
    for name, password in (("li", "correct horse"), ("wang", "battery staple")):
        for _browser in range(2):
            client = Client()
            assert client.post("/login", {"username": name, "password": password}).status_code == 302
            assert client.get("/settings").status_code == 200
        table = SimpleUploadedFile("courses.csv", "课程名称,星期,节次,周次\n天体物理,1,1-2,1-4\n".encode())
        assert "天体物理" in client.post("/courses/import", {"upload": table, "way": "look"}).content.decode()
        owner = User.objects.get(username=name).pk
        for key in (keys.picture(owner, "ab"), known_addresses(name).replace("*", "203.0.113.7")):
            redis.set(key, "{}", ex=60)
    body = json.dumps({"password": "correct horse"})
    client = Client()
    client.login(username="li", password="correct horse")
    with django_capture_on_commit_callbacks(execute=True):
        assert client.delete("/api/v1/account", body, content_type="application/json").status_code == 200
    owners = [row.get_decoded().get("_auth_user_id") for row in Session.objects.all()]
    assert owners == [str(other_user.pk)] * 2
    held = [cache.get(f"import-file:{one}") is not None for one in (user.pk, other_user.pk)]
    assert held == [False, True]
    assert [len(redis.keys(keys.everything(one))) for one in (user.pk, other_user.pk)] == [0, 1]
    assert [len(redis.keys(known_addresses(name))) for name in ("li", "wang")] == [0, 1]


def test_an_account_with_a_run_at_work_stays(full: Api, user: Any) -> None:
    run_create(user.pk, Ask(message="你好"))
    assert delete(full, "correct horse") == (409, "40075")
    assert User.objects.filter(pk=user.pk).exists()


def test_a_session_ends_with_its_account(user: Any, semester: Any) -> None:
    client = Client()
    client.login(username="li", password="correct horse")
    body = json.dumps({"password": "correct horse"})
    answer = client.delete("/api/v1/account", body, content_type="application/json")
    assert answer.status_code == 200
    assert client.get("/api/v1/auth/session").status_code == 401


def test_guesses_at_the_password_are_limited(full: Api, settings: Any) -> None:
    settings.RATE_LIMITS = True
    answers = [delete(full, "wrong") for _ in range(7)]
    assert answers[0] == (403, "40088")
    assert answers[-1] == (429, "40033")
