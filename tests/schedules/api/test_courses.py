"""Courses: made by forms and imports, replaced, deleted, merged; guests are released and every write is undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from schedules.calendars.patterns import meeting_in_words, weeks_in_words
from schedules.models import AppliedBatch, Course, Schedule, ScheduleEvent, TimetableVersion
from schedules.services import broken_invariants
from taskclasses.models import TaskItem
from tests.kits.timetable.helpers import COURSES, Api, event_at, picture, placed

FORM: dict[str, Any] = {
    "course_name": "数据结构",
    "teacher": "王老师",
    "location": "信息楼 A301",
    "is_allow_tasks": True,
    "note": "带电脑",
    "arrangements": [
        {"start_week": 1, "end_week": 16, "day_of_week": 2, "start_section": 3, "end_section": 4},
        {
            "start_week": 1, "end_week": 15, "week_type": "odd", "day_of_week": 5, "start_section": 7,
            "end_section": 8, "location": "机房 3",
        },
    ],
}  # fmt: skip
MOVED: dict[str, Any] = {
    **FORM,
    "arrangements": [
        {"weeks": [1, 2, 3], "day_of_week": 2, "start_section": 3, "end_section": 4},
        {"weeks": [4, 5], "day_of_week": 6, "start_section": 1, "end_section": 2},
    ],
}


def whole(user_id: int) -> dict[str, Any]:
    """The picture of a student with the courses: what undo must restore exactly."""
    columns = ("id", "name", "teacher", "location", "color_index", "can_be_embedded", "note")
    lessons = ScheduleEvent.objects.filter(user_id=user_id).order_by("pk")
    return {
        **picture(user_id),
        "courses": list(Course.objects.filter(user_id=user_id).order_by("pk").values(*columns)),
        "lessons": list(lessons.values("pk", "course_id", "pattern", "import_batch_id")),
    }


def make(api: Api, **changes: Any) -> dict[str, Any]:
    status, document = api("POST", "schedule/courses", {**FORM, **changes})
    assert status == 200, document
    data: dict[str, Any] = document["data"]
    return data


def undo(api: Api, batch_id: int) -> dict[str, Any]:
    return api("POST", f"schedule/batches/{batch_id}/undo")[1]


def imported(api: Api, courses: Any, **query: str) -> dict[str, Any]:
    named = "".join(f"&{name}={value}" for name, value in query.items())
    key = f"import-{next(api._keys)}"
    document = api("POST", f"schedule/imports?dry_run=false{named}", {"courses": courses}, Idempotency_Key=key)[1]
    assert document["status"] == "10000", document
    data: dict[str, Any] = document["data"]
    return data


@pytest.fixture
def guest(api: Api, user: Any, semester: Any) -> tuple[int, int]:
    """A course that hosts an item in week 2: the course and the item."""
    course = make(api)["course"]["id"]
    body = {
        "name": "复习", "mode": "manual", "allow_filler_course": True,
        "items": [{"order": n, "content": f"第{n}章", "duration": 2} for n in (1, 2)],
    }  # fmt: skip
    made = api("POST", "task-class", body)[1]["data"]
    item = made["items"][0]["id"]
    host = ScheduleEvent.objects.get(course=course, week=2).pk
    applied = api.apply({"task_class_id": made["id"], "items": [placed(item, 2, 2, 3, 4, host)]})
    assert applied[1]["status"] == "10000"
    return course, item


@pytest.mark.parametrize(
    ("weeks", "zh", "en"),
    [
        (range(1, 17), "1-16周", "weeks 1-16"),
        (range(1, 16, 2), "1-15周 单周", "weeks 1-15, odd"),
        (range(2, 9, 2), "2-8周 双周", "weeks 2-8, even"),
        ([5], "5周", "weeks 5"),
        ([3, 5], "3、5周", "weeks 3, 5"),
        ([1, 2, 3, 9, 11, 12], "1-3、9、11-12周", "weeks 1-3, 9, 11-12"),
    ],
)
def test_weeks_are_told_as_people_tell_them(weeks: Any, zh: str, en: str) -> None:
    assert (weeks_in_words(list(weeks)), weeks_in_words(list(weeks), "en")) == (zh, en)


def test_a_meeting_is_told_in_one_line() -> None:
    assert meeting_in_words([1, 3, 5], 2, (3, 4)) == "1-5周 单周 周二 3-4节"
    assert meeting_in_words([7], 7, (9, 9), "en") == "weeks 7, Sun, periods 9"


def test_a_form_makes_a_course_with_its_lessons(api: Api, user: Any, semester: Any) -> None:
    data = make(api)
    course = data["course"]
    assert (data["added"], data["changed"], data["removed"], data["released_task_item_ids"]) == (24, 0, 0, [])
    assert course == {
        "id": course["id"], "semester_id": semester.pk, "course_name": "数据结构", "teacher": "王老师",
        "location": "信息楼 A301", "color_index": 0, "is_allow_tasks": True, "note": "带电脑", "lessons": 24,
        "arrangements": [
            {
                "weeks": list(range(1, 17)), "day_of_week": 2, "start_section": 3, "end_section": 4,
                "location": "信息楼 A301", "pattern": "1-16周 周二 3-4节",
            },
            {
                "weeks": list(range(1, 16, 2)), "day_of_week": 5, "start_section": 7, "end_section": 8,
                "location": "机房 3", "pattern": "1-15周 单周 周五 7-8节",
            },
        ],
    }  # fmt: skip
    lesson = ScheduleEvent.objects.get(course=course["id"], week=3, day_of_week=5)
    assert (lesson.pattern, lesson.source, lesson.can_be_embedded) == ("1-15周 单周", "manual", True)
    assert (lesson.end_at - lesson.start_at).seconds == 100 * 60
    assert broken_invariants() == []
    english = api("GET", f"schedule/courses/{course['id']}", Accept_Language="en")[1]["data"]
    assert english["arrangements"][1]["pattern"] == "weeks 1-15, odd, Fri, periods 7-8"


def test_what_a_form_answers_can_be_sent_back_and_changes_nothing(api: Api, user: Any, semester: Any) -> None:
    course = make(api)["course"]
    before = whole(user.pk)
    data = api("PUT", f"schedule/courses/{course['id']}", course)[1]["data"]
    assert (data["course"], data["added"], data["changed"], data["removed"]) == (course, 0, 0, 0)
    assert whole(user.pk) == before


def test_a_conflict_refuses_the_whole_form(api: Api, user: Any, courses: None) -> None:
    before = whole(user.pk)
    taken = {"start_week": 15, "end_week": 18, "day_of_week": 4, "start_section": 6, "end_section": 7}
    twice = {"weeks": [18], "day_of_week": 4, "start_section": 7, "end_section": 8}
    status, document = api("POST", "schedule/courses", {**FORM, "arrangements": [taken, twice]})
    assert (status, document["status"]) == (409, "40026")
    found = [(row["row"], row["week"], row["with"]["name"]) for row in document["data"]["conflicts"]]
    assert found == [(1, 15, "大学英语"), (1, 16, "大学英语"), (2, 18, "数据结构")]
    assert whole(user.pk) == before


@pytest.mark.parametrize(
    ("arrangement", "code"),
    [
        ({"weeks": [21], "day_of_week": 1, "start_section": 1, "end_section": 2}, "week_outside_semester"),
        ({"weeks": [1], "day_of_week": 8, "start_section": 1, "end_section": 2}, "bad_weekday"),
        ({"weeks": [1], "day_of_week": 1, "start_section": 12, "end_section": 13}, "section_outside_day"),
        ({"weeks": [1], "day_of_week": 1, "start_section": 3, "end_section": 2}, "bad_range"),
        ({"weeks": [], "day_of_week": 1, "start_section": 1, "end_section": 2}, "bad_weeks"),
        ("每周一", "missing_field"),
    ],
)
def test_a_meeting_that_cannot_be_understood_is_named(api: Api, semester: Any, arrangement: Any, code: str) -> None:
    status, document = api("POST", "schedule/courses", {**FORM, "arrangements": [arrangement]})
    assert (status, document["status"]) == (422, "40019")
    assert [(row["row"], row["code"]) for row in document["data"]["rows"]] == [(1, code)]
    assert not Course.objects.exists()


def test_bad_values_are_refused_by_field(api: Api, semester: Any) -> None:
    for changes, field in [
        ({"course_name": " "}, "course_name"),
        ({"course_name": "\u200b"}, "course_name"),
        ({"color_index": 12}, "color_index"),
        ({"is_allow_tasks": 1}, "is_allow_tasks"),
        ({"arrangements": None}, "arrangements"),
    ]:
        document = api("POST", "schedule/courses", {**FORM, **changes})[1]
        assert (document["status"], document["data"]["errors"][0]["field"]) == ("40005", field)
    assert api("POST", "schedule/courses", {**FORM, "note": "x" * 1001})[1]["status"] == "40006"


def test_the_same_creation_again_makes_no_second_course(api: Api, user: Any, semester: Any) -> None:
    answers = [api.raw("POST", "schedule/courses", FORM, Idempotency_Key="once").content for _ in range(2)]
    assert answers[0] == answers[1]
    assert Course.objects.count() == 1


def test_the_list_names_the_courses_of_one_semester(api: Api, user: Any, courses: None) -> None:
    page = api("GET", "schedule/courses")[1]["data"]
    found = [(row["course_name"], row["is_allow_tasks"], row["arrangements"][0]["pattern"]) for row in page["list"]]
    assert found == [
        ("大学英语", False, "1-16周 周四 5-6节"),
        ("形势与政策", True, "7周 周五 9-11节"),
        ("思想政治", True, "1-16周 周三 5-6节"),
    ]
    assert len({row["color_index"] for row in page["list"]}) == 3
    own = {"name": "另一个", "first_monday": "2026-07-20", "weeks": 6}
    other = api("POST", "schedule/semesters", own)[1]["data"]["id"]
    assert api("GET", f"schedule/courses?semester_id={other}")[1]["data"]["list"] == []


def test_a_list_of_many_courses_needs_as_many_queries_as_one_of_few(api: Api, semester: Any) -> None:
    counts = []
    for number in range(3):
        with CaptureQueriesContext(connection) as queries:
            api("GET", "schedule/courses?page_size=100")
        counts.append(len(queries))
        for day in range(1, 6):
            meeting = {"weeks": [1, 2], "day_of_week": day, "start_section": number + 1, "end_section": number + 1}
            make(api, course_name=f"{number}{day}", arrangements=[meeting])
    assert counts[1] == counts[2]


def test_a_course_of_a_thousand_lessons_needs_as_many_queries_as_one_of_five(api: Api, semester: Any) -> None:
    counts = []
    for weeks in (1, 1, 20):
        meetings = [
            {"start_week": 1, "end_week": weeks, "day_of_week": day, "start_section": section, "end_section": section}
            for day in range(1, 6) for section in range(1, 2 if weeks == 1 else 11)
        ]  # fmt: skip
        with CaptureQueriesContext(connection) as queries:
            made = make(api, arrangements=meetings)
            course = made["course"]["id"]
            later = [{**meeting, "day_of_week": meeting["day_of_week"] % 5 + 1} for meeting in meetings]
            api("PUT", f"schedule/courses/{course}", {**FORM, "arrangements": later[1:]})
            deleted = api("DELETE", f"schedule/courses/{course}")[1]["data"]
            undo(api, deleted["batch_id"])
        counts.append(len(queries))
        api("DELETE", f"schedule/courses/{course}")
    # SQLite takes 999 parameters in one INSERT; elsewhere the count is that of five lessons.
    assert counts[2] <= counts[1] + (150 if connection.vendor == "sqlite" else 0)
    assert broken_invariants() == []


def test_a_replaced_course_keeps_the_lessons_that_stay(api: Api, user: Any, semester: Any) -> None:
    course = make(api)["course"]["id"]
    ids = {(row.week, row.day_of_week): row.pk for row in ScheduleEvent.objects.filter(course=course)}
    version = TimetableVersion.objects.get(user=user).version
    data = api("PUT", f"schedule/courses/{course}", {**MOVED, "course_name": "算法"})[1]["data"]
    assert (data["added"], data["changed"], data["removed"]) == (0, 5, 19)
    after = {(row.week, row.day_of_week): row.pk for row in ScheduleEvent.objects.filter(course=course)}
    stayed = {(week, 2): ids[week, 2] for week in (1, 2, 3)}
    assert after == stayed | {(4, 6): ids[4, 2], (5, 6): min(ids[5, 2], ids[5, 5])}
    assert set(ScheduleEvent.objects.filter(course=course).values_list("name", flat=True)) == {"算法"}
    assert TimetableVersion.objects.get(user=user).version == version + 1
    assert broken_invariants() == []


@pytest.mark.parametrize("changes", [{}, {"is_allow_tasks": False}, {"arrangements": []}])
def test_a_guest_stays_with_a_lesson_that_stays_and_is_released_otherwise(
    api: Api, user: Any, guest: tuple[int, int], changes: Any
) -> None:
    course, item = guest
    path, before = f"schedule/courses/{course}", whole(user.pk)
    trial = api("PUT", f"{path}?dry_run=true", {**MOVED, **changes})[1]["data"]
    assert (trial["batch_id"], whole(user.pk)) == (None, before)
    done = api("PUT", path, {**MOVED, **changes})[1]["data"]
    released = [item] if changes else []
    assert (trial["released_task_item_ids"], done["released_task_item_ids"]) == (released, released)
    assert TaskItem.objects.get(pk=item).status == (1 if changes else 2)
    assert broken_invariants() == []
    assert undo(api, done["batch_id"])["status"] == "10000"
    assert whole(user.pk) == before


def test_deleting_a_course_releases_its_guest_and_undo_brings_both_back(
    api: Api, user: Any, guest: tuple[int, int]
) -> None:
    course, item = guest
    before = whole(user.pk)
    trial = api("DELETE", f"schedule/courses/{course}?dry_run=true")[1]["data"]
    expected = {"released_task_item_ids": [item], "lessons": 24, "course_ids": [course]}
    assert (trial, whole(user.pk)) == ({"batch_id": None, **expected}, before)
    done = api("DELETE", f"schedule/courses/{course}")[1]["data"]
    assert done == {"batch_id": done["batch_id"], **expected}
    assert TaskItem.objects.get(pk=item).status == 1
    assert not Schedule.objects.filter(user=user).exists()
    assert api("GET", f"schedule/courses/{course}")[1]["status"] == "40042"
    batch = api("GET", "schedule/batches")[1]["data"]["list"][0]
    assert (batch["source"], batch["lessons"], batch["can_undo"]) == ("course-delete", 24, True)
    assert batch["changes"] == [{"task_item_id": item, "change": "unplace"}]
    assert undo(api, done["batch_id"])["data"]["task_item_ids"] == [item]
    assert whole(user.pk) == before
    assert broken_invariants() == []
    assert undo(api, done["batch_id"])["data"]["reason"] == "already_undone"


def test_undo_of_a_deletion_is_refused_when_others_have_its_cells(api: Api, user: Any, guest: tuple[int, int]) -> None:
    course, _ = guest
    batch = api("DELETE", f"schedule/courses/{course}")[1]["data"]["batch_id"]
    rival = make(api, course_name="编译原理", arrangements=FORM["arrangements"][:1])
    before = whole(user.pk)
    document = undo(api, batch)
    assert (document["status"], document["data"]["reason"]) == ("40077", "changed_since")
    assert {row["with"]["name"] for row in document["data"]["conflicts"]} == {"编译原理"}
    assert whole(user.pk) == before
    undo(api, rival["batch_id"])
    assert undo(api, batch)["status"] == "10000"


def test_undo_of_a_creation_is_refused_while_a_lesson_has_a_guest(api: Api, user: Any, guest: tuple[int, int]) -> None:
    _, item = guest
    creation = AppliedBatch.objects.get(source="course-create").pk
    rows = {row["batch_id"]: row["can_undo"] for row in api("GET", "schedule/batches")[1]["data"]["list"]}
    assert rows[creation] is False
    document = undo(api, creation)
    assert document["data"]["conflicts"][0]["with"]["task_item_id"] == item
    api("POST", f"schedule/task-items/{item}/undo")
    assert undo(api, creation)["status"] == "10000"
    assert not ScheduleEvent.objects.filter(user=user).exists()
    assert not Course.objects.exists()


def test_undo_is_refused_when_a_lesson_or_the_course_changed_since(api: Api, user: Any, semester: Any) -> None:
    made = make(api)
    course = made["course"]["id"]
    second = api("PUT", f"schedule/courses/{course}", {**FORM, "note": "不用带"})[1]["data"]["batch_id"]
    assert undo(api, made["batch_id"])["data"]["reason"] == "changed_since"
    assert undo(api, second)["status"] == "10000"
    lesson = ScheduleEvent.objects.filter(course=course, week=3).first()
    assert lesson is not None
    api("DELETE", f"schedule/events/{lesson.pk}")
    assert undo(api, made["batch_id"])["data"]["reason"] == "changed_since"


def test_an_import_writes_courses_and_is_undone_as_a_batch(api: Api, user: Any, semester: Any) -> None:
    before = whole(user.pk)
    report = imported(api, COURSES)
    assert Course.objects.count() == 3
    lessons = ScheduleEvent.objects.filter(user=user)
    assert set(lessons.values_list("import_batch_id", flat=True)) == {report["batch_id"]}
    assert not lessons.filter(course=None).exists()
    assert event_at("形势与政策", 7).pattern == "7周"
    assert imported(api, COURSES)["batch_id"] is None
    assert Course.objects.count() == 3
    assert undo(api, report["batch_id"])["data"]["task_item_ids"] == []
    assert whole(user.pk) == before


def test_rows_of_one_course_with_and_without_a_teacher_are_one_course(api: Api, user: Any, semester: Any) -> None:
    def course(teacher: str, day: int) -> dict[str, Any]:
        meeting = {"weeks": [1, 2], "day_of_week": day, "start_section": 1, "end_section": 2}
        return {"course_name": "高等数学", "teacher": teacher, "arrangements": [meeting]}

    def teachers() -> list[tuple[str, int]]:
        rows = Course.objects.order_by("pk")
        return [(row.teacher, ScheduleEvent.objects.filter(course=row).count()) for row in rows]

    imported(api, [course("", 1)])
    before = whole(user.pk)
    report = imported(api, [course("", 2), course("李", 3), course("王", 4)])
    assert teachers() == [("李", 6), ("王", 2)]
    imported(api, [course("王", 5)])
    assert teachers() == [("李", 6), ("王", 4)]
    # The course that the import made has lessons of a later one by now and stays; the teacher goes.
    undone = undo(api, report["batch_id"])
    assert undone["status"] == "10000", undone
    assert teachers() == [("", 2), ("王", 2)]
    assert whole(user.pk)["courses"][0] == before["courses"][0]
    assert broken_invariants() == []


def test_deleting_an_import_leaves_what_others_brought(api: Api, user: Any, semester: Any, guest: Any) -> None:
    course, item = guest
    meeting = {"weeks": [18, 19], "day_of_week": 1, "start_section": 1, "end_section": 2}
    more = {"course_name": "数据结构", "teacher": "王老师", "is_allow_tasks": True, "arrangements": [meeting]}
    before = whole(user.pk)
    report = imported(api, [more, COURSES[1]])
    assert ScheduleEvent.objects.filter(course=course).count() == 26
    added = Course.objects.get(name="思想政治").pk
    second = TaskItem.objects.exclude(pk=item).get()
    host = event_at("思想政治", 5)
    body = {"task_class_id": second.task_class_id, "items": [placed(second.pk, 5, 3, 5, 6, host.pk)]}
    assert api.apply(body)[1]["status"] == "10000"
    full, path = whole(user.pk), f"schedule/imports/{report['batch_id']}"
    expected = {"released_task_item_ids": [second.pk], "lessons": 18, "course_ids": [added]}
    assert api("DELETE", f"{path}?dry_run=true")[1]["data"] == {"batch_id": None, **expected}
    assert whole(user.pk) == full
    done = api("DELETE", path)[1]["data"]
    assert done == {"batch_id": done["batch_id"], **expected}
    assert {**whole(user.pk), "items": before["items"]} == before
    assert api("DELETE", path)[1]["status"] == "40043"
    assert undo(api, done["batch_id"])["status"] == "10000"
    assert whole(user.pk) == full
    assert broken_invariants() == []


def test_two_courses_of_one_name_become_one_and_two_again(api: Api, user: Any, semester: Any) -> None:
    kept = make(api)["course"]["id"]
    meeting = {"weeks": [18], "day_of_week": 1, "start_section": 1, "end_section": 2}
    other = make(api, teacher="", arrangements=[meeting])["course"]["id"]
    before = whole(user.pk)
    done = api("POST", f"schedule/courses/{kept}/merge", {"course_id": other})[1]["data"]
    assert (done["course"]["lessons"], done["changed"]) == (25, 1)
    assert list(Course.objects.values_list("pk", flat=True)) == [kept]
    assert undo(api, done["batch_id"])["status"] == "10000"
    assert whole(user.pk) == before


def test_only_another_course_of_the_same_name_is_merged(api: Api, user: Any, semester: Any) -> None:
    kept = make(api)["course"]["id"]
    other = make(api, course_name="算法", arrangements=[])["course"]["id"]
    for number in (kept, other):
        document = api("POST", f"schedule/courses/{kept}/merge", {"course_id": number})[1]
        assert (document["status"], document["data"]["errors"][0]["field"]) == ("40005", "course_id")
    assert api("POST", f"schedule/courses/{kept}/merge", {"course_id": 10**9})[1]["status"] == "40042"


def test_courses_and_imports_of_another_student_do_not_exist(
    api: Api, other_api: Api, user: Any, semester: Any
) -> None:
    report = imported(api, COURSES)
    course, own = Course.objects.first(), make(other_api, arrangements=[])["course"]["id"]
    assert course is not None
    before = whole(user.pk)
    calls: list[tuple[str, str, Any, str]] = [
        ("GET", "schedule/courses/{}", None, "40042"),
        ("PUT", "schedule/courses/{}", FORM, "40042"),
        ("PUT", "schedule/courses/{}?dry_run=true", FORM, "40042"),
        ("DELETE", "schedule/courses/{}", None, "40042"),
        ("DELETE", "schedule/courses/{}?dry_run=true", None, "40042"),
        ("POST", "schedule/courses/{}/merge", {"course_id": own}, "40042"),
    ]
    for method, path, body, code in calls:
        answers = [other_api(method, path.format(pk), body)[1] for pk in (course.pk, 10**9)]
        assert answers[0] == answers[1]
        assert answers[0]["status"] == code
    assert other_api("POST", f"schedule/courses/{own}/merge", {"course_id": course.pk})[1]["status"] == "40042"
    assert other_api("DELETE", f"schedule/imports/{report['batch_id']}")[1]["status"] == "40043"
    assert other_api("DELETE", f"schedule/imports/{report['batch_id']}?dry_run=true")[1]["status"] == "40043"
    assert [row["id"] for row in other_api("GET", "schedule/courses")[1]["data"]["list"]] == [own]
    assert undo(other_api, report["batch_id"])["data"]["reason"] == "not_found"
    assert whole(user.pk) == before


def test_a_cancelled_lesson_is_still_cancelled_after_delete_and_undo(api: Api, user: Any, semester: Any) -> None:
    course = make(api)["course"]["id"]
    lesson = ScheduleEvent.objects.get(course=course, week=4)
    Schedule.objects.filter(event=lesson).update(status="interrupted")
    before = whole(user.pk)
    done = api("DELETE", f"schedule/courses/{course}")[1]["data"]
    assert undo(api, done["batch_id"])["status"] == "10000"
    assert whole(user.pk) == before


def test_undo_is_refused_when_the_semester_has_no_room_any_more(api: Api, user: Any, semester: Any) -> None:
    course = make(api)["course"]["id"]
    batch = api("DELETE", f"schedule/courses/{course}")[1]["data"]["batch_id"]
    semester.weeks = 10
    semester.save()
    assert undo(api, batch)["data"]["reason"] == "changed_since"
