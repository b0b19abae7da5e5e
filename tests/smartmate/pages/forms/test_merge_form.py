"""A form that stays open while the same thing is changed elsewhere: its save takes nothing of that back."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from schedules.models import Exam, Semester
from smartmate.pages.forms.merge_lines import LINES_MAX, merge_lines
from taskclasses.models import TaskClass
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

TASK = {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "行列式\n矩阵 | 2\n向量"}
EXAM = {"name": "高数期中", "date": "2026-04-20", "start_time": "09:00", "end_time": "11:00"}
LESSONS = {"name": "高等数学", **meetings((1, 1, 2, range(1, 17), "理学楼 204"))}


@pytest.fixture
def row(li: Client, at: Callable[..., None]) -> TaskClass:
    at(1, 1)
    li.post("/tasks/new", TASK)
    return TaskClass.objects.get()


def base_of(page: Any) -> str:
    found = re.search(r'name="base" value="([^"]*)"', page.content.decode())
    assert found is not None
    return html.unescape(found[1])


def contents(row: TaskClass) -> list[str]:
    return list(row.items.order_by("order").values_list("content", flat=True))


def test_what_was_added_elsewhere_stays_when_another_field_is_saved(li: Client, row: TaskClass) -> None:
    path = f"/tasks/{row.pk}"
    base = base_of(li.get(path))
    elsewhere = {"items": TASK["items"] + "\n特征值", "end_date": "2026-04-05", "excluded_days_of_week": ["6", "7"]}
    assert li.post(path, TASK | elsewhere | {"base": base}).status_code == 302
    crlf = TASK["items"].replace("\n", "\r\n")
    assert li.post(path, TASK | {"items": crlf, "name": "线代总复习", "base": base}).status_code == 302
    row.refresh_from_db()
    assert (row.name, str(row.end_date), row.excluded_days_of_week) == ("线代总复习", "2026-04-05", [6, 7])
    assert contents(row) == ["行列式", "矩阵", "向量", "特征值"]


def test_a_field_that_both_have_changed_is_told_once_and_then_as_the_student_wants_it(
    li: Client, row: TaskClass
) -> None:
    path = f"/tasks/{row.pk}"
    base = base_of(li.get(path))
    li.post(path, TASK | {"items": TASK["items"] + "\n特征值", "name": "线性代数", "allow_filler_course": "on"})
    mine = TASK | {"items": TASK["items"] + "\n二次型", "base": base}
    refused = li.post(path, mine)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "刚刚在别处改成：行列式、矩阵 | 2、向量、特征值。" in page
    assert contents(row) == ["行列式", "矩阵", "向量", "特征值"]
    sent = {"name": "线性代数", "allow_filler_course": "on", "base": base_of(refused)}
    assert li.post(path, mine | sent).status_code == 302
    row.refresh_from_db()
    assert contents(row) == ["行列式", "矩阵", "向量", "二次型"]
    assert (row.name, row.allow_filler_course) == ("线性代数", True)


@pytest.mark.parametrize(
    ("there", "here", "both"),
    [
        (
            "行列式\n矩阵 | 2\n向量\n特征值",
            "行列式（复习）\n矩阵 | 2\n向量",
            ["行列式（复习）", "矩阵", "向量", "特征值"],
        ),
        ("行列式\n矩阵 | 2", "绪论\n行列式\n矩阵 | 2\n向量", ["绪论", "行列式", "矩阵"]),
        ("行列式计算\n矩阵 | 2\n向量", "行列式\n矩阵 | 3\n向量空间", ["行列式计算", "矩阵", "向量空间"]),
        ("行列式\n矩阵 | 2\n向量空间", "绪论\n行列式\n矩阵 | 2\n向量空间", ["绪论", "行列式", "矩阵", "向量空间"]),
    ],
)
def test_changes_of_different_steps_both_stay(
    li: Client, row: TaskClass, there: str, here: str, both: list[str]
) -> None:
    path = f"/tasks/{row.pk}"
    base = base_of(li.get(path))
    assert li.post(path, TASK | {"items": there}).status_code == 302
    assert li.post(path, TASK | {"items": here.replace("\n", "\r\n"), "base": base}).status_code == 302
    assert contents(row) == both


def test_the_same_step_changed_twice_is_told(li: Client, row: TaskClass) -> None:
    path = f"/tasks/{row.pk}"
    base = base_of(li.get(path))
    assert li.post(path, TASK | {"items": "行列式\n向量"}).status_code == 302
    refused = li.post(path, TASK | {"items": "行列式\n矩阵 | 3\n向量", "base": base})
    assert refused.status_code == 422
    assert "刚刚在别处改成：行列式、向量。" in refused.content.decode()
    assert contents(row) == ["行列式", "向量"]


def test_texts_of_too_many_lines_are_not_merged() -> None:
    was = "x\n" * (LINES_MAX - 1)
    assert merge_lines(was, was + "here", was) == was + "here"
    assert merge_lines(was, was + "here\nthere", was) is None


def test_times_that_both_have_changed_are_told_without_their_numbers(li: Client, row: TaskClass) -> None:
    path = f"/tasks/{row.pk}"
    base = base_of(li.get(path))
    li.post(path, TASK | {"excluded_cells": ["1:2"]})
    page = li.post(path, TASK | {"excluded_cells": ["3:1"], "base": base}).content.decode()
    assert "刚刚在别处改过。" in page
    assert "刚刚在别处改成" not in page


def test_what_is_no_base_of_a_form_is_none(li: Client, row: TaskClass) -> None:
    for base in ("{", "[1]", "7", "", '{"items": 7}', '{"items": [7]}', '{"name": {}}', "[" * 100_000):
        changed = TASK | {"name": f"线代{base[:20]}", "items": f"{TASK['items']}\n{base[:20]}"}
        assert li.post(f"/tasks/{row.pk}", changed | {"base": base}).status_code == 302
        row.refresh_from_db()
        assert row.name == changed["name"]
    assert 'name="base"' not in li.get("/tasks/new").content.decode()


def test_an_exam_that_was_moved_elsewhere_stays_moved(li: Client, row: TaskClass) -> None:
    def send(path: str, form: dict[str, Any]) -> None:
        for _ in range(3):
            answer = li.post(path, form)
            if answer.status_code == 302:
                return
            found = re.search(r'name="seen" value="([^"]*)"', answer.content.decode())
            assert found is not None, answer.content.decode()
            form = form | {"seen": found[1]}
        raise AssertionError("never written")

    li.post("/courses/new", LESSONS)
    send("/courses/exams/new", EXAM)
    exam = Exam.objects.get()
    path = f"/courses/exams/{exam.pk}"
    base = base_of(li.get(path))
    send(path, EXAM | {"date": "2026-04-27"})
    send(path, EXAM | {"location": "教一", "base": base})
    exam.refresh_from_db()
    assert (str(exam.date), exam.location) == ("2026-04-27", "教一")


def test_a_semester_that_was_changed_elsewhere_keeps_that(li: Client) -> None:
    term = {"name": "秋", "first_monday": "2026-08-31", "weeks": "18", "time_zone": "Asia/Shanghai", "use": "on"}
    term |= {"section_times": "08:00-08:45\n08:55-09:40"}
    li.post("/settings/semesters/new", term)
    own = Semester.objects.latest("pk")
    path = f"/settings/semesters/{own.pk}"
    base = base_of(li.get(path))
    li.post(path, term | {"weeks": "20"})
    assert li.post(path, term | {"name": "秋季", "base": base}).status_code == 302
    own.refresh_from_db()
    assert (own.name, own.weeks) == ("秋季", 20)
