"""Import of courses: every row is judged, a dry run is the report of the write, a second import adds nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone

from schedules.models import AppliedBatch, ScheduleEvent
from schedules.services import broken_invariants
from tests.kits.timetable.helpers import COURSES, Api, picture


def arrangement(**changes: Any) -> dict[str, Any]:
    row = {"start_week": 1, "end_week": 4, "day_of_week": 1, "start_section": 1, "end_section": 2, "week_type": "all"}
    return {key: value for key, value in {**row, **changes}.items() if value is not ...}


def body(*rows: dict[str, Any], **course: Any) -> dict[str, Any]:
    named = {"course_name": "高等数学", "location": "A1", "is_allow_tasks": False, "arrangements": list(rows)}
    return {"format": "json", "courses": [{**named, **course}]}


def write(api: Api, document: Any, *, key: str = "w", query: str = "dry_run=false") -> tuple[int, dict[str, Any]]:
    return api("POST", f"schedule/imports?{query}", document, Idempotency_Key=key)


def test_a_dry_run_is_the_default_and_writes_nothing(api: Api, user: Any, semester: Any) -> None:
    document = {"courses": COURSES}
    dry = api("POST", "schedule/imports", document)[1]["data"]
    assert (dry["dry_run"], dry["events"], dry["duplicates"], dry["conflicts"]) == (True, 33, 0, [])
    assert not ScheduleEvent.objects.exists()
    written = write(api, document)[1]["data"]
    batch_id = AppliedBatch.objects.get(user=user, source="import").pk
    assert written == {**dry, "dry_run": False, "batch_id": batch_id}
    assert ScheduleEvent.objects.filter(user=user, source="import").count() == 33
    assert broken_invariants() == []


def test_importing_twice_adds_nothing(api: Api, user: Any, semester: Any) -> None:
    write(api, {"courses": COURSES}, key="a")
    before = picture(user.pk)
    again = write(api, {"courses": COURSES}, key="b")[1]["data"]
    assert (again["events"], again["duplicates"]) == (0, 33)
    assert {row["status"] for row in again["rows"]} == {"duplicate"}
    assert picture(user.pk) == before


@pytest.mark.parametrize(
    ("weeks", "expected"),
    [
        ({"week_type": "odd"}, [1, 3]),
        ({"week_type": "even"}, [2, 4]),
        ({"week_type": ...}, [1, 2, 3, 4]),
        ({"weeks": [9, 2, 2]}, [2, 9]),
    ],
)
def test_it_expands_weeks(api: Api, semester: Any, weeks: dict[str, Any], expected: list[int]) -> None:
    assert write(api, body(arrangement(**weeks)))[0] == 200
    assert list(ScheduleEvent.objects.order_by("week").values_list("week", flat=True)) == expected


BAD = [
    ({"start_week": ...}, "missing_field", "start_week"),
    ({"start_section": "1"}, "bad_number", "start_section"),
    ({"start_section": True}, "bad_number", "start_section"),
    ({"week_type": "twice"}, "bad_weeks", "week_type"),
    ({"weeks": []}, "bad_weeks", "weeks"),
    ({"weeks": "1-8"}, "bad_weeks", "weeks"),
    ({"end_week": 21}, "week_outside_semester", "end_week"),
    ({"weeks": [0]}, "week_outside_semester", "weeks"),
    ({"start_week": 10**12, "end_week": 10**13}, "week_outside_semester", "weeks"),
    ({"start_week": 2, "end_week": 2, "week_type": "odd"}, "bad_weeks", "week_type"),
    ({"day_of_week": 8}, "bad_weekday", "day_of_week"),
    ({"end_section": 13}, "section_outside_day", "end_section"),
    ({"start_section": 3}, "bad_range", "end_section"),
    ({"end_week": 0}, "bad_range", "end_week"),
]


@pytest.mark.parametrize(("changes", "code", "column"), BAD, ids=range(len(BAD)))
def test_a_bad_row_is_named_and_does_not_hide_others(
    api: Api, semester: Any, changes: dict[str, Any], code: str, column: str
) -> None:
    document = body(arrangement(**changes), arrangement(day_of_week=2))
    dry = api("POST", "schedule/imports", document)[1]
    assert dry["status"] == "10000"
    first, second = dry["data"]["rows"]
    assert (first["status"], first["code"]) == ("invalid", code)
    if "week" not in column or code != "week_outside_semester":
        assert column in first["message"]
    assert (second["status"], second["events"]) == ("ok", 4)
    status, refused = write(api, document)
    assert (status, refused["status"]) == (422, "40019")
    assert refused["data"]["rows"] == [first]
    assert not ScheduleEvent.objects.exists()
    assert write(api, document, query="dry_run=false&skip_invalid=true")[1]["data"]["events"] == 4


def test_overlaps_are_conflicts_with_rows_and_with_the_file(api: Api, semester: Any) -> None:
    write(api, body(arrangement()), key="a")
    clash = {"courses": [
        {"course_name": "大学物理", "arrangements": [arrangement(start_section=2, end_section=3)]},
        {"course_name": "离散数学", "arrangements": [arrangement(day_of_week=2)]},
        {"course_name": "数据结构", "arrangements": [arrangement(day_of_week=2, weeks=[4])]},
    ]}  # fmt: skip
    report = api("POST", "schedule/imports", clash)[1]["data"]
    assert [row["status"] for row in report["rows"]] == ["conflict", "ok", "conflict"]
    assert [row["with"]["name"] for row in report["conflicts"]] == ["高等数学"] * 4 + ["离散数学"]
    status, refused = write(api, clash, key="b")
    assert (status, refused["status"]) == (409, "40026")
    assert refused["data"]["conflicts"] == report["conflicts"]
    assert write(api, clash, key="b", query="dry_run=false&skip_invalid=true")[1]["data"]["events"] == 4


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"courses": {}}, {"courses": "x"}, {"courses": [], "format": "xml"}, b"{", b"\xff"],
    ids=range(8),
)
def test_it_refuses_what_is_no_course_list(api: Api, semester: Any, document: Any) -> None:
    assert api("POST", "schedule/imports", document)[1]["status"] == "40005"


@pytest.mark.parametrize(
    "course",
    [1, None, {}, {"course_name": 5, "arrangements": [arrangement()]}, {"course_name": "x", "arrangements": [7]},
     {"course_name": "\ud800", "arrangements": [arrangement()]}, {"course_name": "x" * 256, "arrangements": [{}]},
     {"course_name": "x", "is_allow_tasks": "yes", "arrangements": [arrangement()]},
     {"course_name": "x", "arrangements": ["\ud800"]}, {"course_name": "x", "arrangements": [{"weeks": "\ud800"}]}],
    ids=range(10),
)  # fmt: skip
def test_hostile_courses_are_invalid_rows(api: Api, semester: Any, course: Any) -> None:
    answer = api("POST", "schedule/imports", {"courses": [course]})[1]
    assert [row["status"] for row in answer["data"]["rows"]] == ["invalid"]


def test_a_writing_import_needs_a_key(api: Api, semester: Any) -> None:
    assert api("POST", "schedule/imports?dry_run=false", {"courses": []})[1]["status"] == "40037"
    assert api("POST", "schedule/imports?dry_run=maybe", {"courses": []})[1]["status"] == "40005"


def test_it_refuses_too_many_rows_and_lessons(api: Api, semester: Any) -> None:
    row = {"weeks": [1], "day_of_week": 1, "start_section": 1, "end_section": 1}
    many = {"courses": [{"course_name": "x", "arrangements": [row] * 2001}]}
    assert api("POST", "schedule/imports", many)[1]["status"] == "40006"
    lessons = {"courses": [{"course_name": "x", "arrangements": [arrangement(end_week=20)] * 501}]}
    assert api("POST", "schedule/imports", lessons)[1]["status"] == "40006"


def test_it_reads_an_uploaded_file(api: Api, semester: Any) -> None:
    def upload(content: bytes, form: str = "json") -> dict[str, Any]:
        file = SimpleUploadedFile("courses.json", content)
        response = api.client.post("/api/v1/schedule/imports", {"format": form, "file": file})
        return dict(json.loads(response.content))

    assert upload(b"\xef\xbb\xbf" + json.dumps({"courses": COURSES}).encode())["data"]["events"] == 33
    assert upload(b"nonsense")["status"] == "40005"
    assert upload(b"{}", "exe")["status"] == "40005"
    assert upload(b" " * (5 * 1024 * 1024 + 1))["status"] == "40006"
    missing = api.client.post("/api/v1/schedule/imports", {"format": "json"})
    assert json.loads(missing.content)["status"] == "40005"
    broken = api.client.generic(
        "POST", "/api/v1/schedule/imports", b"--x\r\nbroken", content_type="multipart/form-data; boundary=x"
    )
    assert json.loads(broken.content)["status"] == "40005"


def test_the_command_imports_a_file(user: Any, semester: Any, tmp_path: Path) -> None:
    path = tmp_path / "courses.json"
    path.write_text(json.dumps({"courses": COURSES}), encoding="utf-8")
    call_command("import_courses", str(path), user="li", verbosity=0)
    assert ScheduleEvent.objects.count() == 33
    path.write_text(json.dumps(body(arrangement(end_week=99))), encoding="utf-8")
    with pytest.raises(CommandError, match="nothing was written"):
        call_command("import_courses", str(path), user="li")
    with pytest.raises(CommandError, match="no account"):
        call_command("import_courses", str(path), user="nobody")


def test_the_demo_term_is_realistic_and_loads_once(db: None, django_user_model: Any) -> None:
    for _ in range(2):
        call_command("seed_demo", username="demo", password="long enough")
        user = django_user_model.objects.get(username="demo")
        assert user.check_password("long enough")
    call_command("check_timetable")
    from schedules.selectors import semester_current
    from taskclasses.models import TaskClass

    semester = semester_current(user.pk)
    week = (timezone.localdate() - semester.first_monday).days // 7 + 1
    assert 2 <= week <= 4
    assert semester.weeks == 20
    lessons = ScheduleEvent.objects.filter(user=user)
    assert 10 <= len(set(lessons.values_list("name", flat=True))) <= 12
    assert len(set(lessons.filter(can_be_embedded=True).values_list("name", flat=True))) == 3
    for number in range(3, 13):
        assert 15 <= lessons.filter(week=number).count() <= 22
    slots = lessons.values_list("name", "day_of_week", "section_from", "section_to").distinct()
    assert 25 <= len(set(slots)) <= 30
    classes = TaskClass.objects.filter(user=user)
    assert {row.subject_type for row in classes} == {"quantitative", "memory", "reading", "mixed"}
    assert sum(row.items.count() for row in classes) >= 40


def test_row_errors_speak_english_on_request(api: Api, semester: Any) -> None:
    document = body(arrangement(end_section=13))
    rows = api("POST", "schedule/imports", document, Accept_Language="en")[1]["data"]["rows"]
    assert rows[0]["message"] == "start_section, end_section: periods run from 1 to 12"
