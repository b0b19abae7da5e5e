"""Single lessons, the calendar of exceptions, exams and earlier imports: each shows what it would do, then does it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from schedules.models import AppliedBatch, CalendarException, Course, Exam, ScheduleEvent, Semester
from schedules.services import broken_invariants
from taskclasses.models import TaskClass
from tests.kits.page.meetings import meetings
from tests.kits.timetable.lasting import semester, student, user

__all__ = ["semester", "student", "user"]

pytestmark = pytest.mark.django_db

COURSE = {"name": "高等数学", **meetings((1, 1, 2, range(1, 17), "理学楼 204"))}
MOVED = {
    "kind": "moved",
    "date": "2026-03-10",
    "section_from": "3",
    "section_to": "4",
    "location": "理学楼 301",
    "note": "老师出差",
}
HOLIDAY = {"kind": "holiday", "name": "校运会", "first_date": "2026-03-09", "last_date": "2026-03-10"}
EXAM = {"name": "高数期中", "date": "2026-04-20", "start_time": "09:00", "end_time": "11:00"}


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> None:
    def write() -> None:
        li = Client()
        li.force_login(User.objects.get(pk=student))
        with pytest.MonkeyPatch.context() as clock:
            clock.setattr(timezone, "now", lambda: datetime(2026, 3, 3, 4, tzinfo=UTC))
            li.post("/courses/new", COURSE)

    lasting_rows(write)


@pytest.fixture
def course(written: None, li: Client, at: Callable[..., None]) -> Course:
    at(3, 3)
    return Course.objects.get()


def lesson_of(week: int) -> ScheduleEvent:
    return ScheduleEvent.objects.get(week=week)


def carry_out(client: Client, path: str, form: dict[str, Any]) -> str:
    """Tries a form, then confirms it; answers the effects that were shown."""
    page = client.post(path, form)
    text = page.content.decode()
    assert page.status_code == 200, text
    seen = re.search(r'name="seen" value="(\w+)"', text)
    assert seen is not None, text
    assert client.post(path, form | {"seen": seen[1]}).status_code == 302
    return "".join(re.findall(r"<li>(.*?)</li>", text[text.index('id="effect"') :]))


def test_a_lesson_is_moved_once_after_a_look(li: Client, course: Course) -> None:
    lesson = lesson_of(2)
    path = f"/courses/lessons/{lesson.pk}"
    assert "3 月 9 日 周一 08:00–09:40" in li.get(path).content.decode()
    assert "从 3 月 9 日 周一 08:00–09:40 移到 3 月 10 日 周二 10:15–11:55" in carry_out(li, path, MOVED)
    lesson.refresh_from_db()
    assert (lesson.day_of_week, lesson.section_from, lesson.location) == (2, 3, "理学楼 301")
    listed = li.get("/courses/days").content.decode()
    assert "老师出差" in listed
    assert "调课" in li.get(f"/courses/{course.pk}/lessons").content.decode()


def test_lessons_that_are_over_are_folded_away_while_others_come(
    li: Client, course: Course, at: Callable[..., None]
) -> None:
    def listed() -> tuple[str, str]:
        text = li.get(f"/courses/{course.pk}/lessons").content.decode()
        past, _, coming = text.rpartition("</details>")
        return past[past.find("<details") :], coming

    at(3, 1)
    assert listed()[0] == ""
    at(3, 10)
    past, coming = listed()
    assert "<summary>过去的 2 次</summary>" in past
    assert " open>" not in past
    assert ("3 月 9 日 周一" in past, "3 月 9 日 周一" in coming, "3 月 16 日 周一" in coming) == (True, False, True)
    ScheduleEvent.objects.filter(course=course, week__gt=2).delete()
    past, coming = listed()
    assert " open><summary>" in past
    assert "course-list" not in coming


def test_a_trial_writes_nothing_and_other_words_are_tried_anew(li: Client, course: Course) -> None:
    lesson = lesson_of(2)
    path = f"/courses/lessons/{lesson.pk}"
    page = li.post(path, MOVED).content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', page)
    assert seen is not None
    again = li.post(path, MOVED | {"section_from": "5", "section_to": "6", "seen": seen[1]})
    assert "移到 3 月 10 日 周二 14:00–15:40" in again.content.decode()
    lesson.refresh_from_db()
    assert lesson.change == {}


def test_a_lesson_is_cancelled_and_the_change_taken_back(li: Client, course: Course) -> None:
    lesson = lesson_of(3)
    assert "停课" in carry_out(li, f"/courses/lessons/{lesson.pk}", {"kind": "cancelled"})
    lesson.refresh_from_db()
    assert not lesson.held
    carry_out(li, f"/courses/lessons/{lesson.pk}/revert", {})
    lesson.refresh_from_db()
    assert lesson.held


def test_the_lessons_and_exams_of_a_day_lead_to_their_pages_and_back(li: Client, course: Course) -> None:
    lesson = lesson_of(2)
    carry_out(li, "/courses/exams/new", EXAM | {"date": "2026-03-09", "start_time": "14:00", "end_time": "16:00"})
    day = li.get("/today/2026-03-09").content.decode()
    ways = [
        f"/courses/{page}?next=/today/2026-03-09" for page in (f"lessons/{lesson.pk}", f"exams/{Exam.objects.get().pk}")
    ]
    assert re.findall(r'<a class="whole" href="([^"]*)"', day) == ways
    page = li.get(ways[0]).content.decode()
    assert '<input type="hidden" name="next" value="/today/2026-03-09">' in page
    assert '<a class="plain" href="/today/2026-03-09">取消</a>' in page
    cancelled = {"kind": "cancelled", "next": "/today/2026-03-09"}
    seen = re.search(r'name="seen" value="(\w+)"', li.post(ways[0], cancelled).content.decode())
    assert seen is not None
    assert li.post(ways[0], cancelled | {"seen": seen[1]}).url == "/today/2026-03-09"  # type: ignore[attr-defined]
    day = li.get("/today/2026-03-09").content.decode()
    assert re.findall(r'<a class="whole" href="([^"]*)"', day) == ways
    revert = re.search(r'href="([^"]*/revert[^"]*)"', li.get(ways[0]).content.decode())
    assert revert is not None
    seen = re.search(r'name="seen" value="(\w+)"', li.get(revert[1]).content.decode())
    assert seen is not None
    done = li.post(revert[1], {"next": "/today/2026-03-09", "seen": seen[1]})
    assert done.url == "/today/2026-03-09"  # type: ignore[attr-defined]


def test_a_lesson_leads_back_to_no_other_site(li: Client, course: Course) -> None:
    page = li.get(f"/courses/lessons/{lesson_of(2).pk}?next=https://example.org/").content.decode()
    assert "example.org" not in page[page.index("<main") :]


def test_an_exam_in_sections_that_the_day_has_no_more_is_shown(li: Client, course: Course, semester: Semester) -> None:
    body = {"name": "期中", "date": "2026-03-12", "section_from": 11, "section_to": 12}
    assert li.post("/api/v1/schedule/exams", body, content_type="application/json").status_code == 200
    Semester.objects.filter(pk=semester.pk).update(section_times=semester.section_times[:8])
    page = li.get(f"/courses/exams/{Exam.objects.get().pk}").content.decode()
    assert re.findall(r'type="time" name="\w+" value="([^"]*)"', page) == ["17:10", "17:55"]


def test_a_lesson_is_added(li: Client, course: Course) -> None:
    form = {"date": "2026-03-14", "section_from": "3", "section_to": "4", "location": "理学楼 204"}
    assert "3 月 14 日 周六 10:15–11:55 上课" in carry_out(li, f"/courses/{course.pk}/lessons/new", form)
    assert ScheduleEvent.objects.filter(course=course, day_of_week=6).count() == 1


def test_a_lesson_on_another_is_refused_with_its_name(li: Client, course: Course) -> None:
    li.post("/courses/new", {"name": "体育", **meetings((2, 3, 4, range(1, 17), ""))})
    answer = li.post(f"/courses/lessons/{ScheduleEvent.objects.filter(course=course, week=2)[0].pk}", MOVED)
    assert answer.status_code == 422
    assert "和「体育」撞时间：3 月 10 日 周二 10:15–11:55（3–4 节）。" in answer.content.decode()


def test_a_course_on_another_is_told_when_once(li: Client, course: Course) -> None:
    li.post("/courses/new", {"name": "体育", **meetings((2, 3, 4, range(1, 17), ""), (4, 5, 5, [3], ""))})
    wanted = meetings(
        (3, 1, 2, range(1, 17), ""), (1, 2, 3, range(1, 9), ""), (2, 3, 4, [1, 3, 5], ""), (4, 5, 5, [3], "")
    )
    answer = li.post("/courses/new", {"name": "离散数学", **wanted})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert page.count("和「高等数学」撞时间：周一 08:55–11:00（2–3 节，1-8周）。") == 1
    assert "和「体育」撞时间：周二 10:15–11:55（3–4 节，1-5周 单周）；3 月 19 日 周四 14:00–14:45（5 节）。" in page
    assert "日程冲突" not in page
    marked = page.split("<legend")
    assert ["冲突" in one for one in marked[1:5]] == [False, True, True, True]
    assert "这个时间和「高等数学」冲突。" in marked[2]
    assert marked[2].count('aria-invalid="true"') == 3
    english = li.post(
        "/courses/new", {"name": "离散数学", **wanted}, headers={"Accept-Language": "en"}
    ).content.decode()
    assert "Clashes with 高等数学: Mon 08:55–11:00 (periods 2–3, weeks 1-8)." in english
    assert (
        "Clashes with 体育: Tue 10:15–11:55 (periods 3–4, weeks 1-5, odd); Thu, Mar 19 14:00–14:45 (period 5)."
        in english
    )


def test_a_date_outside_the_term_is_refused_beside_its_field(li: Client, course: Course) -> None:
    answer = li.post(f"/courses/lessons/{lesson_of(2).pk}", MOVED | {"date": "2027-01-01"})
    assert answer.status_code == 422
    assert "日期不在本学期内" in answer.content.decode()


def test_a_holiday_is_added_changed_and_removed(li: Client, course: Course) -> None:
    assert "「高等数学」3 月 9 日 周一 08:00–09:40 停课" in carry_out(li, "/courses/days/new", HOLIDAY)
    row = CalendarException.objects.get()
    assert not lesson_of(2).held
    assert "校运会" in li.get("/courses/days").content.decode()
    moved = HOLIDAY | {"first_date": "2026-03-16", "last_date": "2026-03-16"}
    told = carry_out(li, f"/courses/days/{row.pk}", moved)
    assert "「高等数学」3 月 9 日 周一 08:00–09:40 上课" in told
    carry_out(li, f"/courses/days/{row.pk}/delete", {})
    assert not CalendarException.objects.exists()
    batch = AppliedBatch.objects.order_by("pk").last()
    assert batch is not None
    li.post(f"/settings/batches/{batch.pk}/undo")
    assert CalendarException.objects.get().first_date == date(2026, 3, 16)


def test_a_date_that_the_calendar_has_already_is_told_with_what_it_is(li: Client, course: Course) -> None:
    path, makeup = "/courses/days/new", {"kind": "makeup", "name": "补课", "parity": "replaced"}
    carry_out(li, path, HOLIDAY)
    carry_out(li, path, makeup | {"first_date": "2026-03-14", "follows_date": "2026-03-16"})
    same = li.post(path, HOLIDAY | {"name": "放假", "first_date": "2026-03-10", "last_date": "2026-03-14"})
    assert same.status_code == 422
    told = same.content.decode()
    assert "和校历里的「校运会」（3 月 9 日 周一 – 3 月 10 日 周二）有同一天。" in told
    assert "和校历里的「补课」（3 月 14 日 周六）有同一天。" in told
    twice = li.post(path, makeup | {"name": "再补", "first_date": "2026-03-15", "follows_date": "2026-03-16"})
    assert "这一天的课已经由「补课」（3 月 14 日 周六）补了。" in twice.content.decode()


def test_a_day_that_is_not_told_is_asked_for_beside_its_field(li: Client, course: Course) -> None:
    lesson, makeup = lesson_of(2), {"kind": "makeup", "name": "补课", "first_date": "2026-03-14"}
    for path, sent, field in (
        (f"/courses/{course.pk}/lessons/new", MOVED | {"date": ""}, "date"),
        (f"/courses/lessons/{lesson.pk}", MOVED | {"date": ""}, "date"),
        ("/courses/days/new", makeup, "follows_date"),
    ):
        answer = li.post(path, sent)
        assert answer.status_code == 422
        told = answer.content.decode()
        row = told[told.index(f'<div class="field of-{field}">') :]
        assert "该字段是必填项。" in row[: row.index("</div>")], path
    assert li.post(f"/courses/lessons/{lesson.pk}", {"kind": "cancelled", "date": ""}).status_code == 200


@pytest.mark.parametrize("kind", ["makeup", "holiday"])
def test_one_day_of_the_calendar_gets_another_date_by_its_first_day_alone(
    li: Client, course: Course, kind: str
) -> None:
    day = {"kind": kind, "name": "补课", "first_date": "2026-03-14", "last_date": "2026-03-14"}
    day |= {"follows_date": "2026-03-16", "parity": "replaced"} if kind == "makeup" else {}
    proposed = li.get("/courses/days/new", day).content.decode()
    assert re.search(r'name="last_date" value', proposed) is None
    carry_out(li, "/courses/days/new", day)
    path = f"/courses/days/{CalendarException.objects.get().pk}"
    shown = dict(re.findall(r'name="(\w+_date)" value="([^"]*)"', li.get(path).content.decode()))
    assert "last_date" not in shown
    carry_out(li, path, day | {"last_date": "", **shown, "first_date": "2026-03-15"})
    row = CalendarException.objects.get()
    assert (row.first_date, row.last_date) == (date(2026, 3, 15), date(2026, 3, 15))


def test_days_that_another_window_gave_a_holiday_stay(li: Client, course: Course) -> None:
    carry_out(li, "/courses/days/new", HOLIDAY)
    path = f"/courses/days/{CalendarException.objects.get().pk}"
    found = re.search(r'name="base" value="([^"]*)"', li.get(path).content.decode())
    assert found is not None
    shown = HOLIDAY | {"base": html.unescape(found[1])}
    carry_out(li, path, shown | {"last_date": "2026-03-12"})
    carry_out(li, path, shown | {"note": "改期了"})
    row = CalendarException.objects.get()
    assert (row.last_date, row.note) == (date(2026, 3, 12), "改期了")


def test_public_holidays_are_offered_and_fill_the_form(li: Client, course: Course) -> None:
    page = li.get("/courses/days").content.decode()
    offer = re.search(r'href="(/courses/days/new\?[^"]*first_date=2026-05-01[^"]*)"', page.replace("&amp;", "&"))
    assert offer is not None
    assert 'value="2026-05-01"' in li.get(offer[1]).content.decode()


def test_an_exam_moves_the_deadline_of_its_class(li: Client, course: Course) -> None:
    carry_out(li, "/courses/exams/new", EXAM | {"course_id": course.pk})
    exam = Exam.objects.get()
    li.post("/tasks/new", {"name": "复习", "start_date": "2026-03-02", "end_date": "2026-04-19", "items": "极限"})
    TaskClass.objects.update(exam_id=exam.pk)
    told = carry_out(li, f"/courses/exams/{exam.pk}", EXAM | {"date": "2026-04-27"})
    assert "「复习」的截止日期改为 4 月 26 日" in told
    assert TaskClass.objects.get().end_date == date(2026, 4, 26)
    assert "不再跟着" in li.get(f"/courses/exams/{exam.pk}/delete").content.decode()
    carry_out(li, f"/courses/exams/{exam.pk}/delete", {})
    assert not Exam.objects.exists()


def test_an_exam_without_sense_is_refused_beside_its_field(li: Client, course: Course) -> None:
    answer = li.post("/courses/exams/new", EXAM | {"end_time": "08:00"})
    assert answer.status_code == 422
    assert "结束时间应晚于开始时间" in answer.content.decode()


def test_an_import_goes_as_a_whole(li: Client, course: Course) -> None:
    arrangement = {"start_week": 1, "end_week": 4, "day_of_week": 6, "start_section": 1, "end_section": 2}
    document = {"courses": [{"course_name": "书法", "arrangements": [{**arrangement, "week_type": "all"}]}]}
    headers = {"Idempotency-Key": "i"}
    address = "/api/v1/schedule/imports?dry_run=false"
    assert li.post(address, document, content_type="application/json", headers=headers).status_code == 200
    batch = AppliedBatch.objects.get(source="import")
    path = f"/courses/imports/{batch.pk}/delete"
    assert path in li.get("/courses").content.decode()
    assert "4 节课和 1 门课程会消失" in carry_out(li, path, {})
    assert not Course.objects.filter(name="书法").exists()
    assert path not in li.get("/courses").content.decode()


def test_english_counts_one_as_one_and_says_period(li: Client, course: Course) -> None:
    english = {"Accept-Language": "en"}
    li.post("/courses/new", {"name": "书法", "can_be_embedded": "on", **meetings((6, 11, 11, [2], ""))})
    calligraphy = Course.objects.get(name="书法")
    li.post("/tasks/new", {"name": "复习", "start_date": "2026-03-02", "end_date": "2026-04-19", "items": "极限 | 1"})
    item = TaskClass.objects.get().items.get()
    place = {"task_item_id": item.pk, "week": 2, "day_of_week": 7, "start_section": 11, "end_section": 11}
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": item.task_class_id, "items": [place]},
        content_type="application/json",
        headers={"Idempotency-Key": "one"},
    )
    assert answer.status_code == 200, answer.content
    holiday = HOLIDAY | {"first_date": "2026-03-14", "last_date": "2026-03-15"}
    told = li.post("/courses/days/new", holiday, headers=english).content.decode()
    assert "The step 极限 leaves Sun, Mar 15 20:50–21:35 and waits to be placed again" in told
    gone = li.get(f"/courses/{calligraphy.pk}/delete", headers=english).content.decode()
    assert "1 lesson will leave the timetable. This can be undone." in gone
    assert "during them" not in gone
    assert "Periods in total" in li.get("/tasks/new", headers=english).content.decode()
    lesson = ScheduleEvent.objects.filter(type=ScheduleEvent.Type.COURSE).first()
    assert lesson is not None
    choices = li.get(f"/courses/lessons/{lesson.pk}", headers=english).content.decode()
    assert "Cancelled" in choices
    assert "interrupted" not in choices
    batches = li.get("/settings", headers=english).content.decode()
    assert "Applied" in batches
    assert (
        "1 step on the timetable is taken off with it."
        in li.get(f"/tasks/{item.task_class_id}/delete", headers=english).content.decode()
    )


def test_bell_times_lead_to_where_they_are_changed(li: Client, course: Course) -> None:
    assert 'href="/settings#semesters-title"' in li.get("/courses/days").content.decode()
    term = {"name": "春", "first_monday": "2026-03-02", "weeks": "18", "time_zone": "Asia/Shanghai", "use": "on"}
    li.post("/settings/semesters/new", term | {"section_times": "08:00-08:45\n08:55-09:40"})
    own = Semester.objects.latest("pk")
    page = li.get("/courses/days").content.decode()
    assert f'href="/settings/semesters/{own.pk}"' in page
    assert "semesters-title" not in page


def test_what_is_not_mine_is_not_found(li: Client, wang: Client, course: Course) -> None:
    carry_out(li, "/courses/days/new", HOLIDAY)
    carry_out(li, "/courses/exams/new", EXAM)
    exception, exam, lesson = CalendarException.objects.get(), Exam.objects.get(), lesson_of(4)
    for path in (
        f"/courses/{course.pk}/lessons",
        f"/courses/{course.pk}/lessons/new",
        f"/courses/lessons/{lesson.pk}",
        f"/courses/lessons/{lesson.pk}/revert",
        f"/courses/days/{exception.pk}",
        f"/courses/days/{exception.pk}/delete",
        f"/courses/exams/{exam.pk}",
        f"/courses/exams/{exam.pk}/delete",
        f"/courses/imports/{AppliedBatch.objects.all()[0].pk}/delete",
    ):
        assert wang.get(path).status_code == 404, path
        posted = wang.post(path, MOVED | HOLIDAY | EXAM)
        assert posted.status_code in (404, 405), path
    assert Exam.objects.count() == 1


def test_evenings_are_kept_free_shown_and_given_up(li: Client, course: Course) -> None:
    kept = {"kind": "kept_free", "name": "社团", "first_date": "2026-03-09", "last_date": "2026-03-13"}
    page = li.post("/courses/days/new", kept | {"section_from": "9", "section_to": "10"})
    seen = re.search(r'name="seen" value="(\w+)"', page.content.decode())
    assert seen is not None, page.content.decode()
    form = kept | {"section_from": "9", "section_to": "10", "seen": seen[1]}
    assert li.post("/courses/days/new", form).status_code == 302
    row = CalendarException.objects.get()
    assert (row.kind, row.section_from, row.section_to) == ("kept_free", 9, 10)
    listed = li.get("/courses/days").content.decode()
    assert "社团</a>" in listed
    assert "留空 · 3 月 9 日 – 3 月 13 日 19:00–20:40" in listed
    edit = li.get(f"/courses/days/{row.pk}").content.decode()
    assert re.search(r'name="section_from" value="9"', edit), edit


def test_a_course_on_the_places_of_steps_says_so_and_they_wait_for_a_place(li: Client, at: Any) -> None:
    at(3, 11)
    li.post("/tasks/new", {"name": "复习", "start_date": "2026-03-02", "end_date": "2026-04-19", "items": "极限\n导数"})
    over, ahead = TaskClass.objects.get().items.order_by("order")
    places = [
        {"task_item_id": over.pk, "week": 1, "day_of_week": 6, "start_section": 3, "end_section": 4},
        {"task_item_id": ahead.pk, "week": 3, "day_of_week": 6, "start_section": 3, "end_section": 4},
    ]
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": over.task_class_id, "items": places},
        content_type="application/json",
        headers={"Idempotency-Key": "two"},
    )
    assert answer.status_code == 200, answer.content
    past = {"name": "书法", **meetings((6, 3, 4, [1, 2, 3], ""))}
    assert "极限" in li.post("/courses/new", past).content.decode(), "what is over is not taken off"
    assert not Course.objects.filter(name="书法").exists()
    told = carry_out(li, "/courses/new", {"name": "书法", **meetings((6, 3, 4, [2, 3, 4], ""))})
    assert "任务「导数」离开 3 月 21 日 周六 10:15–11:55，回到待安排" in told
    ahead.refresh_from_db()
    assert ahead.embedded_time is None
    course = Course.objects.get(name="书法")
    assert ScheduleEvent.objects.filter(course=course).count() == 3
    assert broken_invariants() == []


@pytest.mark.parametrize(
    ("address", "rows"), [("", 1), ("?rows=0", 1), ("?rows=3", 3), ("?rows=-2", 1), ("?rows=x", 1)]
)
def test_the_form_of_a_course_has_the_rows_that_its_address_names_and_one_at_least(
    li: Client, address: str, rows: int
) -> None:
    page = li.get(f"/courses/new{address}").content.decode()
    assert f'name="rows" value="{rows}"' in page
    assert (f'name="m{rows - 1}-' in page, f'name="m{rows}-' in page) == (True, False)
