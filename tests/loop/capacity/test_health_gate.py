"""A plan that does not fit is negotiated: one question, five ways on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.loop.state.draft import DraftPart
from schedules.planner.grid import day_number
from tests.kits.loop.chat import Chat, build, call, execute, route, told
from tests.kits.loop.goals import either, infeasible, narrow_world
from tests.kits.loop.world import World, course, task_class

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_an_infeasible_plan_turns_a_write_into_one_question() -> None:
    chat = await infeasible()
    assert chat.end is not None
    assert chat.end.outcome == "paused"
    asked = chat.of("interrupt.raised")[0]
    assert [option.id for option in asked.options] == [
        "expand_window",
        "relax_constraints",
        "reduce_scope",
        "accept_risk",
    ]
    assert asked.question == (
        "到第3周结束仍排不完。\n「大学物理复习」的日期内占去最多的是：时段已被占用（72 节）。\n"
        "还差 2 节放不下，要怎么处理？"
    )
    assert not [event for event in chat.of("tool.started") if event.name == "unplace"]


@pytest.mark.parametrize("answer", ["accept_risk", "接受风险", "4", "能排多少排多少"])
async def test_an_accepted_risk_lets_writes_through(answer: str) -> None:
    chat = await infeasible()
    first = next(iter(chat.schedule.items()))
    chat.plays(call("unplace", {"task_id": first.state_id}))
    await chat.answers("message", answer)
    state = chat.world.state()
    assert state.draft.accepted_risk is not None
    assert state.draft.accepted_risk.gap_sections == 2
    assert chat.of("confirm.requested")


@pytest.mark.parametrize("option", ["expand_window", "relax_constraints", "reduce_scope"])
async def test_the_other_options_open_the_class_tools(option: str) -> None:
    chat = await infeasible()
    chat.plays(execute("ask_user", speak="新的日期是？"))
    await chat.answers("reply", option=option)
    assert "taskclass" in chat.world.state().tools.active
    assert "upsert_task_class" in chat.model.requests[-1].view["tools"]


async def test_the_health_gate_asks_even_when_everything_is_allowed() -> None:
    chat = await infeasible()
    first = next(iter(chat.schedule.items()))
    chat.plays(call("unplace", {"task_id": first.state_id}))
    await chat.answers("reply", "别管那么多", always_execute=True)
    assert chat.of("interrupt.raised")
    assert not chat.of("confirm.requested")


async def test_widening_the_window_after_a_failed_build_goes_to_the_class_tools() -> None:
    chat = Chat(narrow_world()).plays(build())
    await chat.says("把大学物理复习排进课表", task_class_ids=(7,))
    chat.plays(execute("ask_user", speak="新的结束日期是？"))
    await chat.says("1")
    assert told(chat)[0] == "S chat/accepted"
    assert chat.model.requests[-1].stage == "execute"
    assert "扩大时间窗" in chat.messages[3]


async def test_a_widened_window_is_built_after_the_class_is_changed() -> None:
    chat = Chat(narrow_world()).plays(build())
    await chat.says("把大学物理复习排进课表，只要初稿", task_class_ids=(7,))
    wider = {"id": 7, "task_class": {"end_date": "2026-03-29"}}
    chat.plays(call("upsert_task_class", wider), *[either] * 40)
    end = await chat.says("1", always_execute=True)
    assert end.outcome == "completed"
    assert [event.name for event in chat.of("tool.started")][:2] == ["upsert_task_class", "smart_planning"]
    assert all(entry.status == "suggested" for entry in chat.schedule.items())


async def two_infeasible() -> Chat:
    """Two classes with a first plan; two days fall out, so that no longer everything fits."""
    lessons = [course(10 + d, "高等数学", day_number(3, d), 1, 10) for d in range(1, 8)]
    rows = [task_class(7, "大学物理复习", "2026-03-16", "2026-03-22", lengths=(2,) * 4)]
    rows.append(task_class(8, "线性代数", "2026-03-16", "2026-03-22", lengths=(2,) * 3))
    chat = Chat(World(classes=rows, events=lessons)).plays(build(), "好了。")
    end = await chat.says("排好，只要初稿", task_class_ids=(7, 8))
    assert end.outcome == "completed"
    chat.world.events += [course(90 + d, "补课", day_number(3, d), 11, 12) for d in (6, 7)]
    chat.world.base_version += 1
    chat.plays(route("execute", context_hook={"domain": "schedule", "packs": ["mutation", "analyze"]}))
    chat.plays(call("analyze_health"), call("unplace", {"task_id": next(iter(chat.schedule.items())).state_id}))
    await chat.says("先看看再取下第一章")
    return chat


def stored_when_told(chat: Chat) -> list[tuple[int, int]]:
    """(told, stored) revision of every draft that is announced from now on."""
    pairs: list[tuple[int, int]] = []
    emit = chat.world.emit

    async def comparing(event: Any) -> None:
        if event.type == "draft.updated":
            pairs.append((event.revision, chat.schedule.revision))
        await emit(event)

    chat.world.emit = comparing  # type: ignore[method-assign]
    return pairs


@pytest.mark.parametrize(("words", "option"), [("", "drop:8"), ("先不排「线性代数」", None), ("5", None)])
async def test_a_class_may_be_left_out(words: str, option: str | None) -> None:
    chat = await two_infeasible()
    offered = [known.id for known in chat.of("interrupt.raised")[0].options]
    assert offered[3:] == ["drop:7", "drop:8", "accept_risk"]
    pairs = stored_when_told(chat)
    chat.plays(call("analyze_health"), execute("done", goal_check="够了"), "好。")
    await chat.answers("reply", words, option=option)
    state = chat.world.state()
    assert state.conversation.scope == [7]
    assert all(told == stored for told, stored in pairs)
    assert pairs
    assert not [entry for entry in chat.schedule.items() if entry.task_class_id == 8 and entry.slots]
    assert state.health.verdict is not None
    assert state.health.verdict["verdict"] != "infeasible"


async def test_a_class_is_left_out_of_the_draft_that_the_student_saved_meanwhile() -> None:
    chat = await two_infeasible()
    saved, done = chat.world.save, []

    async def saving(state: Any) -> None:
        if not done and 8 not in state.conversation.scope:
            done.append(True)
            chat.world.drag(touched)
        await saved(state)

    chat.world.save = saving  # type: ignore[method-assign]
    chat.plays(execute("ask_user", speak="还要别的吗？"))
    await chat.answers("reply", option="drop:8")
    assert done
    assert not [entry for entry in chat.schedule.items() if entry.task_class_id == 8 and entry.slots]


def touched(part: DraftPart) -> None:
    assert part.schedule is not None
    part.schedule = replace(part.schedule, revision=part.schedule.revision + 1)
