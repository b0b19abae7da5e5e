"""What a student changes while staff has the same class open is not taken back by staff's page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from schedules.models import Exam
from schedules.services import class_replace
from taskclasses.fields import ClassValues, ItemValues, read_fields
from taskclasses.models import TaskClass, TaskItem
from tests.kits.timetable.admin_pages import class_page, form_of
from tests.kits.timetable.lasting import semester, student, user, write_class

__all__ = ["semester", "student", "user"]


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> int:
    found: int = lasting_rows(lambda: write_class(student)[1].pk)
    return found


@pytest.fixture
def task_class(written: int, db: None) -> TaskClass:
    return TaskClass.objects.get(pk=written)


@pytest.fixture
def staff(django_user_model: Any, task_class: TaskClass) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def opened(staff: Client, row: TaskClass) -> dict[str, str]:
    """Returns the hidden fields of the page of a class as it is opened now."""
    page = staff.get(class_page(row)).content.decode()
    return dict(re.findall(r'<input type="hidden" name="(mark)" value="([^"]*)"', page))


def adds(items: list[ItemValues]) -> list[ItemValues]:
    return [*items, ItemValues(len(items) + 1, "学生刚加的一步", None, None)]


def renames(items: list[ItemValues]) -> list[ItemValues]:
    return [ItemValues(items[0].order, "学生改的名字", items[0].duration, items[0].id), *items[1:]]


def removes(items: list[ItemValues]) -> list[ItemValues]:
    return items[:-1]


@pytest.mark.parametrize("act", [adds, renames, removes], ids=lambda act: act.__name__)
def test_a_class_that_the_student_changed_since_is_not_overwritten(
    staff: Client, task_class: TaskClass, act: Callable[[list[ItemValues]], list[ItemValues]]
) -> None:
    form = {**form_of(task_class, name="员工改的名"), **opened(staff, task_class)}
    assert form["mark"]
    present = [ItemValues(row.order, row.content, row.duration, row.pk) for row in task_class.items.order_by("order")]
    changed = act(present)
    values = ClassValues(**read_fields(task_class), items=changed)
    class_replace(user=task_class.user, class_id=task_class.pk, values=values)
    answer = staff.post(class_page(task_class), form)
    assert answer.status_code == 200
    assert "请重新打开页面再改" in answer.content.decode()
    rows = TaskItem.objects.filter(task_class=task_class).order_by("order")
    assert [row.content for row in rows] == [item.content for item in changed]
    task_class.refresh_from_db()
    assert task_class.name != "员工改的名"
    again = {**form_of(task_class, name="员工改的名"), **opened(staff, task_class)}
    assert staff.post(class_page(task_class), again).status_code == 302


def test_what_a_use_case_refuses_is_told_on_the_page(staff: Client, task_class: TaskClass) -> None:
    """A page without its mark, of before a new release, leaves out an item that is on the timetable since."""
    place = {"week": 7, "day_of_week": 2, "section_from": 3, "section_to": 4}
    form = form_of(task_class)
    TaskItem.objects.create(
        task_class=task_class, order=9, content="刚应用的", status=TaskItem.Status.APPLIED, embedded_time=place
    )
    answer = staff.post(class_page(task_class), form, follow=True)
    assert answer.status_code == 200
    assert "任务项已安排" in answer.content.decode()
    assert task_class.items.filter(content="刚应用的").exists()


def test_the_end_of_a_class_that_follows_an_exam_is_only_shown(
    staff: Client, task_class: TaskClass, semester: Any
) -> None:
    last = task_class.end_date or semester.first_monday
    exam = Exam.objects.create(
        user=task_class.user, semester=semester, name="期末", date=last, section_from=1, section_to=2
    )
    TaskClass.objects.filter(pk=task_class.pk).update(exam_id=exam.pk)
    page = staff.get(class_page(task_class)).content.decode()
    assert 'name="end_date"' not in page
    assert 'name="start_date"' in page
