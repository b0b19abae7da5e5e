"""What an answer leaves behind: the days, hours, weeks, items and classes that the next turn may point to."""

from __future__ import annotations

import pytest

from tests.conversations.checker import Case, find_false, misses, play

LEFT = [
    ("zh", "第4周哪几天有空？ // 把第三章放那天 // 周五 // !ok => at 第三章 w4 d5"),
    ("zh", "第4周有哪些空档？ // 用最后一个放第三章 // !ok => at 第三章 w4 d7"),
    ("zh", "第4周有哪些任务？ // 把它拿出来 // 第二个 // !ok => out 第三章"),
    ("zh", "矩阵运算后面是什么？ // 把那一个调到第4周周五 // !ok => at 第三章 w4 d5 ; back 矩阵运算"),
    ("en", "when am i free in week 4? // chapter 3 on the last one // !ok => at Chapter 3 w4 d7"),
    ("en", "what are my tasks in week 4? // take it out // the second one // !ok => out Chapter 3"),
    ("en", "how busy is week 5 // i want that week free // !ok => clear w5"),
]


@pytest.mark.parametrize(("language", "line"), LEFT)
async def test_what_was_answered_is_pointed_to(language: str, line: str) -> None:
    turns, wanted = line.split(" => ")
    case = Case(language, 0, tuple(turns.split(" // ")), tuple(wanted.split(" ; ")))
    played = await play(case)
    assert not misses(case, played), played.heard
    assert not find_false(played, played.after)
