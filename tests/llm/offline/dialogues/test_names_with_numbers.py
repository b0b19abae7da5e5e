"""Names that end in numbers, and enumerations of names, keep what is theirs."""

from __future__ import annotations

import pytest

from tests.conversations.composition.generators.goals import play


async def list_items(language: str, said: str) -> tuple[str, list[str]]:
    """The name and the items of the class that a message makes."""
    made = [row for at, row in (await play(language, said))["classes"].items() if at > 8]
    return made[0]["name"], [name for name, _ in made[0]["items"]]


@pytest.mark.parametrize(
    ("language", "said", "name", "items"),
    [
        ("zh", "新建任务：单词，内容：Unit 1、Unit 2、Unit 3，3月16日到4月5日", "单词", ["Unit 1", "Unit 2", "Unit 3"]),
        ("zh", "新建任务：高数，3月16日到4月5日，内容：1、极限 2、导数 3、积分", "高数", ["极限", "导数", "积分"]),
        ("zh", "新建任务：刷题，内容：真题 1、真题 2，3月16日到4月5日", "刷题", ["真题 1", "真题 2"]),
        ("en", "create a task French, items: Unit 1, Unit 2, 16 March to 5 April", "French", ["Unit 1", "Unit 2"]),
    ],
)  # fmt: skip
async def test_a_list_keeps_the_numbers_of_its_names(language, said, name, items):
    assert await list_items(language, said) == (name, items)
