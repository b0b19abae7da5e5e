"""The next semester is the current one already: what lies in the running one is told from that one's timetable."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from schedules.models import CalendarException, Semester
from schedules.services import semester_choose
from taskclasses.models import TaskClass, TaskItem

pytestmark = pytest.mark.django_db

TASK = {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "行列式\n矩阵\n向量"}
EXAM = {"name": "线代期中", "date": "2026-03-03", "start_time": "14:00", "end_time": "16:00"}


@pytest.fixture
def next_chosen(li: Client, user: User, at: Callable[..., None]) -> None:
    """A task and an exam of today in the running semester; the next one, from August on, is the current one."""
    at(3, 3)
    li.post("/tasks/new", TASK)
    item = TaskItem.objects.get(content="矩阵")
    row = {"task_item_id": item.pk, "week": 1, "day_of_week": 4, "start_section": 1, "end_section": 2}
    for method, path, body in (
        ("PUT", "task-class/apply-batch-into-schedule", {"task_class_id": item.task_class_id, "items": [row]}),
        ("POST", "schedule/exams", EXAM),
    ):
        answer = li.generic(
            method,
            f"/api/v1/{path}",
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": "k"},
        )
        assert answer.status_code == 200, answer.content
    coming = Semester.objects.create(owner=user, name="秋", first_monday=date(2026, 8, 31), weeks=18)
    semester_choose(user=user, semester_id=coming.pk)


def words(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", client.get(path).content.decode().partition("<main")[2]))


def test_tasks_fit_where_their_dates_lie(li: Client, next_chosen: None) -> None:
    told = words(li, "/tasks")
    assert "放得下" in told
    assert "放不下" not in told
    task = TaskClass.objects.get()
    assert "放得下" in words(li, f"/tasks/{task.pk}")
    li.post(f"/tasks/{task.pk}", TASK | {"end_date": "2026-03-22"})
    task.refresh_from_db()
    assert task.end_date == date(2026, 3, 22)


def test_a_new_task_is_made_where_its_dates_lie(li: Client, next_chosen: None) -> None:
    for name, start, end in (("英语复习", "2026-03-04", "2026-03-29"), ("预习", "2026-09-07", "2026-09-20")):
        li.post("/tasks/new", TASK | {"name": name, "start_date": start, "end_date": end})
        assert TaskClass.objects.filter(name=name, start_date=start, end_date=end).exists(), name


def test_today_tells_of_the_running_semester(li: Client, next_chosen: None) -> None:
    assert "线代期中" in words(li, "/today")
    assert "矩阵" in words(li, "/today/2026-03-05")
    told = li.get("/api/v1/schedule/today").json()["data"]
    assert [exam["name"] for exam in told["exams"]] == ["线代期中"]
    named = li.get(f"/api/v1/schedule/today?semester_id={Semester.objects.get(name='秋').pk}").json()["data"]
    assert (named["week"], named["exams"]) == (0, [])


def test_a_day_between_semesters_tells_when_the_next_one_begins(li: Client, next_chosen: None) -> None:
    told = words(li, "/today/2026-08-20")
    assert "「秋」从 8 月 31 日 周一 开始" in told
    assert told.count("不在学期里") == 1
    assert "从 " not in words(li, "/today/2027-08-20"), "none is known"


def test_behind_the_last_semester_the_next_one_can_be_made(
    li: Client, user: User, next_chosen: None, at: Callable[..., None]
) -> None:
    at(8, 20)
    li.force_login(user)
    assert "新学期" not in words(li, "/today")
    Semester.objects.exclude(is_current=True).delete()
    assert "这一天不在学期里。 看这一周 新学期" in words(li, "/today")


def test_what_was_missed_in_the_running_semester_is_caught_up_there(li: Client, next_chosen: None, at: Any) -> None:
    at(3, 6)
    item = TaskItem.objects.get(content="矩阵")
    li.post(f"/today/items/{item.pk}", {"progress": "missed"})
    assert "有 1 项没做" in words(li, "/today/catch-up")
    page = li.get("/today/catch-up").content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(seen_\w+|item)" value="([^"]*)"', page))
    answer = li.post("/today/catch-up", {**form, "way": "least_change", "do": "draft"})
    talk = answer["Location"].partition("conversation=")[2]
    draft = li.get(f"/api/v1/agent/schedule-preview?conversation_id={talk}").json()["data"]
    assert draft["semester_id"] == Semester.objects.get(first_monday=date(2026, 3, 2)).pk
    assert [one["before"]["date"] for one in draft["difference"]["moved"]] == ["2026-03-05"]


def test_between_two_semesters_what_was_missed_is_told_by_both_screens(
    li: Client, user: User, next_chosen: None, at: Any
) -> None:
    at(3, 6)
    li.post(f"/today/items/{TaskItem.objects.get(content='矩阵').pk}", {"progress": "missed"})
    at(8, 10)
    li.force_login(user)  # the session from March is over
    assert "有 1 项没做" in words(li, "/today")
    told = words(li, "/today/catch-up")
    assert "有 1 项没做" in told
    assert "其实做完了" in told


def test_days_away_are_kept_free_in_the_semester_that_they_lie_in(li: Client, next_chosen: None) -> None:
    li.post("/today/catch-up", {"from_date": "2026-03-20", "to_date": "2026-03-21", "way": "keep"})
    kept = CalendarException.objects.get()
    assert (kept.semester.first_monday, kept.first_date) == (date(2026, 3, 2), date(2026, 3, 20))


def test_a_week_of_another_semester_is_printed_when_it_is_named(li: Client, next_chosen: None) -> None:
    running = Semester.objects.get(first_monday=date(2026, 3, 2))
    assert "矩阵" in li.get(f"/print/week?week=1&semester_id={running.pk}").content.decode()
    for other in ("", "x", "999"):
        assert "矩阵" not in li.get(f"/print/week?week=1&semester_id={other}").content.decode()


def test_a_task_that_outlasts_the_current_semester_fits_there_though_another_holds_all_its_days(
    li: Client, user: User, semester: Semester, at: Callable[..., None]
) -> None:
    at(3, 9, 0)
    times = [["08:00", "08:45"], ["08:55", "09:40"], ["10:15", "11:00"], ["11:10", "11:55"]]
    day = date(2026, 3, 2)
    own = Semester.objects.create(owner=user, name="小学期", first_monday=day, weeks=6, section_times=times)
    semester_choose(user=user, semester_id=own.pk)
    course = {
        "course_name": "金工实习",
        "arrangements": [{"weeks": [2], "day_of_week": 1, "start_section": 1, "end_section": 4}],
    }
    assert li.post("/api/v1/schedule/courses", course, content_type="application/json").status_code == 200
    li.post("/tasks/new", TASK | {"start_date": "2026-03-09", "end_date": "2026-05-31"})
    told = li.get(f"/tasks/{TaskClass.objects.get().pk}").content.decode()
    assert "空档 136 节" in re.sub(r"<[^>]*>", "", told), "35 days of four sections without the lesson"
    assert "金工实习" in told
    at(4, 19, 23)
    li.force_login(user)
    told = li.get(f"/tasks/{TaskClass.objects.get().pk}").content.decode()
    assert "空档 504 节" in re.sub(r"<[^>]*>", "", told), "the semester is over; 42 days of the other one are left"
