"""The form of a course: what it says that a save does, its place and those of its meetings, saves from two windows."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from schedules.models import AppliedBatch, Course, ScheduleEvent
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

MONDAY = (1, 1, 2, range(1, 17), "")
WEDNESDAY = (3, 3, 4, range(1, 17), "实验楼")
FRIDAY = (5, 1, 2, range(1, 17), "")
COURSE = {"name": "高等数学", "location": "理学楼 204"}


@pytest.fixture
def course(li: Client) -> Course:
    li.post("/courses/new", COURSE | meetings(MONDAY, WEDNESDAY))
    return Course.objects.get()


def base_of(client: Client, course: Course) -> dict[str, str]:
    """Returns what the form of a course sends beside its fields."""
    found = re.search(r'name="base" value="([^"]*)"', client.get(f"/courses/{course.pk}").content.decode())
    assert found is not None
    return {"base": html.unescape(found[1])}


def save(client: Client, course: Course, sent: dict[str, Any]) -> list[str]:
    """Sends the form until it is saved; answers what the page said would happen."""
    path, told, seen = f"/courses/{course.pk}", [], {}
    for _ in range(3):
        answer = client.post(path, sent | seen)
        if answer.status_code == 302:
            return told
        text = answer.content.decode()
        told = re.findall(r"<li>([^<]*节课[^<]*)</li>", text)
        mark = re.search(r'name="seen" value="(\w+)"', text)
        assert mark is not None, text
        seen = {"seen": mark[1]}
    raise AssertionError("the form is never saved")


def places() -> set[tuple[int, str]]:
    return set(ScheduleEvent.objects.values_list("day_of_week", "location"))


def test_a_teacher_or_a_note_changes_no_lesson(li: Client, course: Course) -> None:
    assert save(li, course, COURSE | meetings(MONDAY, WEDNESDAY) | {"teacher": "王", "note": "带书"}) == []
    course.refresh_from_db()
    assert (course.teacher, course.note) == ("王", "带书")


def test_lessons_that_become_others_are_counted_alone(li: Client, course: Course) -> None:
    tuesday, shorter = (2, *MONDAY[1:]), (3, 3, 4, [*range(1, 14), 15, 16], "实验楼")
    assert save(li, course, COURSE | meetings(tuesday, WEDNESDAY)) == ["16 节课改变"]
    assert save(li, course, COURSE | meetings(tuesday, shorter)) == ["少 1 节课"]


def test_a_change_of_a_course_is_undone_though_a_lesson_that_it_left_alone_changed_since(
    li: Client, course: Course
) -> None:
    save(li, course, COURSE | meetings((2, *MONDAY[1:]), WEDNESDAY))
    batch = AppliedBatch.objects.latest("pk")
    lesson = ScheduleEvent.objects.get(week=5, day_of_week=3)
    change = {"event_id": lesson.pk, "kind": "cancelled"}
    done = li.post("/api/v1/schedule/lesson-changes", change, content_type="application/json")
    assert done.status_code == 200
    li.post(f"/settings/batches/{batch.pk}/undo")
    assert set(ScheduleEvent.objects.values_list("day_of_week", flat=True)) == {1, 3}


def test_a_meeting_at_the_place_of_its_course_goes_along_to_another(li: Client, course: Course) -> None:
    form = li.get(f"/courses/{course.pk}").content.decode()
    assert re.findall(r'name="m\d-location"(?: value="([^"]*)")?', form) == ["", "实验楼"]
    told = save(li, course, COURSE | meetings(MONDAY, WEDNESDAY) | {"location": "教三 101"})
    assert (told, places()) == (["16 节课改变"], {(1, "教三 101"), (3, "实验楼")})


def test_what_was_changed_in_another_window_stays(li: Client, course: Course) -> None:
    base = base_of(li, course)
    save(li, course, COURSE | meetings(MONDAY, WEDNESDAY, FRIDAY) | {"teacher": "王", "location": "教三 101"} | base)
    told = save(li, course, COURSE | meetings(MONDAY, (4, *WEDNESDAY[1:])) | {"note": "带书"} | base)
    course.refresh_from_db()
    assert (course.teacher, course.note) == ("王", "带书")
    assert (told, places()) == (["16 节课改变"], {(1, "教三 101"), (4, "实验楼"), (5, "教三 101")})


def test_a_form_that_took_up_what_another_window_wrote_is_saved_once_it_was_looked_at(
    li: Client, course: Course
) -> None:
    base = base_of(li, course)
    save(li, course, COURSE | meetings(MONDAY, WEDNESDAY) | {"teacher": "王"} | base)
    mine, path = COURSE | meetings((2, *MONDAY[1:]), WEDNESDAY), f"/courses/{course.pk}"
    tried = li.post(path, mine | base).content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', tried)
    assert seen is not None
    assert 'name="teacher" value="王"' in tried
    assert li.post(path, mine | base_of(li, course) | {"teacher": "王", "seen": seen[1]}).status_code == 302


def test_a_time_that_both_windows_changed_is_told_once(li: Client, course: Course) -> None:
    base = base_of(li, course)
    save(li, course, COURSE | meetings((2, *MONDAY[1:]), WEDNESDAY) | base)
    mine = COURSE | meetings((6, *MONDAY[1:]), WEDNESDAY)
    answer = li.post(f"/courses/{course.pk}", mine | base)
    assert answer.status_code == 422
    assert "刚刚在别处改过。 再提交一次就用这里的。" in answer.content.decode()
    save(li, course, mine | base_of(li, course))
    assert places() == {(6, "理学楼 204"), (3, "实验楼")}


def test_a_time_that_another_window_removed_is_gone(li: Client, course: Course) -> None:
    base = base_of(li, course)
    save(li, course, COURSE | meetings(WEDNESDAY) | base)
    save(li, course, COURSE | meetings(MONDAY, WEDNESDAY) | {"note": "带书"} | base)
    assert places() == {(3, "实验楼")}


def test_a_course_whose_last_time_another_window_removed_has_none(li: Client, course: Course) -> None:
    base = base_of(li, course)
    save(li, course, COURSE | meetings() | base)
    save(li, course, COURSE | meetings(MONDAY, WEDNESDAY) | {"note": "带书"} | base)
    course.refresh_from_db()
    assert (course.note, places()) == ("带书", set())
