"""What a message takes back or puts right within itself says the same as the message without it."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.utterance.second_thoughts import settle
from agent.llm.offline.language.utterance.speech_acts import settle_act
from tests.kits.offline.views import view


def settled(said: str) -> str:
    brief = Brief(view("chat", said))
    return settle_act(settle(said, brief), brief)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("wait for friday and saturday", "wait for friday and saturday"),
        ("no friday no saturday", "no friday no saturday"),
        ("mornings are fine no evenings", "mornings are fine no evenings"),
        ("i have class monday, wait tuesday too", "i have class monday, wait tuesday too"),
        ("don't let me forget it", "don't let me forget it"),
        ("keep friday, no wait, saturday free", "keep saturday free"),
        ("keep friday or rather saturday evening free", "keep saturday evening free"),
        ("周五要去健身，别排", "周五要去健身，别排"),
        ("这周末 不对 下周末别排", "下周末别排"),
        ("周五晚上，说错了，周六别排", "周六晚上别排"),
        ("周五别排，不是周五，是周六", "周六别排"),
    ],
)
def test_only_the_right_one_of_two_things_is_left(said, meant):
    assert settled(said) == meant


@pytest.mark.parametrize(
    ("said", "nothing"),
    [
        ("move chapter 2 to friday, never mind", "never mind"),
        ("i don't think you should move chapter 2 to friday", "never mind"),
        ("第二章移到周五，还是别动了", "算了"),
        ("没必要移出第二章", "算了"),
    ],
)
def test_nothing_is_left_of_what_is_taken_back_or_spoken_against(said, nothing):
    assert settled(said) in (nothing, "never mind")
