"""Today as a screen: what it shows of the day, marks and their way back, what was missed and how it is picked up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from schedules.models import AppliedBatch
from taskclasses.models import TaskItem
from tests.kits.page.meetings import meetings
from tests.kits.timetable.lasting import semester, student, user

__all__ = ["semester", "student", "user"]

pytestmark = pytest.mark.django_db

MONDAY = (3, 2)
TASK = {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "行列式 | 3\n矩阵 | 2\n向量"}
COURSE = {"name": "高等数学", **meetings((1, 5, 6, range(1, 17), "理学楼 204"))}


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> int:
    found: int = lasting_rows(lambda: write_placed(student))
    return found


@pytest.fixture
def placed(written: int, db: None) -> TaskItem:
    """行列式, on the timetable on the first Monday from 8:00 to 11:00."""
    return TaskItem.objects.get(pk=written)


def write_placed(student: int) -> int:
    li = Client()
    li.force_login(User.objects.get(pk=student))
    li.post("/courses/new", COURSE)
    li.post("/tasks/new", TASK)
    item = TaskItem.objects.get(content="行列式")
    place = {"task_item_id": item.pk, "week": 1, "day_of_week": 1, "start_section": 1, "end_section": 3}
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": item.task_class_id, "items": [place]},
        content_type="application/json",
        headers={"Idempotency-Key": "a"},
    )
    assert answer.status_code == 200, answer.content
    return item.pk


def words(client: Client, path: str = "/today") -> str:
    """What a page says, without its marks."""
    text = client.get(path).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text[text.index("<main") :]))


def test_the_day_is_told_in_order_of_time(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    li.post("/api/v1/schedule/exams", EXAM, content_type="application/json", headers={"Idempotency-Key": "e"})
    at(*MONDAY, 4)
    told = words(li)
    line = told[told.index("08:00") :]
    order = ["08:00", "行列式", "12:00", "14:00", "高等数学", "理学楼 204", "空闲"]
    assert [line.index(word) for word in order] == sorted(line.index(word) for word in order)
    assert "接下来 14:00 高等数学" in told
    assert "线性代数期末" in told
    assert "17 天" in told


def test_an_exam_of_the_next_days_is_told_on_its_day(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    exam = EXAM | {"name": "口语", "date": "2026-03-04"}
    li.post("/api/v1/schedule/exams", exam, content_type="application/json", headers={"Idempotency-Key": "o"})
    at(3, 2)
    assert "周三 3 月 4 日 考试 口语 周四" in words(li)


def test_another_day_is_looked_at_and_marked(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    at(3, 3)
    assert "行列式" not in words(li)
    monday = li.get("/today/2026-03-02").content.decode()
    assert 'href="/today/2026-03-01"' in monday
    assert 'href="/today"' in monday
    assert 'value="partial:2"' in monday, "the day is over"
    assert li.post(f"/today/items/{placed.pk}", {"progress": "missed", "next": "/today/2026-03-02"}).url == (  # type: ignore[attr-defined]
        "/today/2026-03-02"
    )
    assert "没做" in words(li, "/today/2026-03-02")
    empty = words(li, "/today/2026-03-04")
    assert "这天是空的 休息也是计划的一部分。想用的话，有 2 项还没有时间。" in empty
    assert "空闲" not in empty
    assert "不在学期里" in words(li, "/today/2030-01-01")
    assert "新学期" not in words(li, "/today/2030-01-01")
    assert li.get("/today/2026-03-03").url == "/today"  # type: ignore[attr-defined]
    assert [li.get(f"/today/{day}").status_code for day in ("9999-12-31", "tomorrow")] == [404, 404]


DAY_OFF = {"kind": "holiday", "name": "校运会", "first_date": "2026-03-11", "last_date": "2026-03-11"}


def test_an_empty_day_asks_for_tasks_only_where_they_can_be_put(
    li: Client, wang: Client, placed: TaskItem, at: Callable[..., None]
) -> None:
    body = {"exceptions": [DAY_OFF]}
    li.post("/api/v1/schedule/exceptions", body, content_type="application/json", headers={"Idempotency-Key": "off"})
    at(3, 5)
    for day, offered in (("2026-03-04", False), ("2026-03-06", True), ("2026-03-11", False)):
        told = words(li, f"/today/{day}")
        assert "这天是空的" in told
        assert ("2 项还没有时间" in told, "安排任务" in told) == (offered, offered), day
    assert ["新任务" in words(wang, f"/today/2026-03-{day}") for day in ("04", "06")] == [False, True]


EXAM = {"name": "线性代数期末", "date": "2026-03-19", "start_time": "09:00", "end_time": "11:00"}


def test_a_mark_is_made_and_taken_back(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    at(*MONDAY)
    page = li.post(f"/today/items/{placed.pk}", {"progress": "missed"}, follow=True).content.decode()
    placed.refresh_from_db()
    assert placed.mark == "missed"
    assert "有 1 项没做" in page
    batch = AppliedBatch.objects.order_by("pk").last()
    assert batch is not None
    assert f'action="/settings/batches/{batch.pk}/undo"' in page
    assert li.post(f"/settings/batches/{batch.pk}/undo", {"next": "/today"}).url == "/today"  # type: ignore[attr-defined]
    placed.refresh_from_db()
    assert placed.mark == ""


def test_a_part_says_how_much_is_left(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    at(*MONDAY)
    assert 'value="partial:2"' in li.get("/today").content.decode()
    li.post(f"/today/items/{placed.pk}", {"progress": "partial:2"})
    placed.refresh_from_db()
    assert (placed.mark, placed.sections_left) == ("partial", 2)


def test_what_is_done_in_part_stays_on_its_day_and_can_be_put_back(
    li: Client, placed: TaskItem, at: Callable[..., None]
) -> None:
    at(*MONDAY)
    li.post(f"/today/items/{placed.pk}", {"progress": "partial:2"})
    li.get("/today")  # the word on what was written is read
    told = words(li)
    assert "08:00 11:00 线 行列式 做了一部分 线代复习 · 还剩 2 节 · 待安排" in told
    at(3, 4)
    page = li.get("/today/2026-03-02").content.decode()
    undo = re.search(r'action="(/settings/batches/\d+/undo)"', page)
    assert undo is not None
    li.post(undo[1], {"next": "/today/2026-03-02"})
    placed.refresh_from_db()
    assert (placed.mark, placed.sections_left) == ("", None)
    assert placed.embedded_time == {"week": 1, "day_of_week": 1, "section_from": 1, "section_to": 3}
    assert "做了一部分" not in words(li, "/today/2026-03-02").partition("已撤销")[2]


def test_what_is_done_in_part_is_done_after_all(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    at(*MONDAY)
    li.post(f"/today/items/{placed.pk}", {"progress": "partial:2"})
    li.post(f"/today/items/{placed.pk}", {"progress": "done"})
    placed.refresh_from_db()
    assert placed.mark == "done"
    li.get("/today")
    assert "做了一部分" not in words(li)


def test_today_tells_what_waits_when_a_holiday_took_its_place(
    li: Client, placed: TaskItem, at: Callable[..., None]
) -> None:
    at(3, 1, 23)  # Monday, 7:00
    assert "要安排的 有 2 项还没有时间 安排任务" in words(li)
    holiday = {"kind": "holiday", "name": "校运会", "first_date": "2026-03-02", "last_date": "2026-03-02"}
    answer = li.post(
        "/api/v1/schedule/exceptions",
        {"exceptions": [holiday]},
        content_type="application/json",
        headers={"Idempotency-Key": "h"},
    )
    assert answer.status_code == 200, answer.content
    assert "要安排的 有 3 项还没有时间 安排任务" in words(li)
    told = json.dumps("这份草稿里 {count} 项待安排")
    assert told in li.get("/week").content.decode(), "the other classes wait too"


def test_the_days_tell_what_the_calendar_has_on_them(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    at(*MONDAY, 4)
    exceptions = [
        {"kind": "holiday", "name": "校运会", "first_date": "2026-03-03", "last_date": "2026-03-03"},
        {"kind": "kept_free", "name": "回家", "first_date": "2026-03-04", "last_date": "2026-03-05"},
        {"kind": "kept_free", "name": "聚餐", "first_date": "2026-03-02", "last_date": "2026-03-02"}
        | {"section_from": 9, "section_to": 10},
    ]
    answer = li.post(
        "/api/v1/schedule/exceptions",
        {"exceptions": exceptions},
        content_type="application/json",
        headers={"Idempotency-Key": "d"},
    )
    assert answer.status_code == 200, answer.content
    told = words(li)
    assert "聚餐 19:00–20:40" in told
    ahead = told[told.index("接下来 在周课表里看") :]
    assert "周二 3 月 3 日 校运会 周三 3 月 4 日 回家 周四 3 月 5 日 回家" in ahead
    assert "没有安排" not in told
    assert "回家" in words(li, "/today/2026-03-04")


def test_a_mark_that_cannot_be_made_is_refused_in_words(li: Client, placed: TaskItem, at: Callable[..., None]) -> None:
    at(3, 1)
    page = li.post(f"/today/items/{placed.pk}", {"progress": "missed"}, follow=True).content.decode()
    assert 'role="alert"' in page
    placed.refresh_from_db()
    assert placed.mark == ""


def test_the_queries_of_today_do_not_grow(
    li: Client, placed: TaskItem, at: Callable[..., None], django_assert_max_num_queries: Any
) -> None:
    at(*MONDAY)
    for number in range(12):
        li.post("/tasks/new", TASK | {"name": f"任务 {number}"})
    with django_assert_max_num_queries(45):
        li.get("/today")


def test_the_buttons_of_a_mark_begin_like_buttons_in_english(
    li: Client, placed: TaskItem, at: Callable[..., None]
) -> None:
    at(*MONDAY, 4)
    page = li.get("/today", headers={"Accept-Language": "en"}).content.decode()
    marks = page[page.index('class="marks"') :].partition("</form>")[0]
    assert re.findall(r">([A-Z]\w+)</(?:button|summary)>", marks) == ["Done", "Partly", "Missed"]
