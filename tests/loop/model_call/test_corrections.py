"""What is not accepted of an answer is told to the model once and to nobody else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kits.loop.chat import DONE, call, execute, route, told
from tests.kits.loop.goals import built, last_item

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_alternating_wrong_answers_end_after_six_corrections() -> None:
    chat = await built()
    wrong = [call("no_such_tool"), {"action": "nothing"}, "没有 JSON"]
    chat.plays(route("execute"), *wrong * 5)
    end = await chat.says("挪一下")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")
    assert end.counts.total_iterations == 7
    assert end.counts.auto_fix_attempts == 6


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("不是 JSON", "parse"),
        ({"action": "wander"}, "contract"),
        (call("fly"), "tool_call"),
        (call("move", {"task_id": "8"}), "tool_call"),
        (call("upsert_task_class", {"items": []}), "tool_call"),
        (DONE, "evidence"),
        (execute("next_plan", goal_check="好"), "evidence"),
    ],
)
async def test_a_correction_is_told_once_and_never_enters_the_dialogue(wrong: Any, kind: str) -> None:
    chat = await built()
    chat.plays(route("execute"), wrong, call("get_overview"), DONE, "好。")
    end = await chat.says("看看现在的安排")
    assert end.outcome == "completed"
    assert end.counts.auto_fix_attempts == 1
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
    assert end.counts.auto_fix_attempts == 1
    assert [(row.step_index, row.name) for row in chat.world.state().run.receipts] == [
        (0, "get_overview"),
        (1, "list_tasks"),
    ]


async def test_the_three_checks_of_every_round_are_recorded() -> None:
    chat = await built()
    item = last_item(chat)
    wrong = call("move", {"task_id": item.state_id, "new_day": 1, "new_slot_start": 1})
    chat.plays(route("execute"), call("fly"), DONE, wrong, wrong, call("get_overview"), DONE, "好。")
    end = await chat.says("看看", always_execute=True)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 3)
    rows = [row for row in chat.world.journal if row["kind"] == "validation"]
    passed = [(row["flow_passed"], row["evidence_passed"], row["safety_passed"]) for row in rows]
    ok = (True, True, True)
    assert passed == [(False, True, True), (True, False, True), ok, (True, True, False), ok, ok]
    assert [row["round"] for row in rows] == [1, 2, 3, 4, 5, 6]
    reasons = [row["flow_reason"] or row["evidence_reason"] or row["safety_reason"] for row in rows]
    assert [bool(reason) for reason in reasons] == [True, True, False, True, False, False]


async def test_words_without_a_form_are_the_reply_in_chat_once_the_model_was_told() -> None:
    chat = await built()
    said = "因为周六那天课少，适合集中复习。"
    chat.plays(said, said)
    end = await chat.says("为什么把它放在周六？")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.full_content for event in chat.of("text.ended")] == [said]


async def test_words_without_a_form_that_claim_a_change_are_no_reply() -> None:
    chat = await built()
    chat.plays(*["好的，已经帮你把它挪到周日了！"] * 5)
    end = await chat.says("把最后一次挪到周日")
    assert (end.outcome, end.code) == ("aborted", "correction_exhausted")


async def test_of_a_whole_course_of_decisions_the_first_call_is_taken_once_the_model_was_told() -> None:
    chat = await built()
    course = [call("list_tasks"), call("get_overview"), DONE]
    written = "\n".join(json.dumps(one, ensure_ascii=False) for one in course)
    chat.plays(route("execute"), written, written, DONE, "好。")
    end = await chat.says("看看现在的安排")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.name for event in chat.of("tool.finished")] == ["list_tasks"]


async def test_an_answer_in_markdown_is_the_reply_once_the_model_was_told_of_the_form() -> None:
    chat = await built()
    words = "你好！我可以：\n\n- 建**任务类**\n- 排程 [初稿]\n\n> 直接说就行，比如 `排好概率论`。\n\n"
    words += "| 周 | 项 |\n|---|---|\n| 1 | 2 |"
    chat.plays(words, words)
    end = await chat.says("你能做什么")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert [event.full_content for event in chat.of("text.ended") if not event.superseded] == [words]


async def test_a_class_is_not_written_without_a_part_of_it_before_the_model_was_told() -> None:
    chat = await built()
    hook = {"domain": "taskclass"}
    written = call("upsert_task_class", {"id": 5, "name": "概率论", "no_weekends": True})
    meant = call("upsert_task_class", {"id": 5, "name": "概率论", "excluded_days_of_week": ["周末"]})
    chat.plays(route("execute", context_hook=hook), written, meant)
    end = await chat.says("改名为概率论，周末不排")
    assert end.interaction is not None
    assert end.counts.auto_fix_attempts == 1
    assert end.interaction.call.arguments["task_class"]["config"] == {"excluded_days_of_week": [6, 7]}
    assert "没有参数 no_weekends" in chat.model.requests[-1].messages[3]["content"]


async def test_a_part_that_the_tool_has_not_is_passed_over_once_the_model_was_told() -> None:
    chat = await built()
    written = call("upsert_task_class", {"id": 5, "name": "概率论", "no_weekends": True})
    chat.plays(route("execute", context_hook={"domain": "taskclass"}), written, written)
    end = await chat.says("改名为概率论，周末不排")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("paused", 1)
