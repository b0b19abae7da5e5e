"""Every habit of form, kept up through a whole job over a real HTTP server, ends it as a disciplined model does."""

from __future__ import annotations

import pytest

from agent.llm.openai.backend import Endpoint, OpenAIModel
from tests.kits.loop.chat import call, route
from tests.kits.loop.goals import MOVE, built, last_item
from tests.kits.loop.habits import HABITS, Model
from tests.kits.loop.streams import check_stream
from tests.kits.provider.openai_server import OpenAIServer

CORRECTED = {"tool_calls", "tool", "function_call", "done beside a call", "two calls at once", "no goal_check",
             "the end in words alone", "packs that there are not", "calls as a list of a program",
             "native calls under one index"}  # fmt: skip
"""Habits whose meaning is in doubt: told once, then read in the way that does least."""
SAYS_LESS = {
    "a fenced call", "a tag around the call", "a tag after words", "near names", "the call as a line of a program",
    "a program that prints the call", "thought, action, input", "a tag with fields around the call",
    "calls as a list of a program",
}  # fmt: skip
"""Habits that leave the speech out of the answer."""
MARKS = ("<think", "</think", "<|", "```", "tool_call", "abort", "也许")


@pytest.mark.parametrize("habit", HABITS)
async def test_a_habit_kept_up_ends_the_job_as_wanted(openai_server: OpenAIServer, habit: str) -> None:
    chat = await built()
    item = last_item(chat).state_id
    decisions = [
        route("execute", speak="好的，马上处理。"),
        call("get_task_info", {"task_id": item}, speak="我先看一下。"),
        call("move", {"task_id": item, **MOVE}, speak="可以挪到晚上。"),
        {"action": "done", "goal_check": "已移动", "speak": ""},
    ]
    player = Model(HABITS[habit], decisions, "改好了。")
    openai_server.fallback = player
    chat.model = OpenAIModel(Endpoint("m", openai_server.base_url, "key"))
    end = await chat.says("把最后一次挪到晚上")
    check_stream(chat.events)
    assert end.outcome == "paused", (end.code, player.refused)
    shown = [event.full_content for event in chat.of("text.ended") if not event.superseded]
    end = await chat.answers("approve")
    check_stream(chat.events)
    assert (end.outcome, end.code) == ("completed", "")
    assert last_item(chat).slot.slot_start == MOVE["new_slot_start"]
    assert player.refused <= (2 if habit in CORRECTED else 0)
    if habit not in SAYS_LESS:
        assert shown == ["好的，马上处理。", "我先看一下。", "可以挪到晚上。"]
    everything = "".join(event.full_content for event in chat.world.emitted if event.type == "text.ended")
    assert not any(mark in everything for mark in MARKS)
    await chat.model.aclose()
