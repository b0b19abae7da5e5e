"""Shortened names stand for the one name that they can mean."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.paraphrase.names import find_shortened, find_whole_name, list_names
from agent.llm.offline.language.paraphrase.tokens import find_names
from tests.conversations.world import CLASSES


def names(language: str) -> tuple[list[str], list[str]]:
    return [row[1] for row in CLASSES[language]], [item for row in CLASSES[language] for item in row[4]]


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("zh", "线代", "线性代数"),
        ("zh", "大物", "大学物理实验"),
        ("zh", "大物实验", "大学物理实验"),
        ("zh", "概率", "概率论复习"),
        ("en", "lin alg", "Linear Algebra"),
        ("en", "linalg", "Linear Algebra"),
        ("en", "LA", "Linear Algebra"),
        ("en", "prob", "Probability"),
        ("en", "vocab", "Vocabulary sprint"),
    ],
)
def test_a_class_is_known_by_its_shortened_name(language, said, meant):
    assert find_whole_name(said, names(language)[0]) == meant


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        ("zh", "电桥实验", "实验三 电桥"),
        ("zh", "假设检验", "第六章 假设检验"),
        ("zh", "矩阵", "矩阵运算"),
        ("en", "hyp tests", "Chapter 6 Hypothesis tests"),
        ("en", "eigen", "Eigenvalues"),
        ("en", "bridge lab", "Lab 3 Bridge circuit"),
        ("en", "the verbs", "Common verbs"),
    ],
)
def test_an_item_is_known_by_its_shortened_name(language, said, meant):
    assert find_whole_name(said, names(language)[1]) == meant


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", "第三到五章"),
        ("zh", "单摆和透镜"),
        ("zh", "随机"),
        ("zh", "贝叶斯"),
        ("zh", "线性代数"),
        ("en", "labs 1 and 3"),
        ("en", "common"),
        ("en", "it"),
        ("en", "Physics Lab"),
    ],
)
def test_what_is_whole_or_may_be_several_stays_as_it_was_said(language, said):
    assert [find_whole_name(said, known) for known in names(language)] == [None, None]


@pytest.mark.parametrize(("language", "said"), [("zh", "实验"), ("en", "lab")])
def test_what_several_items_have_in_common_names_none_of_them(language, said):
    assert find_whole_name(said, names(language)[1]) is None


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "线代和大物实验什么时候"), ("en", "when are lin alg and bridge lab")]
)
def test_the_names_of_a_text_are_found_once_for_all_who_ask(language, said):
    classes, items = names(language)
    found = list_names(said, classes, items)
    assert [*found] == find_names(said, classes, items)
    assert list_names(said, tuple(classes), tuple(items)) is found
    assert list_names(said, (), ()) == ()


def test_who_changes_a_list_of_names_changes_it_for_nobody_else():
    classes, items = names("zh")
    find_shortened("线代什么时候", classes, items).clear()
    assert find_shortened("线代什么时候", classes, items) == ["线性代数"]
