"""A change of one of several items that are named with an "or": asked which, and made for that one alone."""

from __future__ import annotations

import pytest

from tests.conversations.checker import Case, misses, play

ASKED = [
    ("en", "move matrices or chapter 3 to friday of week 4", "Chapter 3"),
    ("en", "take Determinants or chapter 1 out", "Determinants"),
    ("zh", "把行列式或者第一章移出计划", "行列式"),
    ("zh", "把矩阵运算或第三章挪到第4周周五", "矩阵"),
]
CHOSEN = [
    (
        "en",
        ("move vector spaces or chapter 5 to friday of week 5", "the first", "!ok"),
        "at Vector w5 d5 ; back Chapter 5",
    ),
    ("en", ("take Determinants or chapter 1 out", "chapter 1", "!ok"), "out Chapter 1 ; back Determinants"),
    ("zh", ("把矩阵运算或者第三章挪到第4周周五", "周四那个", "!ok"), "at 第三章 w4 d5 ; back 矩阵"),
]


@pytest.mark.parametrize(("language", "said", "name"), ASKED)
async def test_which_one_is_asked(language, said, name):
    case = Case(language, 0, (said,), (f"asks {name}", "same"))
    assert not misses(case, await play(case))


@pytest.mark.parametrize(("language", "turns", "wanted"), CHOSEN)
async def test_the_one_that_is_chosen_changes_alone(language, turns, wanted):
    case = Case(language, 0, turns, tuple(wanted.split(" ; ")))
    assert not misses(case, await play(case))
