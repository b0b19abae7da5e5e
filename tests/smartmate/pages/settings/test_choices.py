"""What an account chooses on the screen of settings: the assistant's switches, reminders, the evening question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from agent.models import Conversation, Run
from schedules.models import CalendarFeed
from smartmate.models import AccountSettings
from taskclasses.models import TaskItem

pytestmark = pytest.mark.django_db

SWITCHES = {"named": ["always_execute", "thinking"]}


def page(client: Client, path: str = "/settings") -> str:
    return client.get(path).content.decode()


def is_on(client: Client, name: str, path: str = "/chat") -> bool:
    field = page(client, path).partition(f'data-choice="{name}"')[2].partition(">")[0]
    return "checked" in field


def test_the_switches_are_the_accounts_on_every_screen_and_nobody_elses(li: Client, wang: Client) -> None:
    assert not is_on(li, "thinking")
    assert li.post("/settings/choices", SWITCHES | {"thinking": "on"}).url == "/settings"  # type: ignore[attr-defined]
    assert [is_on(li, "thinking", path) for path in ("/chat", "/week", "/settings")] == [True, True, True]
    assert not is_on(li, "always_execute")
    assert not is_on(wang, "thinking")
    data = li.get("/api/v1/account/settings").json()["data"]
    assert (data["thinking"], data["always_execute"], data["evening_question"]) == (True, False, False)
    li.post("/settings/choices", SWITCHES)
    assert not is_on(li, "thinking")


def test_a_switch_that_is_not_named_stays_and_what_is_no_switch_is_left_alone(li: Client) -> None:
    li.post("/settings/choices", SWITCHES | {"always_execute": "on"})
    li.post("/settings/choices", {"named": ["evening_question", "appearance", "user"], "evening_question": "on"})
    row = AccountSettings.objects.get()
    assert (row.always_execute, row.evening_question, row.appearance) == (True, True, "system")


def test_looks_and_keys_are_told_to_every_screen(li: Client) -> None:
    before = page(li, "/week").partition(">\n<head>")[0]
    assert 'data-course-colors="on" data-less-motion="off" data-letter-keys="on"' in before
    looks = {"named": ["course_colors", "less_motion", "letter_keys"], "less_motion": "on"}
    li.post("/settings/choices", looks)
    after = page(li, "/today").partition(">\n<head>")[0]
    assert 'data-course-colors="off" data-less-motion="on" data-letter-keys="off"' in after
    assert "data-letter-keys" not in page(Client(), "/login")


def test_one_switch_is_saved_over_the_wire(li: Client) -> None:
    answer = li.patch("/api/v1/account/settings", {"thinking": True}, content_type="application/json")
    assert answer.json()["data"]["thinking"] is True
    assert is_on(li, "thinking")
    for wrong in (None, "yes", 1):
        answer = li.patch("/api/v1/account/settings", {"thinking": wrong}, content_type="application/json")
        assert answer.json()["status"] == "40005"


def test_reminders_are_set_apart_from_what_the_feed_holds(li: Client) -> None:
    assert "先在下面生成订阅地址" in page(li)
    li.post("/settings/feed", {"way": "make"})
    li.post("/settings/feed", {"include": ["task"]})
    li.post("/settings/feed", {"way": "remind", "reminder_minutes": "10"})
    feed = CalendarFeed.objects.get()
    assert (feed.include, feed.reminder_minutes) == (["task"], 10)
    assert '<option value="10" selected>10 分钟</option>' in page(li)
    li.post("/settings/feed", {"include": ["task", "exam"]})
    feed.refresh_from_db()
    assert (feed.include, feed.reminder_minutes) == (["exam", "task"], 10)
    CalendarFeed.objects.update(reminder_minutes=45)
    assert '<option value="45" selected>45 分钟</option>' in page(li), "what a program set is shown"
    li.post("/settings/feed", {"way": "remind", "reminder_minutes": ""})
    feed.refresh_from_db()
    assert feed.reminder_minutes is None


def test_how_often_the_assistant_was_used_is_told(
    li: Client, user: Any, settings: Any, at: Callable[..., None]
) -> None:
    at(3, 2)
    assert "今天用了 0 次" in page(li)
    talk = Conversation.objects.create(user=user)
    Run.objects.create(conversation=talk, number=1)
    assert "今天用了 1 次</p>" in page(li)
    settings.AGENT_DAILY_MESSAGES = 3
    assert "今天用了 1 次，还剩 2 次" in page(li)
    settings.AGENT_DAILY_MESSAGES = 1
    assert "今天的次数用完了" in page(li)


def test_the_evening_asks_of_what_nothing_was_said(li: Client, at: Callable[..., None]) -> None:
    task = {"name": "线代", "start_date": "2026-03-02", "end_date": "2026-03-29", "items": "行列式\n矩阵"}
    li.post("/tasks/new", task)
    first, second = TaskItem.objects.order_by("order")
    rows = [
        {"task_item_id": item.pk, "week": 1, "day_of_week": 1, "start_section": at_, "end_section": at_ + 1}
        for item, at_ in ((first, 1), (second, 3))
    ]
    li.put(
        "/api/v1/task-class/apply-batch-into-schedule",
        {"task_class_id": first.task_class_id, "items": rows},
        content_type="application/json",
        headers={"Idempotency-Key": "a"},
    )
    at(3, 2, 13)  # 21:00
    assert "今天做完了吗？" not in page(li, "/today")
    li.post("/settings/choices", {"named": "evening_question", "evening_question": "on"})
    asked = page(li, "/today").partition("今天做完了吗？")[2].partition("</section>")[0]
    assert "行列式" in asked
    assert "矩阵" in asked
    li.post(f"/today/items/{first.pk}", {"progress": "done"})
    asked = page(li, "/today").partition("今天做完了吗？")[2].partition("</section>")[0]
    assert "行列式" not in asked
    assert "矩阵" in asked
    at(3, 2, 11)  # 19:00
    assert "今天做完了吗？" not in page(li, "/today")
