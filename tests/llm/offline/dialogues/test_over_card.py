"""What is typed over a card: consent keeps it, what drops it ends it, what stands beside it comes first."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import card, said

CARDS = {
    "en": [
        "move vector spaces to the 1st",
        "plan vocab on tuesdays and thursdays",
        "i'm away from 24 to 26 march",
        "rename Vocabulary sprint to Words",
    ],
    "zh": ["第四章放周六晚上", "词汇冲刺排在晚上", "24号到26号我出差", "把六级词汇冲刺改名叫背单词"],
}
CONSENTS = {
    "en": ["yep that works for me", "perfect, thanks", "looks right to me", "yes, exactly like that"],
    "zh": ["对 就这样", "没问题，确认一下", "嗯嗯挺好的", "可以的，帮我改吧"],
}
DROPS = {
    "en": ["nah leave it, don't", "hmm no, forget it", "oh wait, I mixed it up", "sorry, never mind that"],
    "zh": ["算了，别弄了", "不用了，先不弄", "哦是上周的，当我没说", "哦我搞混了"],
}


@pytest.mark.parametrize(
    ("language", "request_", "words"),
    [(one, request, words) for one in CARDS for request in CARDS[one] for words in CONSENTS[one]],
)
async def test_words_that_agree_keep_the_card_and_tell_of_its_button(language, request_, words):
    chat = await chat_of(language)
    await chat.says(request_)
    summary = card(chat).summary
    await chat.answers("message", words)
    assert card(chat).summary == summary
    assert ("请点卡片上的「确认」" if language == "zh" else "press its button") in said(chat)


@pytest.mark.parametrize(
    ("language", "request_", "words"),
    [(one, request, words) for one in CARDS for request in CARDS[one] for words in DROPS[one]],
)
async def test_words_that_drop_it_end_the_goal_and_nothing_is_planned(language, request_, words):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("message", words)
    assert chat.end.outcome != "paused"
    assert not [done for done in chat.of("tool.finished") if done.name == "smart_planning"]


async def test_a_plan_that_is_dropped_after_the_button_is_not_made():
    chat = await chat_of("en")
    await chat.says("plan physics lab in the evenings")
    await chat.answers("reject")
    await chat.answers("message", "forget it")
    assert not [done for done in chat.of("tool.finished") if done.name == "smart_planning"]


@pytest.mark.parametrize(
    ("language", "request_", "words"),
    [
        ("en", "swap chapter 5 and eigenvalues", "what's on thursday next week?"),
        ("en", "add a lab 4 called Optics bench to physics lab", "when am I free on the 26th?"),
        ("zh", "把第二章拿掉", "29号那天有几个任务？"),
        ("zh", "物理实验加一个实验四 光栅", "26号我什么时候有空"),
    ],
)
async def test_a_question_is_answered_and_the_card_comes_back(language, request_, words):
    chat = await chat_of(language)
    await chat.says(request_)
    summary = card(chat).summary
    await chat.answers("message", words)
    assert ("3月" if language == "zh" else "Mar") in said(chat)
    assert card(chat).summary == summary


@pytest.mark.parametrize(
    ("language", "request_", "words", "first"),
    [
        ("en", "move matrices to 27 march evening", "I finished chapter 1 btw", "Matrices"),
        ("en", "delete lab 2 from physics lab", "extend linear algebra until 20 april", "Lab 2"),
        ("zh", "24号到26号我出差", "行列式我已经做完了", "24 日"),
        ("zh", "物理实验还有个实验四 光栅，加上去", "向量组移到周六", "实验四 光栅"),
    ],
)
async def test_what_is_wanted_too_stands_behind_what_the_card_is_for(language, request_, words, first):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("message", words)
    assert first in card(chat).summary
    assert f"接下来：「{words}」" in said(chat) or f'After that: "{words}"' in said(chat)
    await chat.answers("approve")
    assert card(chat).summary


async def test_another_change_of_the_same_class_comes_onto_its_card():
    chat = await chat_of("zh")
    await chat.says("物理实验还有个实验四 光栅，加上去")
    await chat.answers("message", "实验二不用做了，删掉吧")
    assert "实验四 光栅" in card(chat).summary
    assert "实验二" in card(chat).summary


@pytest.mark.parametrize(
    ("language", "request_", "words"),
    [
        ("en", "rename Vocabulary sprint to Words", "plan words on weekends"),
        ("zh", "六级词汇冲刺这个名字太长，就叫背单词吧", "背单词帮我排周末"),
    ],
)
async def test_a_name_that_comes_with_the_card_may_be_used_over_it(language, request_, words):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("message", words)
    for _ in range(2):
        await chat.answers("approve")
    row = chat.world.classes[3]
    assert row["name"] in ("Words", "背单词")
    assert row["excluded_days_of_week"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("language", "request_", "words", "days"),
    [
        ("en", "I'm gone 22 to 25 march", "oh sorry, until the 26th", "Sun, Mar 22 – Thu, Mar 26"),
        ("en", "I'm gone 22 to 25 march", "actually from the 21st already", "Sat, Mar 21 – Wed, Mar 25"),
        ("en", "Keep Tuesday the 17th free, dentist", "and wednesday too please", "Tue, Mar 17 – Wed, Mar 18"),
        ("zh", "3月22号到25号我不在学校，陪爸妈", "哦不对，是到26号", "3 月 22 日 周日 – 3 月 26 日 周四"),
        ("zh", "下周二拔智齿，那天啥都别给我安排", "周三也别了 估计疼", "3 月 17 日 周二 – 3 月 18 日 周三"),
        ("zh", "下周三别安排，我要体检", "周四也空出来", "3 月 18 日 周三 – 3 月 19 日 周四"),
    ],
)
async def test_the_days_of_a_card_get_another_end_or_a_day_more(language, request_, words, days):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("message", words)
    assert days in card(chat).summary


@pytest.mark.parametrize(
    ("language", "request_", "words", "wanted", "left"),
    [
        ("en", "Move determinants to saturday afternoon", "no sorry I meant matrices", "Matrices", "Determinants"),
        ("en", "swap chapter 5 and eigenvalues", "oops, chapter 6, not chapter 5", "Chapter 6", "Chapter 5"),
        ("zh", "行列式移到周六上午", "说错了，是矩阵", "矩阵运算", "行列式"),
        ("zh", "第二章和矩阵对换一下", "哦不是第二章，是第三章", "第三章", "第二章"),
    ],
)
async def test_another_item_takes_the_place_of_the_one_of_the_card(language, request_, words, wanted, left):
    chat = await chat_of(language)
    await chat.says(request_)
    await chat.answers("message", words)
    assert wanted in card(chat).summary
    assert left not in card(chat).summary


async def test_a_rule_is_added_to_a_rule_with_its_own_part_of_the_day():
    chat = await chat_of("en")
    await chat.says("no studying on sundays please")
    await chat.answers("message", "and friday evenings neither")
    assert "Sun" in card(chat).summary
    assert "Fri, periods 9-10" in card(chat).summary
    assert "Sun, sections" not in card(chat).summary
