"""What each row of the resume table leaves in the goal: receipts, turns, the plan, the mode (agent.md 3.2)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from agent.loop.outside.model import ModelError
from agent.loop.state.agent_state import AgentState
from agent.loop.state.plan import PlanPart
from tests.kits.loop.chat import DONE, LEFT, Chat, build, call, execute, route, told, two_classes
from tests.kits.loop.goals import PLAN, built, carded, moved, planned

pytestmark = pytest.mark.usefixtures("each_backend")
OPTIONS = [{"id": "weekday", "label": "只用工作日"}, {"id": "any", "label": "都可以"}]


def changed(chat: Chat, change: Any) -> AgentState:
    """The stored state as `change` leaves it."""
    state = chat.world.state()
    change(state)
    chat.world.document = state.to_document()
    return state


async def asked(chat: Chat | None = None) -> Chat:
    chat = chat or await built()
    chat.plays(route("execute"), execute("ask_user", speak="哪一天？"))
    await chat.says("挪一下")
    return chat


async def test_confirm_tool_approve_keeps_the_goal_and_its_receipts() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), moved(chat))
    await chat.says("看看再挪")
    chat.plays(DONE, "好。")
    await chat.answers("approve")
    run = chat.world.state().run
    assert [(row.source, row.name) for row in run.receipts] == [
        ("tool_observation", "get_overview"),
        ("write_receipt", "move"),
    ]
    assert (run.request, [turn.text for turn in run.turns], run.rounds) == ("看看再挪", ["看看再挪"], 3)


async def test_confirm_tool_approve_with_words_applies_and_tells_them_to_the_model() -> None:
    chat = await carded()
    chat.plays(DONE, "好。")
    await chat.answers("approve", "好的，第1章先别动")
    assert told(chat)[:3] == ["S chat/confirmed", "C move", "R move done"]
    messages = chat.model.requests[-2].messages
    assert "用户：好的，第1章先别动" in messages[1]["content"]
    assert "学生随后说：\n好的，第1章先别动" in messages[3]["content"]
    receipts = [(row.source, row.summary) for row in chat.world.state().run.receipts]
    assert receipts[0] == ("user_reply", "好的，第1章先别动")


async def test_confirm_plan_approve_with_words_tells_them_to_the_model() -> None:
    chat = await planned()
    chat.plays(*[call("get_overview"), DONE, "好。"])
    await chat.answers("approve", "可以，快一点")
    assert "用户：可以，快一点" in chat.messages[1]


async def test_confirm_tool_reject_in_silence_is_no_turn_and_no_evidence() -> None:
    chat = await carded()
    chat.plays(DONE, execute("ask_user", speak="那要怎样？"))
    await chat.answers("reject")
    run = chat.world.state().run
    assert [turn.text for turn in run.turns] == ["把最后一次挪到晚上"]
    assert run.receipts == []
    assert "evidence" in chat.model.requests[-1].messages[3]["content"]


@pytest.mark.parametrize(("action", "words", "left"), [("message", "先别动", True), ("reject", "", False)])
async def test_confirm_tool_a_message_leaves_active_optimise_mode(action: str, words: str, left: bool) -> None:
    chat = await carded()

    def optimising(state: AgentState) -> None:
        state.run.active_optimize_only = True
        state.run.optimization_mode = "global_reopt"

    changed(chat, optimising)
    chat.plays(execute("ask_user", speak="那要怎样？"))
    await chat.answers(action, words)
    diagnosed = [event.name for event in chat.of("tool.started")] == ["analyze_health"]
    assert diagnosed is not left


async def test_confirm_plan_approve_keeps_steps_and_flags() -> None:
    chat = await planned()
    chat.plays(execute("ask_user", speak="继续吗？"))
    await chat.answers("approve")
    plan = chat.world.state().plan
    assert ([step.content for step in plan.steps], plan.current) == (["排出初稿", "核对结果"], 0)
    assert "第 1/2 步" in told_statuses(chat)


def told_statuses(chat: Chat) -> str:
    return " ".join(event.summary for event in chat.of("status.changed"))


@pytest.mark.parametrize(("action", "words"), [("reject", ""), ("reject", "换一个"), ("message", "换一个")])
async def test_confirm_plan_reject_drops_steps_hook_and_flags_and_names_the_refused_plan(
    action: str, words: str
) -> None:
    chat = await planned()
    hook = {"domain": "schedule", "packs": ["queue"], "reason": "逐个"}

    def hooked(state: AgentState) -> None:
        state.plan = PlanPart.model_validate({**state.plan.model_dump(), "hook": hook})

    changed(chat, hooked)
    chat.plays({"action": "ask_user", "speak": "想怎么改？"})
    await chat.answers(action, words)
    assert chat.world.state().plan == PlanPart()
    prompt = chat.messages
    assert "学生没有同意上一份计划（排出初稿；核对结果）" in prompt[3]
    assert (f"学生随后说：\n{words}" in prompt[3]) == bool(words)
    chat.plays(PLAN)
    await chat.answers("reply", "就按原来的")
    assert "没有同意上一份计划" not in chat.messages[3]


async def test_any_cancel_keeps_the_draft_and_asks_no_model() -> None:
    lost = await built()
    lost.plays(route("execute"), ModelError("llm_timeout"))
    await lost.says("看看")
    for chat in (await carded(), await planned(), await asked(), lost):
        before, calls = chat.world.state().draft, len(chat.model.requests)
        end = await chat.answers("cancel")
        assert (end.run_status, end.outcome, end.code) == ("cancelled", "aborted", "user_cancelled")
        assert (chat.world.state().draft, len(chat.model.requests)) == (before, calls)
        assert told(chat) == ["S chat/cancelled", "T deliver.speak.1", "S deliver/done", "finish"]


@pytest.mark.parametrize("action", ["reply", "message"])
async def test_ask_user_words_are_a_receipt_and_a_turn(action: str) -> None:
    chat = await asked()
    chat.plays(LEFT, "好。")
    end = await chat.answers(action, "周四")
    state = chat.world.state()
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    assert [(row.source, row.name, row.success) for row in state.run.receipts] == [("user_reply", "ask_user", True)]
    assert [(turn.text, turn.via) for turn in state.run.turns] == [("挪一下", "message"), ("周四", "reply")]
    assert "用户：周四" in chat.messages[1]


async def test_ask_user_classes_given_with_the_answer_are_the_scope() -> None:
    chat = Chat(two_classes()).plays(build(), "好了。")
    await chat.says("排一下，只要初稿")
    end = await chat.answers("reply", "就这个", task_class_ids=(6,))
    assert end.outcome == "completed"
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [6]}
    assert chat.world.state().conversation.scope == [6]


async def test_confirm_tool_reject_with_other_classes_loads_the_draft_for_them() -> None:
    chat = Chat(two_classes()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    chat.plays(route("execute"), moved(chat), call("get_overview"), DONE, "好。")
    await chat.says("把最后一次挪到晚上")
    await chat.answers("reject", "先不动它，看看线性代数", task_class_ids=(6,))
    state = chat.world.state()
    assert state.conversation.scope == [6]
    assert state.schedule is not None
    assert state.schedule.task_class(6) is not None


async def test_ask_user_option_is_a_receipt_and_no_words_of_the_student() -> None:
    chat = await built()
    chat.plays(route("plan"), {"action": "ask_user", "speak": "周末可以吗？", "options": OPTIONS})
    await chat.says("先给计划")
    chat.plays(PLAN)
    await chat.answers("reply", option="weekday")
    state = chat.world.state()
    assert [(row.source, row.success) for row in state.run.receipts] == [("user_reply", True)]
    assert "只用工作日" not in [turn.text for turn in state.conversation.dialogue]
    assert told(chat)[:2] == ["S chat/resumed", "S plan/planning"]


async def test_ask_user_an_option_chosen_earlier_is_still_told_after_the_next_answer() -> None:
    chat = await built()
    asking = {"action": "ask_user", "speak": "用哪几天？", "options": OPTIONS}
    chat.plays(route("plan"), asking, {"action": "ask_user", "speak": "每天几节？"})
    await chat.says("先给计划")
    await chat.answers("reply", option="weekday")
    chat.plays({"action": "plan_done", "steps": [{"content": "看", "done_when": "看到"}]})
    await chat.answers("reply", "两节")
    assert "对「用哪几天？」学生选择了：只用工作日" in chat.messages[3]
    assert "学生随后说：\n两节" in chat.messages[3]
    assert "只用工作日" not in chat.messages[1]


async def test_ask_user_an_option_is_no_request_that_could_be_handed_on() -> None:
    chat = await built()
    chat.plays(route("plan"), {"action": "ask_user", "speak": "用哪几天？", "options": OPTIONS})
    await chat.says("先给计划")
    chat.plays({"action": "plan_done", "steps": [{"content": "看", "done_when": "看到"}]})
    await chat.answers("reply", option="weekday")
    chat.plays(execute("abort", abort={"code": "new_request", "user_message": "先不做了。"}))
    end = await chat.answers("approve")
    assert (end.outcome, end.code) == ("aborted", "new_request")


@pytest.mark.parametrize("node", ["plan", "execute"])
async def test_ask_user_resumes_at_the_node_that_asked(node: str) -> None:
    question = {"action": "ask_user", "speak": "哪几天？"}
    chat = (await built()).plays(route(node), question)
    await chat.says("来")
    chat.plays({"action": "ask_user", "speak": "然后呢？"})
    await chat.answers("reply", "都行")
    assert chat.model.requests[-1].stage == node


async def test_connection_recover_resume_goes_on_with_the_saved_state() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), ModelError("llm_unavailable"))
    await chat.says("看看")
    chat.plays(DONE, "好。")
    end = await chat.answers("resume")
    run = chat.world.state().run
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    assert ([row.name for row in run.receipts], run.request) == (["get_overview"], "看看")
    assert told(chat)[0] == "S chat/recovering"


async def test_connection_recover_a_message_keeps_the_draft_and_nothing_of_the_goal() -> None:
    chat = await built()
    chat.plays(route("execute"), call("get_overview"), ModelError("llm_unavailable"))
    await chat.says("看看", always_execute=True)
    before = chat.schedule
    chat.plays(route("execute"), execute("ask_user", speak="什么？"))
    await chat.answers("message", "换件事")
    run = chat.world.state().run
    assert (run.request, run.receipts, run.always_execute, chat.schedule) == ("换件事", [], False, before)


async def test_every_interaction_lives_for_seven_days() -> None:
    for chat in (await carded(), await planned(), await asked()):
        assert chat.end is not None
        row = chat.end.interaction
        assert row is not None
        lifetime = datetime.fromisoformat(row.expires_at) - datetime.fromisoformat(row.created_at)
        assert lifetime == timedelta(days=7)
