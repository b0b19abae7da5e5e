"""Greetings, hesitation, thanks and signs around a request change nothing of what it wants."""

from __future__ import annotations

import random

import pytest

from tests.conversations.composition.generators.goals import REQUESTS, play

AROUND = {
    "zh": (
        "哈喽，{said}",
        "嗯……{said}",
        "那个，{said}",
        "{said}，谢谢啦",
        "{said}🙏",
        "你好！{said}～",
        "{said}。辛苦了！",
    ),
    "en": (
        "hey, {said}",
        "um so {said}",
        "Hi! {said}",
        "{said}, thanks",
        "{said} 🙏",
        "{said} thank you so much!",
    ),
}
CASES = [
    (language, said, around.format(said=said))
    for language, requests in REQUESTS.items()
    for _, said in requests
    for around in AROUND[language]
]


@pytest.mark.parametrize(("language", "said", "whole"), random.Random(3).sample(CASES, 20))
async def test_a_request_among_courtesies_ends_like_the_request(language, said, whole):
    assert await play(language, whole) == await play(language, said)


@pytest.mark.long
@pytest.mark.parametrize(("language", "said", "whole"), CASES)
async def test_every_request_among_courtesies_ends_like_the_request(language, said, whole):
    assert await play(language, whole) == await play(language, said)


async def test_courtesies_around_two_requests_leave_both():
    assert await play("zh", "你好，把第二章移到周六上午。六级词汇只放晚上，谢谢！") == await play(
        "zh", "把第二章移到周六上午。六级词汇只放晚上"
    )


@pytest.mark.parametrize(
    "said",
    ["leave linear algebra, move the rest a week later", "I missed chapter 1, chapter 2 went fine",
     "matrices is too early, no earlier than friday", "move chapter 2 to saturday. Also, vocab only in the evenings"],
)  # fmt: skip
async def test_several_spaces_are_one(said):
    assert await play("en", f" {said}".replace(" ", "  ")) == await play("en", said)


async def test_a_sign_that_belongs_to_a_name_stays():
    end = await play("zh", "把第三章改名叫冲刺🔥")
    assert [name for row in end["classes"].values() for name, _ in row["items"] if "冲刺" in name] == ["冲刺🔥"]
