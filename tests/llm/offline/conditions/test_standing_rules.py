"""Rules of every week: read where a time comes again, not where it is one date. Moods are no limits."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.meaning.standing_rules import read_standing
from agent.llm.offline.language.spans.conditions.wishes import wishes_in
from tests.conversations.world import chat_of
from tests.kits.offline.conversations import brief, said
from tests.kits.offline.views import task_class

CLASSES = [task_class(5, "Probability"), task_class(6, "线性代数")]
COMES_AGAIN = {
    "周日我要躺平，啥都别排": {"excluded_days": (7,)},
    "每周二下午训练，别安排": {"excluded_cells": ((2, 3), (2, 4))},
    "周五晚上我都要回家，空出来吧": {"excluded_cells": ((5, 5), (5, 6))},
    "mondays are my job days, leave them empty from now on": {"excluded_days": (1,)},
    "No tasks on Tuesday, Thursday or Friday evenings": {
        "excluded_cells": ((2, 5), (2, 6), (4, 5), (4, 6), (5, 5), (5, 6))
    },
    "tuesday nights I've got band practice, don't put anything there": {"excluded_cells": ((2, 5), (2, 6))},
}
ONCE = [
    "这周五晚上同学聚会，别排",
    "周三晚上要开班会，别安排东西",
    "this Thursday evening I have choir, keep it free",
    "there's a club meeting Wednesday evening so nothing then",
    "keep friday free",
]
NUMBERS = {
    "一天别给我塞太多，最多俩": 2,
    "每天最多仨": 3,
    "一天最多学一样": 1,
    "一天学一科就行": 1,
    "one subject a day is enough for me": 1,
    "three things in one day is killing me, two tops": 2,
    "never more than one thing a day from now on please": 1,
}


@pytest.mark.parametrize("words", COMES_AGAIN)
def test_a_time_that_comes_again_is_a_rule_of_all_classes(words: str) -> None:
    found = read_standing(words, brief(words, classes=CLASSES, request=words))
    assert set(found) == {5, 6}
    for slots in found.values():
        kept = {name: cells for name in ("excluded_days", "excluded_blocks", "excluded_cells")
                if (cells := getattr(slots, name))}  # fmt: skip
        assert kept == COMES_AGAIN[words]


@pytest.mark.parametrize("words", ONCE)
def test_a_single_day_is_no_rule(words: str) -> None:
    assert read_standing(words, brief(words, classes=CLASSES, request=words)) == {}


@pytest.mark.parametrize("words", NUMBERS)
def test_so_many_a_day_are_wished_by_the_number_that_is_said(words: str) -> None:
    found = brief(words, classes=CLASSES, request=words)
    assert [row["value"] for row in wishes_in(words, found)] == [NUMBERS[words]]
    assert intent_of(words, found) == "wish"


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "so tired, can't be bothered with anything at all today lol"), ("zh", "今天完全不想动，唉")],
)
async def test_how_somebody_feels_today_limits_nothing(language: str, words: str) -> None:
    chat = await chat_of(language)
    await chat.says(words)
    assert chat.end.outcome != "paused"
    assert "already" not in said(chat)
    assert "符合" not in said(chat)


@pytest.mark.parametrize(
    ("rule", "asked", "told"),
    [
        ("以后晚上都不要安排", "现在有哪些时间是不排的", "「概率论复习」不排：第9-10节、第11-12节"),
        ("never plan anything on sundays", "which times are blocked right now?", '"Probability" keeps free: Sun'),
        ("never plan anything on sundays", "what days did i exclude", '"Probability" keeps free: Sun'),
    ],
)
async def test_who_asks_which_times_are_kept_out_is_told_the_rules(rule, asked, told):
    chat = await chat_of("en" if rule.isascii() else "zh")
    await chat.says(rule)
    while chat.of("confirm.requested"):
        await chat.answers("approve")
    await chat.says(asked)
    assert told in said(chat)
