"""A run that was lost or failed is taken up again: block numbers go on, effects stay one, an answer is not lost."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from agent.loop.errors import HandedOver, LeaseLost
from agent.loop.interactions import OpenInteraction, Request, Resume
from schedules.planner.grid import day_number
from tests.kits.loop.chat import DONE, Chat, call, improvable, route, told, two_classes, world
from tests.kits.loop.deaths import dying_at, recovery, whole
from tests.kits.loop.goals import built, carded, last_item, moved
from tests.kits.loop.world import course

pytestmark = pytest.mark.usefixtures("each_backend")

CLASS = {
    "task_class": {
        "name": "线性代数",
        "mode": "auto",
        "start_date": "2026-03-16",
        "end_date": "2026-03-29",
        "config": {"total_slots": 2, "strategy": "steady"},
    },
    "items": [{"content": "行列式"}],
}


def numbered(events: list[Any]) -> set[str]:
    """The numbered block ids among events."""
    return {event.block_id for event in events if event.block_id.rpartition(".")[2].isdigit()}


def used(events: list[Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for block_id in numbered(events):
        prefix, _, number = block_id.rpartition(".")
        found[prefix] = max(int(number), found.get(prefix, 0))
    return found


def recovered(lost: Request, chat: Chat, *, lost_run_id: str, offer: OpenInteraction | None = None) -> Request:
    resume = Resume(interaction=offer or recovery(), action="resume")
    return Request(resume=resume, lost=lost, lost_run_id=lost_run_id, used_blocks=used(chat.events))


@pytest.mark.parametrize("number", range(1, 12))
async def test_a_recovering_run_uses_no_block_id_of_the_lost_one(number: int) -> None:
    earlier = await improvable()
    chat = Chat(two_classes()).plays(*[whole] * 60)
    chat.world.document, chat.world.revision = json.loads(json.dumps(earlier.world.document)), earlier.world.revision
    revision, chat.world.fail_save = chat.world.revision, dying_at(number)
    with pytest.raises(LeaseLost):
        await chat.says("全局优化一下")
    chat.world.fail_save = lambda state: False
    shown = numbered(chat.events)
    saved = chat.world.revision > revision
    lost_run = chat.world.state().run.run_id if saved else "never saved"
    await chat.run(recovered(Request(message="全局优化一下"), chat, lost_run_id=lost_run))
    assert chat.end is not None
    assert chat.end.outcome == "completed"
    assert not shown & numbered(chat.events)


async def test_an_approved_call_that_was_begun_is_begun_again_under_a_new_number() -> None:
    chat = await carded()
    assert chat.end is not None
    pending = chat.end.interaction
    assert pending is not None
    chat.world.fail_save = dying_at(2)
    chat.plays(DONE, "好了。")
    with pytest.raises(LeaseLost):
        await chat.answers("approve")
    chat.world.fail_save = lambda state: False
    shown = numbered(chat.events)
    assert "C move" in told(chat)
    answer = Request(resume=Resume(interaction=pending, action="approve"))
    await chat.run(recovered(answer, chat, lost_run_id=chat.world.state().run.run_id))
    assert told(chat).count("R move done") == 1
    assert not shown & numbered(chat.events)


async def test_a_class_written_by_the_lost_run_is_not_written_twice() -> None:
    chat = Chat(world()).plays(route("execute", context_hook={"domain": "taskclass", "packs": []}))
    chat.plays(call("upsert_task_class", CLASS), call("upsert_task_class", CLASS), DONE, "好了。")

    def dead_after_the_write(state: Any) -> bool:
        if chat.world.class_writes:
            raise LeaseLost
        return False

    chat.world.fail_save = dead_after_the_write
    request = Request(message="建任务类", always_execute=True)
    with pytest.raises(LeaseLost):
        await chat.run(request)
    chat.world.fail_save = lambda state: False
    await chat.run(recovered(request, chat, lost_run_id=chat.world.state().run.run_id))
    assert chat.end is not None
    assert chat.end.outcome == "completed"
    assert [row["name"] for row in chat.world.classes].count("线性代数") == 1


async def test_an_answer_that_failed_before_it_was_heard_can_be_taken_up_again() -> None:
    chat = await carded()
    assert chat.end is not None
    pending = chat.end.interaction
    load, chat.world.load_facts = chat.world.load_facts, broken  # type: ignore[method-assign]
    end = await chat.answers("approve")
    assert (end.run_status, end.code) == ("failed", "internal_error")
    assert end.interaction is not None
    assert end.interaction.type == "connection_recover"
    assert end.interaction.question == "刚才的处理被中断了，可以从上次保存的地方继续。"
    assert told(chat)[-2:] == ["interrupt", "run.failed"]
    chat.world.load_facts = load  # type: ignore[method-assign]
    assert pending is not None
    answer = Request(resume=Resume(interaction=pending, action="approve"))
    chat.plays(DONE, "好了。")
    await chat.run(recovered(answer, chat, lost_run_id="the failed run", offer=end.interaction))
    assert "R move done" in told(chat)


@pytest.mark.parametrize("number", range(1, 6))
async def test_an_answer_is_heard_though_the_timetable_changed_and_the_worker_died(number: int) -> None:
    chat = await carded()
    assert chat.end is not None
    pending = chat.end.interaction
    assert pending is not None
    chat.world.events.append(course(90, "讲座", day_number(4, 6), 1, 2))
    chat.world.base_version += 1
    before = chat.world.state().run.run_id
    chat.world.fail_save = dying_at(number)
    chat.plays(DONE, "好了。", DONE, "好了。")
    with pytest.raises(LeaseLost):
        await chat.answers("approve")
    chat.world.fail_save = lambda state: False
    lost_run = chat.world.state().run.run_id
    answer = Request(resume=Resume(interaction=pending, action="approve"))
    await chat.run(recovered(answer, chat, lost_run_id="never saved" if lost_run == before else lost_run))
    assert chat.end.outcome == "completed"
    assert last_item(chat).slot.slot_start == 9
    receipts = [row.name for row in chat.world.state().run.receipts if row.source == "write_receipt"]
    assert receipts == ["move"]


def dead_when_done(chat: Chat, number: int) -> None:
    """The lease is gone at the n-th save of a goal that has been told to its end."""
    saves = itertools.count(1)

    def dying(state: Any) -> bool:
        if state.run.phase == "done" and state.run.node == "deliver" and next(saves) == number:
            raise LeaseLost
        return False

    chat.world.fail_save = dying


@pytest.mark.parametrize("number", [1, 2])
async def test_a_goal_whose_worker_died_at_its_end_is_not_worked_at_again(number: int) -> None:
    chat = await carded()
    dead_when_done(chat, number)
    chat.plays(DONE, "挪好了。")
    with pytest.raises(LeaseLost):
        await chat.answers("approve")
    chat.world.fail_save = lambda state: False
    moved_to = last_item(chat).slot
    chat.plays("挪好了。")
    lost = Request(message="把最后一次往后挪两节")
    await chat.run(recovered(lost, chat, lost_run_id=chat.world.state().run.run_id))
    assert told(chat) == [
        "S chat/recovering",
        "S deliver/summarizing",
        "T deliver.speak.2",
        "schedule.completed",
        "S deliver/done",
        "finish",
    ]
    assert last_item(chat).slot == moved_to


@pytest.mark.parametrize("number", [1, 2])
async def test_how_a_goal_ended_is_kept_when_its_worker_died_while_telling_it(number: int) -> None:
    chat = await built()
    dead_when_done(chat, number)
    abort = {"code": "no_free_slot", "user_message": "没有空位了。"}
    chat.plays(route("execute"), {"action": "abort", "abort": abort})
    with pytest.raises(LeaseLost):
        await chat.says("挪一下")
    chat.world.fail_save = lambda state: False
    end = await chat.run(recovered(Request(message="挪一下"), chat, lost_run_id=chat.world.state().run.run_id))
    assert (end.outcome, end.code) == ("aborted", "no_free_slot")
    assert chat.of("text.ended")[0].full_content == "没有空位了。"
    assert not chat.of("schedule.completed")


async def broken(class_ids: Any) -> Any:
    raise RuntimeError("the database is gone")


async def test_consent_that_ended_with_its_goal_does_not_come_back_with_another_worker() -> None:
    """A write that it covers is not made by the worker that takes the run up in the goal after that."""
    chat = await carded()
    assert chat.end is not None
    assert chat.end.interaction is not None
    other = {"action": "abort", "abort": {"code": "new_request", "user_message": "这一项先不动。"}}
    chat.plays(other, route("execute"), moved(chat))
    said = Resume(interaction=chat.end.interaction, action="reject", message="把最后一次挪到第 10 天", typed=True)
    request = Request(message=said.message, always_execute=True, resume=said)
    deps_of, leaves = chat.world.deps, [False]

    def leaving() -> bool:
        return leaves[0] and chat.world.state().conversation.goals == 3

    def deps(*args: Any, **more: Any) -> Any:
        return replace(deps_of(*args, **more | {"run_id": "one run"}), leaving=leaving)

    chat.world.deps = deps  # type: ignore[method-assign]
    leaves[0] = True
    with pytest.raises(HandedOver):
        await chat.run(request)
    leaves[0] = False
    before = chat.schedule
    end = await chat.run(request.model_copy(update={"taken_up": True, "used_blocks": used(chat.events)}))
    assert chat.schedule == before
    assert end.outcome == "paused"
