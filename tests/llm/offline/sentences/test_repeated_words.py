"""A message that says the same over and over is answered, however often it says it."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.goals import play


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", "把第二章移到周六，说" + "有点" * 40 + "课"),
        ("zh", "刚刚" * 40 + "第二章学完了"),
        ("zh", "第二章" + "学" * 80 + "啦啦"),
        ("en", "move chapter 2 to saturday " + "thank you cheers " * 20 + "x"),
        ("en", "move chapter 2 to saturday and " + "in the " * 40 + "x"),
        ("en", "i think " + "figure " * 40 + "chapter 2"),
    ],
)
async def test_words_that_come_again_and_again_are_read_once(language, said):
    assert (await play(language, said)).keys() >= {"places", "classes"}
