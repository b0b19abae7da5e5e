"""A later turn that leans on what was said before it ends like the same told in full; interjections tell nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.conversations.checker import Case, misses, read_cases
from tests.conversations.checker import play as play_case
from tests.conversations.composition.generators.goals import play, state_of

HEARD = {
    "zh": ("好的，", "嗯，", "对了，", "哦，", "行，", "太好了，", "哎，"),
    "en": ("ok, ", "great, ", "hmm ", "oh ", "alright, ", "perfect. ", "ah ok, ", "cool, "),
}
LEAST = {"zh": 6, "en": 14}
"""Characters of a turn that is more than consent."""
WANTED = 0.97


def _interject(seed: int) -> list[Case]:
    """Cases of the corpus with an interjection in front of a later turn, mixed by the seed."""
    dice, found = random.Random(seed), []
    for language, heard in HEARD.items():
        for case in read_cases(language):
            later = [at for at, turn in enumerate(case.turns) if at and turn[0] != "!" and len(turn) > LEAST[language]]
            if later:
                at = dice.choice(later)
                turns = [*case.turns[:at], dice.choice(heard) + case.turns[at], *case.turns[at + 1 :]]
                found.append(replace(case, turns=tuple(turns)))
    dice.shuffle(found)
    return found


async def _check(cases: list[Case]) -> None:
    missed = [(case.turns, lost) for case in cases if (lost := misses(case, await play_case(case)))]
    assert len(missed) <= (1 - WANTED) * len(cases), missed


async def test_an_interjection_in_front_of_a_later_turn_changes_nothing():
    await _check(_interject(5)[:16])


@pytest.mark.long
@pytest.mark.parametrize("part", range(16))
async def test_no_interjection_in_front_of_any_later_turn_changes_anything(part):
    await _check(_interject(6)[part::16])


TALKS = [
    ("en", ("Move Moments to Friday", "and Limit theorems to the day after"), ("move Moments to 27 march",
     "move Limit theorems to 28 march")),
    ("zh", ("第三章挪到周五", "那第四章放后一天"), ("第三章挪到3月27号", "把第四章挪到3月28号")),
    ("en", ("i'll be in berlin next weekend", "oh and the weekend after that too"),
     ("I am away on 21 and 22 march", "I am away on 28 and 29 march")),
    ("zh", ("下周末我要出去玩", "再下个周末也不在"), ("3月21号到22号我不在", "3月28号到29号我不在")),
    *(("en", ("what happens if i'm away from the 24th to the 26th", yes), ("keep 24 Mar to 26 Mar free",))
      for yes in ("ok do it", "do it", "yes please")),
    ("zh", ("如果我3月24号到26号不在会怎样", "好，就这么办"), ("把3月24日到3月26日空出来",)),
    ("en", ("do i have time on the 25th?", "great, put lab 1 there"), ("put lab 1 on 25 march",)),
    ("en", ("plan the physics lab", "can they all be in the afternoon"),
     ("plan the physics lab", "move all labs to the afternoon")),
    ("en", ("too much stuff on weekends", "yes move it to weekdays"), ("move everything on weekends to weekdays",)),
    ("en", ("when am i done with everything", "can it be a week sooner?"), ("can everything be a week sooner?",)),
    ("en", ("rename lab 2 to Optics", "sorry, Optics bench"), ('rename lab 2 to "Optics bench"',)),
    ("zh", ("线代考试提前了", "4月2号"), ("线性代数的截止日期是4月2日",)),
    ("zh", ("第一个要学的是什么", "它要多久", "不够 给我改成3节"), ("第一章改成3节",)),
    ("zh", ("不想学概率论了", "我是说下周先不学 不是要删"), ("概率论下周先不学",)),
    ("zh", ("这个计划太挤了吧", "第5周那几个能不能松一点"), ("第5周那几个能不能松一点",)),
]  # fmt: skip


@pytest.mark.parametrize(("language", "talk", "whole"), TALKS)
async def test_a_turn_that_leans_ends_like_the_same_told_in_full(language, talk, whole):
    assert await play(language, *talk) == await play(language, *whole)


@pytest.mark.parametrize(
    ("language", "asked", "answer", "whole"),
    [
        ("zh", "给六级加一项", "听力", "给六级加一项：听力"),
        ("zh", "给六级加一项", "嗯，叫听力吧", "给六级加一项：听力"),
        ("zh", "给六级加一项", "好的开始", "给六级加一项：好的开始"),
        ("zh", "给六级加一项", "加一项：习题课", "给六级加一项：习题课"),
        ("en", "add an item to vocab", "Great Expectations", "add an item to vocab: Great Expectations"),
        ("en", "add an item to vocab", "call it Well-being", "add an item to vocab: Well-being"),
        ("en", "add two items to vocab", "Listening, Speaking", "add two items to vocab: Listening, Speaking"),
    ],
)
async def test_what_new_contents_are_called_is_told_in_the_answer(language, asked, answer, whole):
    told, in_one = [
        await play_case(Case(language, 0, turns, ())) for turns in ((asked, answer, "!ok*"), (whole, "!ok*"))
    ]
    assert state_of(told.chat) == state_of(in_one.chat)
    assert told.pending is None


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        *(("zh", "给六级加一项", answer) for answer in ("嗯", "随便", "以后再说", "算了", "不知道")),
        *(("en", "add an item to vocab", answer) for answer in ("hmm", "whatever", "never mind", "i don't know")),
    ],
)
async def test_what_gives_no_name_adds_nothing(language, asked, answer):
    told, nothing = [await play_case(Case(language, 0, turns, ())) for turns in ((asked, answer, "!ok*"), ())]
    assert state_of(told.chat) == state_of(nothing.chat)


@pytest.mark.parametrize(
    ("language", "said", "name"),
    [("zh", ("新建一个任务类", "嗯，瑜伽"), "瑜伽"), ("en", ("create a class", "ok, Yoga"), "Yoga")],
)
async def test_an_interjection_in_front_of_the_name_of_a_class_is_none_of_it(language, said, name):
    played = await play_case(Case(language, 0, said, ()))
    assert name in played.pending.question
    assert said[1] not in played.pending.question.replace("、", "，")


@pytest.mark.parametrize("words", ["说反了", "反了"])
async def test_two_days_are_exchanged_where_they_were_told_the_wrong_way_round(words):
    case = Case("zh", 0, ("行列式放周三，矩阵运算放周五", words, "!ok*"), ("at 行列式 w3 d5", "at 矩阵运算 w4 d3"))
    assert misses(case, await play_case(case)) == []


@pytest.mark.parametrize(
    ("language", "told", "again"),
    [
        ("zh", "我周四有事", "就这周四 一整天都没空"),
        ("en", "i'm busy on thursday", "just this thursday, i'm out all day"),
    ],
)
async def test_what_a_card_is_for_told_once_more_leaves_it_open(language, told, again):
    played = await play_case(Case(language, 0, (told, again), ()))
    assert played.pending is not None
    assert played.pending.type == "confirm"
