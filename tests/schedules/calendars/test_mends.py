"""Mends of an import: offered with the report, taken one by one, and the write does what its trial said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from schedules.models import ScheduleEvent
from schedules.services import broken_invariants
from tests.kits.timetable.helpers import Api
from tests.kits.timetable.terms import FILES


def body(*rows: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    base = {"weeks": [1, 2], "day_of_week": 1, "start_section": 1, "end_section": 2}
    courses = [
        {"course_name": name, "arrangements": [{k: v for k, v in {**base, **row}.items() if v is not ...}]}
        for name, row in rows
    ]
    return {"courses": courses}


def ask(api: Api, document: Any, mends: str = "", *, write: bool = False) -> tuple[int, dict[str, Any]]:
    query = f"dry_run={str(not write).lower()}&mends={mends}"
    return api("POST", f"schedule/imports?{query}", document, Idempotency_Key=f"k{mends}{write}")


def offered(report: dict[str, Any]) -> dict[str, bool]:
    return {mend["id"]: mend["taken"] for mend in report["mends"]}


FAULTS = body(
    ("不知周次", {"weeks": ...}),
    ("周次太多", {"weeks": [19, 20, 21, 22], "day_of_week": 2}),
    ("节次太多", {"start_section": 11, "end_section": 14, "day_of_week": 3}),
    ("没有星期", {"day_of_week": ...}),
    ("好的", {"day_of_week": 5}),
)


def test_unknown_weeks_and_sections_beyond_the_day_are_offered_and_taken_one_by_one(api: Api, semester: Any) -> None:
    report = ask(api, FAULTS)[1]["data"]
    ids = ["weeks:1", "leave:1", "weeks:2", "leave:2", "sections:3", "leave:3", "leave:4"]
    assert offered(report) == dict.fromkeys(ids, False)
    assert [row["status"] for row in report["rows"]] == ["invalid"] * 4 + ["ok"]
    assert report["rows"][0]["pattern"] == "1-20周 周一 1-2节"
    one = ask(api, FAULTS, "sections:3")[1]["data"]
    assert [row["status"] for row in one["rows"]] == ["invalid", "invalid", "ok", "invalid", "ok"]
    assert offered(one) == {**dict.fromkeys(ids, False), "sections:3": True}
    assert ask(api, FAULTS, "sections:3", write=True)[1]["status"] == "40019"
    taken = "weeks:1,weeks:2,sections:3,leave:4"
    dry = ask(api, FAULTS, taken)[1]["data"]
    written = ask(api, FAULTS, taken, write=True)[1]["data"]
    assert written == {**dry, "dry_run": False, "batch_id": written["batch_id"]}
    weeks = {
        name: list(ScheduleEvent.objects.filter(name=name).order_by("week").values_list("week", flat=True))
        for name in ("不知周次", "周次太多", "节次太多", "没有星期")
    }
    assert weeks == {"不知周次": list(range(1, 21)), "周次太多": [19, 20], "节次太多": [1, 2], "没有星期": []}
    assert ScheduleEvent.objects.filter(name="节次太多", section_from=11, section_to=12).count() == 2
    assert broken_invariants() == []


@pytest.mark.parametrize(("words", "weeks"), [("单周", range(1, 21, 2)), ("双", range(2, 21, 2))])
def test_odd_or_even_weeks_alone_are_offered_as_all_of_them(api: Api, semester: Any, words: str, weeks: range) -> None:
    table = {"format": "paste", "text": f"课程\t星期\t节次\t周次\n体育\t1\t1-2\t{words}"}
    report = ask(api, table)[1]["data"]
    assert (report["rows"][0]["code"], offered(report)) == ("bad_weeks", {"weeks:1": False, "leave:1": False})
    assert f"{words[0]}周" in report["mends"][0]["message"]
    assert ask(api, table, "weeks:1", write=True)[1]["status"] == "10000"
    assert list(ScheduleEvent.objects.order_by("week").values_list("week", flat=True)) == list(weeks)


def test_the_second_fault_of_a_row_is_offered_once_the_first_is_mended(api: Api, semester: Any) -> None:
    document = body(("体育", {"start_section": 11, "end_section": 14, "weeks": [19, 20, 21]}))
    report = ask(api, document)[1]["data"]
    assert offered(report) == {"sections:1": False, "leave:1": False}
    assert report["rows"][0]["code"] == "section_outside_day"
    assert report["rows"][0]["pattern"] == "19-20周 周一 11-12节"
    half = ask(api, document, "sections:1")[1]["data"]
    assert offered(half) == {"sections:1": True, "leave:1": False, "weeks:1": False}
    assert half["rows"][0]["code"] == "week_outside_semester"
    assert ask(api, document, "sections:1", write=True)[1]["status"] == "40019"
    written = ask(api, document, "sections:1,weeks:1", write=True)[1]["data"]
    assert written["events"] == 2
    left = ask(api, document, "sections:1,leave:1")[1]["data"]
    assert (left["rows"], left["events"]) == ([], 0)


@pytest.mark.parametrize("weeks", [{"weeks": [30, 31]}, {"weeks": ..., "start_week": 25, "end_week": 30}])
@pytest.mark.parametrize("sections", [{}, {"start_section": 11, "end_section": 14}])
def test_a_row_wholly_beyond_the_semester_can_only_be_left_out(
    api: Api, semester: Any, weeks: dict[str, Any], sections: dict[str, Any]
) -> None:
    report = ask(api, body(("体育", {**weeks, **sections})), "weeks:1,sections:1")[1]["data"]
    assert (offered(report), report["events"]) == ({"leave:1": False}, 0)


def test_of_an_overlap_the_free_lessons_are_taken(api: Api, semester: Any) -> None:
    ask(api, body(("先来", {"weeks": [2, 3]})), write=True)
    second = body(("后到", {"weeks": [1, 2, 3, 4]}), ("全撞", {"weeks": [2, 3], "start_section": 2, "end_section": 3}))
    report = ask(api, second)[1]["data"]
    assert offered(report) == {"overlap:1": False, "overlap:2": False}
    assert [mend["message"] for mend in report["mends"]] == ["只导入不冲突的 2 节课", "不导入这一行"]
    assert len(report["conflicts"]) == 4
    half = ask(api, second, "overlap:1")[1]["data"]
    assert [(row["status"], row["events"]) for row in half["rows"]] == [("ok", 2), ("conflict", 0)]
    assert {row["row"] for row in half["conflicts"]} == {2}
    assert ask(api, second, "overlap:1", write=True)[0] == 409
    written = ask(api, second, "overlap:1,overlap:2", write=True)[1]["data"]
    assert (written["events"], written["conflicts"]) == (2, [])
    assert list(ScheduleEvent.objects.filter(name="后到").order_by("week").values_list("week", flat=True)) == [1, 4]


def upload(api: Api, data: bytes, query: str) -> dict[str, Any]:
    files = {"file": SimpleUploadedFile("term.wakeup_schedule", data), "format": "wakeup"}
    headers = {"Idempotency-Key": query}
    return json.loads(api.client.post(f"/api/v1/schedule/imports?{query}", files, headers=headers).content)["data"]


@pytest.mark.parametrize(("start", "shift"), [("2026-3-16", 2), ("2026-3-18", 2), ("2026-2-23", -1)])
def test_a_shifted_first_monday_moves_all_weeks(api: Api, semester: Any, start: str, shift: int) -> None:
    lines = (FILES / "term.wakeup_schedule").read_text().splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), "startDate": start})
    data = "\n".join(lines).encode()
    as_told = {row["row"]: row["pattern"] for row in upload(api, data, "dry_run=true")["rows"]}
    report = upload(api, data, "dry_run=true")
    assert offered(report)["first_monday"] is False
    moved = upload(api, data, "dry_run=true&mends=first_monday")
    assert offered(moved)["first_monday"] is True
    assert not [row for row in moved["rows"] if row["code"] == "semester_mismatch" and "startDate" in row["message"]]
    assert {row["row"] for row in moved["rows"]} == set(as_told)
    before = {(row["row"], week) for row in parsed(data) for week in row["weeks"]}
    ids = ",".join(mend["id"] for mend in moved["mends"] if mend["kind"] in ("first_monday", "weeks"))
    upload(api, data, f"dry_run=false&skip_invalid=true&mends={ids}")
    wanted = sorted(week + shift for _, week in before if 1 <= week + shift <= 20)
    assert sorted(ScheduleEvent.objects.values_list("week", flat=True)) == wanted


def parsed(data: bytes) -> list[dict[str, Any]]:
    from schedules.calendars.files import rows_of_file
    from schedules.calendars.rows import CourseRow
    from tests.kits.timetable.terms import calendar

    rows = rows_of_file("wakeup", data, calendar())
    return [{"row": row.row, "weeks": row.weeks} for row in rows if isinstance(row, CourseRow)]


@pytest.mark.parametrize(
    "mends", ["x", "weeks", "weeks:0", "weeks:-1", "weeks:1;leave:2", "first_monday:1", "weeks:999999"]
)
def test_ids_that_no_mend_has_are_refused(api: Api, semester: Any, mends: str) -> None:
    status, answer = ask(api, FAULTS, mends)
    assert (status, answer["status"], answer["data"]["errors"][0]["field"]) == (400, "40005", "mends")


def test_mends_are_taken_from_the_body_and_told_in_the_language_of_the_student(api: Api, semester: Any) -> None:
    report = api("POST", "schedule/imports", {**FAULTS, "mends": ["weeks:1", "weeks:99"]}, Accept_Language="en")[1][
        "data"
    ]
    assert offered(report)["weeks:1"] is True
    assert "weeks:99" not in offered(report)
    assert all(mend["message"].isascii() for mend in report["mends"])
