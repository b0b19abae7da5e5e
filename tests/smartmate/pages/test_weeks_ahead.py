"""The weeks ahead on the screen of tasks: what they hold and could hold, as bars and in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from schedules.models import Exam
from taskclasses.models import TaskItem
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

TASK = {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-15", "items": "行列式\n矩阵\n向量"}
COURSE = {"name": "高等数学", **meetings((1, 5, 6, range(1, 17), "理学楼 204"))}
DAY_OFF = {"kind": "holiday", "name": "校运会", "first_date": "2026-03-11", "last_date": "2026-03-11"}


def weeks(client: Client) -> dict[int, tuple[int, int]]:
    """Week -> (usable, planned), as it is told."""
    page = client.get("/tasks").content.decode()
    found = re.findall(r"第 (\d+) 周：能用 (\d+) 节，已排 (\d+) 节", page)
    return {int(week): (int(usable), int(planned)) for week, usable, planned in found}


def place(client: Client, item: TaskItem, week: int, day: int, first: int) -> None:
    where = {"week": week, "day_of_week": day, "start_section": first, "end_section": first + 1}
    answer = client.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": item.task_class_id, "items": [{"task_item_id": item.pk, **where}]},
        content_type="application/json",
        headers={"Idempotency-Key": f"{week}-{day}-{first}"},
    )
    assert answer.status_code == 200, answer.content


def test_weeks_tell_what_tasks_could_use_and_what_they_hold(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK)
    assert weeks(li) == {1: (84, 0), 2: (84, 0)}, "its two weeks, seven days of twelve periods"
    assert "还没有排任务" in li.get("/tasks").content.decode()
    li.post("/courses/new", COURSE)
    place(li, TaskItem.objects.get(content="行列式"), 2, 2, 1)
    assert weeks(li) == {1: (82, 0), 2: (82, 2)}, "what is planned was usable"
    assert "第 2 周最紧：能用 82 节，已排 2 节，还有 80 节空档。" in li.get("/tasks").content.decode()
    at(3, 9, 23)
    assert weeks(li) == {2: (72, 2)}, "Monday is over"
    at(3, 10, 1)
    assert weeks(li) == {2: (70, 0)}, "what was planned has begun, its places are no room any more"


def test_a_week_nearly_over_is_not_the_tightest_for_what_lies_behind(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK)
    first, second, third = TaskItem.objects.order_by("order")
    place(li, first, 1, 1, 1)
    place(li, second, 1, 2, 1)
    place(li, third, 2, 2, 1)
    at(3, 7, 23)
    assert weeks(li) == {1: (12, 0), 2: (84, 2)}
    assert "第 2 周最紧" in li.get("/tasks").content.decode()


def test_days_off_and_times_that_a_class_leaves_out_are_no_room(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK | {"excluded_days_of_week": ["7"], "excluded_slots": ["6"]})
    assert weeks(li) == {1: (60, 0), 2: (60, 0)}
    body = {"exceptions": [DAY_OFF]}
    li.post("/api/v1/schedule/exceptions", body, content_type="application/json", headers={"Idempotency-Key": "off"})
    assert weeks(li)[2] == (50, 0)
    li.post("/tasks/new", TASK | {"name": "周日也行", "excluded_slots": ["6"], "end_date": "2026-03-08"})
    assert weeks(li) == {1: (70, 0), 2: (50, 0)}, "one class that may is enough"


def test_where_nothing_is_left_to_do_there_is_no_chart(li: Client, wang: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK)
    assert weeks(wang) == {}
    assert "空档够不够" not in wang.get("/tasks").content.decode()


def test_a_task_that_does_not_fit_offers_the_ways_out(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK)
    page = li.get("/tasks").content.decode()
    assert "还有 13 天" in page
    assert ("安排剩下的" in page, "看办法" in page) == (True, False)
    blocks = {"excluded_slots": ["1", "2", "3", "4", "5"], "end_date": "2026-03-02"}
    li.post("/tasks/new", TASK | blocks | {"name": "放不下的"})
    page = li.get("/tasks").content.decode()
    assert "看办法" in page


def test_what_the_student_put_somewhere_by_hand_has_its_room(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK | {"excluded_slots": ["1", "2", "3", "4", "5"], "end_date": "2026-03-02"})
    assert "放不下，还差 4 节" in li.get("/tasks").content.decode()
    first, second, _ = TaskItem.objects.order_by("order")
    place(li, first, 1, 1, 1)
    assert "放不下，还差 2 节" in li.get("/tasks").content.decode()
    place(li, second, 1, 1, 3)
    assert "放得下：还要 6 节，截止前能用的空档 6 节" in li.get("/tasks").content.decode()


def test_the_queries_do_not_grow_with_classes_and_weeks(
    li: Client, at: Callable[..., None], django_assert_max_num_queries: Any
) -> None:
    at(3, 1, 23)
    for number in range(8):
        li.post("/tasks/new", TASK | {"name": f"任务 {number}", "end_date": "2026-06-15"})
    with django_assert_max_num_queries(31):
        li.get("/tasks")


def test_a_finished_task_is_told_as_such_and_is_not_to_be_planned(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK | {"end_date": "2026-03-08"})
    li.post("/tasks/new", TASK | {"name": "英语", "end_date": "2026-06-01"})
    items = TaskItem.objects.filter(task_class__name="线代复习").order_by("order")
    for day, item in enumerate(items, start=2):
        place(li, item, 1, day, 1)
    assert "一起安排" in li.get("/tasks").content.decode()
    at(3, 12)
    page, own = (li.get(path).content.decode() for path in ("/tasks", f"/tasks/{items[0].task_class_id}"))
    assert "完成 6 节 · 在课表里 0 节 · 还剩 0 节 · 已经全部完成" in page
    assert page.count("安排剩下的") == 1, "that of the other one"
    assert not {"一起安排", "照现在的速度"} & set(re.findall("一起安排|照现在的速度", page))
    assert "已经全部完成" in own
    assert not re.findall("赶不上|赶得上|照现在的速度|安排剩下的", own)


def test_a_task_whose_rest_is_planned_tells_the_timetable_and_no_pace(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK | {"end_date": "2026-06-01"})
    first, second, third = TaskItem.objects.order_by("order")
    place(li, first, 1, 2, 1)
    place(li, second, 2, 2, 1)
    at(3, 8)
    paths = ("/tasks", f"/tasks/{first.task_class_id}")
    for path in paths:
        assert {"照现在的速度", "安排剩下的"} <= set(
            re.findall("照现在的速度|安排剩下的", li.get(path).content.decode())
        )
    place(li, third, 3, 2, 1)
    for path in paths:
        page = li.get(path).content.decode()
        assert "课表里排到 3 月 17 日 周二" in page
        assert not re.findall("赶不上|赶得上|照现在的速度|安排剩下的", page)


def test_a_task_whose_end_has_passed_asks_for_a_later_one(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", TASK | {"end_date": "2026-03-08"})
    item = TaskItem.objects.order_by("order")[0]
    place(li, item, 1, 2, 1)
    at(3, 12)
    for path in ("/tasks", f"/tasks/{item.task_class_id}"):
        page = li.get(path).content.decode()
        assert "截止已经过了，还有 4 节没完成。把截止改晚，就能接着排。" in page
        assert not re.findall("赶不上|赶得上|照现在的速度|安排剩下的|看办法", page)
    assert f'href="/tasks/{item.task_class_id}#id_end_date"' in li.get("/tasks").content.decode()


def test_a_task_whose_end_follows_an_exam_asks_to_leave_that_first(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    exam = {"name": "口语", "date": "2026-03-09", "start_time": "09:00", "end_time": "11:00"}
    li.post("/api/v1/schedule/exams", exam, content_type="application/json", headers={"Idempotency-Key": "exam"})
    li.post("/tasks/new", TASK | {"end_date": "", "exam_id": str(Exam.objects.get().pk)})
    number = TaskItem.objects.order_by("order")[0].task_class_id
    at(3, 12)
    for path in ("/tasks", f"/tasks/{number}"):
        assert "截止跟着考试走：不选这场考试，再把截止改晚，就能接着排。" in li.get(path).content.decode()
    english = li.get("/tasks", headers={"Accept-Language": "en"}).content.decode()
    assert "It follows the exam: deselect that and set a later date" in english
    assert f'href="/tasks/{number}#id_exam_id"' in english
    li.post(f"/tasks/{number}", TASK | {"end_date": "2026-04-01", "exam_id": ""})
    assert "截止已经过了" not in li.get("/tasks").content.decode()
