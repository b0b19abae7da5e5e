"""The student's own save against the loop's: the newer draft wins, nothing is applied blindly or twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.loop.state.draft import DraftPart
from schedules.planner.draft.operations import MoveOp
from schedules.planner.draft.rebase import rebase
from schedules.planner.draft.state import Spot, with_spots
from schedules.planner.facts import EventFact
from tests.kits.loop.chat import DONE, Chat, build, call, improvable, route, spoil, told, world
from tests.kits.loop.goals import CLASS, built, carded, drag, infeasible, last_item, moved
from tests.kits.loop.world import course

pytestmark = pytest.mark.usefixtures("each_backend")


def dragging_at(chat: Chat, condition: Any, change: Any) -> None:
    """The student saves just before the loop's first save that meets `condition`."""
    saved, done = chat.world.save, []

    async def saving(state: Any) -> None:
        if not done and condition(state):
            done.append(True)
            chat.world.drag(change)
        await saved(state)

    chat.world.save = saving  # type: ignore[method-assign]


async def test_a_drag_under_a_rough_build_is_planned_around() -> None:
    chat = await improvable()
    first = next(iter(chat.schedule.items()))
    dragging_at(chat, lambda state: any(call.tool == "smart_planning" for call in state.run.calls), spoil)
    chat.plays(build(), "好了。")
    end = await chat.says("重新粗排，只要初稿")
    assert end.outcome == "completed"
    assert [event.status for event in chat.of("tool.finished")] == ["done"]
    assert {event.source for event in chat.of("draft.updated")} == {"student", "rough_build"}
    assert chat.schedule.by_item(first.source_id).slots


async def test_a_drag_under_a_class_write_leaves_one_class() -> None:
    chat = await built()
    item = last_item(chat)
    hook = {"domain": "taskclass", "packs": []}
    dragging_at(chat, lambda state: bool(chat.world.class_writes), drag(item, item.slot.day, 9))
    chat.plays(route("execute", context_hook=hook), call("upsert_task_class", CLASS), DONE, "好了。")
    end = await chat.says("新建一个任务类", always_execute=True)
    assert end.outcome == "completed"
    assert len(chat.world.classes) == 2
    assert last_item(chat).name == "二次型"
    assert chat.schedule.by_item(item.source_id).slot.slot_start == 9
    assert chat.world.state().conversation.scope == [5, 6]


async def test_a_draft_that_never_rests_ends_as_a_stale_write() -> None:
    chat = await built()
    item, first = last_item(chat), next(iter(chat.schedule.items()))
    saved = chat.world.save

    async def saving(state: Any) -> None:
        if state.schedule.by_item(item.source_id).slot.slot_start == 9:
            day = chat.schedule.by_item(first.source_id).slot.day
            chat.world.drag(drag(first, 2 if day == 1 else 1, 5))
        await saved(state)

    chat.world.save = saving  # type: ignore[method-assign]
    chat.plays(route("execute"), moved(chat), call("get_overview"), DONE, "没挪成。")
    end = await chat.says("挪到晚上", always_execute=True)
    assert end.outcome == "completed"
    assert [event.error_code for event in chat.of("tool.finished")] == ["stale_draft", ""]
    assert last_item(chat).slot == item.slot


async def test_what_the_student_did_between_the_runs_is_told_once() -> None:
    chat = await built()
    item = last_item(chat)

    def save(part: DraftPart) -> None:
        before = part.schedule
        drag(item, item.slot.day, 9)(part)
        part.note_change(before, who="student", at="2026-03-09T00:00:00Z")

    chat.world.drag(save)
    chat.plays(route("execute"), call("get_overview"), DONE, "好。")
    await chat.says("看看")
    told_to = [request.messages[3]["content"] for request in chat.model.requests[-4:]]
    assert [f"学生修改了草稿：{item.name}" in text for text in told_to] == [True, True, False, False]


async def test_what_lost_its_place_while_the_page_was_read_is_told() -> None:
    chat = await built()
    item, first = last_item(chat), next(iter(chat.schedule.items()))

    def renewed(part: DraftPart) -> None:
        before = part.schedule
        drag(first, first.slot.day, 11)(part)
        assert part.schedule is not None
        part.schedule = with_spots(part.schedule, {item.source_id: None})
        part.note_change(before, who="rebase", at="2026-03-09T00:00:00Z")
        assert [row["after"] is None for row in part.log[-1].changes] == [False, True]

    chat.world.drag(renewed)
    chat.plays(route("execute"), call("get_overview"), DONE, "好。")
    await chat.says("看看")
    news = f"课表或任务类有变化，草稿已重新载入，失去位置：{item.name}。"
    assert [news in request.messages[3]["content"] for request in chat.model.requests[-4:]] == [
        True,
        True,
        False,
        False,
    ]


async def test_what_lost_its_new_place_and_stays_on_the_timetable_is_told_as_such() -> None:
    chat = await built()
    item, other = last_item(chat), next(iter(chat.schedule.items()))
    place, taken = chat.schedule.place_of(item), chat.schedule.place_of(other)
    chat.world.events.append(EventFact(90, item.name, "task", item.source_id, False, place))
    facts = await chat.world.load_facts([5])
    later = replace(place, day=place.day + 1)

    def move(part: DraftPart) -> None:
        assert part.schedule is not None
        part.schedule = with_spots(rebase(part.schedule, facts).state, {item.source_id: Spot(later, None)})

    chat.world.drag(move)
    chat.world.events += [
        course(99, "补课", later.day, later.first, later.last),
        course(98, "讲座", taken.day, taken.first, taken.last),
    ]
    chat.world.base_version += 1
    chat.plays(route("direct_reply", speak="好"))
    await chat.says("在吗")
    lost, stays = (event.content for event in chat.of("system.message")[-2:])
    assert (other.name in lost, item.name in lost) == (True, False)
    assert stays == f"课表有变化，这些任务的新位置不再可用，仍在课表上原来的位置：{item.name}"
    assert (chat.schedule.by_item(item.source_id).status, chat.schedule.place_of(item)) == ("existing", place)
    assert f"新位置不再可用，仍在课表上原来的位置：{item.name}。" in chat.messages[3]


async def test_an_approved_call_that_meets_the_health_gate_is_blocked() -> None:
    chat = await infeasible()
    first = next(iter(chat.schedule.items()))
    chat.plays(call("unplace", {"task_id": first.state_id}))
    await chat.answers("reply", option="accept_risk")
    assert chat.end is not None
    state = chat.world.state()
    state.draft.accepted_risk = None
    chat.world.document = state.to_document()
    chat.plays(DONE, "好。")
    await chat.answers("approve")
    assert [event.status for event in chat.of("tool.finished")] == ["blocked"]
    assert chat.of("tool.finished")[0].error_code == "health_negotiation_required"
    assert told(chat)[:3] == ["S chat/confirmed", "C unplace", "R unplace blocked"]


async def test_a_cancel_between_two_nodes_stops_before_the_next_one() -> None:
    chat = Chat(world())

    async def cancelled_build(problem: Any) -> Any:
        raise AssertionError("not reached")

    chat.world.rough_build = cancelled_build  # type: ignore[method-assign]
    saved = chat.world.save

    async def saving(state: Any) -> None:
        chat.world.cancelled = state.run.node == "rough_build"
        await saved(state)

    chat.world.save = saving  # type: ignore[method-assign]
    chat.plays(build())
    end = await chat.says("排好", task_class_ids=(5,))
    assert (end.run_status, end.code) == ("cancelled", "run_cancelled")


def dragged(item: Any, day: int, first: int) -> Any:
    """The student's own save of one place, noted as such."""

    def change(part: DraftPart) -> None:
        before = part.schedule
        assert before is not None
        part.schedule = MoveOp(item.state_id, day, first).apply(before)
        part.note_change(before, who="student", at="2026-03-09T00:00:00Z")

    return change


async def test_what_the_student_moves_meanwhile_is_told_once_and_is_no_work_of_the_goal() -> None:
    chat = await built()
    item = last_item(chat)

    def looking(request: Any) -> dict[str, Any]:
        chat.world.drag(dragged(item, 10, 9))
        return call("get_overview")

    chat.plays(route("execute"), looking, call("list_tasks"), DONE, "这周有三项。")
    end = await chat.says("看看我的安排")
    assert end.outcome == "completed"
    assert [event.full_content for event in chat.of("text.ended")][-1] == "这周有三项。"
    news = [line for request in chat.model.requests for line in request.messages[-1]["content"].split("\n")]
    assert [line for line in news if line.startswith("变化：学生")] == [f"变化：学生修改了草稿：{item.name}。"]
    assert "\n草稿里只有学生自己的改动。\n" in chat.messages[2]


async def test_what_the_student_moves_and_the_goal_moves_on_is_work_of_the_goal() -> None:
    chat = await carded()
    item = last_item(chat)
    chat.world.drag(dragged(item, 10, 11))
    chat.plays(DONE, "挪好了。")
    await chat.answers("approve")
    await chat.answers("approve")
    assert "核对：移动" in [event.full_content for event in chat.of("text.ended")][-1]


async def test_what_the_student_moves_at_the_end_of_a_goal_is_told_to_the_next_one() -> None:
    chat = await built()
    item = last_item(chat)

    def summing_up(request: Any) -> str:
        chat.world.drag(dragged(item, 10, 9))
        return "这周有三项。"

    chat.plays(route("execute"), call("get_overview"), DONE, summing_up, route("direct_reply", speak="好。"))
    await chat.says("看看我的安排")
    await chat.says("谢谢")
    assert f"变化：学生修改了草稿：{item.name}。" in chat.messages[3].split("\n")


async def test_what_the_student_moves_before_the_second_goal_of_a_message_is_told_to_it() -> None:
    chat = await built()
    item = last_item(chat)

    def summing_up(request: Any) -> str:
        chat.world.drag(dragged(item, 10, 9))
        return "这周有三项。"

    apart = route("execute") | {"request": "看看我的安排", "rest": "还有几周考试？"}
    chat.plays(apart, route("execute"), call("get_overview"), DONE, summing_up, route("direct_reply", speak="三周。"))
    await chat.says("看看我的安排，还有几周考试？")
    assert f"变化：学生修改了草稿：{item.name}。" in chat.messages[3].split("\n")
