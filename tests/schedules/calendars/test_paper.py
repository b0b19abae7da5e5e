"""The timetable on paper and as a table: what stands there, and that the table comes back as the same lessons."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from schedules.models import ScheduleEvent
from tests.kits.timetable.helpers import Api, event_at, placed


def lessons(user: Any) -> list[tuple[Any, ...]]:
    columns = ("name", "location", "week", "day_of_week", "section_from", "section_to", "can_be_embedded")
    return sorted(ScheduleEvent.objects.filter(user=user, type="course").values_list(*columns))


def test_courses_go_out_as_a_table_and_come_back_the_same(
    api: Api, other_api: Api, user: Any, other_user: Any, courses: None
) -> None:
    answer = api.raw("GET", "schedule/exports/csv")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    upload = SimpleUploadedFile("courses.csv", answer.content)
    back = other_api.client.post(
        "/api/v1/schedule/imports?dry_run=false", {"file": upload}, headers={"Idempotency-Key": "k"}
    )
    assert json.loads(back.content)["data"]["events"] == 33
    assert lessons(other_user) == lessons(user)
    assert other_api.raw("GET", "schedule/exports/csv").content == answer.content


def test_no_spreadsheet_calculates_what_is_called_like_a_formula(api: Api, other_api: Api, semester: Any) -> None:
    words = ("=HYPERLINK(A1)", "+86 13800000000", "@机房")
    course = dict(zip(("course_name", "teacher", "location"), words, strict=True))
    lesson = {"weeks": [1], "day_of_week": 2, "start_section": 1, "end_section": 2}
    assert api("POST", "schedule/courses", {**course, "arrangements": [lesson]})[0] == 200
    answer = api.raw("GET", "schedule/exports/csv")
    (row,) = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")).readlines()[1:])
    assert row[:3] == [f"'{word}" for word in words]
    file = SimpleUploadedFile("courses.csv", answer.content)
    path, key = "/api/v1/schedule/imports?dry_run=false", {"Idempotency-Key": "formulas"}
    assert other_api.client.post(path, {"file": file}, headers=key).status_code == 200
    found = other_api("GET", "schedule/courses")[1]["data"]["list"][0]
    assert {name: found[name] for name in course} == course


def page(week: str = "7") -> Any:
    client = Client()
    client.login(username="li", password="correct horse")
    return client.get("/print/week", {"week": week}, headers={"Accept-Language": "zh-CN"})


def test_a_week_is_a_page_without_scripts_under_the_policy(api: Api, user: Any, task_class: Any) -> None:
    items = list(task_class.items.order_by("order"))
    host = event_at("思想政治", 7)
    body = {"task_class_id": task_class.pk, "items": [
        placed(items[0].pk, 7, 1, 1, 2), placed(items[1].pk, 7, 3, 5, 6, host.pk),
    ]}  # fmt: skip
    assert api.apply(body)[0] == 200
    answer = page()
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "script" not in html
    assert "style=" not in html
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    for words in (
        items[0].content,
        items[1].content,
        "思想政治",
        "大学英语",
        "形势与政策",
        "第 7 周课表",
        "4 月 13 日",
        "08:00–",
    ):
        assert words in html, words
    covered = sum(int(rows) for rows in re.findall(r'<td rowspan="(\d+)"', html))
    assert covered == 7 * 12


def test_names_are_written_as_text(api: Api, user: Any, semester: Any) -> None:
    lesson = {"weeks": [7], "day_of_week": 1, "start_section": 1, "end_section": 2}
    api("POST", "schedule/courses", {"course_name": "<script>alert(1)</script>", "arrangements": [lesson]})
    assert "&lt;script&gt;" in page().content.decode()


def test_weeks_that_are_none_show_the_week_of_today(user: Any, semester: Any) -> None:
    for week in ("", "0", "99", "x", "１", "-1", "9" * 400):
        assert page(week).status_code == 200, week


def test_a_stranger_is_sent_to_the_login(db: None) -> None:
    assert Client().get("/print/week").headers["Location"].startswith("/login")
