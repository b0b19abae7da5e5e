"""What was changed beside the draft is taken back as long as it still is as it became."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import said


@pytest.mark.parametrize(
    ("language", "change", "undo", "told"),
    [("en", "rename lab 2 to Optics", "undo that", "changed otherwise"), ("zh", "实验二改名叫光学", "撤销", "又改过")],
)
async def test_what_was_changed_on_the_page_since_is_not_put_back(language, change, undo, told):
    chat = await chat_of(language)
    await chat.says(change)
    await chat.answers("approve")
    row = next(row for row in chat.world.classes if row["id"] == 7)
    row["items"] = [{**item, "content": f"{item['content']}!"} for item in row["items"]]
    await chat.says(undo)
    assert told in said(chat)


async def test_a_field_that_nobody_touched_since_is_put_back_beside_one_that_was():
    chat = await chat_of("en")
    await chat.says("move the physics lab deadline to april 26")
    await chat.answers("approve")
    row = next(row for row in chat.world.classes if row["id"] == 7)
    row["name"] = "Physics"
    await chat.says("undo that")
    await chat.answers("approve")
    row = next(row for row in chat.world.classes if row["id"] == 7)
    assert (row["name"], row["end_date"]) == ("Physics", "2026-04-19")
