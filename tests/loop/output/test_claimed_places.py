"""Places and numbers that a sentence tells are held against the items that it tells them of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.loop.output.claims import AllowedClaims, ClaimedPlace, is_false


def test_a_place_is_held_against_the_item_that_is_named() -> None:
    facts = AllowedClaims(
        True, frozenset({1}), frozenset({1}), {"甲": [ClaimedPlace(3, 2, 5, 6)], "乙": [ClaimedPlace(3, 4, 1, 2)]}
    )
    assert not is_false("甲已经移到第3周周二5-6节。", facts)
    assert is_false("甲已经移到第3周周四1-2节。", facts)
    assert is_false("甲 was moved to Thursday.", facts)
    one = replace(facts, touched=frozenset({"甲"}))
    assert is_false("甲和乙都移好了。", one)
    assert not is_false("甲已经移到乙前面。", one)
    assert not is_false("甲移好了，和乙之间隔了两天。", one)
    assert not is_false("甲移好了，乙保持不变。", one)
    assert not is_false("乙 was moved to Thursday, sections 1-2.", facts)
    assert not is_false("甲可以放到周五。", facts)


LOOKED_UP = AllowedClaims(
    counts=frozenset({12}),
    held=frozenset({3, 5}),
    places={"条件概率": [ClaimedPlace(3, 6, 3, 4)], "最短路径": [ClaimedPlace(3, 6, 5, 8)]},
)


@pytest.mark.parametrize(
    ("told", "false"),
    [
        ("第3周周六有 5 项：「条件概率」3-4 节、「最短路径」5-8 节，还有 3 项在 9-11 节。", False),
        ("周六 1-2 节是空的，「条件概率」在 3-4 节，周日没有安排。", False),
        ("「条件概率」在周六 3-4 节，9-10 节有课。", False),
        ("On Saturday 条件概率 takes periods 3-4, and periods 9-12 are free.", False),
        ("周六「条件概率」5-8 节、「最短路径」3-4 节。", True),
        ("「条件概率」排在第3周，周日 3-4 节。", True),
        ("「条件概率」和「最短路径」都在周六，共 7 项。", True),
        ("条件概率 is on Friday, periods 3-4.", True),
    ],
)
def test_places_that_are_looked_up_are_held_against_the_items_they_are_told_of(told: str, false: bool) -> None:
    assert is_false(told, LOOKED_UP) is false


STANDING = AllowedClaims(
    counts=frozenset({12}),
    held=frozenset({4, 9}),
    parts=((1, 4), (5, 8), (9, 12)),
    places={
        "第1章 条件概率": [ClaimedPlace(3, 1, 3, 4)],
        "第2章 最短路径": [ClaimedPlace(3, 1, 5, 6)],
        "第3章 期望": [ClaimedPlace(3, 3, 5, 6)],
        "Chapter 5 Graphs": [ClaimedPlace(3, 5, 1, 2)],
    },
)


@pytest.mark.parametrize(
    "told",
    [
        "今天是周二，第3章在周三下午5-6节。",
        "Today is Tuesday, Chapter 5 Graphs is on Friday.",
        "学期从第1周到第16周，第3章在第3周。",
        "第3章排在第3周周三，期末考试在第8周周五。",
        "期末考试在第8周周五，第3章在那之前，第3周周三。",
        "第3章安排在周三，任务类的截止日期是第6周周日。",
        "第3章在周五的考试前两天，周三 5-6 节。",
        "第3章在周三5-6节，正好在周四的实验前一天。",
        "Monday: 第1章 条件概率 and 第2章 最短路径, Wednesday: 第3章 期望.",
        "On Monday you have 第1章 条件概率, and on Wednesday, 第3章 期望.",
        "第1章在周一，那天还有3项。",
        "周三下午（5-8节）有第3章。",
        "第3章嵌在周三5-8节的高数课里。",
        "计划从第3周排到第8周，第3章在第3周周三。",
        "Your plan runs from week 3 to week 8, with Chapter 5 Graphs on Friday.",
        "周三还有6个空位，第3章在5-6节。",
    ],
)
def test_what_is_told_beside_the_place_of_an_item_is_held_against_none(told: str) -> None:
    assert not is_false(told, STANDING)


@pytest.mark.parametrize(
    "told",
    [
        "如果想把第3章移到周五下午，告诉我就行。",
        "第3章放到周五下午最合适。",
        "You should do Chapter 5 Graphs on Monday.",
        "I'd study Chapter 5 Graphs on Monday morning.",
        "Chapter 5 Graphs would fit best on Monday morning.",
    ],
)
def test_where_an_item_might_be_is_no_claim_of_where_it_is(told: str) -> None:
    assert not is_false(told, STANDING)


@pytest.mark.parametrize(
    "told",
    [
        "第3章排在第3周，周五 5-6 节。",
        "第1章在周一，第3章，周四。",
        "Monday: 第1章 条件概率, Thursday: 第3章 期望.",
        "第3章在周三上午。",
        "第3章，现在排在周五。",
        "第3章排在周三5-8节。",
        "周三上午（1-4节）有第3章。",
        "第1章和第3章一共7项，都在第3周。",
    ],
)
def test_a_wrong_place_is_false_wherever_it_stands_in_the_sentence(told: str) -> None:
    assert is_false(told, STANDING)


MOVED = replace(
    STANDING,
    changed=True,
    made=frozenset({1}),
    touched=frozenset({"第3章 期望"}),
    places=STANDING.places | {"第3章 期望": [ClaimedPlace(3, 1, 1, 2), ClaimedPlace(3, 3, 5, 6)]},
)


@pytest.mark.parametrize(
    ("told", "false"),
    [
        ("第3章已经移到周三，这样周五就空了。", False),
        ("第3章移到了周三，因为周四有实验课。", False),
        ("第3章改到了第3周周三，离第8周周五的考试还早。", False),
        ("I moved Chapter 3 to Wednesday, since Friday is full.", False),
        ("第3章已经移到周五，这样周三就空了。", True),
        ("第3章已经移到周三，现在已经放在周五的空位。", True),
        ("I moved it to Friday, since Wednesday is full.", True),
        ("已经移好了，一共 12 项。", True),
    ],
)
def test_why_something_was_moved_and_what_became_free_is_told_besides(told: str, false: bool) -> None:
    assert is_false(told, MOVED) is false
