"""Active-optimise mode: diagnose, take an offered candidate, diagnose again, stop."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kits.loop.chat import call, execute, improvable, route, spoil
from tests.kits.loop.goals import either, last_item

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_after_a_write_in_active_mode_the_next_call_is_a_diagnosis() -> None:
    chat = (await improvable()).plays(route("execute"), *[either] * 60)
    end = await chat.says("全局优化一下")
    assert end.outcome == "completed"
    names = [event.name for event in chat.of("tool.started")]
    assert names[0] == "analyze_health"
    assert "move" in names or "swap" in names
    for index, name in enumerate(names):
        if name in ("move", "swap"):
            assert names[index + 1] == "analyze_health"
    assert not chat.of("confirm.requested")


async def test_improving_never_raises_the_cost() -> None:
    chat = (await improvable()).plays(route("execute"), *[either] * 60)
    await chat.says("全局优化一下")
    costs = [
        event.result_view["expanded"]["machine_payload"]["metrics"]["cost"]["total"]
        for event in chat.of("tool.finished")
        if event.name == "analyze_health"
    ]
    assert len(costs) > 1
    assert costs == sorted(set(costs), reverse=True)


async def test_in_active_mode_only_offered_candidates_are_taken() -> None:
    chat = (await improvable()).plays(route("execute"))
    item = last_item(chat)
    chat.plays(call("move", {"task_id": item.state_id, "new_day": 14, "new_slot_start": 11}), call("get_overview"))
    chat.plays(execute("ask_user", speak="可以先收口吗？"))
    await chat.says("全局优化一下")
    corrections = [request.messages[3]["content"] for request in chat.model.requests[-2:]]
    assert "not_a_candidate" in corrections[0]
    assert "get_overview" in corrections[1]
    assert [event.name for event in chat.of("tool.started")] == ["analyze_health"]


async def test_active_mode_ends_with_a_message_of_the_student() -> None:
    chat = (await improvable()).plays(route("execute"), execute("ask_user", speak="要继续微调吗？"))
    await chat.says("全局优化一下")
    assert chat.world.state().run.active_optimize_only is True
    chat.plays(execute("ask_user", speak="还有别的吗？"))
    await chat.answers("reply", "不用了，看看总览")
    assert chat.world.state().run.active_optimize_only is False


async def test_active_mode_ends_with_the_next_step_of_a_plan() -> None:
    chat = await improvable()
    steps = [{"content": "优化", "done_when": "体检"}, {"content": "总览", "done_when": "总览"}]
    chat.plays(route("plan"), {"action": "plan_done", "steps": steps})
    chat.plays(execute("next_plan", goal_check="已体检"), execute("ask_user", speak="继续吗？"))
    await chat.says("先列步骤，全局优化一下", always_execute=True)
    state = chat.world.state()
    assert (state.plan.current, state.run.active_optimize_only) == (1, False)


async def test_a_drag_during_a_round_is_adopted_and_told() -> None:
    chat = await improvable()

    def dragging(request: Any) -> Any:
        chat.world.drag(spoil)
        return execute("continue", speak="我看看")

    chat.plays(route("execute"), dragging, execute("ask_user", speak="你刚才动了草稿，要接着优化吗？"))
    await chat.says("全局优化一下")
    sources = [event.source for event in chat.of("draft.updated")]
    names = [event.name for event in chat.of("tool.started")]
    assert names == ["analyze_health", "analyze_health"]
    assert "学生修改了草稿" in chat.messages[3]
    assert sources == ["student"]
    assert chat.world.state().verdict is not None


async def test_a_check_up_has_five_sections_and_names_the_next_step() -> None:
    chat = (await improvable()).plays(route("execute"), *[either] * 60)
    await chat.says("全局优化一下")
    cards = [event.result_view["expanded"] for event in chat.of("tool.finished") if event.name == "analyze_health"]
    for card in cards:
        titles = [section["title"] for section in card["sections"]]
        assert titles == ["裁决结论", "关键指标", "问题清单", "候选操作", "建议后续动作"]
    offers, next_step = cards[0]["sections"][-2:]
    assert offers["items"] == cards[0]["items"]
    assert (next_step["type"], next_step["subtitle"]) == ("callout", offers["items"][0]["title"])
    assert cards[-1]["sections"][-1]["subtitle"] == "保持现在的安排"
