"""When a lesson begins and ends by the clock."""

from __future__ import annotations

import pytest

from tests.conversations.checker import Case, misses, play

ASKED = [
    ("en", ("what time is english over on wednesday",), "10:15 to 11:55"),
    ("en", ("when does calculus end on tuesday?",), "08:00 to 09:40"),
    (
        "en",
        ("can you cancel calculus on friday", "fine. what time does it end then?"),
        "wk 2 Fri (13 Mar) 1-2 Calculus",
    ),
    ("zh", ("周二高数上到几点",), "09:40"),
    ("zh", ("周四有高数吧", "几点结束"), "第2周 周四"),
]


@pytest.mark.parametrize(("language", "turns", "told"), ASKED)
async def test_a_lesson_that_is_named_or_was_spoken_of_has_its_hours(language, turns, told):
    case = Case(language, 0, turns, ("same", f"says {told}"))
    assert not misses(case, await play(case))


@pytest.mark.parametrize(("language", "said"), [("en", "when does it all end?"), ("zh", "计划什么时候结束")])
async def test_the_plan_ends_where_no_lesson_is_meant(language, said):
    case = Case(language, 0, (said,), ("same", "says 12"))
    assert not misses(case, await play(case))
