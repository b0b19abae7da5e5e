"""Conversations stored before the state told what was done: they are read, and at least asked about."""

from __future__ import annotations

import copy

import pytest

from tests.kits.offline.conversations import place, planned, said

NEW = {
    "conversation": ("last_change",),
    "run": ("resumes", "change"),
    "turns": ("option", "asks", "item_ids", "wrote"),
    "interaction": ("topic", "steps"),
    "steps": ("kind", "class_ids"),
}


def without(row, keys):
    return {key: value for key, value in row.items() if key not in keys}


def as_version_2(document):
    """The document as the version before stored it."""
    document = copy.deepcopy(document) | {"version": 2}
    for part in ("conversation", "run"):
        document[part] = without(document[part], NEW[part])
    for part, turns in (("conversation", "dialogue"), ("run", "turns")):
        document[part][turns] = [without(turn, NEW["turns"]) for turn in document[part][turns]]
    if document["run"]["interaction"]:
        document["run"]["interaction"] = without(document["run"]["interaction"], NEW["interaction"])
    document["plan"]["steps"] = [without(step, NEW["steps"]) for step in document["plan"]["steps"]]
    return document


def stored_before(chat):
    """The conversation goes on from what the version before would have stored; its open question has no topic."""
    chat.world.document = as_version_2(chat.world.document)
    if chat.end.interaction is not None:
        chat.end.interaction.topic = ""
    return chat


@pytest.mark.parametrize(("done", "back"), [("第2章移到周日上午", (3, 6, 9)), ("第2章移出", (3, 6, 9))])
async def test_the_last_change_is_taken_back(done, back):
    chat = await planned()
    assert place(chat, "第2章") == back
    await chat.says(done)
    await chat.answers("approve")
    await stored_before(chat).says("改回去")
    await chat.answers("approve")
    assert place(chat, "第2章") == back


async def test_the_last_change_is_told():
    chat = await planned()
    await chat.says("第2章移到周日上午")
    await chat.answers("approve")
    told = said(chat)
    await stored_before(chat).says("刚才改了什么")
    assert said(chat) == "我上一次改动草稿（你的拖动不在内）：\n" + told


@pytest.mark.parametrize("undo", ["改回去", "undo that"])
async def test_a_build_is_not_taken_for_a_move(undo):
    chat = stored_before(await planned())
    await chat.says(undo)
    assert (chat.end.outcome, chat.of("confirm.requested")) == ("completed", [])


@pytest.mark.parametrize("english", [False, True])
async def test_the_steps_of_a_plan_are_carried_out(english):
    chat = await planned(english=english)
    await chat.says("plan first, then schedule Algebra" if english else "先列步骤，再把线性代数排好")
    await stored_before(chat).answers("approve")
    assert chat.end.outcome == "completed"
    assert [event.name for event in chat.of("tool.started")][:2] == ["smart_planning", "analyze_health"]
    assert chat.of("tool.started")[-1].name == "get_overview"


@pytest.mark.parametrize("answer", ["2", "好的", "随便"])
async def test_a_list_of_places_that_is_not_known_is_asked_about_again(answer):
    chat = await planned()
    await chat.says("第2章挪一下")
    await stored_before(chat).answers("reply", answer)
    assert chat.end.outcome == "paused"
    assert chat.of("interrupt.raised")


async def test_a_pronoun_that_stands_for_nothing_known_is_asked_about():
    chat = await planned()
    await chat.says("看看课表")
    await stored_before(chat).says("把它移到周五")
    assert chat.of("interrupt.raised")


async def test_a_plan_that_was_refused_is_asked_about():
    chat = await planned()
    await chat.says("先列步骤，再把线性代数排好")
    await stored_before(chat).answers("message", "不要这样")
    assert chat.end.outcome == "paused"
