"""Settings that have pages of their own: semesters, wishes, reminders of the feed, the end of an account."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from schedules.models import CalendarFeed, CurrentSemester, Preference, ScheduleEvent, Semester
from schedules.planner.soft_limits import SoftLimit
from taskclasses.models import TaskClass, TaskItem
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

TERM = {
    "name": "我的秋季",
    "first_monday": "2026-09-07",
    "weeks": "18",
    "section_times": "8:00-8:45\n08：55－09：40\n10:00 - 10:45".replace("－", "-"),
    "time_zone": "Asia/Shanghai",
    "use": "on",
}

TASK = {"name": "词汇", "start_date": "2026-09-07", "end_date": "2026-10-18", "items": "甲 | 1", "strategy": "steady"}


def words_of(answer: Any) -> str:
    return answer.content.decode()


def test_a_semester_of_ones_own_is_made_used_changed_and_deleted(li: Client) -> None:
    assert li.post("/settings/semesters/new", TERM).url == "/settings"  # type: ignore[attr-defined]
    own = Semester.objects.get(owner__username="li")
    assert (own.name, own.first_monday, own.weeks) == ("我的秋季", date(2026, 9, 7), 18)
    assert own.section_times == [["08:00", "08:45"], ["08:55", "09:40"], ["10:00", "10:45"]]
    assert CurrentSemester.objects.get().semester == own
    path = f"/settings/semesters/{own.pk}"
    assert "08:55-09:40" in words_of(li.get(path))
    li.post("/settings/semesters/new", TERM | {"first_monday": "2027-03-01"})
    page = words_of(li.get("/settings"))
    told = ("我的秋季（9 月 7 日 周一 起，18 周）</option>", "我的秋季（3 月 1 日 周一 起，18 周）</option>")
    assert all(words in page for words in told), "two of one name"
    li.post(f"/settings/semesters/{Semester.objects.latest('pk').pk}/delete")
    li.post(path, TERM | {"weeks": "20"})
    own.refresh_from_db()
    assert own.weeks == 20
    li.get(f"{path}/delete")
    li.post(f"{path}/delete")
    assert not Semester.objects.filter(owner__isnull=False).exists()


def test_steps_that_lose_their_place_to_other_dates_are_told(li: Client, at: Any) -> None:
    at(9, 9)
    li.post("/settings/semesters/new", TERM)
    path = f"/settings/semesters/{Semester.objects.get(owner__username='li').pk}"
    li.post("/tasks/new", TASK)
    item = TaskItem.objects.get()
    place = {"week": 1, "day_of_week": 5, "start_section": 1, "end_section": 1}
    li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": item.task_class_id, "items": [{"task_item_id": item.pk, **place}]},
        content_type="application/json",
        headers={"Idempotency-Key": "moved"},
    )
    assert "有 1 项在等地方" not in words_of(li.post(path, TERM | {"weeks": "19"}, follow=True))
    assert "有 1 项在等地方" in words_of(li.post(path, TERM | {"first_monday": "2026-08-31"}, follow=True))


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("first_monday", "2026-09-08", "学期的第一天必须是周一：那一周的周一是 9 月 7 日"),
        ("section_times", "上午", "看不懂这一行：上午"),
        ("section_times", "第1-2节 08:00-09:40", "看不懂这一行：第1-2节 08:00-09:40"),
        ("section_times", "09:00-09:45\n08:00-08:45", "节次时间必须依次递增"),
        ("time_zone", "Mars/Base", "没有这个时区"),
    ],
)
def test_a_semester_that_cannot_be_is_told_beside_its_field(li: Client, field: str, value: str, words: str) -> None:
    answer = li.post("/settings/semesters/new", TERM | {field: value})
    assert answer.status_code == 422
    assert words in words_of(answer)
    assert not Semester.objects.filter(owner__isnull=False).exists()


@pytest.mark.parametrize("head", ["", "{n} ", "第{n}节\t", "第 {n} 节：", "{n}. ", "第{word}节 ", "第{n}節："])
@pytest.mark.parametrize("between", ["-", " — ", "～", "至", "\t"])
def test_times_are_read_as_a_school_writes_them(li: Client, head: str, between: str) -> None:
    times = [["08:00", "08:45"], ["10:05", "10:50"], ["11:00", "11:45"]]
    heads = (head.format(n=number, word=word) for number, word in enumerate("一二三", 1))
    lines = "\n".join(head + between.join(pair) for head, pair in zip(heads, times, strict=True))
    assert li.post("/settings/semesters/new", TERM | {"section_times": lines}).status_code == 302, lines
    assert Semester.objects.get(owner__username="li").section_times == times


def test_what_a_shorter_semester_would_leave_outside_is_named(li: Client) -> None:
    li.post("/settings/semesters/new", TERM)
    path = f"/settings/semesters/{Semester.objects.get(owner__username='li').pk}"
    li.post("/courses/new", {"name": "书法", **meetings((1, 3, 3, [2, 17], ""))})
    li.post("/courses/new", {"name": "体育", **meetings((2, 1, 2, [18], ""))})
    weeks = li.post(path, TERM | {"weeks": "16"})
    assert weeks.status_code == 422
    assert "更晚的周次里还有「体育」、「书法」，最晚在第 18 周。先改它们的时间。" in words_of(weeks)
    fewer = li.post(path, TERM | {"section_times": "8:00-8:45\n8:55-9:40"})
    assert "更晚的节次里还有「书法」，最晚到第 3 节。先改它们的时间。" in words_of(fewer)


def test_a_new_semester_takes_the_courses_along_that_it_has_room_for(li: Client) -> None:
    new = "/settings/semesters/new"
    assert 'name="courses"' not in words_of(li.get(new)), "there are none"
    li.post(
        "/courses/new", {"name": "书法", "teacher": "王", **meetings((1, 1, 2, [1, 19], "东楼"), (2, 9, 10, [1], ""))}
    )
    li.post("/courses/new", {"name": "体育", **meetings((3, 3, 3, [], ""))})
    assert 'name="courses"' in words_of(li.get(new))
    assert li.post(new, TERM | {"courses": "on"}).status_code == 302
    own = Semester.objects.get(owner__username="li")
    lessons = ScheduleEvent.objects.filter(semester=own)
    assert set(lessons.filter(name="书法").values_list("week", "day_of_week", "section_from", "location")) == {
        (1, 1, 1, "东楼")
    }
    assert lessons.filter(name="体育").count() == 18
    assert set(own.courses.values_list("name", "teacher")) == {("书法", "王"), ("体育", "")}
    assert ScheduleEvent.objects.exclude(semester=own).filter(name="书法").count() == 3
    assert 'name="courses"' not in words_of(li.get(f"/settings/semesters/{own.pk}"))
    li.post(new, TERM | {"name": "空的"})
    assert not Semester.objects.get(name="空的").courses.exists()


def test_a_semester_is_its_owners_alone(li: Client, wang: Client, semester: Semester) -> None:
    li.post("/settings/semesters/new", TERM)
    for row in Semester.objects.all():
        for path in (f"/settings/semesters/{row.pk}", f"/settings/semesters/{row.pk}/delete"):
            assert (wang.get(path).status_code, wang.post(path, TERM).status_code) == (404, 404)
    assert Semester.objects.count() == 2


def test_wishes_are_set_and_taken_back(li: Client, user: User) -> None:
    assert "早上不早于" in words_of(li.get("/settings"))
    li.post("/settings/wishes", {"wish": "earliest_section:3", "who": ""})
    li.post("/settings/wishes", {"wish": "earliest_section:4", "who": ""})
    row = TaskClass.objects.create(user=user, name="线代复习", mode="manual")
    li.post("/settings/wishes", {"wish": "finish_early:3", "who": str(row.pk)})
    limits = [wish.limit for wish in Preference.objects.order_by("pk")]
    assert limits == [SoftLimit("earliest_section", 4), SoftLimit("finish_early", 3, row.pk)]
    page = words_of(li.get("/settings/wishes"))
    assert "学习任务不早于第4节" in page
    assert "「线代复习」提前 3 天完成" in page
    first = Preference.objects.earliest("pk")
    li.post("/settings/wishes", {"remove": str(first.pk)})
    assert not Preference.objects.filter(pk=first.pk).exists()


def test_wishes_are_their_owners_alone(li: Client, wang: Client, user: User) -> None:
    li.post("/settings/wishes", {"wish": "light_weekday:7", "who": ""})
    wish = Preference.objects.get()
    wang.post("/settings/wishes", {"remove": str(wish.pk)})
    assert Preference.objects.get() == wish
    row = TaskClass.objects.create(user=user, name="线代复习", mode="manual")
    assert wang.post("/settings/wishes", {"wish": "light_weekday:7", "who": str(row.pk)}).status_code == 422


def test_a_wish_that_makes_no_sense_is_refused(li: Client) -> None:
    for wish, who in (("blocks_a_day:2", "hard"), ("day_part:9", ""), ("light_weekday:7", "x")):
        assert li.post("/settings/wishes", {"wish": wish, "who": who}).status_code == 422
    assert not Preference.objects.exists()


def test_the_feed_rings_as_long_before_as_said(li: Client) -> None:
    li.post("/settings/feed", {"way": "make"})
    for said, minutes in (("15", 15), ("20000", 15), ("-1", 15), ("", None)):
        li.post("/settings/feed", {"way": "remind", "reminder_minutes": said})
        assert CalendarFeed.objects.get().reminder_minutes == minutes


def test_an_account_ends_with_its_password(li: Client, wang: Client, user: User) -> None:
    TaskClass.objects.create(user=user, name="线代复习", mode="manual")
    assert "1 个任务" in words_of(li.get("/settings/account/delete"))
    refused = li.post("/settings/account/delete", {"password": "wrong"})
    assert refused.status_code == 422
    assert "40088" in words_of(refused)
    assert User.objects.filter(pk=user.pk).exists()
    assert li.post("/settings/account/delete", {"password": "correct horse"}).url == "/login"  # type: ignore[attr-defined]
    assert list(User.objects.values_list("username", flat=True)) == ["wang"]
    assert li.get("/settings").status_code == 302
    assert wang.get("/settings").status_code == 200
