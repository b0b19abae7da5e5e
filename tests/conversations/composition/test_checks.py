"""Whether something holds already is answered from the items; the emptiest day is the one with least on it."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise

import pytest

from tests.conversations.composition.generators.questions import date_said
from tests.conversations.composition.generators.term import LABS, PROBABILITY, WORDS, chat_of, heard, items_of, state_of

AT_MOST = {"zh": "现在是不是每天最多{n}项？", "en": "Is it at most {n} items a day?"}
OVER = {"zh": "有没有哪天超过{n}项？", "en": "Is there any day with more than {n} items?"}
APART = {"zh": "{what}之间是不是至少隔了{n}天？", "en": "Are the {what} at least {n} days apart?"}
NAMED = {
    "zh": {PROBABILITY: "概率论", WORDS: "六级", LABS: "实验"},
    "en": {PROBABILITY: "chapters", WORDS: "CET-6 units", LABS: "labs"},
}
FREE_DAYS = {"zh": ("下周哪几天没有任务？",), "en": ("Which days next week have no tasks at all?",)}


async def _answer(language: str, text: str) -> str:
    chat = await chat_of(language)
    before = state_of(await chat_of(language)) if chat.world.document is None else None
    await chat.says(text)
    assert before is None or state_of(chat) == before
    assert chat.of("confirm.requested") == []
    return heard(chat)


def _per_day(language: str) -> Counter[date]:
    return Counter(row.day for row in items_of(language) if row.day)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("number", [1, 2, 3])
async def test_so_many_a_day_is_held_against_every_day(language, number):
    over = [day for day, count in _per_day(language).items() if count > number]
    told = await _answer(language, AT_MOST[language].format(n=number))
    assert told.startswith(("不是", "No") if over else ("是的", "Yes")), told
    assert all(date_said(day, told) for day in over)
    told = await _answer(language, OVER[language].format(n=number))
    assert told.startswith(("有", "Yes") if over else ("没有", "No")), told


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("owner", [PROBABILITY, WORDS, LABS])
@pytest.mark.parametrize("number", [1, 2, 6])
async def test_days_apart_are_held_against_every_pair(language, owner, number):
    days = sorted(row.day for row in items_of(language) if row.class_id == owner and row.day)
    close = [pair for pair in pairwise(days) if (pair[1] - pair[0]).days < number]
    told = await _answer(language, APART[language].format(what=NAMED[language][owner], n=number))
    assert told.startswith(("不是", "No") if close else ("是的", "Yes")), told
    assert all(date_said(day, told) for pair in close for day in pair)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_days_without_items_are_those(language):
    week = [date(2026, 4, 13) + timedelta(days=n) for n in range(7)]
    busy = _per_day(language)
    for text in FREE_DAYS[language]:
        told = "\n".join((await _answer(language, text)).splitlines()[1:])
        assert [day for day in week if date_said(day, told)] == [day for day in week if not busy[day]], told


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", "把实验四挪到那周最空的一天"),
        ("zh", "第7周哪天最空，把实验四挪到那天"),
        ("en", "Move Lab 4 to the emptiest day of its week."),
        ("en", "Put Lab 4 on the day of its week with the least on it."),
    ],
)
async def test_an_item_goes_to_the_emptiest_day(language, said):
    chat = await chat_of(language)
    await chat.says(said)
    lab = items_of(language)[-3]
    assert lab.day is not None
    monday = lab.day - timedelta(days=lab.day.weekday())
    lessons = {0: 4, 2: 4, 5: 0, 6: 0}
    days = [monday + timedelta(days=n) for n in range(7)]
    loads = {
        day: (lessons.get(day.weekday(), 2) + 2 * _per_day(language)[day], _per_day(language)[day]) for day in days
    }
    best = min(days, key=lambda day: (loads[day], day))
    assert date_said(best, heard(chat)), heard(chat)


@pytest.mark.parametrize(
    ("language", "asked", "agreed"),
    [("zh", "如果4月13号全空出来，会怎么样？", "好，就这样做"), ("en", "What if I kept 13 April free?", "ok, do it")],
)
async def test_what_was_offered_is_done_only_when_wanted(language, asked, agreed):
    chat = await chat_of(language)
    await chat.says(asked)
    assert chat.of("confirm.requested") == []
    await chat.says(agreed)
    assert len(chat.of("confirm.requested")) == 1
