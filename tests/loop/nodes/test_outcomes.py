"""How goals end: what the student is told, and what a summary must not leave out."""

from __future__ import annotations

import pytest

from agent.loop.outside.model import Finish, Text
from schedules.planner.draft.adapter import cost_of
from tests.kits.loop.chat import DONE, Chat, build, call, execute, route, told, world
from tests.kits.loop.goals import CLASS, built, last_item, narrow_world
from tests.kits.loop.world import World, task_class

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_the_model_may_give_up_with_words_for_the_student() -> None:
    chat = await built()
    abort = {"code": "no_free_slot", "user_message": "这段时间没有空位了。", "internal_reason": "0 slots"}
    chat.plays(route("execute"), execute("abort", abort=abort))
    end = await chat.says("挪一下")
    assert (end.run_status, end.outcome, end.code) == ("succeeded", "aborted", "no_free_slot")
    assert chat.of("text.ended")[0].full_content == "这段时间没有空位了。"
    assert "0 slots" not in "".join(event.model_dump_json() for event in chat.events)
    assert told(chat)[-3:] == ["T deliver.speak.1", "S deliver/done", "finish"]


async def test_a_summary_that_was_cut_says_so() -> None:
    chat = Chat(world()).plays(build(), [Text("三次复习都排"), Finish("length")])
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    assert chat.of("text.ended")[-1].full_content.startswith("三次复习都排（内容到此为止）\n核对：")


@pytest.mark.parametrize("summary", ["排了七项。", "排了七项，第8章、第9章、第10章没有排。"])
async def test_a_summary_names_what_the_student_agreed_to_leave_out(summary: str) -> None:
    chat = Chat(narrow_world()).plays(build(), summary)
    end = await chat.says("把大学物理复习排进去，能排多少排多少，只要初稿", task_class_ids=(7,))
    assert end.outcome == "completed"
    text = chat.of("text.ended")[-1].full_content
    assert text.startswith(summary)
    assert "大学物理复习第10章" in text


async def test_steps_that_were_not_reached_are_reported_as_not_executed() -> None:
    steps = [{"content": "看总览", "done_when": "总览"}, {"content": "再看明细", "done_when": "明细"}]
    chat = (await built()).plays(route("plan"), {"action": "plan_done", "steps": steps})
    chat.plays(call("get_overview"), DONE, "")
    end = await chat.says("先给计划", always_execute=True)
    assert end.outcome == "completed"
    text = chat.of("text.ended")[-1].full_content
    assert "步骤 1：看总览（已完成）" in text
    assert "步骤 2：再看明细（未执行）" in text


async def test_a_summary_is_written_from_the_steps_the_changes_and_the_cost_of_the_goal() -> None:
    chat = await built()
    before = cost_of(chat.schedule).total
    steps = [{"content": "挪到晚上", "done_when": "已移动"}, {"content": "再看明细", "done_when": "明细"}]
    chat.plays(route("plan"), {"action": "plan_done", "steps": steps})
    chat.plays(call("move", {"task_id": last_item(chat).state_id, "new_day": 14, "new_slot_start": 9}), DONE, "好。")
    await chat.says("先给计划再挪", always_execute=True)
    facts = chat.messages[2]
    assert "步骤 1：挪到晚上（已完成）" in facts
    assert "步骤 2：再看明细（未执行）" in facts
    assert "移动：概率论复习第3章 → 第4周 周日 9-10节" in facts
    share = round(100 * (cost_of(chat.schedule).total - before) / before)
    assert f"整体安排比之前差了约 {share}%。" in facts


async def test_a_summary_is_told_what_has_no_place() -> None:
    chat = Chat(narrow_world()).plays(build(), "排了七项。")
    await chat.says("把大学物理复习排进去，能排多少排多少，只要初稿", task_class_ids=(7,))
    assert "还没有排的：大学物理复习第8章、大学物理复习第9章、大学物理复习第10章。" in chat.messages[2]


async def test_a_summary_of_a_goal_that_only_looked_is_told_that_nothing_changed() -> None:
    chat = (await built()).plays(route("execute"), call("get_overview"), DONE, "看过了。")
    await chat.says("看看")
    assert "草稿没有变化。" in chat.messages[2]


async def test_the_next_step_after_the_last_one_is_the_end() -> None:
    steps = [{"content": "看总览", "done_when": "总览"}, {"content": "再看明细", "done_when": "明细"}]
    following = execute("next_plan", goal_check="有了")
    chat = (await built()).plays(route("plan"), {"action": "plan_done", "steps": steps})
    chat.plays(call("get_overview"), following, call("list_tasks"), following, "")
    end = await chat.says("先给计划", always_execute=True)
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    text = chat.of("text.ended")[-1].full_content
    assert "步骤 1：看总览（已完成）" in text
    assert "步骤 2：再看明细（已完成）" in text


async def test_without_a_semester_nothing_is_planned() -> None:
    chat = Chat(World(calendar=None, classes=[task_class(5, "概率论复习", "", "")])).plays(build())
    end = await chat.says("排好", task_class_ids=(5,))
    assert (end.outcome, end.code) == ("aborted", "rough_build_window_missing")
    assert "没有进行中的学期" in chat.of("text.ended")[0].full_content


async def test_a_class_id_that_is_not_the_students_is_a_correction() -> None:
    chat = Chat(world()).plays(build(task_class_ids=[99]), build(task_class_ids=[5]), "好了。")
    end = await chat.says("排好，只要初稿")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 1)
    assert "[99]" in chat.model.requests[1].messages[3]["content"]


async def test_a_plan_may_think_three_times_and_then_has_to_decide() -> None:
    think = {"action": "continue", "reason": "再想想"}
    chat = (await built()).plays(route("plan"), *[think] * 4, {"action": "ask_user", "speak": "要哪几天？"})
    end = await chat.says("先给计划")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("paused", 1)


async def test_a_new_class_may_be_the_answer_to_the_scope_question() -> None:
    chat = Chat(world()).plays(build(), execute("ask_user", speak="新任务类叫什么？"))
    await chat.says("帮我排一下")
    end = await chat.answers("reply", option="new")
    assert end.outcome == "paused"
    writing = ["upsert_task_class", "batch_update_task_classes", "delete_task_class"]
    assert chat.model.requests[-1].view["tools"] == ["context_tools_add", "context_tools_remove", *writing]


async def test_a_class_that_does_not_validate_becomes_an_observation_and_no_card() -> None:
    broken = {**CLASS, "task_class": {**CLASS["task_class"], "start_date": "2026-05-01"}}  # type: ignore[dict-item]
    hook = {"domain": "taskclass", "packs": []}
    chat = Chat(World()).plays(route("execute", context_hook=hook), call("upsert_task_class", broken))
    chat.plays(execute("ask_user", speak="日期反了，应该是哪天？"))
    end = await chat.says("新建一个任务类")
    assert end.outcome == "paused"
    assert not chat.of("confirm.requested")
    assert chat.of("tool.finished")[0].error_code == "validation_failed"
    assert "上一次任务类写入没有通过校验" in chat.messages[3]
    assert chat.world.classes == []


async def test_tools_are_opened_and_the_queue_lives_for_the_goal() -> None:
    chat = await built()
    packs = {"domain": "schedule", "packs": ["queue"], "mode": "merge"}
    chat.plays(
        route("execute"),
        call("context_tools_add", packs),
        call("query_target_tasks", {"status": "suggested", "enqueue": True}),
        call("queue_pop_head"),
        call("queue_skip_head"),
        DONE,
        "好了。",
    )
    end = await chat.says("逐个处理")
    assert end.outcome == "completed"
    state = chat.world.state()
    assert state.tools.active == {"schedule": ["detail_read", "mutation", "queue"]}
    assert state.tools.queue
    assert [event.status for event in chat.of("tool.finished")] == ["done"] * 4
