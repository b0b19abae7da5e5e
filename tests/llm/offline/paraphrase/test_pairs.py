"""Several items go each to its own time where as many times are said as items."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.paraphrase.division import divide_by_time
from agent.llm.offline.language.paraphrase.frames import Frame


def pairs(items: str, time: str, form: str = "move_to") -> list[tuple[str, str]]:
    frame = Frame(form, {"items": (items,), "time": (time,)}, filled=frozenset({"items", "time"}))
    return [(one.slots["items"][0], one.slots["time"][0]) for one in divide_by_time(frame)]


@pytest.mark.parametrize(
    ("items", "time", "wanted"),
    [
        ("lab 1 and lab 2", "monday and tuesday", [("lab 1", "monday"), ("lab 2", "tuesday")]),
        (
            "labs 1, 2 and 3",
            "mon, wed and fri of next week",
            [("lab 1", "mon of next week"), ("lab 2", "wed of next week"), ("lab 3", "fri of next week")],
        ),
        ("chapters 5 and 6", "10 and 11 april", [("chapter 5", "10 april"), ("chapter 6", "11 april")]),
        (
            "chapter 2 and matrices",
            "sat and sun morning",
            [("chapter 2", "sat morning"), ("matrices", "sun morning")],
        ),
        ("实验一、二、三", "下周一、三、五", [("实验1", "下周一"), ("实验2", "下周三"), ("实验3", "下周五")]),
        ("第五、六章", "下周一和周二", [("第5章", "下周一"), ("第6章", "下周二")]),
        ("第三章和矩阵", "4月10号和11号", [("第3章", "4月10日"), ("矩阵", "4月11日")]),
    ],
)
def test_each_item_has_the_time_that_stands_in_its_place(items, time, wanted):
    assert pairs(items, time) == wanted


@pytest.mark.parametrize(
    ("items", "time", "form"),
    [
        ("lab 1 and lab 2", "saturday", "move_to"),
        ("lab 1", "monday and tuesday", "move_to"),
        ("lab 1, lab 2 and lab 3", "monday and tuesday", "move_to"),
        ("lab 1 and lab 2", "3-4 and 5-6", "move_to"),
        ("lab 1 and lab 2", "monday and tuesday", "take_out"),
    ],
)
def test_what_is_not_told_of_each_stays_together(items, time, form):
    assert pairs(items, time, form) == []
