"""A loop that a bad model cannot hold: limits, repeats, stagnation, negotiation, cancel, failing saves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.loop.limits import Limits
from agent.loop.model import ModelError, Text
from agent.loop.testing import World, course, task_class
from schedules.planner.grid import day_number
from tests.loop.kit import DONE, Chat, build, call, execute, improvable, route, spoil, told, world
from tests.loop.test_confirm_flow import built, last_item, moved
from tests.loop.test_hostile_model import check_stream
from tests.loop.test_scheduling import either, narrow_world


async def test_a_model_that_moves_back_and_forth_ends_without_progress() -> None:
    chat = await built()
    item = last_item(chat)
    there = call("move", {"task_id": item.state_id, "new_day": 10, "new_slot_start": 9})
    back = call("move", {"task_id": item.state_id, "new_day": 10, "new_slot_start": item.slot.slot_start})
    chat.plays(route("execute"), *[there, back] * 30)
    end = await chat.says("来回挪", always_execute=True)
    assert (end.outcome, end.code) == ("exhausted", "no_progress")
    assert end.iterations <= 13


async def test_a_model_that_repeats_a_read_is_corrected_and_then_stopped() -> None:
    chat = await built()
    chat.plays(route("execute"), *[call("get_overview")] * 30)
    end = await chat.says("看看")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")
    assert [event.status for event in chat.of("tool.finished")] == ["done"] * 3
    assert end.iterations == 7
    assert [row.repeated for row in chat.world.state().run.calls] == [False, True, True]


async def test_a_model_that_always_asks_ends_within_its_questions() -> None:
    chat = await built()
    chat.plays(route("execute"), *[execute("ask_user", speak=f"第 {number} 个问题？") for number in range(1, 20)])
    end = await chat.says("排一下")
    for _ in range(5):
        assert end.outcome == "paused"
        end = await chat.answers("reply", "随便")
    end = await chat.answers("reply", "随便")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")


async def test_the_same_question_is_asked_at_most_twice() -> None:
    chat = await built()
    chat.plays(route("execute"), *[execute("ask_user", speak="哪一天？")] * 3, call("get_overview"), DONE, "好。")
    await chat.says("挪一下")
    await chat.answers("reply", "随便")
    end = await chat.answers("reply", "都行")
    assert end.outcome == "completed"
    assert end.corrections == 1


async def test_the_rounds_of_a_goal_are_bounded_and_the_next_goal_has_its_own() -> None:
    chat = await built()
    chat.limits = Limits(rounds=5, idle_rounds=50)
    chat.plays(route("execute"), *[execute("continue", speak="再想想")] * 5, "先到这里。")
    end = await chat.says("想一想")
    assert (end.outcome, end.code, end.iterations) == ("exhausted", "round_exhausted", 5)
    chat.plays(route("execute"), call("get_overview"), DONE, "好。")
    end = await chat.says("继续")
    assert end.outcome == "completed"
    assert chat.world.state().run.rounds == 2


async def test_six_idle_rounds_are_told_to_the_model() -> None:
    chat = await built()
    chat.plays(route("execute"), *[execute("continue")] * 10, "先停在这里。")
    await chat.says("想一想")
    hints = ["连续多轮没有新的结果" in request.messages[3]["content"] for request in chat.model.requests[-11:-1]]
    assert hints.index(True) == 5


async def test_alternating_wrong_answers_end_after_six_corrections() -> None:
    chat = await built()
    wrong = [call("no_such_tool"), {"action": "nothing"}, "没有 JSON"]
    chat.plays(route("execute"), *wrong * 5)
    end = await chat.says("挪一下")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")
    assert end.iterations == 7
    assert end.corrections == 6


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("不是 JSON", "parse"),
        ({"action": "finish"}, "contract"),
        (call("fly"), "tool_call"),
        (call("move", {"task_id": "8"}), "tool_call"),
        (call("upsert_task_class", {"items": []}), "tool_call"),
        (execute("ask_user"), "flow"),
        (DONE, "evidence"),
        (execute("next_plan", goal_check="好"), "evidence"),
    ],
)
async def test_a_correction_is_told_once_and_never_enters_the_dialogue(wrong: Any, kind: str) -> None:
    chat = await built()
    chat.plays(route("execute"), wrong, call("get_overview"), DONE, "好。")
    end = await chat.says("看看现在的安排")
    assert end.outcome == "completed"
    assert end.corrections == 1
    first, second, third = (request.messages for request in chat.model.requests[-4:-1])
    assert "上一次输出未被采纳" not in first[3]["content"]
    assert f"原因（{kind}）" in second[3]["content"]
    assert "上一次输出未被采纳" not in third[3]["content"]
    assert "未被采纳" not in third[1]["content"]
    assert told(chat).count("S execute/rechecking") == 1
    assert chat.world.state().run.corrections == {}


async def test_withdrawn_speech_is_superseded_and_forgotten() -> None:
    chat = await built()
    chat.plays(route("execute"), {"speak": "这句不算数", **DONE}, call("get_overview"), DONE, "好。")
    await chat.says("看看")
    assert [event.superseded for event in chat.of("text.ended")] == [True, False]
    assert "这句不算数" not in chat.messages[1]


async def test_done_needs_a_receipt_of_the_current_step() -> None:
    steps = [{"content": "看总览", "done_when": "总览"}, {"content": "再看", "done_when": "明细"}]
    plan = {"action": "plan_done", "steps": steps}
    chat = (await built()).plays(route("plan"), plan)
    await chat.says("先给计划")
    chat.plays(
        call("get_overview"), execute("next_plan", goal_check="总览有了"), DONE, call("list_tasks"), DONE, "好。"
    )
    end = await chat.answers("approve")
    assert end.outcome == "completed"
    assert end.corrections == 1
    assert [(row.step_index, row.name) for row in chat.world.state().run.receipts] == [
        (0, "get_overview"),
        (1, "list_tasks"),
    ]


async def test_a_failed_write_is_not_repeated() -> None:
    chat = await built()
    wrong = call("move", {"task_id": last_item(chat).state_id, "new_day": 1, "new_slot_start": 1})
    chat.plays(route("execute"), wrong, wrong, call("get_overview"), DONE, "没挪成。")
    end = await chat.says("挪到第一天", always_execute=True)
    assert end.outcome == "completed"
    assert "repeated_call" in chat.model.requests[-3].messages[3]["content"]
    assert [event.status for event in chat.of("tool.finished")] == ["failed", "done"]


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


def tight_world() -> World:
    """A class that fits when built; a lesson that appears later makes the plan infeasible."""
    lessons = [course(10 + d, "高等数学", day_number(3, d), 1, 10) for d in range(1, 8)]
    return World(classes=[task_class(7, "大学物理复习", "2026-03-16", "2026-03-22", lengths=(2,) * 7)], events=lessons)


async def infeasible() -> Chat:
    chat = Chat(tight_world()).plays(build(), "好了。")
    end = await chat.says("排好，只要初稿", task_class_ids=(7,))
    assert end.outcome == "completed"
    chat.world.events.append(course(99, "补课", day_number(3, 6), 11, 12))
    chat.world.base_version += 1
    first = next(iter(chat.schedule.items()))
    unplace = call("unplace", {"task_id": first.state_id})
    chat.plays(route("execute", context_hook={"domain": "schedule", "packs": ["mutation", "analyze"]}))
    chat.plays(call("analyze_health"), unplace)
    await chat.says("先看看再取下第一章")
    return chat


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
    assert "2" in asked.question
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


async def test_a_cancel_during_the_stream_stops_with_the_state_saved() -> None:
    chat = await built()

    def cancelling(request: Any) -> Any:
        chat.world.cancelled = True
        return [Text('{"speak":"我在想'), Text("很久")]

    chat.plays(route("execute"), cancelling)
    end = await chat.says("挪一下")
    assert (end.run_status, end.outcome, end.code) == ("cancelled", "aborted", "run_cancelled")
    assert told(chat)[-3:] == ["T deliver.speak.1", "S deliver/done", "finish"]
    assert chat.world.state().run.outcome is not None


async def test_a_save_that_fails_fails_the_run() -> None:
    chat = await built()
    item = last_item(chat)
    chat.world.fail_save = lambda state: state.schedule.by_item(item.source_id).slot.slot_start == 9
    chat.plays(route("execute"), moved(chat))
    end = await chat.says("挪到晚上", always_execute=True)
    assert (end.outcome, end.code) == ("failed", "state_save_failed")
    assert chat.events[-1].code == "50008"
    assert last_item(chat).slot == item.slot
    assert not chat.of("tool.finished")


@pytest.mark.parametrize(
    "code", ["llm_unavailable", "llm_timeout", "llm_rate_limited", "llm_bad_request", "llm_filtered", "llm_truncated"]
)
async def test_a_model_failure_in_execute_can_be_recovered(code: Any) -> None:
    chat = await built()
    chat.plays(route("execute"), ModelError(code, "provider said: secret"))
    end = await chat.says("看看")
    assert (end.run_status, end.code) == ("failed", code)
    assert told(chat)[-2:] == ["interrupt", "run.failed"]
    assert all("secret" not in event.model_dump_json() for event in chat.events)
    assert end.interaction is not None
    assert end.interaction.type == "connection_recover"
    chat.plays(call("get_overview"), DONE, "好。")
    end = await chat.answers("resume")
    assert end.outcome == "completed"
    assert told(chat)[:2] == ["S chat/recovering", "S execute/executing"]
    assert chat.world.state().run.rounds == 2


async def test_a_plain_message_over_a_recovery_opens_a_new_goal() -> None:
    chat = await built()
    chat.plays(route("execute"), ModelError("llm_timeout"))
    await chat.says("看看")
    chat.plays(route("direct_reply", speak="你好"))
    end = await chat.answers("message", "算了，你好")
    assert end.outcome == "completed"
    assert told(chat) == ["T chat.speak.1", "finish"]


async def test_a_failure_in_chat_offers_no_recovery() -> None:
    chat = Chat(world()).plays(ModelError("llm_timeout"))
    end = await chat.says("你好")
    assert (end.run_status, end.interaction) == ("failed", None)
    assert [event.type for event in chat.events] == ["run.failed"]
    assert chat.events[0].block_id == "chat.error"


async def test_a_failed_summary_is_replaced_by_a_mechanical_one() -> None:
    chat = Chat(world()).plays(build(), ModelError("llm_timeout"))
    end = await chat.says("排好，只要初稿", task_class_ids=(5,))
    assert end.outcome == "completed"
    assert "概率论复习第1章" in chat.of("text.ended")[-1].full_content


async def test_the_run_deadline_ends_the_goal_as_exhausted() -> None:
    chat = await built()
    ticks = iter(range(0, 100_000, 400))
    chat.plays(route("execute"), *[call("get_overview")] * 3)
    deps_of = chat.world.deps
    chat.world.deps = lambda *args, **more: replace(deps_of(*args, **more), timer=lambda: next(ticks))  # type: ignore[method-assign]
    end = await chat.says("看看")
    assert (end.outcome, end.code) == ("exhausted", "run_deadline")


async def test_a_widened_window_is_built_after_the_class_is_changed() -> None:
    chat = Chat(narrow_world()).plays(build())
    await chat.says("把大学物理复习排进课表，只要初稿", task_class_ids=(7,))
    wider = {"id": 7, "task_class": {"end_date": "2026-03-29"}}
    chat.plays(call("upsert_task_class", wider), *[either] * 40)
    end = await chat.says("1", always_execute=True)
    assert end.outcome == "completed"
    assert [event.name for event in chat.of("tool.started")][:2] == ["upsert_task_class", "smart_planning"]
    assert all(entry.status == "suggested" for entry in chat.schedule.items())


async def test_the_stored_log_of_a_long_goal_is_bounded() -> None:
    chat = await built()
    chat.limits = Limits(rounds=58, idle_rounds=100)
    pages = [call("query_range", {"day": 1 + n % 14, "slot_start": 1 + n // 14, "slot_end": 12}) for n in range(56)]
    chat.plays(route("execute"), *pages, DONE, "看完了。")
    end = await chat.says("逐天看看")
    assert end.outcome == "completed"
    calls = chat.world.state().run.calls
    assert len(calls) == 56
    assert [bool(row.data) for row in calls].count(True) == 24


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
    assert "学生刚刚修改了草稿" in chat.messages[3]
    assert sources == ["student"]
    assert chat.world.state().verdict is not None


async def test_a_failure_between_announcing_and_running_leaves_nothing_open() -> None:
    chat = await built()
    chat.plays(route("execute"), moved(chat, speak="我来挪。"))
    reads = iter([None, None])

    async def breaking(state: Any) -> Any:
        if next(reads, "broken") == "broken":
            raise OSError("the store is gone")

    chat.world.read_draft = breaking  # type: ignore[method-assign]
    end = await chat.says("挪一下", always_execute=True)
    assert (end.outcome, end.code) == ("failed", "internal_error")
    check_stream(chat.events)


async def test_a_failing_save_after_a_tool_started_is_left_to_the_caller_to_close() -> None:
    chat = await built()
    item = last_item(chat)
    chat.world.fail_save = lambda state: state.schedule.by_item(item.source_id).slot.slot_start == 9
    chat.plays(route("execute"), moved(chat))
    await chat.says("挪到晚上", always_execute=True)
    assert [event.type for event in chat.events if event.type.startswith("tool.")] == [
        "tool.preparing",
        "tool.intent",
        "tool.started",
    ]
