"""Many requests at once, over real transactions: one effect per key, one owner per cell, never a 5xx."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from schedules.calendars.json_courses import rows_of_document
from schedules.models import AppliedBatch, Schedule, ScheduleEvent, Semester
from schedules.services import broken_invariants, class_create, courses_import
from smartmate.accounts.tokens import token_create
from smartmate.models import IdempotencyClaim
from taskclasses.fields import ItemValues
from tests.kits.timetable.helpers import COURSES, class_values, event_at, placed

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/api/v1/task-class/apply-batch-into-schedule"


@pytest.fixture
def world() -> tuple[User, str, Any]:
    semester = Semester.objects.create(name="2026 春", first_monday=date(2026, 3, 2), weeks=20, is_current=True)
    user = User.objects.create_user("li")
    courses_import(user=user, rows=list(rows_of_document({"courses": COURSES}, semester.calendar.grid)), dry_run=False)
    values = class_values(items=[ItemValues(n, f"第{n}章") for n in range(1, 21)], excluded_slots=[])
    return user, token_create(user=user)[1], class_create(user=user, values=values)


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Runs every call in a thread of its own, all starting together."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def put(token: str, key: str, body: Any, query: str = "") -> tuple[int, bytes, bool]:
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
    response = Client(headers=headers, raise_request_exception=False).put(
        PATH + query, json.dumps(body), content_type="application/json"
    )
    return response.status_code, response.content, response.get("Idempotent-Replayed") == "true"


def test_one_key_in_twenty_threads_gives_one_batch(world: Any) -> None:
    _, token, row = world
    item = row.items.first().pk
    body = {"task_class_id": row.pk, "items": [placed(item, 7, 2, 3, 4)]}
    answers = at_once([lambda: put(token, "k-1", body)] * 20)
    assert {status for status, _, _ in answers} <= {200, 409}
    assert len({content for status, content, _ in answers if status == 200}) == 1
    assert all(b'"40038"' in content for status, content, _ in answers if status == 409)
    assert AppliedBatch.objects.filter(source="apply-batch").count() == 1
    again = put(token, "k-1", body)
    assert (again[0], again[2]) == (200, True)
    assert broken_invariants() == []


def test_twenty_applies_on_one_cell_have_one_winner(world: Any) -> None:
    _, token, row = world
    items = [item.pk for item in row.items.order_by("order")]
    bodies = [{"task_class_id": row.pk, "items": [placed(item, 7, 2, 3, 4)]} for item in items]
    answers = at_once([lambda n=n, body=body: put(token, f"k-{n}", body) for n, body in enumerate(bodies)])
    codes = Counter(json.loads(content)["status"] for _, content, _ in answers)
    assert codes == {"10000": 1, "40026": 19}
    for _, content, _ in answers:
        document = json.loads(content)
        if document["status"] != "10000":
            conflict = document["data"]["conflicts"][0]
            assert (conflict["week"], conflict["day_of_week"], conflict["section_from"]) == (7, 2, 3)
    assert Schedule.objects.filter(event__type="task").count() == 2
    assert broken_invariants() == []


def test_twenty_applies_into_one_host_have_one_winner(world: Any) -> None:
    _, token, row = world
    host = event_at("思想政治", 7).pk
    items = [item.pk for item in row.items.order_by("order")]
    bodies = [{"task_class_id": row.pk, "items": [placed(item, 7, 3, 5, 6, host)]} for item in items]
    answers = at_once([lambda n=n, body=body: put(token, f"k-{n}", body) for n, body in enumerate(bodies)])
    codes = Counter(json.loads(content)["status"] for _, content, _ in answers)
    assert codes == {"10000": 1, "40025": 19}
    assert broken_invariants() == []


def test_an_item_is_put_into_one_of_two_semesters_at_once(world: Any) -> None:
    user, token, row = world
    courses = rows_of_document({"courses": COURSES}, Semester.objects.get().calendar.grid)
    own = Semester.objects.create(owner=user, name="我的", first_monday=date(2026, 3, 2), weeks=20)
    courses_import(user=user, rows=list(courses), semester_id=own.pk, dry_run=False)
    item = row.items.first().pk
    hosts = {event.semester_id: event.pk for event in ScheduleEvent.objects.filter(name="思想政治", week=7)}

    def call(number: int, semester_id: int) -> str:
        body = {"task_class_id": row.pk, "items": [placed(item, 7, 3, 5, 6, hosts[semester_id])]}
        answer = put(token, f"k-{number}", body, f"?semester_id={semester_id}")
        return str(json.loads(answer[1])["status"])

    ids = [semester_id for semester_id in hosts for _ in range(4)]
    codes = Counter(at_once([lambda n=n, pk=pk: call(n, pk) for n, pk in enumerate(ids)]))
    assert codes == {"10000": 1, "40034": 7}
    assert broken_invariants() == []


def test_courses_that_want_one_cell_at_once_have_one_winner(world: Any) -> None:
    user, token, _ = world
    meeting = {"weeks": [1, 2, 3], "day_of_week": 1, "start_section": 1, "end_section": 2}

    def call(method: str, path: str, body: Any) -> dict[str, Any]:
        client = Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)
        answer = client.generic(method, f"/api/v1/schedule/{path}", json.dumps(body), content_type="application/json")
        document: dict[str, Any] = json.loads(answer.content)
        return document

    forms = [{"course_name": f"课程{n}", "arrangements": [meeting]} for n in range(8)]
    made = at_once([lambda form=form: call("POST", "courses", form) for form in forms])
    assert Counter(answer["status"] for answer in made) == {"10000": 1, "40026": 7}
    won = next(answer["data"]["course"]["id"] for answer in made if answer["status"] == "10000")
    assert Schedule.objects.filter(user=user, event__course=won).count() == 6
    gone = at_once([lambda: call("DELETE", f"courses/{won}", None)] * 6)
    assert Counter(answer["status"] for answer in gone) == {"10000": 1, "40042": 5}
    batch = next(answer["data"]["batch_id"] for answer in gone if answer["status"] == "10000")
    undone = at_once([lambda: call("POST", f"batches/{batch}/undo", None)] * 6)
    assert Counter(answer["status"] for answer in undone) == {"10000": 1, "40077": 5}
    assert broken_invariants() == []


def test_overlapping_applies_fill_each_cell_once(world: Any) -> None:
    _, token, row = world
    items = [item.pk for item in row.items.order_by("order")]
    # Item n wants day n//4 of week 7: four rivals for each of five mornings, in class order over the days.
    bodies = [{"task_class_id": row.pk, "items": [placed(item, 7, n // 4 + 1, 1, 2)]} for n, item in enumerate(items)]
    answers = at_once([lambda n=n, body=body: put(token, f"k-{n}", body) for n, body in enumerate(bodies)])
    codes = Counter(json.loads(content)["status"] for _, content, _ in answers)
    assert codes["10000"] == 5
    assert set(codes) == {"10000", "40026"}
    assert broken_invariants() == []


def test_a_row_that_was_written_without_the_lock_is_still_a_conflict(world: Any) -> None:
    user, token, row = world
    english = event_at("大学英语", 7)
    Schedule.objects.create(user=user, semester=english.semester, event=english, week=7, day_of_week=2, section=3)
    status, content, _ = put(token, "k", {"task_class_id": row.pk, "items": [placed(row.items.first().pk, 7, 2, 3, 4)]})
    document = json.loads(content)
    assert (status, document["status"]) == (409, "40026")
    assert document["data"]["conflicts"][0]["with"]["event_id"] == english.pk


def test_a_claim_whose_lease_ran_out_is_taken_over_once(world: Any) -> None:
    _, token, row = world
    body = {"task_class_id": row.pk, "items": [placed(row.items.first().pk, 7, 2, 3, 4)]}
    assert put(token, "k", body)[0] == 200
    AppliedBatch.objects.all().delete()
    past = timezone.now() - timedelta(seconds=61)
    lost = {"response_status": None, "response_body": "", "lease_until": past}
    IdempotencyClaim.objects.update(**lost)
    answers = at_once([lambda: put(token, "k", body)] * 8)
    # The item is on the timetable already, so the one that took the claim over is refused and releases the key.
    assert {json.loads(content)["status"] for _, content, _ in answers} <= {"40034", "40038"}
    assert not AppliedBatch.objects.exists()


def test_a_writer_that_lost_its_lease_leaves_no_effect(world: Any) -> None:
    from smartmate.middleware.idempotency import Claim
    from taskclasses.kernel.envelope import ok
    from taskclasses.kernel.errors import CodedError

    user, _, _ = world
    now = timezone.now()
    row = IdempotencyClaim.objects.create(
        scope="s", user=user, method="PUT", route="r", key="k", body_hash="h", lease_until=now, created_at=now
    )
    held = Claim(row)
    IdempotencyClaim.objects.filter(pk=row.pk).update(fence=2)
    with pytest.raises(CodedError) as error, transaction.atomic():
        User.objects.create_user("effect")
        held.store(ok({}))
    assert error.value.code == 40038
    assert not User.objects.filter(username="effect").exists()
    held.release()
    assert IdempotencyClaim.objects.filter(pk=row.pk).exists()
