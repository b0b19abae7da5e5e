"""What a student says in passing and fixed rules have to get right: days, names in part, changes of a class."""

from __future__ import annotations

from datetime import date

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.spans.dates import dates_in, range_in
from agent.llm.offline.language.spans.mentions import items_in
from agent.llm.offline.stages.deliver import deliver
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, task_class
from tests.kits.offline import views
from tests.kits.offline.conversations import TERM, brief, card, entry, planned, said, three_classes
from tests.kits.offline.views import change, goal, result, risk

NAMES = ("条件概率与全概率公式", "贝叶斯公式与独立性", "高频动词 List 1-3", "高频动词 List 4-6")
TASKS = [entry(number, name) for number, name in enumerate(NAMES, start=7)]
CLASS = views.task_class(5, "六级词汇冲刺")


@pytest.mark.parametrize(
    ("message", "ids"),
    [
        ("把贝叶斯公式挪到第6周", [8]),
        ("全概率公式改到周五", [7]),
        ("高频动词移到周五", [9, 10]),
        ("把六级词汇冲刺挪到周五", []),
        ("把公式挪到周五", []),
    ],
)
def test_a_telling_part_of_a_name_is_enough(message, ids):
    found = items_in(message, brief(message, tasks=TASKS, classes=[CLASS]))
    assert [row["state_id"] for row in found] == ids


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("修改六级词汇冲刺，周末不排", "class"),
        ("六级词汇冲刺改名为六级", "class"),
        ("rename 六级词汇冲刺 to CET-6", "class"),
        ("把六级词汇冲刺改到3月20日到4月3日", "class"),
        ("把六级词汇冲刺改到周五", "move"),
        ("把六级词汇冲刺排了", "build"),
        ("六级词汇冲刺排完吧", "build"),
        ("六级词汇冲刺别排了", "keep"),
    ],
)
def test_a_known_class_is_edited_or_planned_by_its_name(message, intent):
    assert intent_of(message, brief(message, classes=[CLASS])) == intent


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("下周一到12月20号", None),
        ("下周三", 1),
        ("next Friday", 1),
        ("下周一到周五", 5),
        ("下下周日", 1),
    ],
)
def test_a_weekday_of_a_week_is_a_date(words, days):
    found = dates_in(words, TERM)
    assert found
    week = TERM.week_day(TERM.today)[0]
    assert TERM.week_day(found[0])[0] == week + (2 if words.startswith("下下") else 1)
    if days:
        first, last = range_in(words, TERM)
        assert (last - first).days + 1 == days if last else first == found[0]


def test_sections_after_a_week_are_no_weekday():
    assert dates_in("下周1-2节", TERM) == []
    assert all(isinstance(day, date) for day in dates_in("下周三5-6节", TERM))


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("第9周周一有空吗", "第9周 周一（4月27日） 1-12节"),
        ("5月10日有空吗", "第10周 周日（5月10日） 1-12节"),
        ("第9周有什么课", "第9周（4月27日–5月3日）没有安排课。"),
        ("am I free on May 10?", "wk 10 Sun (10 May) 1-12"),
    ],
)
async def test_a_day_beyond_the_plan_is_answered_from_the_timetable(message, told):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert [event.name for event in chat.of("tool.started")] == ["query_timetable"]
    assert told in said(chat)


async def test_a_check_up_of_nothing_says_so():
    chat = Chat(World(classes=[task_class(5, "概率论复习", "2026-03-16", "2026-03-29")]), model=OfflineModel())
    await chat.says("体检一下")
    assert "草稿里还没有安排" in said(chat)


async def test_a_swap_takes_the_second_item_from_the_class_of_the_first():
    chat = await planned()
    await chat.says("把线性代数排好，只要初稿")
    await chat.says("把概率论复习和线性代数都排好", task_class_ids=(5, 6))
    await chat.says("交换第1章和第2章")
    assert chat.of("interrupt.raised")[0].question.startswith("是哪一项？")
    await chat.answers("message", "1")
    told = "\n".join(event.full_content for event in chat.of("text.ended"))
    assert "和哪一项交换" not in told
    assert [event.name for event in chat.of("tool.started")] == ["swap"]


async def test_what_was_looked_up_for_a_move_is_no_answer_when_it_is_dropped():
    chat = await planned()
    await chat.says("第2章移到第4周周日晚上，第9-12节")
    await chat.answers("message", "算了")
    assert said(chat) == "好的，什么都没有改，还在原来的地方。"


async def test_another_sentence_while_facts_are_missing_is_no_other_request():
    chat = await planned()
    await chat.says("新建任务类「英语口语」，分8次")
    assert "还缺" in chat.of("interrupt.raised")[0].question
    await chat.answers("message", "直接排进课表吧")
    assert "这件事先保持不变" not in said(chat)
    await chat.answers("message", "第3周到第4周")
    assert "英语口语" in card(chat).summary


def test_items_that_were_agreed_to_be_left_out_are_all_named_once():
    left = [f"第{n}节内容" for n in range(1, 15)]
    done = goal(change(1, "甲", after=(3, 1, 1)), left=left)
    told = deliver(brief("排好", goal=done, last_results=[result("smart_planning")], accepted_risk=risk(14)))
    assert [told.count(name) for name in left] == [1] * 14


async def test_a_build_of_no_known_class_names_the_others():
    chat = await planned()
    await chat.says("把高数排好")
    assert "没有叫「高数」的任务类。要排别的任务类，请说它的名字：「概率论复习」、「线性代数」。" in said(chat)


async def test_a_name_with_a_digit_is_a_name():
    chat = await planned(english=True)
    await chat.says("create a task class")
    await chat.answers("message", "CET-6 sprint")
    assert "its name" not in chat.of("interrupt.raised")[0].question
    await chat.answers("message", "week 3 to 4, 8 sections, 4 parts")
    assert "CET-6 sprint" in card(chat).summary


@pytest.mark.parametrize(
    "message",
    [
        "我想在第3周到第4周复习线代，一共10节，分5次，周二周四不排",
        "新建任务类「线代」，从3.16到3.29，共10节，分5次，周二周四不排",
    ],
)
async def test_a_wish_with_its_facts_is_a_class(message):
    chat = await planned()
    await chat.says(message)
    assert "「线代」：5 项 / 10 节，第3周周一–第4周周日，周二、周四不排" in card(chat).summary


@pytest.mark.parametrize(
    ("message", "told"),
    [("第3章在哪天", "概率论复习第3章"), ("第2章什么时候", "概率论复习第2章"), ("还有哪些没排的", "没有待安排的内容")],
)
async def test_where_an_item_is_can_be_asked_over_a_card_that_comes_back_behind_the_answer(message, told):
    chat = await planned()
    await chat.says("第2章移到第4周周三下午")
    summary = card(chat).summary
    await chat.answers("message", message)
    assert told in said(chat)
    assert card(chat).summary == summary


async def test_items_are_swapped_by_their_numbers():
    chat = await planned(english=True)
    await chat.says("swap items 1 and 2")
    assert [event.name for event in chat.of("tool.started")] == ["swap"]


async def test_a_list_of_places_names_its_item_when_several_are_moved():
    chat = await planned()
    await chat.says("把第2章和第3章移到第3周周一第1节")
    assert "没有动：概率论复习第2章。" in said(chat)
    assert "可以放在：" in said(chat)


async def test_a_number_over_a_card_picks_no_place_that_was_not_offered():
    chat = await planned()
    await chat.says("第2章移到第4周周三下午")
    assert card(chat)
    await chat.answers("message", "1")
    assert not chat.of("confirm.requested")
    assert chat.of("interrupt.raised")[0].question.startswith("那就换个时间。概率论复习第2章 可以放在：")


@pytest.mark.parametrize(
    ("message", "told"), [("不排了", "好的，草稿保持现在的样子。"), ("cancel", "All right, the draft stays as it is.")]
)
async def test_giving_up_when_nothing_is_open_is_taken_as_that(message, told):
    chat = await planned()
    await chat.says(message)
    assert said(chat) == told


@pytest.mark.parametrize(
    "message", ["帮我把这些任务排好", "帮我把任务排好", "把这个任务类排一下", "Please get these planned"]
)
async def test_what_is_asked_for_beside_given_classes_is_a_plan_of_these(message):
    chat = three_classes()
    await chat.says(message, task_class_ids=(3,))
    assert list(chat.state.conversation.scope) == [3]
    assert {event.name for event in chat.of("tool.started")} >= {"smart_planning"}
