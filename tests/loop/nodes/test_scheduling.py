"""The five end-to-end scheduling scenarios: classes -> first plan -> candidates -> preview."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.planner.draft.invariants import invariant_errors
from tests.kits.loop.chat import DONE, Chat, build, call, execute, route, told, world
from tests.kits.loop.goals import CLASS, candidate_or_done, either, heavy_world, narrow_world
from tests.kits.loop.world import World, task_class

pytestmark = pytest.mark.usefixtures("each_backend")


async def test_e1_a_first_plan_is_built_improved_and_shown() -> None:
    chat = Chat(heavy_world()).plays(build(speak="好的。"), *[either] * 60)
    end = await chat.says("帮我把两门课的复习排好", task_class_ids=(5, 6))
    assert end.outcome == "completed"
    assert invariant_errors(chat.schedule) == []
    costs = [
        event.result_view["expanded"]["machine_payload"]["metrics"]["cost"]["total"]
        for event in chat.of("tool.finished")
        if event.name == "analyze_health"
    ]
    assert costs == sorted(costs, reverse=True)
    story = told(chat)
    assert story.index("T deliver.speak.1") < story.index("schedule.completed")
    assert not chat.of("confirm.requested")
    assert chat.of("schedule.completed")[0].revision == chat.schedule.revision


async def test_e1_the_frames_of_a_first_plan_come_in_the_order_of_the_protocol() -> None:
    chat = Chat(world()).plays(build(), DONE, "三次复习都排好了。")
    await chat.says("帮我把概率论复习排进下周", task_class_ids=(5,))
    assert chat.kinds() == [
        "S chat/accepted",
        "S rough_build/rough_building",
        "C smart_planning",
        "R smart_planning done",
        "draft.updated",
        "S rough_build/rough_build_done",
        "S execute/diagnosing",
        "C analyze_health",
        "R analyze_health done",
        "S execute/executing",
        "S deliver/summarizing",
        "text.started",
        "text.delta",
        "text.delta",
        "T deliver.speak.1",
        "schedule.completed",
        "S deliver/done",
        "finish",
    ]
    finish = chat.events[-1]
    assert (finish.total_iterations, finish.total_tool_calls, finish.auto_fix_attempts) == (1, 2, 0)
    started, finished = chat.of("tool.started")[0], chat.of("tool.finished")[0]
    assert started.call_id == started.block_id == finished.call_id == "rough_build.tool.1"
    assert finished.draft_revision == 1
    assert [change["op"] for change in finished.changes] == ["place"] * 3
    assert chat.of("draft.updated")[0].task_item_ids == [501, 502, 503]


@pytest.mark.parametrize("message", ["只要初稿，把概率论复习排进去", "Plan my revision please, draft only"])
async def test_e2_draft_only_is_not_diagnosed(message: str) -> None:
    chat = Chat(world()).plays(build(needs_refine_after_rough_build=True), "初稿好了。")
    end = await chat.says(message, task_class_ids=(5,))
    assert end.outcome == "completed"
    assert "S rough_build/rough_build_done_no_refine" in told(chat)
    assert [event.name for event in chat.of("tool.started")] == ["smart_planning"]


async def test_e3_too_small_a_window_stops_with_the_numbers_and_leaves_the_draft() -> None:
    chat = Chat(narrow_world()).plays(build())
    end = await chat.says("把大学物理复习排进课表", task_class_ids=(7,))
    assert (end.run_status, end.outcome, end.code) == ("succeeded", "aborted", "rough_build_pending_remaining")
    assert told(chat) == [
        "S chat/accepted",
        "S rough_build/rough_building",
        "C smart_planning",
        "R smart_planning failed",
        "S rough_build/rough_build_failed",
        "T deliver.speak.1",
        "S deliver/done",
        "finish",
    ]
    text = chat.of("text.ended")[0].full_content
    assert "需要 20 节" in text
    assert "最多 14 节" in text
    assert "缺 6 节" in text
    assert "到第3周结束仍排不完。" in text
    assert "「大学物理复习」的日期内占去最多的是：时段已被占用（70 节）。" in text
    assert all(item.status == "pending" for item in chat.schedule.items())
    assert chat.schedule.revision == 0


async def test_e3_accepting_the_risk_builds_a_partial_plan_that_names_what_is_missing() -> None:
    chat = Chat(narrow_world()).plays(build())
    await chat.says("把大学物理复习排进课表", task_class_ids=(7,))
    chat.plays(*[either_mechanical] * 60)
    end = await chat.says("能排多少排多少")
    assert end.outcome == "completed"
    story = told(chat)
    assert story[:5] == [
        "S chat/accepted",
        "S rough_build/rough_building",
        "C smart_planning",
        "R smart_planning done",
        "S rough_build/rough_build_partial",
    ]
    assert "S execute/diagnosing" in story
    state = chat.world.state()
    assert state.draft.accepted_risk is not None
    assert state.draft.accepted_risk.gap_sections == 6
    left = [entry.name for entry in chat.schedule.items() if not entry.slots]
    assert len(left) == 3
    text = chat.of("text.ended")[-1].full_content
    assert all(name in text for name in left)


def either_mechanical(request: Any) -> Any:
    return "" if request.stage == "deliver" else candidate_or_done(request)


async def test_e4_a_class_made_from_a_sentence_is_confirmed_and_built_in_the_same_goal() -> None:
    chat = Chat(World())
    hook = {"domain": "taskclass", "packs": [], "reason": "新建任务类"}
    chat.plays(
        build(context_hook=hook),
        call("upsert_task_class", CLASS, speak="我先建好任务类，确认后马上排。"),
    )
    end = await chat.says("新建任务类「线性代数复习」，共12节，建好后排进课表")
    assert end.outcome == "paused"
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
    card = chat.of("confirm.requested")[0]
    assert card.fields
    assert chat.world.classes == []
    chat.plays(*[either] * 40)
    end = await chat.answers("approve")
    assert end.outcome == "completed"
    story = told(chat)
    assert story[:6] == [
        "S chat/confirmed",
        "C upsert_task_class",
        "R upsert_task_class done",
        "S rough_build/rough_building",
        "C smart_planning",
        "R smart_planning done",
    ]
    state = chat.world.state()
    assert state.conversation.scope == [1]
    assert [entry.status for entry in chat.schedule.items()] == ["suggested"] * 6
    assert len(chat.world.class_writes) == 1


async def test_e5_a_local_move_touches_that_item_alone() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    before = chat.schedule
    item = list(before.items())[-1]
    chat.plays(
        route("execute", context_hook={"domain": "schedule", "packs": ["mutation", "detail_read"]}),
        call("find_first_free", {"for_task_id": item.state_id, "day": 10, "section_from": 9, "section_to": 12}),
        call("move", {"task_id": item.state_id, "new_day": 10, "new_slot_start": 9}),
    )
    await chat.says("把第3章挪到周三晚上")
    assert told(chat)[:4] == ["S chat/accepted", "S execute/executing", "C find_first_free", "R find_first_free done"]
    chat.plays(DONE, "挪好了。")
    await chat.answers("approve")
    after = chat.schedule
    changed = [entry.state_id for entry in after.items() if entry.slots != before.task(entry.state_id).slots]
    assert changed == [item.state_id]
    assert "analyze_health" not in [call.tool for call in chat.world.state().run.calls]


async def test_a_class_without_dates_stops_the_build_and_is_named() -> None:
    chat = Chat(World(classes=[task_class(5, "概率论复习", "", "")])).plays(build())
    end = await chat.says("把概率论复习排好", task_class_ids=(5,))
    assert (end.outcome, end.code) == ("aborted", "rough_build_window_missing")
    told_text = chat.of("text.ended")[0].full_content
    assert "概率论复习" in told_text
    assert "请说从哪天到哪天" in told_text
    assert chat.of("tool.finished")[0].summary == "任务类缺少日期"
    assert "S rough_build/rough_build_need_time_window" in told(chat)


async def test_of_several_classes_those_with_dates_are_planned_and_the_others_named() -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "", ""))
    chat = Chat(start).plays(build(), "好了。")
    end = await chat.says("都排好，只要初稿", task_class_ids=(5, 6))
    assert end.outcome == "completed"
    said = chat.of("text.ended")[0].full_content
    assert "先排其余的：英语阅读。请说哪个任务从哪天到哪天" in said
    planned = {entry.task_class_id for entry in chat.schedule.items() if entry.slots}
    assert planned == {5}
    assert [event.arguments for event in chat.of("tool.started")] == [{"task_class_ids": [5]}]
    assert chat.world.state().draft.built == [5]
    assert chat.world.state().conversation.scope == [5, 6]


async def test_a_built_class_is_not_built_again_without_saying_so() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    chat.plays(build(), execute("ask_user", speak="已经排过了，要重新粗排吗？"))
    await chat.says("排好")
    assert not chat.of("tool.started")
    assert "已经排过初稿" in chat.messages[3]
    revision = chat.schedule.revision
    chat.plays(build(), "重排好了。")
    await chat.says("重新粗排，只要初稿")
    assert [event.name for event in chat.of("tool.started")] == ["smart_planning"]
    assert chat.schedule.revision >= revision


async def test_a_new_class_next_to_a_built_one_leaves_that_one_in_place() -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "2026-03-16", "2026-03-29"))
    chat = Chat(start).plays(build(), "好了。")
    await chat.says("排好概率论，只要初稿", task_class_ids=(5,))
    before = {entry.source_id: entry.slots for entry in chat.schedule.items()}
    chat.plays(build(), "好了。")
    await chat.says("再把英语阅读也排进去，只要初稿", task_class_ids=(5, 6))
    after = {entry.source_id: chat.schedule.place_of(entry) for entry in chat.schedule.items()}
    assert set(before) < set(after)
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [6]}
    assert all(slots for slots in after.values())


async def test_a_scope_question_is_the_backends_and_is_answered_without_the_model() -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "2026-03-16", "2026-03-29"))
    chat = Chat(start).plays(build())
    end = await chat.says("Plan my revision please, draft only")
    assert told(chat) == ["S chat/accepted", "interrupt", "S interrupt/ask_user", "finish"]
    asked = chat.of("interrupt.raised")[0]
    assert [option.id for option in asked.options] == ["class:5", "class:6", "all", "new"]
    assert (asked.streamed, asked.block_id) == (False, "interrupt.ask.1")
    chat.plays("12 items placed.")
    end = await chat.answers("reply", option="all")
    assert end.outcome == "completed"
    assert told(chat) == [
        "S chat/resumed",
        "S rough_build/rough_building",
        "C smart_planning",
        "R smart_planning done",
        "S rough_build/rough_build_done_no_refine",
        "S deliver/summarizing",
        "T deliver.speak.1",
        "schedule.completed",
        "S deliver/done",
        "finish",
    ]
    assert chat.world.state().conversation.scope == [5, 6]


@pytest.mark.parametrize("reply", ["概率论复习", "class:5", "1", "就概率论复习吧"])
async def test_a_scope_answer_may_be_a_name_an_id_or_a_number(reply: str) -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "2026-03-16", "2026-03-29"))
    chat = Chat(start).plays(build())
    await chat.says("帮我排一下，只要初稿")
    chat.plays("好了。")
    end = await chat.answers("message", reply)
    assert end.outcome == "completed"
    assert chat.world.state().conversation.scope == [5]


async def test_a_class_made_next_to_an_older_scope_is_built_after_it_is_written() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    hook = {"domain": "taskclass", "packs": []}
    chat.plays(build(context_hook=hook), call("upsert_task_class", CLASS))
    await chat.says("再新建一个任务类线性代数复习，建好后排进课表，只要初稿")
    assert [event.type for event in chat.events if event.type.startswith("confirm")] == ["confirm.requested"]
    chat.plays("好了。")
    end = await chat.answers("approve")
    assert end.outcome == "completed"
    assert [event.name for event in chat.of("tool.started")] == ["upsert_task_class", "smart_planning"]
    assert chat.of("tool.started")[1].arguments == {"task_class_ids": [6]}
    assert all(entry.slots for entry in chat.schedule.items())


async def test_classes_named_in_the_request_are_its_scope() -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "2026-03-16", "2026-03-29"))
    chat = Chat(start).plays(build(), "好了。")
    end = await chat.says("把英语阅读排好，只要初稿")
    assert end.outcome == "completed"
    assert chat.world.state().conversation.scope == [6]


async def test_looking_at_another_class_is_not_a_completed_schedule() -> None:
    start = world()
    start.classes.append(task_class(6, "英语阅读", "2026-03-16", "2026-04-05"))
    chat = Chat(start).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    chat.plays(route("execute", task_class_ids=[5, 6]), call("get_overview"), DONE, "就是这些。")
    end = await chat.says("看看英语阅读")
    assert end.outcome == "completed"
    assert not chat.of("schedule.completed")


async def test_more_items_than_are_planned_at_once_are_told_and_leave_the_draft_as_it_is() -> None:
    classes = [task_class(n, f"第{n}门", "2026-04-13", "2026-04-26", lengths=[1] * 99) for n in range(1, 22)]
    chat = Chat(World(classes=classes)).plays(build())
    end = await chat.says("帮我把这些都排好", task_class_ids=tuple(range(1, 22)))
    assert (end.outcome, end.code) == ("aborted", "rough_build_pending_remaining")
    assert chat.of("text.ended")[-1].full_content == (
        "这次一共有 2079 项，一次最多排 2000 项。请先选其中几个任务来排。"
    )
    assert chat.schedule.revision == 0
