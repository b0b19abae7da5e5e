"""Which classes a goal is about: those that the request gives and those that the student names."""

from __future__ import annotations

from typing import Any

import pytest

from agent.llm.offline.backend import OfflineModel
from tests.kits.loop.chat import DONE, Chat, build, call, route
from tests.kits.loop.goals import heavy_world
from tests.kits.loop.world import World, task_class

STEP = {"content": "排", "done_when": "有初稿"}


def planned(*ids: int) -> dict[str, Any]:
    return {"action": "plan_done", "steps": [STEP], "needs_rough_build": True, "task_class_ids": list(ids)}


@pytest.mark.parametrize("given", [(), (5,)])
async def test_classes_that_chat_finds_join_those_of_the_request(given: tuple[int, ...]) -> None:
    chat = Chat(heavy_world()).plays(build(task_class_ids=[6]), "好。")
    await chat.says("把线性代数也排进去，只要初稿", task_class_ids=given)
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [*given, 6]}


@pytest.mark.parametrize("given", [(), (5,)])
async def test_classes_that_the_plan_finds_join_those_of_the_request(given: tuple[int, ...]) -> None:
    chat = Chat(heavy_world()).plays(route("plan"), planned(6), DONE, "好。")
    await chat.says("先给计划，线性代数也要，只要初稿", task_class_ids=given, always_execute=True)
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [*given, 6]}


async def test_classes_found_later_replace_those_of_an_earlier_goal() -> None:
    chat = Chat(heavy_world()).plays(build(), "好。", build(task_class_ids=[6]), "好。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    await chat.says("现在排线性代数，只要初稿")
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [6]}


async def test_the_offline_policy_says_which_classes_it_plans() -> None:
    chat = Chat(heavy_world(), OfflineModel())
    await chat.says("把线性代数也排进去，只要初稿", task_class_ids=(5,))
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [5, 6]}
    assert "概率论复习" in chat.of("text.ended")[0].full_content


async def test_a_call_may_carry_what_calls_of_functions_carry() -> None:
    chat = Chat(heavy_world()).plays(build(), "好。")
    await chat.says("排好，只要初稿", task_class_ids=(5,))
    asked = call("get_overview", {"intent": "先看看"})
    asked["tool_call"] |= {"id": "call_1", "type": "function"}
    chat.plays(route("execute"), asked, DONE, "好。")
    end = await chat.says("看看安排")
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", 0)
    assert chat.of("tool.started")[0].arguments == {}


@pytest.mark.parametrize(
    ("given", "built", "told"),
    [
        (["线性代数"], [6], 0),
        ("概率论复习", [5], 0),
        (["概率论", "6"], [5, 6], 0),
        ("全部", [5, 6], 0),
        ([999, 6], [6], 1),
        (["没有这门"], [6], 1),
    ],
)
async def test_classes_are_named_by_words_and_unknown_ones_are_told_once(
    given: Any, built: list[int], told: int
) -> None:
    chat = Chat(heavy_world()).plays(*[build(task_class_ids=given)] * (1 + told), "好。")
    end = await chat.says("排线性代数，只要初稿")
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": built}
    assert (end.outcome, end.counts.auto_fix_attempts) == ("completed", told)


async def test_a_plan_names_classes_by_words() -> None:
    plan = {**planned(), "task_class_ids": "线性代数"}
    chat = Chat(heavy_world()).plays(route("plan"), plan, DONE, "好。")
    await chat.says("先给计划，只要初稿", always_execute=True)
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [6]}


def many_classes() -> World:
    """Forty classes of several terms, of which the newest have the highest ids."""
    rows = [task_class(one, f"课程{one}", "2026-03-16", "2026-03-29", lengths=(1,)) for one in range(1, 41)]
    return World(classes=rows)


async def test_the_newest_of_many_classes_is_found_by_its_name() -> None:
    chat = Chat(many_classes(), OfflineModel())
    await chat.says("把课程40排好，只要初稿")
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [40]}
    await chat.says("有哪些任务类")
    assert "共 40 个任务类" in "\n".join(event.full_content for event in chat.of("text.ended"))


async def test_of_many_classes_a_model_is_told_the_newest_and_those_in_question() -> None:
    chat = Chat(many_classes()).plays(route("direct_reply", speak="好。"))
    await chat.says("怎么样", task_class_ids=(2,))
    told = chat.model.requests[0].messages[2]["content"]
    assert [f"- [{one}]" in told for one in (1, 2, 3, 10, 11, 40)] == [False, True, False, False, True, True]
    assert "另有 9 个较早的任务类" in told


async def test_the_newest_of_many_classes_are_offered() -> None:
    chat = Chat(many_classes()).plays(build())
    await chat.says("排好")
    options = [option.id for option in chat.of("interrupt.raised")[0].options]
    assert options == [*(f"class:{one}" for one in range(33, 41)), "all", "new"]
