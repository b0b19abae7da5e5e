"""A new class is read from its parts, in whatever form and order they are told: name, contents, last day."""

from __future__ import annotations

import itertools

import pytest

from agent.llm.offline.language.spans.classes.class_sentence import read_class
from agent.llm.offline.language.spans.classes.class_wish import read_wish
from agent.llm.offline.language.spans.times.semester import NO_TERM
from tests.conversations.world import chat_of

OPENINGS = {
    "zh": [
        "弄个{}的任务",
        "帮我建一个{}的任务",
        "新任务：{}",
        "再来一个任务 {}",
        "建个任务，名字叫{}",
        "能不能给我加个{}的任务",
        "新建{}",
        "加一门{}",
        "麻烦新建个任务类{}",
        "创建任务类「{}」",
    ],
    "en": [
        "create a task for {}",
        "new task: {}",
        "add a class called {}",
        "can you add {} to my tasks",
        "make me a {} task",
        "set me up with a {} task",
        "one more task: {}",
        "create a new task and call it {}",
        "could you make a task for {}?",
        "start a new task for my {}",
    ],
}
LISTS = {
    "zh": [
        "内容有烷烃、烯烃、醇",
        "分成烷烃、烯烃、醇三部分",
        "包括烷烃，烯烃和醇",
        "三章分别是烷烃、烯烃、醇",
        "内容：烷烃/烯烃/醇",
        "内容是1. 烷烃 2. 烯烃 3. 醇",
        "先烷烃，再烯烃，最后醇",
        "分为三个阶段，分别是烷烃、烯烃、醇",
        "要看烷烃、烯烃、醇这几块",
        "内容包括烷烃；烯烃；醇",
        "内容 烷烃+烯烃+醇",
        "内容有 烷烃 烯烃 醇",
    ],
    "en": [
        "with topics chords, strumming and scales",
        "3 topics: chords, strumming, scales",
        "it covers chords, strumming and scales",
        "steps: 1. chords 2. strumming 3. scales",
        "first chords, then strumming and finally scales",
        "topics: chords; strumming; scales",
        "broken down into chords, strumming and scales",
        "(chords, strumming, scales)",
        "topics chords, strumming & scales",
        "it has chords, strumming plus scales",
        "\n- chords\n- strumming\n- scales",
    ],
}
ITEMS = {"zh": ("烷烃", "烯烃", "醇"), "en": ("chords", "strumming", "scales")}
NAMES = {"zh": "有机化学", "en": "guitar"}
DATES = {"zh": "4月20号前搞定", "en": "due april 20"}


def _join(opening: str, listed: str, language: str) -> str:
    if language == "zh":
        return f"{opening}，{listed}"
    asks, opening = ("?" if opening.endswith("?") else ""), opening.rstrip("?")
    joint = (
        "" if listed.startswith("\n") else " " if listed.split()[0] in ("with", "broken") or listed[0] == "(" else ", "
    )
    return f"{opening}{joint}{listed}{asks}"


@pytest.mark.parametrize(
    ("language", "opening", "listed"),
    [(one, *both) for one in OPENINGS for both in itertools.product(OPENINGS[one], LISTS[one])],
)
def test_a_class_has_the_name_and_the_contents_that_are_told(language, opening, listed):
    wish = read_wish(_join(opening.format(NAMES[language]), listed, language), NO_TERM)
    assert wish is not None
    assert (wish.name, wish.parts.items, wish.parts.rest) == (NAMES[language], ITEMS[language], ())


@pytest.mark.parametrize(
    ("language", "opening", "listed"),
    [(one, OPENINGS[one][at % len(OPENINGS[one])], listed) for one in LISTS for at, listed in enumerate(LISTS[one])],
)
def test_the_day_is_none_of_the_contents_wherever_it_stands(language, opening, listed):
    named = opening.format(NAMES[language])
    first = _join(_join(named.rstrip("?"), DATES[language], language), listed, language)
    last = _join(_join(named.rstrip("?"), listed, language), DATES[language], language)
    for message in (first, *([] if "\n" in listed else [last])):
        wish = read_wish(message, NO_TERM)
        assert wish is not None
        assert (wish.parts.items, len(wish.parts.dates)) == (ITEMS[language], 1), message


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("新建吉他，大概8讲", "8讲"),
        ("搞个高数复习计划 差不多12个专题", "12个专题"),
        ("弄个吉他的任务，分4次学", "4次"),
        ("create a task for french, about 8 lectures", "8 lectures"),
        ("new task: IELTS, it has six chapters", "6 chapters"),
    ],
)
def test_how_many_there_are_is_no_item(message, count):
    wish = read_wish(message, NO_TERM)
    assert wish is not None
    assert (wish.parts.count, wish.parts.items) == (count, ())


@pytest.mark.parametrize(
    "message",
    [
        "整个计划往后推两天",
        "我有个任务要推迟",
        "加个任务提醒",
        "来个任务列表",
        "有任务冲突",
        "弄个合理的计划",
        "搞个轻松点的复习计划",
        "新任务排哪天",
        "start the task earlier",
        "get the task done",
        "make the task harder",
        "make a better plan",
        "I need another plan, this one is too full",
        "give me a realistic study plan",
        "i have a chemistry class",
        "set up everything again",
        "create space on friday",
    ],
)
def test_what_is_wanted_of_a_plan_is_no_class(message):
    wish = read_wish(message, NO_TERM)
    assert wish is None or not wish.name or "推" in message


def test_contents_between_marks_are_read_as_they_stand():
    said = 'create a task class "IELTS", with the items: "no sleep, no fun" 3 sections, "supply and demand"'
    slots = read_class(said, NO_TERM)
    assert slots.items == ("no sleep, no fun", "supply and demand")
    assert slots.lengths == (("no sleep, no fun", 3),)
    assert not slots.excludes


CARDS = [
    (
        "zh",
        "弄个吉他的任务，分为和弦、节奏、弹唱，4月20号前，老师很严格",
        "吉他",
        "2026-04-20",
        ["和弦", "节奏", "弹唱"],
        "没用上：「老师很严格」",
    ),
    ("zh", "期末前要复习高数，一共6章，6月12号考", "高数", "2026-06-12", 6, "第6章"),
    ("zh", "新建任务微积分。一共3章。五一前学完", "微积分", "2026-04-30", 3, "第3章"),
    (
        "en",
        "I've a chem final on april 10, 5 topics: alkanes, alkenes, alkynes, alcohols, and acids",
        "chem final",
        "2026-04-10",
        ["alkanes", "alkenes", "alkynes", "alcohols", "acids"],
        "Steps: alkanes, alkenes, alkynes",
    ),
    (
        "en",
        "make me a thesis task split into literature review, methods and results. over the next 4 weeks",
        "thesis",
        "2026-04-05",
        ["literature review", "methods", "results"],
        "Steps: literature review, methods, results.",
    ),
]


@pytest.mark.parametrize(("language", "message", "name", "end", "items", "told"), CARDS)
async def test_the_card_of_a_new_class_names_what_is_in_it(language, message, name, end, items, told):
    chat = await chat_of(language)
    before = [row["id"] for row in chat.world.classes]
    await chat.says(message)
    assert told in chat.of("text.ended")[-1].full_content
    await chat.answers("approve", "")
    made = [row for row in chat.world.classes if row["id"] not in before]
    assert [(row["name"], row["end_date"]) for row in made] == [(name, end)]
    contents = [item["content"] for item in made[0]["items"]]
    assert contents == items or len(contents) == items
