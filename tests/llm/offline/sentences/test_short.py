"""Sentences that lean on what was said before: a time alone, an item alone, "it", questions about the last change."""

from __future__ import annotations

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.ellipsis import form_of
from agent.llm.offline.language.spans.targets import read_target
from schedules.planner.grid import day_number
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, course, task_class
from tests.kits.offline.conversations import TERM, card, place, planned, said
from tests.kits.offline.views import view


def full_week():
    """A class that fits its week exactly: none of its items has another legal place."""
    lessons = [course(10 + d, "实习", day_number(3, d), 1, 10) for d in range(1, 8)]
    lessons += [course(30 + d, "实习", day_number(3, d), 11, 12) for d in range(3, 8)]
    return World(classes=[task_class(5, "物理", "2026-03-16", "2026-03-22", lengths=(2, 2))], events=lessons)


@pytest.mark.parametrize(
    ("message", "form"),
    [
        ("周六下午", "time"),
        ("还是周四吧", "time"),
        ("不对，第4周周三5-6节", "time"),
        ("no, Thursday", "time"),
        ("Actually, make that Friday morning instead", "time"),
        ("第2章", "item"),
        ("它呢", "item"),
        ("第2章周日上午", "both"),
        ("随机变量放周日", ""),
        ("make it Friday", "both"),
        ("周六下午打球", ""),
        ("第9章", ""),
        ("", ""),
    ],
)
def test_a_sentence_without_a_verb_has_a_form(message, form):
    assert form_of(message, Brief(view(message))) == form


@pytest.mark.parametrize(
    ("message", "days"),
    [
        ("不要周三，周四吧", (4,)),
        ("不是周日，是周六", (6,)),
        ("not Thursday, Friday", (5,)),
        ("除了周一都行", ()),
        ("周一和周三", (1, 3)),
    ],
)
def test_a_day_that_is_not_wanted_is_no_target(message, days):
    assert read_target(message, TERM).days == days


@pytest.mark.parametrize("english", [False, True])
async def test_a_time_alone_after_there_was_no_place_is_another_place_for_the_same_item(english):
    chat = Chat(full_week(), model=OfflineModel())
    await chat.says("Plan it, draft only" if english else "排好，只要初稿", task_class_ids=(5,))
    await chat.says("Move chapter 2 to Saturday" if english else "第2章移到周六")
    assert chat.end.code == "no_place"
    await chat.says("no, Thursday" if english else "周四下午")
    assert chat.end.code == "no_place"
    looked = [event.arguments for event in chat.of("tool.started") if event.name == "find_first_free"]
    assert [row.get("day_of_week") for row in looked] == [None, [4]]  # in the item's own week, then in any


async def test_a_time_alone_after_a_move_moves_the_item_again():
    chat = await planned()
    await chat.says("第2章移到周六下午")
    await chat.answers("approve")
    await chat.says("还是周日上午吧")
    await chat.answers("approve")
    assert place(chat, "第2章") == (3, 7, 1)


async def test_a_time_alone_goes_on_after_the_move_was_given_up():
    chat = await planned()
    await chat.says("第2章移到周六下午")
    await chat.answers("message", "算了")
    await chat.says("周日上午")
    assert "周日 1-2" in card(chat).summary


async def test_a_time_alone_after_a_question_asks_the_same_of_that_day():
    chat = await planned()
    await chat.says("周五有空吗")
    await chat.says("那周六呢")
    assert [event.name for event in chat.of("tool.started")] == ["query_timetable"]
    assert "周六" in said(chat)


@pytest.mark.parametrize(("english", "message"), [(False, "第2章周日上午"), (True, "chapter 2 Sunday morning")])
async def test_an_item_and_a_time_are_a_move(english, message):
    chat = await planned(english=english)
    await chat.says(message)
    assert [event.arguments["day"] for event in chat.of("tool.started")] == [7]
    assert card(chat)


@pytest.mark.parametrize("message", ["它呢", "它在哪", "第2章"])
async def test_an_item_alone_is_asked_about(message):
    chat = await planned()
    await chat.says("第2章在哪天")
    before = said(chat)
    await chat.says(message)
    assert said(chat) == before


@pytest.mark.parametrize("message", ["刚才改了什么", "改动了哪些", "有什么变化", "你都动了啥"])
async def test_the_last_change_is_told_again(message):
    chat = await planned()
    await chat.says("第2章移到周六下午")
    await chat.answers("approve")
    told = said(chat)
    await chat.says("周五有空吗")
    await chat.says(message)
    assert said(chat).endswith(told)


@pytest.mark.parametrize("message", ["what did you change", "What has changed?", "show me the changes"])
async def test_the_last_change_is_told_again_in_english(message):
    chat = await planned(english=True)
    await chat.says("move chapter 2 to Saturday afternoon")
    await chat.answers("approve")
    told = said(chat)
    await chat.says(message)
    assert said(chat) == "My last change of the draft, your own drags aside:\n" + told


async def test_without_a_change_none_is_told():
    chat = Chat(full_week(), model=OfflineModel())
    await chat.says("刚才改了什么")
    assert said(chat) == "最近的对话里我没有改动过草稿。"


@pytest.mark.parametrize(
    ("english", "message"), [(False, "周六有哪些"), (True, "which of them is on Saturday"), (False, "周末有哪些任务")]
)
async def test_the_items_of_a_weekday_are_listed_over_all_weeks(english, message):
    chat = await planned(english=english)
    saturday = [entry.name for entry in chat.schedule.items() if entry.slot.day % 7 == 6]
    assert saturday
    await chat.says(message)
    assert [entry.name for entry in chat.schedule.items() if entry.name in said(chat)] == saturday


async def test_a_day_without_items_is_said_to_have_none():
    chat = await planned()
    await chat.says("周一有哪些")
    assert "没有安排" in said(chat)


@pytest.mark.parametrize("message", ["第5周排概率论复习", "Plan 概率论复习 in week 9, please"])
async def test_a_class_is_not_built_at_another_time_than_its_own(message):
    world = World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")], events=[])
    chat = Chat(world, model=OfflineModel())
    await chat.says(message)
    assert not chat.of("tool.started")
    first, last = ("3月16日", "3月29日") if message.startswith("第") else ("16 Mar", "29 Mar")
    assert first in said(chat)
    assert last in said(chat)
    await chat.says("按原来的日期排吧" if "周" in message[:4] else "then within its own dates")
    assert "R smart_planning done" in chat.kinds()


@pytest.mark.parametrize("message", ["第3周到第4周排概率论复习", "从3月16日到3月29日把概率论复习排好"])
async def test_the_dates_of_the_class_itself_are_no_other_time(message):
    world = World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")], events=[])
    chat = Chat(world, model=OfflineModel())
    await chat.says(message)
    assert "R smart_planning done" in chat.kinds()


@pytest.mark.parametrize("message", ["第3周周日排第2章", "周日下午排第2章", "schedule chapter 2 on Sunday"])
async def test_an_item_is_put_at_a_time_by_the_bare_verb(message):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert "第2章" in card(chat).summary


async def test_of_several_items_it_is_told_which_were_moved_and_which_were_not():
    chat = await planned()
    await chat.says("把第1章移到周三上午，第2章移到第9周周一，第3章移到第4周周五下午")
    await chat.answers("approve")
    await chat.answers("message", "算了")
    lines = said(chat).splitlines()
    assert [line.partition("：")[0][-3:] for line in lines[:2]] == ["第1章", "第3章"]
    assert lines[2].startswith("没有动：概率论复习第2章。")


async def test_of_several_items_none_of_which_can_be_taken_out_each_has_its_reason():
    chat = await planned()
    for _ in range(2):
        await chat.says("把第1章和第3章移出")
        if chat.end.outcome == "paused":
            await chat.answers("approve")
    assert chat.end.code == "unplaced"
    assert all(f"{name} 还没有排进草稿" in said(chat) for name in ("第1章", "第3章"))


async def test_a_question_between_two_cards_is_answered_before_the_second_comes_again():
    chat = await planned()
    await chat.says("把第1章移出，第3章移到第4周周五下午")
    await chat.answers("approve")
    await chat.answers("message", "周五有空吗")
    told = said(chat).splitlines()
    assert told[0].startswith("先回答这个，卡片接着再来。")
    assert told[1].startswith("剩下这一步：")
    assert "第3章" in told[1]
    assert "第3章" in chat.of("confirm.requested")[-1].summary
    await chat.answers("approve")
    await chat.says("刚才改了什么")
    assert "第3章" in said(chat)
