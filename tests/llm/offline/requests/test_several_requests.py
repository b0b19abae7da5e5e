"""Several requests of one message: none is mixed up with another, and the card of one tells what comes after it."""

from __future__ import annotations

import pytest

from tests.conversations.world import chat_of


def spoken(chat) -> str:
    return "\n".join(event.full_content for event in chat.of("text.ended"))


def card(chat) -> str:
    return chat.of("confirm.requested")[-1].summary


async def test_a_class_that_is_to_be_deleted_has_nothing_to_do_with_the_condition_beside_it():
    chat = await chat_of("en")
    await chat.says("delete class vocabulary sprint, and no probability on sundays, and what is on friday?")
    assert "Vocabulary sprint" in card(chat)
    assert 'After that: "no probability on sundays, and what is on friday?".' in spoken(chat)
    await chat.answers("approve")
    assert "Excluded weekdays Sun" in card(chat)
    assert "Not taken into account" not in spoken(chat)
    told = ""
    while chat.end is not None and chat.end.interaction is not None:
        await chat.answers("approve")
        told += spoken(chat)
    assert "Calculus" in told
    assert [row["name"] for row in chat.world.classes if row["name"] in ("Vocabulary sprint", "Probability")] == [
        "Probability"
    ]


@pytest.mark.parametrize(
    ("language", "words", "first", "then"),
    [
        ("en", "put lab 1 and lab 2 in on monday and tuesday", "Mon 5-6", "Tue 3-4"),
        ("zh", "把实验一和实验二分别放到周一和周二", "周一 5-6 节", "周二 3-4 节"),
    ],
)
async def test_each_of_two_items_goes_to_its_own_day(language, words, first, then):
    chat = await chat_of(language)
    await chat.says(words)
    assert first in card(chat)
    assert {"en": "After that: Lab 2 Lenses.", "zh": "接下来：实验二 透镜。"}[language] in spoken(chat)
    await chat.answers("approve")
    assert then in card(chat)


async def test_what_is_added_goes_where_it_is_wanted():
    chat = await chat_of("en")
    await chat.says('add "Mock exam" to Probability and put it on 9 april 7-8')
    assert "new: Mock exam" in card(chat)
    shown = [card(chat)]
    for _ in range(5):
        await chat.answers("approve")
        if chat.end.outcome != "paused":
            break
        shown.append(card(chat))
    assert "Mock exam: wk 6 Thu 7-8" in shown[-1] or "→ wk 6 Thu 7-8" in shown[-1]


async def test_items_without_a_place_go_to_the_same_coming_day():
    chat = await chat_of("en")
    await chat.says("put labs 1, 2 and 3 in on saturday")
    shown = [card(chat)]
    for _ in range(2):
        await chat.answers("approve")
        shown.append(card(chat))
    assert [text[: text.index(" Sat")].split(": ")[1] for text in shown] == ["wk 4"] * 3


@pytest.mark.parametrize(
    ("language", "words", "changed"),
    [
        ("en", "swap chapter 2 and chapter 3", "Chapter 3 Moments becomes step 2"),
        ("zh", "把第二章和第三章对调", "第三章 数字特征 移到第 2 项"),
    ],
)
async def test_a_swap_against_the_order_of_a_class_changes_that_order(language, words, changed):
    chat = await chat_of(language)
    await chat.says(words)
    assert changed in card(chat)


@pytest.mark.parametrize(
    ("language", "words", "day"),
    [
        ("en", "finish probability by april 8 and plan the labs, no mondays", 1),
        ("en", "plan the labs but not on fridays, and probability has to be done by april 8", 5),
        ("zh", "概率论截止改到4月8号，另外把实验排一下，别排周一", 1),
    ],
)
async def test_a_class_is_given_another_end_and_another_one_is_planned_within_its_own_limits(language, words, day):
    chat = await chat_of(language)
    await chat.says(words)
    while chat.end is not None and chat.end.interaction is not None:
        await chat.answers("approve")
    rows = {row["id"]: row for row in chat.world.classes}
    assert (rows[5]["end_date"], rows[5]["excluded_days_of_week"]) == ("2026-04-08", [])
    assert (rows[7]["end_date"], rows[7]["excluded_days_of_week"]) == ("2026-04-19", [day])
    labs = [chat.schedule.spot_of(entry) for entry in chat.schedule.items() if entry.task_class_id == 7]
    assert len(labs) == 3
    assert all(spot and (spot.place.day - 1) % 7 + 1 != day for spot in labs)
