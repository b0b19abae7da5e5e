"""What stands beside a request as its reason, as a grumble or as an aim: it fills what is open and wants nothing."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.spans.reasons import find_clauses
from agent.llm.offline.language.spans.times.semester import NO_TERM
from tests.conversations.checker import places
from tests.conversations.world import chat_of


async def played(*said: str):
    chat = await chat_of("en" if said[0].isascii() else "zh")
    for message in said:
        await (chat.answers(message) if message in ("approve", "reject") else chat.says(message))
    return chat


KINDS = [
    ("早上起不来，第五章换到下午", ["grumble", ""]),
    ("因为周二下午要开组会所以矩阵运算挪到周三", ["reason", ""]),
    ("第六章提前到周日，不然我来不及复习", ["", "reason"]),
    ("不然挪到周六", [""]),
    ("我想早点把线代搞完，能往前提就往前提", ["aim", ""]),
    ("昨天太累了没做第一章，挪到周六", ["", ""]),
    ("move chapter 2 out of Sunday, Sundays are for church", ["", "busy"]),
    ("my mondays are packed so could matrices go some other day", ["grumble", ""]),
    ("since I missed chapter 2, move it to friday", ["", ""]),
    ("mornings are better for me, move chapter 2", ["", ""]),
    ("otherwise move it to sunday", [""]),
]


@pytest.mark.parametrize(("message", "kinds"), KINDS)
def test_a_clause_is_a_reason_where_it_wants_nothing_and_tells_no_fact(message, kinds):
    assert [clause.kind for clause in find_clauses(message, (), NO_TERM)] == kinds


MOVED = [
    ("第二章那个周天早八也太阴间了，能不能晚点", "第二章 随机变量", (3, 7, 3, 4)),
    ("周天不想学习，第四章挪走", "第四章 大数定律", (4, 6, 3, 4)),
    ("第六章提前到周日，不然我来不及复习", "第六章 假设检验", (5, 7, 1, 2)),
    ("第三章周四下午太困了，换到上午", "第三章 数字特征", (4, 4, 3, 4)),
    ("can we do chapter 2 later, mornings kill me", "Chapter 2 Random variables", (3, 7, 5, 6)),
    ("my mondays are packed so could matrices go some other day", "Matrices", (4, 3, 5, 6)),
    ("tuesday afternoons are awful for me, could matrices move to the morning", "Matrices", (4, 2, 3, 4)),
]


@pytest.mark.parametrize(("message", "name", "place"), MOVED)
async def test_a_reason_names_the_item_and_the_time_to_leave_and_no_more(message, name, place):
    chat = await played(message, "approve")
    assert places(chat)[name] == place


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("第二章那个周天早八也太阴间了", "第二章 随机变量"),
        ("sunday 8am for chapter 2 is brutal", "Chapter 2 Random variables"),
    ],
)
async def test_a_grumble_alone_proposes_another_place(message, name):
    chat = await played(message)
    assert places(chat)[name] == (3, 7, 1, 2)
    await chat.answers("approve")
    assert places(chat)[name] == (3, 6, 3, 4)


@pytest.mark.parametrize(
    "message", ["线代周一别给我排，周一课太满了", "don't put linear algebra on mondays, they are full"]
)
async def test_a_standing_limit_stays_one_beside_its_reason(message):
    chat = await played(message, "approve")
    assert next(row for row in chat.world.classes if row["id"] == 6)["excluded_days_of_week"] == [1]


async def test_a_time_that_is_wanted_after_a_grumble_takes_its_day():
    chat = await played("第五章周六早上起不来", "换到下午", "approve")
    assert places(chat)["第五章 参数估计"] == (5, 6, 5, 6)
