"""The seven scenarios of the confirmation flow, as far as the loop alone decides them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kits.loop.chat import DONE, Chat, call, execute, route, told, world
from tests.kits.loop.goals import PLAN, built, carded, drag, last_item, moved, planned

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_c1_a_write_pauses_with_a_card_and_changes_nothing() -> None:
    chat = await built()
    before = chat.schedule
    chat.plays(route("execute"), moved(chat, speak="可以挪。"))
    end = await chat.says("把最后一次挪到晚上")
    assert (end.run_status, end.outcome) == ("waiting", "paused")
    assert told(chat) == [
        "S chat/accepted",
        "S execute/executing",
        "T execute.speak.1",
        "tool.dropped",
        "confirm",
        "S confirm/tool_confirm",
        "S interrupt/confirm",
        "finish",
    ]
    assert chat.schedule == before
    card = chat.of("confirm.requested")[0]
    assert card.tool.call_id == "execute.tool.1"
    assert card.changes[0]["after"]["section_from"] == 9
    assert isinstance(card.cost_before, int)
    assert end.interaction is not None
    assert chat.world.state().run.pending == end.interaction


async def test_c1_the_card_is_announced_only_by_what_follows_the_commit() -> None:
    chat = await carded()
    assert chat.end is not None
    closing = [event.type for event in chat.end.after_commit]
    assert closing.count("confirm.requested") == 1
    assert [event.type for event in chat.events].count("confirm.requested") == 1


async def test_c2_approval_applies_once_and_the_goal_goes_on() -> None:
    chat = await carded()
    revision = chat.schedule.revision
    chat.plays(DONE, "挪好了。")
    end = await chat.answers("approve")
    assert end.outcome == "completed"
    assert told(chat) == [
        "S chat/confirmed",
        "C move",
        "R move done",
        "S execute/executing",
        "S deliver/summarizing",
        "T deliver.speak.1",
        "schedule.completed",
        "S deliver/done",
        "finish",
    ]
    assert chat.schedule.revision == revision + 1
    assert last_item(chat).slot.slot_start == 9
    receipts = [row for row in chat.world.state().run.receipts if row.source == "write_receipt"]
    assert [(row.name, row.success, row.call_id) for row in receipts] == [("move", True, "execute.tool.1")]
    started = chat.of("tool.started")[0]
    assert (started.call_id, started.preparing_id) == ("execute.tool.1", None)


async def test_c2_a_recovered_approval_that_was_applied_is_not_applied_again() -> None:
    chat = await carded()
    pending = chat.end.interaction  # type: ignore[union-attr]
    chat.plays(DONE, "好了。")
    await chat.answers("approve")
    revision = chat.schedule.revision
    state = chat.world.state()
    state.run.approved = None if pending is None else state.run.approved
    chat.plays(DONE, "好了。")
    chat.end = type(chat.end)(**{**vars(chat.end), "interaction": pending})
    await chat.answers("approve")
    assert chat.schedule.revision == revision
    assert not chat.of("tool.started")


async def test_c3_a_rejection_writes_nothing_is_told_and_is_not_asked_again() -> None:
    chat = await carded()
    before = chat.schedule
    chat.plays(moved(chat), execute("ask_user", speak="那要换到哪一天？"))
    end = await chat.answers("reject")
    assert end.outcome == "paused"
    assert chat.schedule == before
    first, second = chat.model.requests[-2:]
    assert "学生拒绝了这个操作" in first.messages[2]["content"]
    assert "already_rejected" in second.messages[3]["content"]
    assert '片段：{"arguments":{"new_day":10,"new_slot_start":9,' in second.messages[3]["content"]
    assert told(chat)[:4] == ["S chat/rejected", "S execute/executing", "tool.dropped", "S execute/rechecking"]
    assert not chat.of("confirm.requested")


@pytest.mark.parametrize("action", ["reject", "message"])
async def test_c4_text_over_a_card_is_a_rejection_with_that_instruction(action: str) -> None:
    chat = await carded()
    other = call("move", {"task_id": last_item(chat).state_id, "new_day": 11, "new_slot_start": 5})
    chat.plays(other)
    end = await chat.answers(action, "晚上有社团，换到周四下午")
    assert end.outcome == "paused"
    assert chat.of("confirm.requested")[0].block_id == "execute.confirm.2"
    assert chat.of("confirm.requested")[0].tool.call_id == "execute.tool.2"
    messages = chat.messages
    assert "用户：晚上有社团，换到周四下午" in messages[1]
    assert "晚上有社团，换到周四下午" in messages[2]
    receipt = chat.world.state().run.receipts[-1]
    assert (receipt.source, receipt.success) == ("user_reply", True)


async def test_c5_a_drag_that_leaves_the_same_effect_is_applied() -> None:
    chat = await carded()
    first = next(iter(chat.schedule.items()))
    chat.world.drag(drag(first, first.slot.day, first.slot.slot_start - 2))
    chat.plays(DONE, "好了。")
    end = await chat.answers("approve")
    assert end.outcome == "completed"
    assert last_item(chat).slot.slot_start == 9
    assert chat.schedule.by_item(first.source_id).slot.slot_start == first.slot.slot_start - 2


async def test_c5_a_drag_that_changes_the_effect_asks_on_a_new_card() -> None:
    chat = await carded()
    old = chat.end.interaction  # type: ignore[union-attr]
    item = last_item(chat)
    chat.world.drag(drag(item, item.slot.day, 11))
    end = await chat.answers("approve")
    assert end.outcome == "paused"
    assert end.interaction is not None
    assert old is not None
    assert end.interaction.id != old.id
    assert end.interaction.changes[0]["before"]["section_from"] == 11
    assert chat.world.closed == [(old.id, "superseded")]
    assert not chat.of("tool.started")
    chat.plays(DONE, "好了。")
    await chat.answers("approve")
    assert last_item(chat).slot.slot_start == 9


async def test_c5_a_class_edited_on_the_page_meanwhile_is_shown_on_a_new_card() -> None:
    chat = await built()
    longer = {"id": 5, "task_class": {"end_date": "2026-04-05"}}
    chat.plays(route("execute", context_hook={"domain": "taskclass", "packs": []}), call("upsert_task_class", longer))
    await chat.says("把概率论复习延到4月5日")
    assert chat.end is not None
    first = chat.end.interaction
    assert first is not None
    chat.world.classes[0] = {**chat.world.classes[0], "end_date": "2026-04-12"}
    chat.world.base_version += 1
    end = await chat.answers("approve")
    assert (end.outcome, chat.world.closed) == ("paused", [(first.id, "superseded")])
    assert chat.world.classes[0]["end_date"] == "2026-04-12"
    shown = [(row.value, row.label) for row in chat.of("confirm.requested")[0].fields]
    assert ("4 月 12 日 周日 → 4 月 5 日 周日", "结束日期") in shown
    chat.plays(DONE, "改好了。")
    await chat.answers("approve")
    assert chat.world.classes[0]["end_date"] == "2026-04-05"


async def test_c5_a_drag_that_makes_it_illegal_is_told_and_nothing_is_written() -> None:
    chat = await carded()
    item = last_item(chat)
    chat.world.drag(drag(item, 10, 9))
    chat.plays(execute("ask_user", speak="已经在那里了，还要挪吗？"))
    revision = chat.schedule.revision
    await chat.answers("approve")
    assert chat.schedule.revision == revision
    assert told(chat)[:3] == ["S chat/confirmed", "C move", "R move failed"]
    assert chat.of("tool.finished")[0].error_code == "no_change"


async def test_c5_a_drag_between_dry_run_and_save_is_tried_on_once_more() -> None:
    chat = await built()
    first, item = next(iter(chat.schedule.items())), last_item(chat)
    saved, dragged = chat.world.save, []

    async def saving(state: Any) -> None:
        if not dragged and state.schedule.by_item(item.source_id).slot.slot_start == 9:
            dragged.append(True)
            chat.world.drag(drag(first, first.slot.day, first.slot.slot_start - 2))
        await saved(state)

    chat.world.save = saving  # type: ignore[method-assign]
    chat.plays(route("execute"), moved(chat), DONE, "好了。")
    end = await chat.says("把最后一次挪到晚上", always_execute=True)
    assert end.outcome == "completed"
    assert last_item(chat).slot.slot_start == 9
    assert chat.schedule.by_item(first.source_id).slot.slot_start == first.slot.slot_start - 2
    assert [event.status for event in chat.of("tool.finished")] == ["done"]


async def test_c6_always_execute_asks_nothing_and_survives_a_question() -> None:
    chat = await built()
    chat.plays(route("execute"), execute("ask_user", speak="挪到几点？"))
    end = await chat.says("把最后一次挪一挪", always_execute=True)
    assert end.outcome == "paused"
    chat.plays(moved(chat), DONE, "好了。")
    end = await chat.answers("reply", "晚上九点那节")
    assert end.outcome == "completed"
    assert last_item(chat).slot.slot_start == 9
    assert not chat.of("confirm.requested")
    assert chat.of("tool.started")[0].preparing_id == "move:0"


async def test_consent_given_beforehand_covers_no_deletion_of_a_class() -> None:
    chat = await built()
    chat.plays(route("execute", context_hook={"domain": "taskclass", "packs": []}))
    chat.plays(call("delete_task_class", {"task_class_id": 5}))
    end = await chat.says("概率论复习先不管了", always_execute=True)
    assert end.outcome == "paused"
    assert [row["id"] for row in chat.world.classes] == [5]
    chat.plays(DONE, "删掉了。")
    await chat.answers("approve")
    assert chat.world.classes == []


async def test_c6_always_execute_may_be_given_with_an_answer() -> None:
    chat = await built()
    chat.plays(route("execute"), execute("ask_user", speak="挪到几点？"))
    await chat.says("把最后一次挪一挪")
    chat.plays(moved(chat), DONE, "好了。")
    end = await chat.answers("reply", "晚上，不用再问我", always_execute=True)
    assert end.outcome == "completed"


async def test_cancelling_a_card_ends_the_goal_without_the_model() -> None:
    chat = await carded()
    calls, before = len(chat.model.requests), chat.schedule
    end = await chat.answers("cancel")
    assert (end.run_status, end.outcome, end.code) == ("cancelled", "aborted", "user_cancelled")
    assert len(chat.model.requests) == calls
    assert chat.schedule == before
    assert told(chat) == ["S chat/cancelled", "T deliver.speak.1", "S deliver/done", "finish"]


async def test_a_plan_is_shown_confirmed_and_carried_out() -> None:
    chat = await planned()
    assert told(chat) == [
        "S chat/planning",
        "S plan/planning",
        "T plan.speak.1",
        "T plan.summary",
        "confirm",
        "S confirm/plan_confirm",
        "S interrupt/confirm",
        "finish",
    ]
    card = chat.of("confirm.requested")[0]
    assert (card.subject, card.block_id, len(card.plan_steps)) == ("plan", "plan.confirm.1", 2)
    next_plan = {"action": "next_plan", "goal_check": "初稿已写入"}
    chat.plays(next_plan, call("get_overview"), DONE, "两步都完成了。")
    end = await chat.answers("approve")
    assert end.outcome == "completed"
    assert [kind for kind in told(chat) if kind[0] in "CR"] == [
        "C smart_planning",
        "R smart_planning done",
        "C get_overview",
        "R get_overview done",
    ]
    assert chat.world.state().plan.current == 1


@pytest.mark.parametrize("action", ["reject", "message"])
async def test_a_refused_plan_is_dropped_whole_and_made_anew(action: str) -> None:
    chat = await planned()
    chat.plays({**PLAN, "steps": [PLAN["steps"][0]], "speak": ""})  # type: ignore[index]
    end = await chat.answers(action, "只要第一步")
    assert end.outcome == "paused"
    assert chat.of("confirm.requested")[0].block_id == "plan.confirm.2"
    assert "只要第一步" in chat.messages[3]
    assert len(chat.world.state().plan.steps) == 1


async def test_a_cancelled_plan_ends_the_goal() -> None:
    chat = await planned()
    end = await chat.answers("cancel")
    assert (end.run_status, end.code) == ("cancelled", "user_cancelled")


async def test_always_execute_approves_the_plan_itself() -> None:
    chat = Chat(world()).plays(
        route("plan"), PLAN, {"action": "next_plan", "goal_check": "好"}, call("get_overview"), DONE, "好"
    )
    end = await chat.says("先给计划，再排好，只要初稿", always_execute=True)
    assert end.outcome == "completed"
    assert "S plan/plan_auto_confirmed" in told(chat)
