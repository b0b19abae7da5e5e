"""A message that was dictated, or typed without separators, ends like the same message with its commas."""

from __future__ import annotations

import re

import pytest

from tests.conversations.checker import Case, misses, read_cases
from tests.conversations.checker import play as play_case
from tests.conversations.composition.generators.goals import play

WRITTEN = {
    "zh": [
        "不要移动第二章，把第三章移到周日下午",
        "第二章移到周六，如果周六有课就算了",
        "第一章我学完了，接下来该学什么",
        "周三晚上要开班会，别安排东西",
        "物理实验每周最多排俩，而且别在早上",
        "周末都不要排，再把六级词汇冲刺改叫词汇",
        "第二章别管，第三章挪到周六",
        "去掉高频名词，高频动词的名称改为常用动词",
    ],
    "en": [
        "move chapter 2 to wednesday afternoon, at most one unit a day",
        "don't touch eigenvalues, the others of linear algebra a day later",
        "if that isn't possible never mind, move moments to friday",
        "chapter 1 is done, I didn't do chapter 2",
        "forget about lab 1, put lab 2 on wednesday",
        "move linear algebra to week 6, nothing on thursdays though",
        "linear algebra done by april 5, nothing on saturdays",
    ],
}
DIVIDED = {"zh": r"[，。；！]", "en": r"[,;.!](?=\s|$)"}
CASES = [(language, said) for language, every in WRITTEN.items() for said in every]


def leave_out_commas(language: str, said: str) -> str:
    return re.sub(DIVIDED[language], "", said)


@pytest.mark.parametrize(("language", "said"), CASES)
async def test_clauses_without_a_comma_end_like_clauses_with_one(language, said):
    assert await play(language, leave_out_commas(language, said)) == await play(language, said)


@pytest.mark.parametrize("said", WRITTEN["zh"][:-3])
async def test_spaces_between_clauses_are_commas(said):
    assert await play("zh", re.sub(DIVIDED["zh"], " ", said)) == await play("zh", said)


@pytest.mark.parametrize(
    ("language", "said", "name"),
    [
        ("zh", "给物理实验加一个实验四 棱镜", "实验四 棱镜"),
        ("en", "rename the third lab to 'Rock and roll'", "Rock and roll"),
    ],
)  # fmt: skip
async def test_a_name_is_not_divided(language, said, name):
    end = await play(language, said)
    assert name in [item for row in end["classes"].values() for item, _ in row["items"]]


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_two_of_three_requests_are_understood_without_their_commas(language):
    said = [case for case in read_cases(language) if len(_said_in(case)) == 1]
    cases = [case for case in said if re.search(DIVIDED[language] + r"(?=.*\w)", case.turns[0])]
    missed = 0
    for case in cases:
        dictated = Case(**{**vars(case), "turns": (leave_out_commas(language, case.turns[0]), *case.turns[1:])})
        played = await play_case(dictated)
        missed += bool(misses(dictated, played) or played.false)
    assert missed < len(cases) / 3


def _said_in(case: Case) -> list[str]:
    return [turn for turn in case.turns if not turn.startswith("!")]
