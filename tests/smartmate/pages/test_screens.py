"""The screens made of forms: what they write, what they refuse, whose rows they show."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from lxml import html

from schedules.models import AppliedBatch, Course, ScheduleEvent
from taskclasses.models import TaskClass, TaskItem
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

SCREENS = ("/today", "/tasks", "/tasks/new", "/courses", "/courses/new", "/settings", "/week", "/week/3", "/chat")
TASK = {
    "name": "线代复习",
    "start_date": "2026-03-02",
    "end_date": "2026-03-29",
    "items": "1. 行列式\n- 矩阵 | 2\n向量",
}
ODD = (1, 1, 2, range(1, 17, 2), "理学楼 204")
MOST = (3, 3, 4, [*range(1, 9), 10], "")
COURSE = {"name": "高等数学", **meetings(ODD, MOST)}


@pytest.mark.parametrize("path", SCREENS)
def test_a_screen_is_for_who_is_signed_in(li: Client, path: str) -> None:
    assert Client().get(path).url == f"/login?next={path}"  # type: ignore[attr-defined]
    answer = li.get(path)
    assert answer.status_code == 200
    assert answer.content.decode().count("<h1") == 1
    screen = path.split("/")[1]
    assert f'href="/{screen}" aria-current="page"' in answer.content.decode()


@pytest.mark.parametrize("path", [*SCREENS, "/print/week", "/account/email/", "/tasks/999", "/nothing"])
def test_no_cache_keeps_a_screen_of_a_session(li: Client, path: str) -> None:
    assert li.get(path)["Cache-Control"] == "private, no-store"


def test_a_task_is_made_from_a_pasted_list(li: Client) -> None:
    assert li.post("/tasks/new", TASK).url == "/tasks"  # type: ignore[attr-defined]
    row = TaskClass.objects.get()
    assert (row.name, row.mode, row.start_date, row.end_date) == (
        "线代复习",
        "auto",
        date(2026, 3, 2),
        date(2026, 3, 29),
    )
    assert list(row.items.values_list("order", "content", "duration")) == [
        (1, "行列式", None),
        (2, "矩阵", 2),
        (3, "向量", None),
    ]
    assert "线代复习" in li.get("/tasks").content.decode()


def test_a_task_too_many_is_refused_with_the_limit(li: Client, user: Any) -> None:
    TaskClass.objects.bulk_create(TaskClass(user=user, name=str(number), mode="manual") for number in range(500))
    answer = li.post("/tasks/new", TASK)
    assert answer.status_code == 422
    assert "已经有 500 个，到上限了" in answer.content.decode()


def test_items_that_are_reordered_or_reworded_stay_the_same_items(li: Client) -> None:
    li.post("/tasks/new", TASK)
    row = TaskClass.objects.get()
    before = dict(row.items.values_list("content", "pk"))
    changed = TASK | {"items": "向量\n行列式\n矩阵与变换 | 2\n特征值"}
    assert li.post(f"/tasks/{row.pk}", changed).status_code == 302
    after = dict(TaskItem.objects.values_list("content", "pk"))
    assert (after["向量"], after["行列式"], after["矩阵与变换"]) == (before["向量"], before["行列式"], before["矩阵"])
    assert list(row.items.order_by("order").values_list("content", flat=True)) == [
        "向量",
        "行列式",
        "矩阵与变换",
        "特征值",
    ]


def test_what_the_form_does_not_show_stays(li: Client, user: Any) -> None:
    li.post("/tasks/new", TASK | {"total_slots": "6", "difficulty_level": "high", "excluded_days_of_week": ["7"]})
    row = TaskClass.objects.get()
    shown = li.get(f"/tasks/{row.pk}").content.decode()
    assert "矩阵 | 2" in shown
    li.post(f"/tasks/{row.pk}", TASK | {"total_slots": "6", "difficulty_level": "high", "excluded_days_of_week": ["7"]})
    row.refresh_from_db()
    assert (row.total_slots, row.difficulty_level, row.excluded_days_of_week) == (6, "high", [7])


def test_a_refusal_stands_in_the_form_and_keeps_what_was_typed(li: Client) -> None:
    answer = li.post("/tasks/new", TASK | {"end_date": "2026-02-01"})
    assert answer.status_code == 422
    assert "行列式" in answer.content.decode()
    assert 'role="alert"' in answer.content.decode()
    assert not TaskClass.objects.exists()


def test_a_task_is_deleted_after_a_question(li: Client) -> None:
    li.post("/tasks/new", TASK)
    row = TaskClass.objects.get()
    assert "线代复习" in li.get(f"/tasks/{row.pk}/delete").content.decode()
    li.post(f"/tasks/{row.pk}/delete")
    assert not TaskClass.objects.exists()


def test_a_course_is_made_shown_and_changed(li: Client) -> None:
    assert li.post("/courses/new", COURSE).status_code == 302
    row = Course.objects.get()
    assert ScheduleEvent.objects.filter(course=row).count() == 8 + 9
    shown = li.get(f"/courses/{row.pk}").content.decode()
    assert shown.count('type="checkbox" name="m0-weeks"') == 20
    assert re.findall(r'name="m0-weeks" value="(\d+)"[^>]* checked', shown) == [str(week) for week in range(1, 17, 2)]
    assert '<option value="3" selected>周三</option>' in shown
    changed = {"name": "高等数学", **meetings((2, 1, 2, range(1, 5), ""))}
    told = li.post(f"/courses/{row.pk}", changed).content.decode()
    assert re.findall(r"<li>([^<]*节课[^<]*)</li>", told) == ["少 13 节课", "4 节课改变"]
    assert ScheduleEvent.objects.filter(course=row).count() == 17
    seen = re.search(r'name="seen" value="(\w+)"', told)
    assert seen is not None
    assert li.post(f"/courses/{row.pk}", changed | {"seen": seen[1]}).status_code == 302
    assert set(ScheduleEvent.objects.filter(course=row).values_list("day_of_week", "week")) == {
        (2, week) for week in range(1, 5)
    }


def test_a_meeting_that_cannot_be_read_is_named(li: Client) -> None:
    backwards = li.post("/courses/new", {"name": "书法", **meetings(ODD, (3, 4, 3, [], ""))})
    assert backwards.status_code == 422
    assert "结束不能早于开始" in backwards.content.decode()
    open_end = li.post("/courses/new", {"name": "书法", **meetings((3, 4, 4, [], "")), "m0-last": ""})
    assert "选一节" in open_end.content.decode()
    clash = li.post("/courses/new", {"name": "书法", **meetings(ODD, ODD)})
    assert clash.status_code == 422
    assert not Course.objects.exists()


def test_rows_of_meetings_are_added_and_removed(li: Client) -> None:
    more = li.post("/courses/new", COURSE | {"way": "more"})
    assert more.status_code == 200
    assert 'name="m2-day"' in more.content.decode()
    assert "高等数学" in more.content.decode()
    assert not Course.objects.exists()
    # A row without a day is none; one without weeks is held in all of them.
    weekly = (5, 1, 1, [], "")
    sent = {"name": "书法", **meetings(ODD, weekly), "rows": "3", "m0-remove": "on"}
    assert li.post("/courses/new", sent).url == "/courses"  # type: ignore[attr-defined]
    assert set(ScheduleEvent.objects.values_list("day_of_week", flat=True)) == {5}
    assert ScheduleEvent.objects.count() == 20


def test_a_course_is_deleted_and_the_deletion_undone(li: Client) -> None:
    li.post("/courses/new", COURSE)
    row = Course.objects.get()
    assert "17 节课" in li.get(f"/courses/{row.pk}/delete").content.decode()
    li.post(f"/courses/{row.pk}/delete")
    assert not Course.objects.exists()
    batch = AppliedBatch.objects.order_by("-pk").first()
    assert batch is not None
    li.post(f"/settings/batches/{batch.pk}/undo")
    assert ScheduleEvent.objects.filter(course__name="高等数学").count() == 17


def test_what_is_not_mine_is_not_found(li: Client, wang: Client) -> None:
    li.post("/tasks/new", TASK)
    li.post("/courses/new", COURSE)
    task, course = TaskClass.objects.get(), Course.objects.get()
    for path in (
        f"/tasks/{task.pk}",
        f"/tasks/{task.pk}/delete",
        f"/courses/{course.pk}",
        f"/courses/{course.pk}/delete",
    ):
        assert wang.get(path).status_code == 404
        assert wang.post(path, TASK | COURSE).status_code == 404
    assert TaskClass.objects.exists()
    assert Course.objects.exists()
    batch = AppliedBatch.objects.get()
    wang.post(f"/settings/batches/{batch.pk}/undo")
    batch.refresh_from_db()
    assert batch.undone_at is None


def test_settings_are_kept(li: Client, semester: Any) -> None:
    chosen = {"semester_id": semester.pk, "appearance": "dark", "mode": "tick", "grace_hours": "48"}
    assert li.post("/settings", chosen).status_code == 302
    answer = li.get("/api/v1/account/settings").json()["data"]
    assert (answer["appearance"], answer["progress"]) == ("dark", {"mode": "tick", "grace_hours": 48})
    assert 'data-theme="dark"' in li.get("/today").content.decode()


def test_the_screens_speak_english(li: Client) -> None:
    li.post("/tasks/new", TASK | {"name": "Linear", "items": "a\nb"})
    li.post("/courses/new", {"name": "Maths", **meetings((1, 1, 2, range(1, 17), ""))})
    li.get("/tasks")  # what was noted in Chinese is said there
    li.post("/i18n/setlang/", {"language": "en", "next": "/today"})
    for path in ("/today", "/tasks", "/courses/new", "/settings"):
        text = li.get(path).content.decode()
        assert 'lang="en"' in text
        body = text[text.index("<main") :].replace("2026 春", "").replace("中文", "")
        assert not [char for char in body if "\u4e00" <= char <= "\u9fff"], path


def test_the_login_page_says_that_a_session_has_ended() -> None:
    told, path = "登录已过期，请重新登录", "/login?next=/tasks"
    assert told not in Client().get(path).content.decode()
    assert told in Client().get(f"{path}&ended=1").content.decode()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    assert told in client.get(path).content.decode()
    assert told not in client.get(path).content.decode(), "the cookie went with the first answer"


def doings(page: str) -> dict[str, set[str]]:
    """What the links and buttons of a screen do, by the name with which they are read aloud; of several forms that are
    saved each says in its own section what."""
    found: dict[str, set[str]] = defaultdict(set)
    (screen,) = html.fromstring(page).xpath('//*[@id="screen"]')
    for node in screen.xpath(".//a[@href] | .//form//button"):
        name = node.get("aria-label") or " ".join(node.text_content().split())
        form = next(node.iterancestors("form"), None) if node.tag == "button" else None
        doing = node.get("href") if form is None else f"{form.get('action')} {node.get('name')}={node.get('value')}"
        if name != "保存":
            found[name].add(doing)
    return found


@pytest.mark.parametrize("path", ["/today", "/tasks", "/courses", "/courses/days", "/settings"])
def test_controls_that_do_different_things_are_read_aloud_by_different_names(
    li: Client, at: Callable[..., None], path: str
) -> None:
    at(3, 4)
    for name in ("线代复习", "概率复习"):
        li.post("/tasks/new", {**TASK, "name": name})
    li.post("/courses/new", COURSE)
    at(3, 4, 5)
    li.post("/courses/new", {**COURSE, "name": "大学物理", **meetings((2, 5, 6, range(1, 17), ""))})
    for day in ("2026-03-20", "2026-03-27"):
        li.post("/courses/exams/new", {"name": f"考试 {day}", "date": day, "start_time": "08:00", "end_time": "09:00"})
    assert AppliedBatch.objects.count() >= 2
    answer = li.get(path)
    assert {name: doing for name, doing in doings(answer.content.decode()).items() if len(doing) > 1} == {}
