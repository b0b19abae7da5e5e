"""Wishes about every plan, sentences in both languages: read, asked about, kept, heeded, taken back."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.spans.conditions.wishes import wishes_in
from schedules.planner.soft_limits import SoftLimit
from tests.kits.offline.conversations import brief, card, planned, said
from tests.kits.offline.views import task_class

CLASSES = [task_class(5, "数学分析"), task_class(6, "Maths"), task_class(7, "英语")]
SENTENCES = {
    # Chinese
    "每天最多两段": SoftLimit("blocks_a_day", 2),
    "一天不超过6节": SoftLimit("blocks_a_day", 3),
    "英语每天最多一段": SoftLimit("blocks_a_day", 1, 7),
    "周日轻松一点": SoftLimit("light_weekday", 7),
    "以后周三少排": SoftLimit("light_weekday", 3),
    "十点前别排难的": SoftLimit("earliest_section", 3, None, True),
    "晚上九点以后不要排高强度的": SoftLimit("latest_section", 10, None, True),
    "数学分析尽量放在上午": SoftLimit("day_part", 1, 5),
    "提前一周学完": SoftLimit("finish_early", 7),
    "希望英语提前3天复习完": SoftLimit("finish_early", 3, 7),
    "最好晚上不学习": SoftLimit("latest_section", 8),
    # English
    "At most two blocks a day": SoftLimit("blocks_a_day", 2),
    "no more than 4 sections per day": SoftLimit("blocks_a_day", 2),
    "Keep Sunday light": SoftLimit("light_weekday", 7),
    "I'd like an easy Friday": SoftLimit("light_weekday", 5),
    "Nothing hard before ten": SoftLimit("earliest_section", 3, None, True),
    "nothing heavy after 9 pm": SoftLimit("latest_section", 10, None, True),
    "Mornings for Maths": SoftLimit("day_part", 1, 6),
    "I prefer Maths in the afternoon": SoftLimit("day_part", 2, 6),
    "Finish a week early": SoftLimit("finish_early", 7),
    "I want to be done with Maths 3 days early": SoftLimit("finish_early", 3, 6),
    "preferably no evenings": SoftLimit("latest_section", 8),
}
OTHERS = {
    "周日不排": "class",
    "这周三轻松一点": "optimise",
    "把数学分析排好": "build",
    "第2章移到周三上午": "move",
    "考试提前一周": "class",
    "周三上午有空吗": "free",
    "太碎了，松一点": "optimise",
    "rather the evening": "other",
}


@pytest.mark.parametrize("words", SENTENCES)
def test_a_wish_is_read_from_its_sentence(words: str) -> None:
    found = brief(words, classes=CLASSES, request=words)
    assert intent_of(words, found) == "wish"
    rows = wishes_in(words, found)
    assert [
        SoftLimit(row["kind"], row["value"], row.get("task_class_id"), row.get("hard_only", False)) for row in rows
    ] == [SENTENCES[words]]


def test_one_sentence_may_hold_several_wishes() -> None:
    words = "周末轻松一点，每天最多两段，数学分析尽量上午"
    kinds = [(row["kind"], row["value"]) for row in wishes_in(words, brief(words, classes=CLASSES, request=words))]
    assert kinds == [("light_weekday", 6), ("light_weekday", 7), ("blocks_a_day", 2), ("day_part", 1)]


@pytest.mark.parametrize("words", OTHERS)
def test_what_asks_for_something_else_is_no_wish(words: str) -> None:
    assert intent_of(words, brief(words, classes=CLASSES[:1], request=words)) != "wish"


@pytest.mark.parametrize(
    ("english", "words"),
    [(False, "周三轻松一点，每天最多一段"), (True, "Keep Wednesday light, at most one block a day")],
)
async def test_a_wish_is_confirmed_kept_and_heeded_by_the_next_plan(english: bool, words: str) -> None:
    chat = await planned(english=english)
    await chat.says(words)
    asked = card(chat)
    assert ("周三" if not english else "Wed") in asked.summary
    assert chat.world.wishes == []
    await chat.answers("approve")
    assert chat.world.wishes == [SoftLimit("light_weekday", 3), SoftLimit("blocks_a_day", 1)]
    assert chat.schedule.wishes
    await chat.says("rebuild" if english else "重新粗排")
    places = [chat.schedule.place_of(entry) for entry in chat.schedule.items() if entry.slots]
    days = [place.day for place in places]
    assert len(days) == len(set(days))
    assert not [day for day in days if (day - 1) % 7 + 1 == 3]


async def test_a_wish_that_is_refused_is_not_kept() -> None:
    chat = await planned()
    await chat.says("周日轻松一点")
    await chat.answers("reject")
    assert chat.world.wishes == []


async def test_wishes_are_taken_back() -> None:
    chat = await planned()
    await chat.says("周日轻松一点")
    await chat.answers("approve")
    await chat.says("取消我的愿望")
    await chat.answers("approve")
    assert chat.world.wishes == []
    assert chat.schedule.wishes == ()
    assert "愿望" in said(chat) or said(chat)
