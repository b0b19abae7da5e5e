"""What a client reads and sends back as it is changes nothing, and so there is nothing to undo."""

from __future__ import annotations

from typing import Any

from schedules.models import AppliedBatch
from tests.kits.timetable.golden import golden_term, user
from tests.kits.timetable.helpers import Api, event_at, picture

__all__ = ["golden_term", "user"]
BY_CLOCK = {"name": "期末", "date": "2026-12-21", "start_time": "08:30", "end_time": "10:10"}
BY_SECTIONS = {"name": "口试", "date": "2026-12-22", "section_from": 3, "section_to": 4}
DAY_OFF = {"kind": "holiday", "name": "运动会", "first_date": "2026-11-05", "last_date": "2026-11-06"}


def test_what_is_sent_back_as_it_was_read_makes_no_batch(api: Api, user: Any) -> None:
    for exam in (BY_CLOCK, BY_SECTIONS):
        assert api("POST", "schedule/exams", exam)[0] == 200
    assert api("POST", "schedule/exceptions", {"exceptions": [DAY_OFF]})[0] == 200
    other_room = {"kind": "room", "event_id": event_at("大学物理", 3).pk, "location": "B202"}
    assert api("POST", "schedule/lesson-changes", other_room)[1]["data"]["batch_id"]
    before, batches = picture(user.pk), AppliedBatch.objects.count()

    answers = [api("POST", "schedule/lesson-changes", other_room)]
    for what in ("courses", "exams", "exceptions"):
        rows = api("GET", f"schedule/{what}")[1]["data"]["list"]
        assert rows, what
        answers += [api("PUT", f"schedule/{what}/{row['id']}", row) for row in rows]
        assert api("GET", f"schedule/{what}")[1]["data"]["list"] == rows
    assert {(status, body["data"]["batch_id"]) for status, body in answers} == {(200, None)}
    assert AppliedBatch.objects.count() == batches
    assert picture(user.pk) == before
    assert api("GET", "schedule/lesson-changes")[1]["data"]["list"] == [answers[0][1]["data"]["change"]]
