"""Requests in words that were not learnt are said again in canonical requests, and what is not sure is left alone."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from agent.llm.offline.language.normalize import fold_numbers
from agent.llm.offline.language.paraphrase.frames import Frame
from agent.llm.offline.language.paraphrase.models import SENTENCES, digest_sources, load_models
from agent.llm.offline.language.paraphrase.names import find_whole_name
from agent.llm.offline.language.paraphrase.paraphrase import (
    AS_SAID,
    NAMED,
    Heard,
    Paraphrase,
    find_likely,
    paraphrase,
)
from agent.llm.offline.language.paraphrase.wordings import MODIFIERS, WORDINGS
from tests.conversations.world import CLASSES

MARKED = re.compile(r"\{(\w+) ([^{}]*)\}")
LANGUAGES = ("zh", "en")
NOTHING_SAID = {"no_request", "save", "help", "other"}


def say(message: str, language: str, heard: Heard | None = None) -> Paraphrase | None:
    names = [row[1] for row in CLASSES[language]]
    return paraphrase(message, names, [name for row in CLASSES[language] for name in row[4]], heard)


def name_wholly(slot: str, words: str, language: str) -> str:
    """The words of a slot, a shortened name as the whole one."""
    classes, items = [row[1] for row in CLASSES[language]], [name for row in CLASSES[language] for name in row[4]]
    known = next((names for names, kind in zip((items, classes), NAMED, strict=True) if slot in kind), ())
    return find_whole_name(words, known) or words


def plain(text: str) -> str:
    return re.sub(r"[\s,，、的]|\b(?:and|the|on)\b|和", "", fold_numbers(text))


def unseen(language: str) -> list[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Messages with the forms of their requests, and the words in their slots."""
    rows = []
    for line in (Path(__file__).parent / f"unseen.{language}.tsv").read_text(encoding="utf-8").splitlines():
        forms, text = line.split("\t")
        frames = []
        for form, part in zip(forms.split(" | "), text.split(" | "), strict=True):
            slots: dict[str, str] = {}
            for slot, words in MARKED.findall(part):
                slots[slot] = slots.get(slot, "") + plain(name_wholly(slot, words, language))
            frames.append((form.split("+")[0], slots))
        rows.append((MARKED.sub(r"\2", text).replace(" | ", " " if language == "en" else ""), frames))
    return rows


def told(found: Paraphrase) -> list[tuple[str, dict[str, str]]]:
    return [(one.form, {name: plain("".join(words)) for name, words in one.slots.items()}) for one in found.frames]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_models_are_those_of_the_sentences(language):
    assert load_models(language).digest == digest_sources(), "run script/train_paraphraser.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_request_that_is_learnt_has_a_wording_and_many_sentences(language):
    lines = (SENTENCES / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    known = Counter(form for line in lines for form in line.split("\t")[0].split(" | "))
    forms = Counter(part for form, count in known.items() for part in form.split("+")[:1] for _ in range(count))
    assert set(forms) - set(WORDINGS) == {"other"}
    assert sum(forms[form] >= 4 for form in WORDINGS) >= 0.95 * len(WORDINGS)
    assert {part for form in known for part in form.split("+")[1:]} <= {*MODIFIERS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_unseen_request_is_among_the_sentences(language):
    lines = (SENTENCES / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    known = {plain(MARKED.sub(r"\2", line.split("\t")[1])) for line in lines}
    assert [text for text, _ in unseen(language) if plain(text) in known] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_unseen_requests_are_understood_and_hardly_one_wrongly(language):
    rows = [(text, frames) for text, frames in unseen(language) if not {form for form, _ in frames} & NOTHING_SAID]
    said = [(found, frames) for text, frames in rows if (found := say(text, language)) and found.frames]
    sure = [(found, frames) for found, frames in said if all(frame.form != AS_SAID for frame in found.frames)]
    right = [told(found) == frames for found, frames in sure]
    forms = [[form for form, _ in told(found)] == [form for form, _ in frames] for found, frames in sure]
    assert len(sure) >= 0.5 * len(rows)
    assert sum(forms) >= 0.85 * len(sure)
    assert sum(right) >= 0.75 * len(sure)


@pytest.mark.parametrize("text", ["", " ", "？！", "🦉🦉", "x" * 5000, "{move} it", "\u2028\u0000", "好" * 299])
def test_what_says_nothing_is_left_alone(text):
    found = say(text, "zh")
    assert found is None or not found.frames


@pytest.mark.parametrize(
    "text", ["move chapter 2 to friday " * 20, "{move} chapter 2 to friday", "第二章移到周五" * 50]
)
def test_a_long_text_and_code_have_no_readings(text):
    assert find_likely(text, [], ["chapter 2", "第二章"], 3) == []


def test_words_stay_as_they_were_written():
    found = say("rename chapter 5 to Regression II", "en")
    assert found is not None
    assert found.said == ('rename Chapter 5 Estimation to "Regression II"',)


def test_the_words_of_a_new_name_stay_together():
    found = say("probability also has a chapter 7 on regression, add it", "en")
    assert found is not None
    assert found.frames[0].slots["text"] == ("chapter 7 on regression",)


@pytest.mark.parametrize(
    ("before", "words", "after"),
    [
        (
            {"items": ("chapter 2",), "time": ("Wednesday afternoon",)},
            "no, thursday",
            "move Chapter 2 Random variables to thursday afternoon",
        ),
        (
            {"items": ("chapter 2",), "time": ("Wednesday afternoon",)},
            "evening please",
            "move Chapter 2 Random variables to Wednesday evening",
        ),
        (
            {"items": ("chapter 2",), "time": ("Wednesday",)},
            "and chapter 3 as well",
            "move Chapter 2 Random variables and Chapter 3 Moments to Wednesday",
        ),
    ],
)
def test_a_later_turn_changes_what_it_names(before, words, after):
    found = say(words, "en", Heard("card", Frame("move_to", before)))
    assert found is not None
    assert found.text == after


def test_a_day_said_in_numerals_keeps_its_hour():
    before = Frame("move_to", {"items": ("第二章",), "time": ("第四周周三下午",)})
    found = say("晚上吧", "zh", Heard("card", before))
    assert found is not None
    assert found.text == "把第二章 随机变量移到第4周周3晚上"


@pytest.mark.parametrize(
    ("language", "days", "words"),
    [
        ("en", ("Monday", "19 March"), "I am not available on Monday and 19 March"),
        ("en", ("Monday", "evening"), "I am not available on Monday evening"),
        ("zh", ("周一", "3月19日"), "我周一和3月19日没空"),
    ],
)
def test_days_that_are_said_apart_stay_apart(language, days, words):
    assert Frame("away", {"time": days}).say(language) == words


def test_consent_is_no_request():
    found = say("yes please", "en", Heard("card", Frame("move_to", {"items": ("chapter 2",), "time": ("friday",)})))
    assert found is None or not found.frames


def test_readings_to_choose_from_are_whole_requests():
    names = [row[1] for row in CLASSES["en"]]
    items = [name for row in CLASSES["en"] for name in row[4]]
    assert find_likely("chapter 2 friday", names, items, 3)[0] == "move Chapter 2 Random variables to friday"
