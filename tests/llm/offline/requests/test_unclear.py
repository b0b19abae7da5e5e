"""A request inside the trade that is not understood is asked back with readings that are."""

from __future__ import annotations

import pytest

from agent.llm.offline.goals.unsettled.unclear import find_readings
from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.paraphrase.paraphrase import find_likely
from tests.conversations.world import CLASSES, chat_of
from tests.kits.offline.views import view

UNCLEAR = {
    "zh": ("第2章这个嘛", "概率论复习我有点慌", "周三晚上有班会，别安排", "周五唉", "我的复习有点乱"),
    "en": ("hmm chapter 2", "nothing on Wednesday evening", "Friday hmm",
           "my studies are a mess"),
}  # fmt: skip


@pytest.mark.parametrize(("language", "words"), [(key, one) for key, rows in UNCLEAR.items() for one in rows])
def test_every_reading_is_a_request_that_is_understood(language, words):
    brief = Brief(view(words, stage="chat", locale=language))
    readings = find_readings(brief, words)
    assert readings
    assert "other" not in [intent_of(reading, brief) for reading in readings]


@pytest.mark.parametrize("words", ["谢谢", "帮我写一篇论文", "你能做什么", "今天天气怎么样呀" * 20])
def test_what_is_no_request_of_the_trade_is_not_asked_about(words):
    assert find_readings(Brief(view(words, stage="chat")), words) == []


async def test_a_chosen_reading_begins_a_goal_of_its_own():
    chat = await chat_of("zh")
    await chat.says("我的复习有点乱")
    options = chat.end.interaction.options
    assert [one.label for one in options][:2] == ["这周有什么安排", "还有哪些没排"]
    await chat.answers("reply", option=options[1].id)
    assert "没有待安排的内容" in chat.of("text.ended")[-1].full_content


@pytest.mark.parametrize(
    ("language", "words", "asked"),
    [
        ("en", "Thursday looks brutal, could you take the edge off it", "lighten Thursday"),
        ("zh", "周五晚上的东西统统腾走，放哪无所谓", "把周五晚上的都移走"),
    ],
)
async def test_a_change_that_the_models_take_for_another_is_asked_about_first(language, words, asked):
    chat = await chat_of(language)
    await chat.says(words)
    assert chat.end.interaction.type == "ask_user"
    assert [one.label for one in chat.end.interaction.options] == [asked]


@pytest.mark.parametrize(
    ("language", "words", "name"),
    [
        ("en", "the biology exam is on april 9", "biology"),
        ("zh", "化学考试在4月9号", "化学"),
    ],
)
async def test_a_class_that_does_not_exist_is_told_and_no_other_is_changed(language, words, name):
    chat = await chat_of(language)
    await chat.says(words)
    told = chat.of("text.ended")[-1].full_content
    assert name in told
    assert chat.world.classes[0]["name"] in told
    assert chat.of("confirm.requested") == []


async def test_where_nothing_is_found_to_change_the_readings_are_asked_about():
    chat = await chat_of("en")
    await chat.says("when i'm on campus for English anyway i might as well do physics lab, only then please")
    assert chat.end.interaction.type == "ask_user"
    [reading] = [one.label for one in chat.end.interaction.options]
    assert "physics lab only on days with" in reading


@pytest.mark.parametrize(
    ("language", "words", "reading"),
    [
        ("en", "you won't believe it but I sat down and got through Determinants and Matrices in one go",
         "I did Determinants and Matrices"),
        ("zh", "明天除了早上高数我还得去上啥课", "明天有哪些课"),
    ],
)  # fmt: skip
def test_what_the_models_are_sure_of_is_asked_about_although_a_remark_has_words_that_turn_it_around(
    language, words, reading
):
    classes, items = [row[1] for row in CLASSES[language]], [name for row in CLASSES[language] for name in row[4]]
    assert find_likely(words, classes, items, 3)[0] == reading
