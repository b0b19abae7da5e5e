"""A message is divided where its pieces are surer alone than together, and nowhere else."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.division import Reader
from agent.llm.offline.language.paraphrase.models import load_models
from agent.llm.offline.language.paraphrase.names import may_name
from agent.llm.offline.language.paraphrase.paraphrase import find_likely
from agent.llm.offline.language.paraphrase.tokens import find_names, tokenise
from tests.conversations.world import CLASSES

BEGIN = ("begin",)


def divided(language: str, message: str) -> list[tuple[str, str]]:
    """The form and the words of each request."""
    classes, items = [row[1] for row in CLASSES[language]], [name for row in CLASSES[language] for name in row[4]]
    text = fold_numbers(message)
    tokens = tokenise(text, find_names(text, classes, items))
    found = Reader(text, load_models(language)).divide(tokens, BEGIN, None)
    return [(one.frames[0].form, text[one.tokens[0].start : one.tokens[-1].end]) for one in found]


@pytest.mark.parametrize(
    ("language", "message", "forms"),
    [
        ("en", "finished chapter 1 last night, so what comes now?", ["did", "next"]),
        ("en", "didn't get to determinants, what is on tomorrow", ["missed", "what_on"]),
        ("en", "could chapter 2 go to thursday evening", ["move_to"]),
        ("en", "move chapter 2 and chapter 3 to friday", ["move_to"]),
        ("zh", "第二章学完了，接下来学什么", ["did", "next"]),
        ("zh", "周四有什么安排，周日有空吗", ["what_on", "is_free"]),
        ("zh", "第二章和第三章都放到周五", ["move_to"]),
    ],
)
def test_each_request_is_a_piece(language, message, forms):
    found = divided(language, message)
    assert [form for form, _ in found] == forms
    text = fold_numbers(message)
    assert "".join(words for _, words in found).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("message", ["?", "chapter 2", "so", "? ? ?", "friday friday friday friday"])
def test_little_is_divided_into_pieces_that_hold_it_all(message):
    found = divided("en", message)
    assert "".join(words for _, words in found).replace(" ", "") == message.replace(" ", "")


def test_no_reading_says_the_contrary_or_takes_a_name_for_what_it_is_not():
    classes, items = [row[1] for row in CLASSES["zh"]], [name for row in CLASSES["zh"] for name in row[4]]
    for message in ("不要把第三章放在周末", "第三章别放周末"):
        for reading in find_likely(message, classes, items, 3):
            assert not reading.startswith("把第三章")
            assert "这次第三章" not in reading


@pytest.mark.parametrize(
    ("said", "may"),
    [("lin alg", True), ("it", True), ("chapters 1 and 2", True), ("Linear Algebra", True), ("football", False)],
)
def test_what_may_be_a_name(said, may):
    assert may_name(said, ["Linear Algebra", "Probability"]) is may
