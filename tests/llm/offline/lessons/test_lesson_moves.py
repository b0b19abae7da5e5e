"""A lesson that moves once: which one, when it is then, and what stays a matter of the timetable page."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.spans.lesson_moves import read_lesson_move
from tests.conversations.world import chat_of

MOVED = [
    (("english on the 18th got moved to friday afternoon", "5-6"), "English", (17, 3), (19, 5)),
    (("the calc lecture on tuesday is moved to thursday evening", "the first one"), "Calculus", (9, 2), (11, 9)),
    (("wednesday's english was moved", "friday 5-6"), "English", (10, 3), (12, 5)),
    (("calculus got moved to friday afternoon", "wednesday", "at 4pm"), "Calculus", (10, 1), (12, 7)),
    (("they pushed wednesday's english to thursday at 2pm",), "English", (10, 3), (11, 5)),
    (("english moved to friday 2pm instead of wednesday",), "English", (10, 3), (12, 5)),
    (("下周一的英语课调到周三下午", "5-6节"), "大学英语", (15, 3), (17, 5)),
    (("老师把周四的高数挪到周五晚上", "第一个"), "高等数学", (11, 1), (12, 9)),
    (("周四的高数调课了", "周五下午5-6节"), "高等数学", (11, 1), (12, 5)),
    (("3月26日的高数改到当天下午5-6节",), "高等数学", (25, 1), (25, 5)),
    (("明天的高数课改成下午两点",), "高等数学", (9, 1), (9, 5)),
]
"""What was said, the lesson, and its day and section before and after."""
FIXED = [
    "move my calculus lecture to Friday",
    "calculus lectures are on fridays from now on",
    "英语课改到302教室",
    "以后高数课都调到周五",
    "把高数课调到周五",
]


def _lessons(chat, name):
    return {(one.place.day, one.place.first) for one in chat.world.events if one.name == name}


@pytest.mark.parametrize(("turns", "name", "before", "after"), MOVED)
async def test_a_lesson_moves_once_when_the_student_agrees(turns, name, before, after):
    chat = await chat_of("en" if turns[0].isascii() else "zh")
    there = _lessons(chat, name)
    await chat.says(turns[0])
    for turn in turns[1:]:
        await chat.answers("message", turn)
    assert _lessons(chat, name) == there
    await chat.answers("approve")
    gone, new = there - _lessons(chat, name), _lessons(chat, name) - there
    assert len(gone) == len(new) == 1
    ((day, _),), ((then, section),) = gone, new
    assert (then - day, section) == (after[0] - before[0], after[1])


@pytest.mark.parametrize("said", FIXED)
async def test_a_course_and_a_room_are_no_matter_of_one_lesson(said):
    chat = await chat_of("en" if said.isascii() else "zh")
    await chat.says(said)
    told = "\n".join(event.full_content for event in chat.of("text.ended"))
    assert "Courses are fixed" in told or "课程是固定的" in told
    assert not chat.of("confirm.requested")


async def test_what_the_plan_loses_is_placed_afterwards():
    chat = await chat_of("en")
    await chat.says("the calculus lecture on march 26 is moved to march 26 in sections 5-6")
    await chat.answers("approve")
    assert "Chapter 3 Moments" in "\n".join(event.full_content for event in chat.of("text.ended"))


async def test_a_lesson_that_is_not_in_the_timetable_is_told():
    chat = await chat_of("en")
    await chat.says("the history lecture on friday got moved to monday")
    assert "no such lesson" in "\n".join(event.full_content for event in chat.of("text.ended"))


@pytest.mark.parametrize("said", ["the exam got moved to friday", "I moved it to friday", "everything was moved"])
def test_what_moves_is_not_always_a_lesson(said):
    assert read_lesson_move(said) is None
