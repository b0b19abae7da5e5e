"""The wordings of the canonical requests, and the names that stand in them."""

from __future__ import annotations

import re

import pytest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.paraphrase.names import spell_out_class, spell_out_day, spell_out_items
from agent.llm.offline.language.paraphrase.wordings import MODIFIERS, WORDINGS
from tests.conversations.world import chat_of


@pytest.mark.parametrize("name", [*WORDINGS, *MODIFIERS])
def test_both_languages_have_the_same_slots(name):
    zh, en = WORDINGS.get(name) or MODIFIERS[name]
    assert sorted(re.findall(r"\{(\w+)\}", zh)) == sorted(re.findall(r"\{(\w+)\}", en))


async def brief_of(language: str, monkeypatch) -> Brief:
    """The brief of a message in the world of the corpus."""
    seen: list[Brief] = []
    chat = await chat_of(language)
    monkeypatch.setattr("agent.llm.offline.backend.read_in_context", lambda brief: seen.append(brief) or brief)
    await chat.says("谢谢" if language == "zh" else "thanks")
    return seen[-1]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("第3到5章", "第三章 数字特征、第四章 大数定律、第五章 参数估计"),
        ("特征值和矩阵", "特征值与特征向量、矩阵运算"),
        ("大树定律", "第四章 大数定律"),
        ("随机", "随机"),
        ("第七章", "第七章"),
        ("chapters 3-4", "Chapter 3 Moments and Chapter 4 Limit theorems"),
        ("hyp tests", "Chapter 6 Hypothesis tests"),
        (
            "ch1, matrices and labs 1 and 3",
            "Chapter 1 Random events, Matrices, Lab 1 Pendulum and Lab 3 Bridge circuit",
        ),
        ("it", "it"),
    ],
)
async def test_items_are_told_by_their_names(said, names, monkeypatch):
    assert spell_out_items(said, await brief_of("en" if said.isascii() else "zh", monkeypatch)) == names


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("线代", "线性代数"),
        ("大物", "大学物理实验"),
        ("高数", "高数"),
        ("lin alg", "Linear Algebra"),
        ("linalg", "Linear Algebra"),
        ("it", "it"),
    ],
)
async def test_a_class_is_told_by_its_name(said, name, monkeypatch):
    assert spell_out_class(said, await brief_of("en" if said.isascii() else "zh", monkeypatch)) == name


async def test_a_weekday_alone_is_the_next_one(monkeypatch):
    brief = await brief_of("en", monkeypatch)
    assert re.fullmatch(r"\d+ [A-Z][a-z]+", spell_out_day("thursday", brief))
    assert spell_out_day("26 March", brief) == "26 March"
    assert spell_out_day("next week", brief) == "next week"
