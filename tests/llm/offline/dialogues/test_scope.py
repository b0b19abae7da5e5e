"""What is asked right behind words about one class is of that class; what names a time, lessons or all is not."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of
from tests.kits.offline.conversations import said


@pytest.mark.parametrize(
    ("language", "about", "asked", "told", "not_told"),
    [
        ("en", "when is physics lab due?", "and how many items are left?", "Physics Lab", "Determinants"),
        ("en", "tell me about linear algebra", "does it still fit?", '"Linear Algebra"', "Physics Lab"),
        ("en", "when is linear algebra due?", "how many lessons do i have this week?", "Calculus", "Determinants"),
        ("en", "when is linear algebra due?", "how many items are left in total?", "Chapter 6", "No language model"),
        ("en", "when is linear algebra due?", "what is on next week?", "Chapter 1", "Lab 1"),
        ("zh", "物理实验几号截止", "还有几项没做", "大学物理实验", "行列式"),
        ("zh", "线代几号截止", "还排得下吗", "「线性代数」", "实验"),
        ("zh", "线代几号截止", "这周有几节课", "高等数学", "行列式"),
        ("zh", "线代几号截止", "一共还剩几项", "第六章", "没有任务类"),
    ],
)
async def test_a_question_that_names_nothing_is_of_the_class_that_was_spoken_of(language, about, asked, told, not_told):
    chat = await chat_of(language)
    await chat.says(about)
    await chat.says(asked)
    assert told in said(chat)
    assert not_told not in said(chat)
