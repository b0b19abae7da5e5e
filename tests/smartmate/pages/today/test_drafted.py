"""The draft that waits, as today and the tasks show it: its items dashed, what it would change, and the way to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest
import redis
from django.test import Client

from agent.store import keys
from agent.store.connection import sync_client
from taskclasses.models import TaskClass, TaskItem
from tests.kits.page.meetings import meetings

pytestmark = pytest.mark.django_db

TASK = {"name": "线代复习", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "矩阵\n向量\n秩"}
OTHER = {"name": "微积分", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "极限"}
COURSE = {"name": "高等数学", **meetings((1, 5, 6, range(1, 17), "理学楼 204"))}


def call(client: Client, path: str, body: dict[str, Any]) -> Any:
    answer = client.post(
        f"/api/v1{path}", body, content_type="application/json", headers={"Idempotency-Key": token_hex(8)}
    )
    assert answer.status_code == 200, answer.content
    return answer.json()["data"]


def place(item: TaskItem, week: int, day: int, first: int, **more: Any) -> dict[str, Any]:
    where = {"week": week, "day_of_week": day, "start_section": first, "end_section": first + 1}
    return {"task_item_id": item.pk, **where, **more}


@pytest.fixture
def drafted(li: Client, at: Callable[..., None]) -> str:
    """On Monday morning 极限 stands on the timetable at 8:00 that day; the draft moves it to Tuesday at 8:00 and has
    矩阵 that evening at 19:00, 向量 on Wednesday at 8:00. Answers the conversation."""
    at(3, 1, 23)
    li.post("/courses/new", COURSE)
    li.post("/tasks/new", OTHER)
    li.post("/tasks/new", TASK)
    first, second, third = (TaskItem.objects.get(content=name) for name in ("极限", "矩阵", "向量"))
    answer = li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": first.task_class_id, "items": [place(first, 1, 1, 1)]},
        content_type="application/json",
        headers={"Idempotency-Key": "a"},
    )
    assert answer.status_code == 200, answer.content
    opened = call(li, "/agent/replan", {"kind": "hand", "task_class_id": second.task_class_id})
    moves = [place(first, 1, 2, 1, from_timetable=True), place(second, 1, 1, 9), place(third, 1, 3, 1)]
    call(li, "/agent/schedule-state", {"conversation_id": opened["conversation_id"], "items": moves})
    return str(opened["conversation_id"])


def page_of(client: Client, path: str) -> str:
    text = client.get(path).content.decode()
    return re.sub(r"\s+", " ", text[text.index("<main") :])


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def test_a_day_has_the_items_of_the_draft_where_they_would_stand(li: Client, drafted: str) -> None:
    page = page_of(li, "/today")
    told = words(page)
    assert "任务 1 项 · 草稿 1 项 · 20:40 结束" in told
    assert "草稿里移到 3 月 3 日 周二 08:00" in told, "what stands today says that the draft moves it"
    moved = TaskItem.objects.get(content="极限").pk
    assert f'href="/week/1?conversation={drafted}&amp;item={moved}"' in page, "it is taken up where the draft has it"
    line = told[told.index("08:00") :]
    assert line.index("19:00") < line.index("矩阵") < line.index("草稿", line.index("矩阵"))
    assert f"?conversation={drafted}&amp;item={TaskItem.objects.get(content='矩阵').pk}" in page
    assert "20:50–22:30 空闲" in told, "the place is not free any more"
    assert "草稿里有 3 处改动，还没应用到课表" in told
    assert f'href="/week?conversation={drafted}"' in page
    assert "有 1 项还没有时间" in told, "what the draft has a place for is not told to wait"


def test_the_rail_counts_the_changes_of_the_draft(li: Client, drafted: str) -> None:
    for path in ("/today", "/tasks"):
        rail = li.get(path).content.decode().partition("<main")[0]
        assert '<span class="count" id="draft-count" aria-hidden="true" data-read>3</span>' in rail
        assert "草稿里有 3 处改动，还没应用到课表" in rail
    call(li, "/agent/schedule-discard", {"conversation_id": drafted})
    assert (
        '<span class="count" id="draft-count" aria-hidden="true" data-read hidden></span>'
        in li.get("/today").content.decode()
    )
    assert (
        '<span class="count" id="draft-count" aria-hidden="true" hidden></span>' in li.get("/courses").content.decode()
    )


def test_the_next_days_have_the_items_of_the_draft(li: Client, drafted: str) -> None:
    told = words(page_of(li, "/today"))
    assert "周二 3 月 3 日 微 极限 （草稿） 周三 3 月 4 日 线 向量 （草稿）" in told
    assert "向量" in words(page_of(li, "/today/2026-03-04"))


def test_an_item_of_the_draft_can_be_marked_done(li: Client, drafted: str) -> None:
    item = TaskItem.objects.get(content="矩阵")
    li.post(f"/today/items/{item.pk}", {"progress": "done", "next": "/today"})
    item.refresh_from_db()
    assert item.mark == "done"
    assert "草稿里有 2 处改动" in words(page_of(li, "/today"))


def test_a_draft_that_is_thrown_away_is_told_no_more(li: Client, drafted: str) -> None:
    call(li, "/agent/schedule-discard", {"conversation_id": drafted})
    for path in ("/today", "/tasks"):
        assert "草稿" not in words(page_of(li, path))


def test_nobody_sees_the_draft_of_another(li: Client, wang: Client, drafted: str) -> None:
    assert "草稿" not in words(page_of(wang, "/today"))


def test_a_task_has_its_items_of_the_draft_dashed_and_is_planned_on_there(li: Client, drafted: str) -> None:
    page = page_of(li, "/tasks")
    row = TaskClass.objects.get(name="线代复习")
    assert re.findall(r'<i class="(\w+)"></i>', page) == ["placed", "drafted", "drafted", "none"]
    assert "草稿里 4 节" in words(page)
    assert f"?conversation={drafted}&amp;classes={row.pk}&amp;message=" in page, "the same conversation goes on"


def test_a_task_whose_rest_is_in_the_draft_leads_there(li: Client, drafted: str) -> None:
    last = TaskItem.objects.get(content="秩")
    call(li, "/agent/schedule-state", {"conversation_id": drafted, "items": [place(last, 1, 4, 1)]})
    page = page_of(li, "/tasks")
    assert "安排剩下的" not in page
    assert "看草稿 线代复习" in words(page)
    assert f'href="/week/1?conversation={drafted}"' in page


def test_of_very_many_tasks_the_page_says_how_the_rest_is_planned(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    for number in range(1, 24):
        li.post("/tasks/new", TASK | {"name": f"第 {number} 门", "end_date": f"2026-04-{number:02}"})
    page = page_of(li, "/tasks")
    (asked,) = re.findall(r"\?classes=([\d,]+,[\d,]+)&amp;", page)
    names = [TaskClass.objects.get(pk=pk).name for pk in asked.split(",")]
    assert sorted(names) == sorted(f"第 {number} 门" for number in range(1, 21)), "due first"
    assert "一次最多一起安排 20 个任务，先排最早截止的；还有 3 个，排好后再按一次「一起安排」。" in words(page)


def test_a_change_that_is_applied_at_once_beside_it_hides_no_draft(li: Client, drafted: str) -> None:
    other = call(li, "/agent/replan", {"kind": "lighten", "week": 1, "sections": 1})["conversation_id"]
    call(li, "/agent/schedule-discard", {"conversation_id": other})
    assert other != drafted
    assert f'href="/week?conversation={drafted}"' in page_of(li, "/today")


def test_what_stands_behind_an_end_that_came_nearer_is_told_today(li: Client, at: Callable[..., None]) -> None:
    at(3, 1, 23)
    li.post("/tasks/new", OTHER)
    (item,) = TaskItem.objects.all()
    li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": item.task_class_id, "items": [place(item, 2, 2, 1)]},
        content_type="application/json",
        headers={"Idempotency-Key": "a"},
    )
    assert "起止日期之外" not in words(page_of(li, "/today"))
    li.post(f"/tasks/{item.task_class_id}", OTHER | {"end_date": "2026-03-06"})
    li.get("/tasks")  # what was said on saving has been read
    page = page_of(li, "/today")
    assert "有 1 项排在起止日期之外。" in words(page)
    assert re.search(r'href="/today/catch-up\?mend=1">\s*重新安排\s*<', page)
    at(3, 11)
    assert "起止日期之外" not in words(page_of(li, "/today")), "it is over"


@pytest.fixture
def later_chosen(li: Client) -> None:
    """The student made a semester that begins a week later, and it is the current one."""
    later = {"name": "另一个", "first_monday": "2026-03-09", "weeks": "16", "section_times": "08:00-09:40", "use": "on"}
    assert li.post("/settings/semesters/new", later | {"time_zone": "Asia/Shanghai"}).status_code == 302


def test_a_draft_of_another_semester_is_not_given_up_for_a_plan_in_this_one(
    li: Client, drafted: str, later_chosen: None
) -> None:
    page = page_of(li, "/tasks")
    assert "?classes=" in page, "a run in its conversation would begin a draft of the current semester in its place"
    assert f"conversation={drafted}&amp;classes=" not in page
    assert f'href="/week?conversation={drafted}"' in page


def test_a_day_has_nothing_of_a_draft_of_another_semester(li: Client, drafted: str) -> None:
    """Whose sections have other times: what it takes is nothing that the day has."""
    moves = [place(TaskItem.objects.get(content="秩"), 2, 3, 1)]
    call(li, "/agent/schedule-state", {"conversation_id": drafted, "items": moves})
    hours = "\n".join(f"{hour}:00-{hour}:45" for hour in range(13, 19))
    later = {"name": "另一个", "first_monday": "2026-03-09", "weeks": "16", "section_times": hours, "use": "on"}
    assert li.post("/settings/semesters/new", later | {"time_zone": "Asia/Shanghai"}).status_code == 302
    li.post("/courses/new", {"name": "体育", **meetings((3, 6, 6, range(1, 17), ""))})
    told = words(page_of(li, "/today/2026-03-11"))
    assert "13:00–17:45 空闲" in told
    assert "秩" not in told


def test_what_stands_in_another_semester_is_within_the_dates_of_its_task(
    li: Client, drafted: str, at: Callable[..., None], request: pytest.FixtureRequest
) -> None:
    """秩 stands in the fourth week of the one before, on a day of its task."""
    last = TaskItem.objects.get(content="秩")
    li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": last.task_class_id, "items": [place(last, 4, 2, 1)]},
        content_type="application/json",
        headers={"Idempotency-Key": "b"},
    )
    request.getfixturevalue("later_chosen")
    at(3, 9)
    assert "起止日期之外" not in words(page_of(li, "/today"))


@pytest.mark.parametrize("document", ["{}", "[]", "no JSON", '{"version": "x", "conversation": 5}'])
def test_a_draft_that_cannot_be_read_keeps_no_page_away(li: Client, drafted: str, document: str) -> None:
    user_id = TaskClass.objects.values_list("user_id", flat=True)[0]
    sync_client().hset(keys.state(user_id, drafted), "document", document)
    for path in ("/today", "/tasks"):
        assert "草稿" not in words(page_of(li, path))


def test_what_the_draft_moves_within_one_of_the_next_days_is_named_there_once(li: Client, drafted: str) -> None:
    item = TaskItem.objects.get(content="秩")
    li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": item.task_class_id, "items": [place(item, 1, 4, 1)]},
        content_type="application/json",
        headers={"Idempotency-Key": "b"},
    )
    moves = [place(item, 1, 4, 7, from_timetable=True)]
    call(li, "/agent/schedule-state", {"conversation_id": drafted, "items": moves})
    assert words(page_of(li, "/today")).count("秩") == 1
    assert "草稿里移到 16:15" in words(page_of(li, "/today/2026-03-05"))


def test_a_redis_that_is_away_is_asked_once(li: Client, drafted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for item in TaskItem.objects.all():
        call(li, "/agent/replan", {"kind": "hand", "task_class_id": item.task_class_id})
    asked = []

    def away(self: redis.Redis, *command: Any, **options: Any) -> None:
        asked.append(str(command))
        raise redis.ConnectionError

    monkeypatch.setattr(redis.Redis, "execute_command", away)
    assert "草稿" not in words(page_of(li, "/today"))
    assert len([command for command in asked if ":state" in command]) == 1
