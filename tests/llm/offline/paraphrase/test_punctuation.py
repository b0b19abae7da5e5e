"""The commas of a message that has none: where its clauses end, and nowhere else."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.paraphrase.models import digest_sources, load_punctuation
from agent.llm.offline.language.paraphrase.punctuation import LONGEST, punctuate

CLASSES, ITEMS = ("概率论复习", "线性代数", "Linear Algebra"), ("第一章 随机事件", "第二章 随机变量", "Matrices")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_commas_are_those_of_the_sentences(language):
    assert load_punctuation(language).digest == digest_sources(), "run script/train_punctuation.py"


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("第二章移到周六如果周六有课就算了", "第二章移到周六，如果周六有课就算了"),
        ("第一章學完了 第二章挪到週五", "第一章學完了，第二章挪到週五"),
        (
            "I'm done with Matrices move Linear Algebra to Friday",
            "I'm done with Matrices, move Linear Algebra to Friday",
        ),
    ],
)
def test_a_comma_stands_where_a_clause_ends(said, written):
    assert punctuate(said, CLASSES, ITEMS) == written


@pytest.mark.parametrize(
    "said",
    [
        "",
        "  ",
        "好的",
        "概率论复习 第一章放到3月19日周四下午",
        "第一章学完了，第二章挪到周五然后周末空出来",
        "(1)第一章做完了(2)第二章移到周六",
        "把第一章改名叫“别动 第二章移到周六 如果”",
        "rename Matrices to Great Expectations and delete Eigenvalues",
        "plan Linear Algebra on Mondays and Wednesdays only",
        "does Matrices still fit if I take Friday off?",
        "第二章移到周六如果周六有课就算了" * LONGEST,
    ],
)
def test_what_has_separators_or_one_clause_stays(said):
    assert punctuate(said, CLASSES, ITEMS) == said
