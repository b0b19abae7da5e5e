"""The classifier tells apart what students want, also in words it was not fitted to."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.llm.offline.language.classifier.classify import SENTENCES, classify, digest_sources, load_model
from agent.llm.offline.language.classifier.kinds import read_tokens
from agent.llm.offline.language.classifier.labels import CARRIED_OUT_BY, CHANGES_CLASS, FOLLOW_UPS, INTENTS
from agent.llm.offline.language.normalize import fold_text

REQUESTS = Path(__file__).parent / "labelled_requests.tsv"
"""What students asked for, with what they wanted; several labels where a message wants several things."""
CLASSES = ("概率论复习", "英语六级", "物理实验", "Probability revision", "CET-6 words", "Physics labs")


def labels_of(text: str) -> list[str]:
    return [label for label, _ in classify(read_tokens(text, CLASSES, ()))]


def requests() -> list[tuple[list[str], str]]:
    rows = [line.split("\t") for line in REQUESTS.read_text(encoding="utf-8").splitlines()]
    return [(label.split("+"), text) for label, text in rows]


def test_the_weights_are_those_of_the_sentences():
    assert load_model().digest == digest_sources(), "run script/train_classifier.py"


def test_every_label_has_sentences_an_intent_and_weights():
    told = {line.split("\t")[0] for path in SENTENCES.glob("*.tsv") for line in path.read_text().splitlines()}
    assert told == set(INTENTS) == set(load_model().labels)
    assert CHANGES_CLASS | FOLLOW_UPS | set(CARRIED_OUT_BY) <= told


def test_no_request_of_the_yardstick_is_among_the_sentences():
    known = {
        fold_text(line.split("\t")[1]) for path in SENTENCES.glob("*.tsv") for line in path.read_text().splitlines()
    }
    assert sum(fold_text(text) in known for _, text in requests()) == 0


def test_most_requests_that_were_not_learnt_are_told_apart():
    right = [labels_of(text)[0] in wanted for wanted, text in requests()]
    thought_of = [bool({*labels_of(text)} & {*wanted}) for wanted, text in requests()]
    assert sum(right) >= 0.8 * len(right)
    assert sum(thought_of) >= 0.92 * len(right)


@pytest.mark.parametrize("text", ["", "？！", "🦉🦉", "x" * 5000, "\u2028\u0000"])
def test_what_says_nothing_is_weighed_all_the_same(text):
    found = classify(read_tokens(text, CLASSES, ()))
    assert 0 < sum(chance for _, chance in found) <= 1.000001


def test_names_times_and_numbers_do_not_matter():
    first = read_tokens("把概率论复习的第3章移到周三下午", CLASSES, ())
    second = read_tokens("把物理实验的第5章移到周日早上", CLASSES, ())
    assert first == second
