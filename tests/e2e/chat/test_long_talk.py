"""A talk of a whole term: its end is there at once, the rest when it is asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kits.page.hands import DESK, PHONE

TURNS = 70
_TALK = """
import json, sys
from django.contrib.auth.models import User
from agent.models import Conversation, Run, TimelineItem
told = json.loads(sys.stdin.read())
talk = Conversation.objects.create(user=User.objects.get(username=told["user"]), title="一学期")
rows = []
for turn in range(told["turns"]):
    run = Run.objects.create(conversation=talk, number=turn + 1, status="succeeded", outcome="completed")
    asked = TimelineItem(kind="user_text", role="user", content=f"第 {turn} 问", run=run, block_id="chat.user")
    said = TimelineItem(kind="assistant_text", role="assistant", content=f"第 {turn} 答", run=run, block_id="s")
    rows += [asked, said]
for seq, row in enumerate(rows, 1):
    row.conversation, row.seq, row.stage = talk, seq, "chat"
TimelineItem.objects.bulk_create(rows)
Conversation.objects.filter(pk=talk.pk).update(timeline_seq=len(rows))
print(talk.pk)
"""


def long_talk_of(server: Any, username: str) -> str:
    told = json.dumps({"user": username, "turns": TURNS})
    return str(server.manage("shell", "-v0", "-c", _TALK, stdin=told).stdout.split()[-1])


@pytest.mark.parametrize(("username", "options"), [("long-desk", DESK), ("long-phone", PHONE)])
def test_a_long_talk_begins_at_its_end_and_tells_what_was_before(
    enter: Any, server: Any, username: str, options: dict[str, Any]
) -> None:
    planner = enter(username, **options)
    page = planner.page
    talk = long_talk_of(server, username)
    asked: list[str] = []
    page.on("request", lambda request: "/timeline" in request.url and asked.append(request.url))
    planner.open(f"/chat?conversation={talk}")
    said = page.locator(".block.user")
    expect(said).to_have_count(30)
    expect(said.last).to_have_text(f"第 {TURNS - 1} 问")
    expect(said.last).to_be_in_viewport()
    assert len(asked) == 1

    earlier = page.get_by_role("button", name="更早的消息")
    earlier.scroll_into_view_if_needed()
    first = page.locator(".block.user", has_text="第 40 问")
    at = first.bounding_box()
    earlier.click()
    expect(said).to_have_count(60)
    expect(said.first).to_have_text("第 10 问")
    now = first.bounding_box()
    assert at
    assert now
    assert abs(at["y"] - now["y"]) < 2  # what is being read stays where it is

    earlier.click()
    expect(said).to_have_count(TURNS)
    expect(earlier).to_be_hidden()
    expect(page.locator("#timeline > li").first).to_be_focused()
    assert said.all_inner_texts() == [f"第 {turn} 问" for turn in range(TURNS)]

    planner.say("你好")
    expect(said.last).to_have_text("你好")
    expect(said.last).to_be_in_viewport()


def test_a_card_that_was_just_asked_stays_open_beside_what_was_before(enter: Any, server: Any) -> None:
    planner = enter("long-card")
    page = planner.page
    planner.open(f"/chat?conversation={long_talk_of(server, 'long-card')}")
    expect(page.locator(".block.user")).to_have_count(30)
    page.route("**/state", lambda route: route.abort())  # which card is open is not told
    planner.say("新建任务「阅读」，两步：读第一章、读第二章，下周五前做完")
    card = page.locator(".card.open")
    expect(card).to_have_count(1)
    page.get_by_role("button", name="更早的消息").click()
    expect(page.locator(".block.user")).to_have_count(61)
    expect(card).to_have_count(1)
