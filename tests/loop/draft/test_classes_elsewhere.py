"""Task classes that the student changes or deletes on the page while a conversation knows them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent.loop.capacity.scope import OTHER_DAYS
from agent.loop.state.draft import DraftPart
from schedules.planner.draft.rebase import rebase
from tests.kits.loop.chat import DONE, Chat, build, call, execute, route, told, two_classes, world
from tests.kits.loop.goals import infeasible
from tests.kits.loop.world import World, task_class

pytestmark = pytest.mark.usefixtures("each_backend")


def edited(chat: Chat, **fields: Any) -> None:
    """The student saves the first class with other values."""
    chat.world.classes[0] = {**chat.world.classes[0], **fields}
    chat.world.base_version += 1


async def looked_at(chat: Chat) -> None:
    """The page reads the preview, which stores the draft on the newest rows."""
    facts = await chat.world.load_facts([row["id"] for row in chat.world.classes])

    def renewed(part: DraftPart) -> None:
        assert part.schedule is not None
        part.schedule = rebase(part.schedule, facts).state

    chat.world.drag(renewed)


@pytest.mark.parametrize("page_looked", [False, True])
async def test_dates_widened_on_the_page_open_the_health_gate(page_looked: bool) -> None:
    chat = await infeasible()
    edited(chat, end_date="2026-04-05")
    if page_looked:
        await looked_at(chat)
    first = next(iter(chat.schedule.items()))
    chat.plays(call("unplace", {"task_id": first.state_id}))
    await chat.answers("reply", "日期我在页面上改好了，继续")
    assert chat.of("confirm.requested")
    assert "任务类已被修改：「大学物理复习」" in chat.messages[3]
    assert "体检结论" not in chat.messages[3].replace("之前的体检结论不再适用", "")


@pytest.mark.parametrize("page_looked", [False, True])
async def test_a_changed_class_ends_the_accepted_risk(page_looked: bool) -> None:
    chat = await infeasible()
    chat.plays(execute("ask_user", speak="还要别的吗？"))
    await chat.answers("reply", option="accept_risk")
    assert chat.world.state().draft.accepted_risk is not None
    edited(chat, end_date="2026-04-05")
    if page_looked:
        await looked_at(chat)
    chat.plays(route("direct_reply", speak="好。"))
    await chat.answers("cancel")
    await chat.says("谢谢")
    assert chat.world.state().draft.accepted_risk is None


async def test_an_accepted_risk_outlives_a_class_that_stays_as_it_is() -> None:
    chat = await infeasible()
    chat.plays(execute("ask_user", speak="还要别的吗？"))
    await chat.answers("reply", option="accept_risk")
    edited(chat, name="大学物理总复习")
    chat.plays(route("direct_reply", speak="好。"))
    await chat.answers("cancel")
    await chat.says("谢谢")
    assert chat.world.state().draft.accepted_risk is not None


async def test_items_added_on_the_page_are_built_next_to_those_that_stand() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    before = {entry.source_id: entry.slots for entry in chat.schedule.items()}
    longer = task_class(5, "概率论复习", "2026-03-16", "2026-03-29", lengths=(2, 2, 2, 2))
    edited(chat, items=longer["items"], total_slots=8)
    chat.plays(build(), "好了。")
    end = await chat.says("把新加的也排进去，只要初稿")
    assert end.outcome == "completed"
    after = {entry.source_id: entry.slots for entry in chat.schedule.items()}
    assert all(after.values())
    assert {item: after[item] for item in before} == before
    assert set(after) - set(before) == {504}


async def test_a_class_that_was_only_changed_in_its_rules_is_not_built_again() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    edited(chat, difficulty_level="high")
    chat.plays(build(), call("get_overview"), DONE, "没有重排。")
    await chat.says("再排一下")
    assert "C smart_planning" not in told(chat)
    assert "已经排过初稿" in chat.model.requests[-2].messages[3]["content"]


async def test_a_deleted_class_leaves_the_scope_and_nothing_is_built_for_it() -> None:
    chat = Chat(world()).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    chat.world.classes, chat.world.base_version = [], 2
    chat.plays(build(), execute("ask_user", speak="现在没有任务类，要新建一个吗？"))
    await chat.says("重新粗排")
    assert "C smart_planning" not in told(chat)
    assert chat.world.state().conversation.scope == []
    assert "学生还没有任何任务类" in chat.messages[3]


async def test_an_option_for_a_class_that_is_gone_is_left_to_the_model() -> None:
    chat = Chat(two_classes()).plays(build(), execute("ask_user", speak="它已经删除了，排线性代数吗？"))
    await chat.says("排一下")
    chat.world.classes = chat.world.classes[1:]
    end = await chat.answers("reply", option="class:5")
    assert end.outcome == "paused"
    assert "C smart_planning" not in told(chat)
    assert "概率论复习" in chat.messages[3]


async def test_a_number_chooses_from_the_options_that_were_shown() -> None:
    chat = Chat(two_classes()).plays(build(), "好了。")
    await chat.says("排一下，只要初稿")
    chat.world.classes = [task_class(1, "英语", "2026-03-16", "2026-03-29"), *chat.world.classes]
    await chat.answers("reply", "2")
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [6]}


async def test_a_class_deleted_while_it_is_about_to_be_built_is_not_built() -> None:
    chat = Chat(World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")]))
    load, calls = chat.world.load_facts, []

    async def deleted_on_the_way(class_ids: Any) -> Any:
        calls.append(class_ids)
        await asyncio.sleep(0)
        if len(calls) > 1:
            chat.world.classes = []
        return await load(class_ids)

    chat.world.load_facts = deleted_on_the_way  # type: ignore[method-assign]
    chat.plays(build(), execute("ask_user", speak="要新建一个吗？"))
    end = await chat.says("排好", task_class_ids=(5,))
    assert end.outcome == "paused"
    assert "C smart_planning" not in told(chat)


async def test_a_question_about_the_term_leaves_the_scope_of_the_conversation() -> None:
    both = World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29"),
                          task_class(6, "六级词汇", "2026-03-09", "2026-03-29")])  # fmt: skip

    async def standing() -> list[int]:
        return [5, 6]

    both.tools = {"standing_classes": standing}
    chat = Chat(both).plays(build(), "好了。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    before = chat.schedule
    asked = {"kind": "keep_free", "dates": ["2026-03-17", "2026-03-18"], "task_class_id": 6}
    chat.plays(route("execute"), call("preview_replan", asked), DONE, "好的。")
    await chat.says("如果这两天空出来会怎样？")
    state = both.state()
    assert [event.success for event in chat.of("tool.finished")][-1]
    assert any(OTHER_DAYS in message["content"] for message in chat.model.requests[-2].messages)
    assert state.conversation.scope == [5]
    assert chat.schedule.revision == before.revision
    assert {entry.task_class_id for entry in chat.schedule.items()} == {5}
