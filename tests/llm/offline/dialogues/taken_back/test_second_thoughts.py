"""A student who changes the mind: over a card, after a plan that did not fit, with two wishes in one sentence."""

from __future__ import annotations

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.llm.offline.language.spans.classes.class_sentence import read_class
from schedules.planner.grid import day_number, week_and_weekday
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, course, task_class
from tests.kits.offline.conversations import TERM, card, lessons, place, planned, said, three_classes


@pytest.mark.parametrize(("english", "consent"), [(False, "好的"), (False, "确认"), (True, "yes please do")])
async def test_consent_typed_over_a_card_brings_the_card_back_with_a_word_about_its_button(english, consent):
    chat = await planned(english=english)
    await chat.says("move chapter 2 to Sunday morning" if english else "第2章移到周日上午")
    summary = card(chat).summary
    await chat.answers("message", consent)
    assert card(chat).summary == summary
    assert ("press its button" if english else "请点卡片上的「确认」") in said(chat)
    await chat.answers("approve")
    assert place(chat, "第2章") == (3, 7, 1)


async def test_the_card_that_comes_back_is_the_one_that_was_changed_last():
    chat = await planned()
    await chat.says("第2章移到周日上午")
    await chat.answers("message", "还是周五上午吧")
    summary = card(chat).summary
    await chat.answers("message", "好")
    assert card(chat).summary == summary
    await chat.answers("message", "不，周四")
    assert "周四" in card(chat).summary


@pytest.mark.parametrize("message", ["把概率论复习全部移出", "概率论复习先不排了，移出"])
async def test_all_items_of_a_class_are_taken_out_with_one_consent(message):
    chat = await planned()
    await chat.says(message)
    await chat.answers("approve")
    assert chat.end.outcome == "completed"
    assert not [entry for entry in chat.schedule.items() if entry.task_class_id == 5 and entry.slots]


async def test_a_class_of_which_nothing_is_placed_any_more_is_built_as_if_for_the_first_time():
    chat = await planned()
    await chat.says("概率论复习排一下")
    assert [done.name for done in chat.of("tool.finished")] == []
    await chat.says("把概率论复习全部移出")
    await chat.answers("approve")
    await chat.says("概率论复习排一下")
    assert [done.name for done in chat.of("tool.finished")] == ["smart_planning", "analyze_health"]
    assert all(entry.slots for entry in chat.schedule.items() if entry.task_class_id == 5)


async def test_another_class_over_the_card_of_an_item_is_another_request():
    chat = await planned()
    await chat.says("把线性代数排好，只要初稿")
    await chat.says("概率论复习第2章移到周日上午")
    await chat.answers("message", "不，把线性代数全部移出")
    assert "线性代数第1章" in card(chat).summary


async def test_several_items_over_the_card_of_one_are_another_request():
    chat = await planned()
    await chat.says("第2章移到周日上午")
    await chat.answers("message", "第1章和第3章移出")
    for _ in range(2):
        await chat.answers("approve")
    assert [entry.name[-3:] for entry in chat.schedule.items() if not entry.slots] == ["第1章", "第3章"]


async def test_an_item_that_is_there_already_is_not_moved_within_the_day():
    chat = await planned()
    assert place(chat, "第2章")[1] == 6
    await chat.says("第2章移到周六")
    assert chat.of("interrupt.raised")[0].question.startswith("它已经在第3周 周六")


@pytest.mark.parametrize(
    ("message", "weekday"),
    [("第3章放周五上午", 5), ("push chapter 3 back by one day", 4), ("postpone chapter 3 one day later", 4)],
)
async def test_verbs_of_moving_are_many(message, weekday):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    await chat.answers("approve")
    assert place(chat, "第3章")[1] == weekday


async def test_the_name_of_an_item_is_no_command():
    rows = [task_class(5, "六级词汇", "2026-03-16", "2026-03-29")]
    rows[0]["items"][0]["content"], rows[0]["items"][1]["content"] = "词根词缀总览", "显示器术语"
    chat = Chat(World(classes=rows, events=lessons()), model=OfflineModel())
    await chat.says("六级词汇排好，只要初稿")
    await chat.says("词根词缀总览和显示器术语换一下")
    assert "显示器术语 移到第 1 项" in chat.of("confirm.requested")[-1].summary


@pytest.mark.parametrize(
    ("message", "parts"),
    [("10次，每次2节", 10), ("改成8次", 8), ("线性代数，6次", 6), ("第3次移到周五", None), ("再来一次", None)],
)
def test_a_number_of_times_is_a_number_of_parts(message, parts):
    assert read_class(message, TERM).parts == parts


async def test_a_class_that_was_planned_tells_how_to_plan_it_again_after_a_change():
    chat = await planned()
    await chat.says("修改概率论复习，难度高")
    await chat.answers("approve")
    assert "要按新的设置重新排，请说「从头排」。" in said(chat)


async def test_what_stands_at_a_time_that_is_kept_free_from_now_on_goes_elsewhere():
    chat = await planned()
    await chat.says("概率论复习周末别排")
    await chat.answers("approve")
    if chat.end.outcome == "paused":
        await chat.answers("approve")
    days = [week_and_weekday(chat.schedule.place_of(entry).day)[1] for entry in chat.schedule.items() if entry.slots]
    assert days
    assert max(days) < 6
    assert "重新排，请说" not in said(chat)


@pytest.mark.parametrize("message", ["我想学线性代数", "I need to study linear algebra"])
async def test_a_wish_to_learn_asks_for_what_the_class_lacks(message):
    chat = Chat(World(classes=[], events=lessons()), model=OfflineModel())
    await chat.says(message)
    question = chat.of("interrupt.raised")[0].question
    assert question.startswith(("还缺内容", "Still missing: the steps"))


def too_much():
    lessons_ = [course(10 + d, "实习", day_number(3, d), 1, 10) for d in range(1, 8)]
    rows = [task_class(5, "突击", "2026-03-16", "2026-03-22", lengths=(2,) * 10)]
    return Chat(World(classes=rows, events=lessons_), model=OfflineModel())


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("太多了，少排点", "缩小到多少？"),
        ("时间能再长一点吗", "新的起止日期是哪天到哪天？"),
        ("can you give it more time", "What are the new start and end dates?"),
    ],
)
async def test_a_way_out_is_meant_without_its_label(message, question):
    chat = too_much()
    await chat.says("把突击排好，只要初稿")
    assert chat.end.code == "rough_build_pending_remaining"
    await chat.says(message)
    assert chat.of("interrupt.raised")[0].question.startswith(question)


async def test_facts_take_a_way_out_and_the_next_step_is_told():
    chat = too_much()
    await chat.says("把突击排好，只要初稿")
    await chat.says("到第4周")
    await chat.answers("approve")
    assert chat.world.classes[0]["end_date"] == "2026-03-29"
    assert said(chat).endswith("要排进课表，请说「把突击排好」。")


async def test_consent_typed_over_a_plan_brings_the_plan_back():
    chat = await planned(english=True)
    await chat.says("plan first, then schedule Algebra")
    summary = card(chat).summary
    await chat.answers("message", "looks good")
    assert card(chat).summary == summary
    assert "press its button" in said(chat)


async def test_each_side_of_and_keeps_its_own_time():
    chat = await planned(english=True)
    await chat.says("move chapter 1 to Wednesday morning and chapter 3 to week 4 Friday")
    await chat.answers("approve")
    assert place(chat, "第1章")[:2] == (3, 3)
    assert place(chat, "第3章")[:2] == (4, 5)


async def test_an_item_goes_back_by_name():
    chat = await planned()
    before = place(chat, "第2章")
    await chat.says("第2章移到周日上午")
    await chat.answers("approve")
    await chat.says("第2章放回去")
    await chat.answers("approve")
    assert place(chat, "第2章") == before


@pytest.mark.parametrize("scoped", [False, True])
async def test_what_is_to_be_kept_free_comes_before_the_plan(scoped):
    chat = three_classes()
    await chat.says("把概率论排好，尽量别放晚上，只要初稿", task_class_ids=(1,) if scoped else ())
    assert "R smart_planning done" not in chat.kinds()
    await chat.answers("approve")
    assert "R smart_planning done" in chat.kinds()
    assert all(entry.slot.slot_end <= 8 for entry in chat.schedule.items())


async def test_of_two_wishes_the_second_is_done_when_the_plan_is_made():
    chat = three_classes()
    await chat.says("排概率论，只要初稿，然后把第2章移到周日")
    assert "已排 3 项" in said(chat)
    assert "第2章" in card(chat).summary
    assert "周日" in card(chat).summary


async def test_a_second_class_of_the_same_name_is_told():
    chat = three_classes()
    await chat.says("新建任务类「六级词汇冲刺」，第3周到第5周，共10节，分5次")
    assert said(chat).startswith("已经有一个同名的任务类")


@pytest.mark.parametrize("message", ["写入课表", "暂存一下", "please apply it"])
async def test_what_has_a_button_is_told(message):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert not chat.of("tool.started")
    assert any(words in said(chat) for words in ("按钮在周课表里", "buttons of the week view"))


@pytest.mark.parametrize("message", ["今晚有空吗", "am I free tonight"])
async def test_tonight_is_the_evening_of_today(message):
    rows = [task_class(5, "复习" if "晚" in message else "Revision", "2026-03-09", "2026-03-15")]
    chat = Chat(World(classes=rows, events=[]), model=OfflineModel())
    await chat.says(message, task_class_ids=(5,))
    assert said(chat).splitlines()[1:] == [
        "第2周 周一（3月9日） 9-12节" if "晚" in message else "wk 2 Mon (9 Mar) 9-12"
    ]


async def test_the_lessons_of_a_day_are_told_when_lessons_are_asked_for():
    chat = await planned()
    await chat.says("我第3周周三有哪些课")
    assert "1-2节 高等数学" in said(chat)


@pytest.mark.parametrize("message", ["把泰勒展开移到周日", "move Taylor series to Sunday", "挪一下第20章"])
async def test_a_thing_of_no_known_name_is_not_the_item_spoken_of_last(message):
    chat = await planned(english=message.isascii())
    await chat.says("where is chapter 2" if message.isascii() else "第2章在哪天")
    await chat.says(message)
    question = chat.of("interrupt.raised")[0].question
    assert question.startswith(("要调整哪一项？", "没有第20章。", "Which step?"))


@pytest.mark.parametrize("message", ["不移了", "还是不改了吧", "别动了"])
async def test_not_wanting_to_move_is_no_wish_to_move(message):
    chat = await planned()
    await chat.says("第2章移到周日上午")
    await chat.answers("message", "取消")
    await chat.says(message)
    assert said(chat) == "好的，草稿保持现在的样子。"


async def test_an_item_is_named_by_its_number_alone():
    chat = await planned()
    item = next(entry for entry in chat.schedule.items() if entry.name.endswith("第2章"))
    await chat.says(f"移动{item.state_id}到周日上午")
    assert "第2章" in card(chat).summary


@pytest.mark.parametrize(("english", "message"), [(False, "不对，第3章"), (True, "no, chapter 3")])
async def test_another_item_alone_is_wanted_there_instead(english, message):
    chat = await planned(english=english)
    await chat.says("move chapter 2 to week 4 Friday" if english else "第2章移到第4周周五")
    await chat.answers("message", message)
    assert "第3章" in card(chat).summary
    await chat.answers("approve")
    assert place(chat, "第3章")[:2] == (4, 5)


@pytest.mark.parametrize(
    ("english", "answer"), [(False, "把第2章移到周日1-2节"), (True, "move chapter 2 to Sunday 1-2")]
)
async def test_a_place_for_one_item_is_no_answer_to_whether_all_are_to_be_placed(english, answer):
    chat = await planned(english=english)
    await chat.says("take chapter 2 out" if english else "第2章移出")
    await chat.answers("approve")
    await chat.says("check my plan" if english else "体检一下")
    await chat.answers("message", answer)
    await chat.answers("approve")
    assert place(chat, "第2章") == (3, 7, 1)


@pytest.mark.parametrize(("answer", "placed"), [("1", True), ("2", False), ("放进去", True), ("先不排", False)])
async def test_whether_items_are_to_be_placed_is_answered_by_number_or_word(answer, placed):
    chat = await planned()
    await chat.says("第2章移出")
    await chat.answers("approve")
    await chat.says("体检一下")
    await chat.answers("reply", answer)
    assert chat.end.outcome == ("paused" if placed else "completed")
