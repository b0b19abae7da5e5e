"""Catching up as a screen: the ways side by side with their dates, one of them taken, and the way back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models.signals import post_save
from django.test import Client
from django.utils import timezone

from agent.models import Conversation
from schedules.models import AppliedBatch, CalendarException, ScheduleEvent
from taskclasses.models import TaskClass, TaskItem
from tests.kits.page.meetings import meetings
from tests.kits.timetable.lasting import semester, student, user

__all__ = ["semester", "student", "user"]

pytestmark = pytest.mark.django_db

TASK = {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "行列式\n矩阵\n向量"}
PAGE = "/today/catch-up"


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> int:
    found: int = lasting_rows(lambda: write_missed(student))
    return found


@pytest.fixture
def missed(written: int, li: Client, at: Callable[..., None]) -> TaskItem:
    """行列式, missed on Monday; 矩阵 on Thursday, 向量 on Saturday; it is Tuesday."""
    at(3, 3)
    return TaskItem.objects.get(pk=written)


def write_missed(student: int) -> int:
    li = Client()
    li.force_login(User.objects.get(pk=student))
    li.post("/tasks/new", TASK)
    items = list(TaskItem.objects.order_by("order"))
    rows = [
        {"task_item_id": item.pk, "week": 1, "day_of_week": day, "start_section": 1, "end_section": 2}
        for item, day in zip(items, (1, 4, 6), strict=True)
    ]
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": items[0].task_class_id, "items": rows},
        content_type="application/json",
        headers={"Idempotency-Key": "a"},
    )
    assert answer.status_code == 200, answer.content
    TaskItem.objects.update(by_hand=False)  # as a draft of the planner puts it
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(timezone, "now", lambda: datetime(2026, 3, 3, 4, tzinfo=UTC))
        li.post(f"/today/items/{items[0].pk}", {"progress": "missed"})
    return items[0].pk


def told(client: Client, path: str = PAGE) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", client.get(path).content.decode().partition("<main")[2]))


def take(client: Client, way: str, path: str = PAGE, **more: Any) -> str:
    """Takes a way as it is shown."""
    page = client.get(path).content.decode()
    names = re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', page.partition("<main")[2])
    said = {name: value for name, value in names if name != "csrfmiddlewaretoken"} | {"way": way} | more
    return str(client.post(PAGE, said).url)  # type: ignore[attr-defined]


def days() -> list[tuple[int, int] | None]:
    found = TaskItem.objects.order_by("order").values_list("embedded_time", flat=True)
    return [place and (place["week"], place["day_of_week"]) for place in found]


def test_the_ways_are_told_with_their_dates_and_nothing_is_stored(li: Client, missed: TaskItem) -> None:
    page = told(li)
    assert "只补这 1 项 推荐 改 1 处" in page
    assert "后面的依次往后推 改 3 处" in page
    assert "放回待安排" in page
    assert "其实做完了" in page
    assert "3 月 2 日 周一 08:00–09:40 → 3 月 5 日 周四 08:00–09:40" in page, "pushed on to where its follower stands"
    assert (Conversation.objects.count(), days()) == (0, [(1, 1), (1, 4), (1, 6)])


def test_the_bars_count_what_is_done_during_a_lecture(li: Client, missed: TaskItem) -> None:
    times = meetings((2, 7, 8, range(1, 2), ""), (3, 7, 8, range(1, 2), ""))
    li.post("/courses/new", {"name": "军事理论", "can_be_embedded": "on", **times})
    li.post("/tasks/new", {**TASK, "name": "背单词", "items": "一\n二", "allow_filler_course": "on"})
    words = TaskItem.objects.filter(task_class__name="背单词").order_by("order")
    lectures = ScheduleEvent.objects.filter(course__name="军事理论").order_by("pk")
    places = [
        {
            "task_item_id": item.pk, "week": 1, "day_of_week": lesson.day_of_week, "start_section": 7, "end_section": 8,
            "embed_course_event_id": lesson.pk,
        }
        for item, lesson in zip(words, lectures, strict=True)
    ]  # fmt: skip
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": words[0].task_class_id, "items": places},
        content_type="application/json",
        headers={"Idempotency-Key": "b"},
    )
    assert answer.status_code == 200, answer.content
    page = told(li)
    assert "现在 2 节，改后 4 节" in page
    assert "现在 0 节，改后 2 节" not in page.partition("后面的依次往后推")[0]


def test_the_fewest_changes_are_applied_at_once_and_undone(li: Client, missed: TaskItem) -> None:
    assert take(li, "least_change", do="apply") == "/today"
    assert days()[0] in {(1, 2), (1, 3)}
    assert days()[1:] == [(1, 4), (1, 6)]
    batch = AppliedBatch.objects.order_by("pk").last()
    assert batch is not None
    assert f'action="/settings/batches/{batch.pk}/undo"' in li.get("/today").content.decode()
    li.post(f"/settings/batches/{batch.pk}/undo", {"next": "/today"})
    assert days() == [(1, 1), (1, 4), (1, 6)]


def test_the_class_moves_on_as_it_was_shown(li: Client, missed: TaskItem) -> None:
    take(li, "push_on", do="apply")
    first, second, third = days()
    assert (first, second) == ((1, 4), (1, 6))
    assert third is not None
    assert third > (1, 6)


def test_a_way_that_changes_nothing_is_told_and_not_applied(li: Client, missed: TaskItem) -> None:
    TaskClass.objects.update(end_date="2026-03-02")
    page = li.get(PAGE).content.decode()
    assert 'value="least_change" checked class="idle"' in page, "neither draft nor apply is offered beside it"
    assert "没有要改的地方。" in told(li)
    assert take(li, "least_change", do="apply") == PAGE
    assert (Conversation.objects.count(), AppliedBatch.objects.filter(source="agent").count()) == (0, 0)
    assert take(li, "set_aside", do="apply") == "/today"


def test_what_only_the_student_moves_is_told_of_days_away(li: Client, missed: TaskItem) -> None:
    path = f"{PAGE}?from_date=2026-03-05&to_date=2026-03-07"
    TaskItem.objects.filter(content="矩阵").update(by_hand=True)
    page = told(li, path)
    assert "这几天还有 1 项是钉住的或你亲手放的" in page
    assert "只挪必须挪的" in page, "the other one finds another place"
    TaskItem.objects.filter(content="向量").update(pinned=True)
    page = told(li, path)
    assert "这几天还有 2 项是钉住的或你亲手放的" in page
    assert "没有排任务" not in page


def test_what_is_set_aside_waits(li: Client, missed: TaskItem) -> None:
    take(li, "set_aside", do="apply")
    assert days() == [None, (1, 4), (1, 6)]
    assert "没有漏下的" in told(li)


def test_what_was_done_after_all_is_ticked(li: Client, missed: TaskItem) -> None:
    assert take(li, "done", do="apply") == "/today"
    missed.refresh_from_db()
    assert (missed.mark, days()) == ("done", [(1, 1), (1, 4), (1, 6)])


def test_a_way_becomes_a_draft_that_is_looked_at_in_the_week(li: Client, missed: TaskItem) -> None:
    address = take(li, "push_on", do="draft")
    talk = Conversation.objects.get().pk
    assert address == f"/week?conversation={talk}"
    assert days() == [(1, 1), (1, 4), (1, 6)]
    found = li.get(f"/api/v1/agent/draft-diff?conversation_id={talk}").json()["data"]
    assert found["changed"] == 3


def test_days_that_fall_out_are_caught_up_in_the_same_ways(li: Client, missed: TaskItem) -> None:
    path = f"{PAGE}?from_date=2026-03-05&to_date=2026-03-06"
    page = told(li, path)
    assert "只挪必须挪的" in page
    assert "其实做完了" not in page
    take(li, "least_change", path, do="apply")
    assert days()[1] not in {(1, 4), (1, 5)}
    assert "没有排任务" in told(li, path)


AWAY = f"{PAGE}?from_date=2026-03-05&to_date=2026-03-06"


def test_days_away_are_kept_free_by_what_is_applied_and_come_back_with_it(li: Client, missed: TaskItem) -> None:
    assert "以后的计划也不排在那里" in told(li, AWAY)
    take(li, "least_change", AWAY, do="apply")
    assert "3 月 5 日 周四 到 3 月 6 日 周五 整天留空" in told(li, "/today")
    assert "留空 3 月 5 日 – 3 月 6 日" in told(li, "/courses/days")
    kept = li.get("/api/v1/schedule/semester").json()["data"]["kept_free"]
    assert {(cell["week"], cell["day_of_week"]) for cell in kept} == {(1, 4), (1, 5)}
    batch = AppliedBatch.objects.latest("pk")
    assert len(batch.changes) > 0
    li.post(f"/settings/batches/{batch.pk}/undo", {"next": "/today"})
    assert days() == [(1, 1), (1, 4), (1, 6)]
    assert not CalendarException.objects.exists()


def test_what_falls_out_later_does_not_come_onto_days_away_before(li: Client, missed: TaskItem) -> None:
    TaskClass.objects.update(end_date="2026-03-07")
    take(li, "set_aside", AWAY, do="apply")
    later = told(li, f"{PAGE}?from_date=2026-03-07&to_date=2026-03-07")
    assert "3 月 7 日 周六 08:00–09:40 →" in later
    assert "→ 3 月 5 日" not in later
    assert "→ 3 月 6 日" not in later


def test_what_goes_into_the_draft_keeps_the_days_free_at_once(li: Client, missed: TaskItem) -> None:
    take(li, "least_change", AWAY, do="draft")
    row = CalendarException.objects.get()
    assert (row.kind, str(row.first_date), str(row.last_date)) == ("kept_free", "2026-03-05", "2026-03-06")


def test_of_days_away_only_those_ahead_are_kept_free(li: Client, missed: TaskItem) -> None:
    path = f"{PAGE}?from_date=2026-03-02&to_date=2026-03-04"
    take(li, "least_change", path, do="apply")
    row = CalendarException.objects.get()
    assert (str(row.first_date), str(row.last_date)) == ("2026-03-03", "2026-03-04")
    assert days()[0] is not None
    assert days()[0] >= (1, 4)


def test_days_on_which_nothing_stands_can_be_kept_free_too(li: Client, missed: TaskItem) -> None:
    path = f"{PAGE}?from_date=2026-03-10&to_date=2026-03-10"
    assert "把这几天留空" in told(li, path)
    answer = li.post(PAGE, {"from_date": "2026-03-10", "to_date": "2026-03-10", "way": "keep"}, follow=True)
    assert "3 月 10 日 周二 整天留空" in answer.content.decode()
    assert CalendarException.objects.get().kind == "kept_free"
    assert "把这几天留空" not in told(li, path)


EXAM = {"name": "线代小测", "date": "2026-03-05", "start_time": "09:00", "end_time": "11:00"}


def add_exam(client: Client) -> str:
    """Adds the exam, after a look at what it would do; answers the page that comes then."""
    page = client.post("/courses/exams/new", EXAM).content.decode()
    assert "需要重新安排" in page
    seen = re.search(r'name="seen" value="(\w+)"', page)
    assert seen is not None
    return str(client.post("/courses/exams/new", EXAM | {"seen": seen[1]}).url)  # type: ignore[attr-defined]


def test_what_an_exam_lies_over_is_offered_another_time(li: Client, missed: TaskItem) -> None:
    address = add_exam(li)
    assert address == f"{PAGE}?mend=1"
    assert "只挪必须挪的 推荐 改 1 处" in told(li, address)
    assert "有 1 项撞上考试 重新安排撞上的" in told(li, "/today")
    assert f'href="{address}"' in li.get("/today").content.decode()
    assert "矩阵 撞上考试" in told(li, "/today/2026-03-05")
    assert "行列式 撞上考试" not in told(li, "/today/2026-03-02")
    assert take(li, "least_change", address, do="apply") == "/today"
    first, second, third = days()
    assert second != (1, 4)
    assert (first, third) == ((1, 1), (1, 6))
    assert "撞上考试" not in told(li, "/today").partition("已应用")[2]
    assert "没有撞上的" in told(li, address)


def test_what_is_pinned_under_an_exam_is_moved_by_hand(li: Client, missed: TaskItem) -> None:
    second = TaskItem.objects.get(order=2)
    li.post(f"/tasks/items/{second.pk}/pin", {"pin": "on"})
    assert "还有 1 项撞上考试，是钉住的或你亲手放的" in told(li, add_exam(li))


def test_an_exam_over_nothing_leads_back(li: Client, missed: TaskItem) -> None:
    values = EXAM | {"date": "2026-03-04"}
    seen = re.search(r'name="seen" value="(\w+)"', li.post("/courses/exams/new", values).content.decode())
    assert seen is not None
    assert li.post("/courses/exams/new", values | {"seen": seen[1]}).url == "/courses/days"  # type: ignore[attr-defined]


def test_one_day_away_needs_no_last_day(li: Client, at: Callable[..., None]) -> None:
    at(3, 2)
    page = told(li, f"{PAGE}?from_date=2026-03-10&to_date=")
    assert "3 月 10 日 周二 回到今日" in page
    li.post(PAGE, {"from_date": "2026-03-10", "to_date": "", "way": "keep"}, follow=True)
    assert "3 月 10 日" in told(li, "/courses/days")


@pytest.mark.parametrize("query", ["from_date=2026-03-06&to_date=2026-03-05", "from_date=tomorrow&to_date="])
def test_days_that_make_no_sense_are_asked_for_again(li: Client, missed: TaskItem, query: str) -> None:
    page = li.get(f"{PAGE}?{query}")
    assert page.status_code == 422
    assert 'role="alert"' in page.content.decode()
    assert li.post(PAGE, dict(one.split("=") for one in query.split("&"))).status_code == 302


def test_what_was_not_shown_is_not_taken(li: Client, missed: TaskItem) -> None:
    seen = re.search(r'name="seen_push_on" value="(\w+)"', li.get(PAGE).content.decode())
    assert seen is not None
    second = TaskItem.objects.get(order=2)
    li.post(f"/tasks/items/{second.pk}/pin", {"pin": "on"})
    page = li.post(PAGE, {"way": "push_on", "seen_push_on": seen[1], "do": "apply"}, follow=True)
    assert "重新算过" in page.content.decode()
    assert days() == [(1, 1), (1, 4), (1, 6)]
    assert li.post(PAGE, {"way": "elsewhere"}).url == PAGE  # type: ignore[attr-defined]


def test_what_became_something_else_meanwhile_is_shown_as_a_draft(li: Client, missed: TaskItem) -> None:
    """A lesson comes to where the item was to go, after the look at the ways and before the draft is made."""
    seen = re.search(r'name="seen_least_change" value="(\w+)"', li.get(PAGE).content.decode())
    assert seen is not None
    lessons = {"name": "集训", **meetings((2, 1, 12, range(1, 2), "体育馆"), (3, 1, 12, range(1, 2), "体育馆"))}

    def come(created: bool, **_more: Any) -> None:
        if created:
            assert li.post("/courses/new", lessons).status_code == 302

    post_save.connect(come, sender=Conversation)
    try:
        answer = li.post(PAGE, {"way": "least_change", "seen_least_change": seen[1], "do": "apply"})
    finally:
        post_save.disconnect(come, sender=Conversation)
    talk = Conversation.objects.get().pk
    assert answer.url == f"/week?conversation={talk}"  # type: ignore[attr-defined]
    assert days() == [(1, 1), (1, 4), (1, 6)]
    assert "还没有应用" in li.get(answer.url).content.decode()  # type: ignore[attr-defined]


def test_items_of_another_are_not_found(li: Client, wang: Client, missed: TaskItem) -> None:
    assert wang.get(f"{PAGE}?item={missed.pk}").status_code == 404
    assert wang.post(PAGE, {"item": missed.pk, "way": "done"}).status_code == 404
    assert "没有漏下的" in told(wang)
    assert "只补这 1 项" in told(li, f"{PAGE}?item={missed.pk}")


def test_what_was_missed_of_a_task_that_has_ended_leads_to_its_end(
    li: Client, missed: TaskItem, at: Callable[..., None]
) -> None:
    ended = "「线代复习」3 月 8 日 周日 已经截止，截止改晚才补得上。"
    li.post(f"/tasks/{missed.task_class_id}", TASK | {"end_date": "2026-03-08"})
    li.get("/tasks")
    assert ended not in told(li)
    at(3, 9)
    assert ended in told(li)
    assert f'href="/tasks/{missed.task_class_id}#id_end_date"' in li.get(PAGE).content.decode()
    li.post(f"/tasks/{missed.task_class_id}", TASK | {"end_date": "2026-03-29"})
    li.get("/tasks")
    assert "已经截止" not in told(li)
    assert "只补这" in told(li)
