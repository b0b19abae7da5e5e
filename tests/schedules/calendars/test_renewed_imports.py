"""A newer file of a timetable: what moved, what is gone and what is new; replaced or only added, and undone whole."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.models import AppliedBatch, Course, ScheduleEvent
from schedules.services import broken_invariants, class_create
from tests.kits.timetable.helpers import Api, class_values, picture, placed


def meeting(day: int, first: int = 1, **more: Any) -> dict[str, Any]:
    return {"weeks": [6, 7, 8], "day_of_week": day, "start_section": first, "end_section": first + 1, **more}


def course(name: str, *meetings: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"course_name": name, "location": "A1", "arrangements": list(meetings), **more}


OLD = [course("高数", meeting(1)), course("体育", meeting(2)), course("英语", meeting(3), is_allow_tasks=True)]
NEWER = [course("高数", meeting(4)), course("英语", meeting(3), location="B2"), course("物理", meeting(5))]


def post(api: Api, courses: Any, *, write: str = "", query: str = "&replace=true") -> dict[str, Any]:
    key = {"Idempotency_Key": write} if write else {}
    answer = api("POST", f"schedule/imports?dry_run={str(not write).lower()}{query}", {"courses": courses}, **key)[1]
    assert answer["status"] == "10000", answer
    return dict(answer["data"])


def lessons() -> set[tuple[str, int, str]]:
    return set(ScheduleEvent.objects.filter(type="course").values_list("name", "day_of_week", "location"))


def told(report: dict[str, Any]) -> dict[str, Any]:
    return {
        "moved": [(one["name"], one["from"]["day_of_week"], one["to"]["day_of_week"]) for one in report["moved"]],
        "gone": [(one["name"], one["day_of_week"], one["weeks"]) for one in report["gone"]],
    }


CHANGES = {"moved": [("高数", 1, 4), ("英语", 3, 3)], "gone": [("体育", 2, [6, 7, 8])]}


@pytest.fixture
def imported(api: Api, semester: Any) -> None:
    post(api, OLD, write="old")


def test_a_newer_file_replaces_what_was_imported_and_is_undone(api: Api, user: Any, imported: None) -> None:
    before, rows = picture(user.pk), {one.pk for one in ScheduleEvent.objects.filter(name="高数")}
    trial = post(api, NEWER)
    assert (told(trial), trial["events"], trial["duplicates"]) == (CHANGES, 6, 3)
    assert picture(user.pk) == before
    written = post(api, NEWER, write="newer")
    assert written == {**trial, "dry_run": False, "batch_id": written["batch_id"]}
    assert lessons() == {("高数", 4, "A1"), ("英语", 3, "B2"), ("物理", 5, "A1")}
    assert {one.pk for one in ScheduleEvent.objects.filter(name="高数")} == rows
    assert set(Course.objects.values_list("name", flat=True)) == {"高数", "英语", "物理"}
    assert broken_invariants() == []
    assert told(post(api, NEWER)) == {"moved": [], "gone": []}
    api("POST", f"schedule/batches/{written['batch_id']}/undo", Idempotency_Key="undo")
    assert picture(user.pk) == before
    assert broken_invariants() == []


def test_without_replacing_it_only_adds_and_tells_what_would_change(api: Api, imported: None) -> None:
    report = post(api, NEWER, write="newer", query="")
    assert (report["replace"], told(report)) == (False, CHANGES)
    assert lessons() == {
        (name, day, "A1") for name, day in [("高数", 1), ("高数", 4), ("体育", 2), ("英语", 3), ("物理", 5)]
    }
    assert set(Course.objects.values_list("name", flat=True)) == {"高数", "英语", "物理", "体育"}


def test_what_was_typed_stays_and_what_a_lesson_left_can_be_taken(api: Api, imported: None) -> None:
    api("POST", "schedule/courses", course("体育", meeting(6)), Idempotency_Key="typed")
    report = post(
        api, [course("高数", meeting(2)), course("英语", meeting(3)), course("体育", meeting(1))], write="newer"
    )
    assert told(report) == {"moved": [("高数", 1, 2), ("体育", 2, 1)], "gone": []}
    assert {(name, day) for name, day, _ in lessons()} == {("高数", 2), ("英语", 3), ("体育", 1), ("体育", 6)}


def test_a_lesson_that_the_student_moved_stays_where_it_is(api: Api, imported: None) -> None:
    moved = ScheduleEvent.objects.get(name="高数", week=7)
    change = {"kind": "moved", "event_id": moved.pk, "week": 7, "day_of_week": 7, "section_from": 3, "section_to": 4}
    assert api("POST", "schedule/lesson-changes", change, Idempotency_Key="m")[0] == 200
    post(api, NEWER, write="newer")
    assert sorted(ScheduleEvent.objects.filter(name="高数").values_list("week", "day_of_week")) == [
        (6, 4),
        (7, 7),
        (8, 4),
    ]
    moved.refresh_from_db()
    assert moved.pattern_place["day_of_week"] == 4


def test_guests_of_lessons_that_go_return_to_the_pool(api: Api, user: Any, imported: None) -> None:
    host = ScheduleEvent.objects.get(name="英语", week=7)
    task_class = class_create(user=user, values=class_values())
    item = task_class.items.first()
    assert item is not None
    assert api.apply({"task_class_id": task_class.pk, "items": [placed(item.pk, 7, 3, 1, 2, host.pk)]})[0] == 200
    before = picture(user.pk)
    newer = [course("高数", meeting(1)), course("体育", meeting(2))]
    assert post(api, newer)["released_task_item_ids"] == [item.pk]
    written = post(api, newer, write="newer")
    assert written["released_task_item_ids"] == [item.pk]
    api("POST", f"schedule/batches/{written['batch_id']}/undo", Idempotency_Key="undo")
    assert picture(user.pk) == before


def teachers() -> list[tuple[str, str]]:
    return list(Course.objects.order_by("name", "teacher").values_list("name", "teacher"))


def test_a_course_that_another_teacher_has_now_is_taken_over_and_undone(api: Api, user: Any, semester: Any) -> None:
    post(api, [course("高数", meeting(1), teacher="王"), course("体育", meeting(2))], write="old")
    newer = [course("高数", meeting(1), meeting(4), teacher="李"), course("体育", meeting(2), teacher="赵")]
    named = [{"name": "高数", "from": "王", "to": "李"}, {"name": "体育", "from": "", "to": "赵"}]
    assert post(api, newer)["teachers"] == named
    added = post(api, newer[1:], write="add", query="")
    assert (added["teachers"], added["batch_id"], teachers()) == (named[1:], None, [("体育", ""), ("高数", "王")])
    written = post(api, newer, write="newer")
    assert (written["teachers"], teachers()) == (named, [("体育", "赵"), ("高数", "李")])
    assert post(api, newer)["teachers"] == []
    api("POST", f"schedule/batches/{written['batch_id']}/undo", Idempotency_Key="undo")
    assert teachers() == [("体育", ""), ("高数", "王")]
    assert broken_invariants() == []


def test_teachers_of_a_name_that_several_teach_and_of_typed_courses_stay(api: Api, semester: Any) -> None:
    post(api, [course("高数", meeting(1), teacher="王"), course("高数", meeting(2), teacher="李")], write="old")
    api("POST", "schedule/courses", course("体育", meeting(6), teacher="赵"), Idempotency_Key="typed")
    newer = [course("高数", meeting(1), meeting(2), teacher="周"), course("体育", meeting(6), teacher="吴")]
    assert post(api, newer)["teachers"] == []


def test_a_file_of_one_course_says_nothing_about_other_courses(api: Api, imported: None) -> None:
    report = post(api, [course("高数", meeting(7))], write="one")
    assert told(report) == {"moved": [("高数", 1, 7)], "gone": []}
    assert {(name, day) for name, day, _ in lessons()} == {("高数", 7), ("体育", 2), ("英语", 3)}


def test_a_course_with_a_row_that_is_left_out_stays(api: Api, imported: None) -> None:
    api("POST", "schedule/courses", course("会议", meeting(4)), Idempotency_Key="typed")
    bad = [course("高数", meeting(4)), course("体育", meeting(9)), course("英语", meeting(7))]
    report = post(api, bad, write="bad", query="&replace=true&skip_invalid=true")
    assert told(report) == {"moved": [("英语", 3, 7)], "gone": []}
    assert {(name, day) for name, day, _ in lessons()} == {("高数", 1), ("体育", 2), ("英语", 7), ("会议", 4)}


def test_undo_is_refused_once_a_lesson_of_it_changed(api: Api, user: Any, imported: None) -> None:
    written = post(api, NEWER, write="newer")
    lesson = ScheduleEvent.objects.get(name="高数", week=6)
    api("DELETE", f"schedule/events/{lesson.pk}", Idempotency_Key="d")
    answer = api("POST", f"schedule/batches/{written['batch_id']}/undo", Idempotency_Key="undo")[1]
    assert answer["status"] == "40077"
    assert AppliedBatch.objects.filter(user=user, source="import", undone_at=None).count() == 2


def test_a_course_that_the_student_renamed_is_the_same_course_in_a_newer_file(
    api: Api, user: Any, imported: None
) -> None:
    mine = course("微积分", meeting(1), note="带计算器", is_allow_tasks=True)
    renamed = Course.objects.get(name="高数")
    api("PUT", f"schedule/courses/{renamed.pk}", mine, Idempotency_Key="mine")
    again = post(api, OLD)
    assert (told(again), again["events"], again["duplicates"]) == ({"moved": [], "gone": []}, 0, 9)
    newer = post(api, NEWER, write="newer")
    assert told(newer)["moved"] == [("微积分", 1, 4), ("英语", 3, 3)]
    assert [row["course_name"] for row in newer["rows"]] == ["微积分", "英语", "物理"]
    kept = Course.objects.get(name="微积分")
    assert (kept.pk, kept.note) == (renamed.pk, "带计算器")
    assert not Course.objects.filter(name="高数").exists()
    assert broken_invariants() == []


def test_a_name_that_the_file_or_the_timetable_has_itself_is_left_alone(api: Api, imported: None) -> None:
    number = Course.objects.get(name="高数").pk
    api("PUT", f"schedule/courses/{number}", course("体育二", meeting(1)), Idempotency_Key="mine")
    api("POST", "schedule/courses", course("高数", meeting(6)), Idempotency_Key="typed")
    names = [row["course_name"] for row in post(api, OLD)["rows"]]
    assert names == ["高数", "体育", "英语"]
