"""A student who types fast: slips, half names, consent in words, second thoughts."""

from __future__ import annotations

import pytest

from agent.llm.offline.backend import OfflineModel
from agent.llm.offline.language.meaning.ellipsis import affirms, leaves_it_open
from agent.llm.offline.language.slips import correct_spelling, slips_between
from agent.llm.offline.language.spans.classes.class_sentence import read_class
from agent.llm.offline.language.spans.dates import range_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from schedules.planner.grid import day_number
from tests.kits.loop.chat import Chat
from tests.kits.loop.world import World, course, task_class
from tests.kits.offline.conversations import (
    NAMES,
    TERM,
    brief,
    card,
    entry,
    lessons,
    place,
    planned,
    said,
    three_classes,
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("plna my probabilty", "plan my probability"),
        ("movee it to thursdya pls", "move it to thursday please"),
        ("wat did u change", "what did you change"),
        ("tommorow afernoon", "tomorrow afternoon"),
        ("move to wensday", "move to wednesday"),
        ("Saturday evenings, weekdays only", "Saturday evenings, weekdays only"),
        ("what is scheduled", "what is scheduled"),
        ('create "Wensday talk"', 'create "Wensday talk"'),
        ("Plant biology", "Plant biology"),
        ("把它挪到周五", "把它挪到周五"),
    ],
)
def test_common_slips_are_read_as_what_is_meant(typed, meant):
    assert correct_spelling(typed, ["Probability", "Algebra"]) == meant


def test_a_word_of_a_name_is_never_corrected():
    assert correct_spelling("plan Chaptre", ["Chaptre"]) == "plan Chaptre"


@pytest.mark.parametrize(
    ("typed", "right", "slips"),
    [("thursdya", "thursday", 1), ("wensday", "wednesday", 2), ("friday", "friday", 0), ("mnday", "monday", 1)],
)
def test_slips_are_letters_missing_added_wrong_or_exchanged(typed, right, slips):
    assert slips_between(typed, right) == slips


@pytest.mark.parametrize(
    ("message", "ids"),
    [
        ("把六级和概率论一起排了", [1, 2]),
        ("六级、操作系统", [2, 3]),
        ("六级的词汇", [2]),
        ("概率论的复习", [1]),
    ],
)
def test_classes_are_named_side_by_side_in_part(message, ids):
    rows = [{"id": n, "name": name} for n, name in enumerate(NAMES, 1)]
    assert classes_in(message, rows) == ids


@pytest.mark.parametrize("name", ["线性代数（上）", "线性代数（上", "数据结构[二]", "操作系统*+", "C++ 程序设计|"])
def test_a_name_with_signs_of_expressions_is_a_name(name):
    rows = [{"id": 7, "name": name}]
    assert classes_in(f"把{name}排了", rows) == [7]
    assert classes_in("看看课表", rows) == []


@pytest.mark.parametrize("message", ["把六级和概率论一起排了，只要初稿", "六级和概率论都排上，只要初稿"])
async def test_all_classes_that_are_named_are_planned(message):
    chat = three_classes()
    await chat.says(message)
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [1, 2]}


async def test_a_class_is_picked_by_a_part_of_its_name():
    chat = three_classes()
    await chat.says("帮我弄一下复习，只要初稿")
    assert chat.of("interrupt.raised")[0].question == "要排哪个任务类？"
    await chat.answers("message", "概率论吧")
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [1]}


@pytest.mark.parametrize("message", ["帮我排概率论吧谢谢", "给我排下概率论", "概率论也排一排"])
async def test_the_bare_verb_with_a_class_plans_it(message):
    chat = three_classes()
    await chat.says(message)
    assert chat.of("tool.started")[0].arguments == {"task_class_ids": [1]}


@pytest.mark.parametrize("message", ["概率论", "六级词汇冲刺"])
async def test_a_class_alone_is_told_about(message):
    chat = three_classes()
    await chat.says(message)
    assert "3 项，6 节，3月16日（周一）到3月29日（周日），已排 0 项" in said(chat)


async def test_times_to_keep_free_change_the_class_that_was_planned():
    chat = three_classes()
    await chat.says("把概率论排好，只要初稿")
    await chat.says("能不能别排晚上")
    assert "概率论期中复习" in card(chat).summary
    await chat.answers("approve")
    assert chat.world.classes[-1]["excluded_slots"] == [5, 6]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("到第7周", (None, "2026-04-19")),
        ("第7周之前", (None, "2026-04-12")),
        ("until week 7", (None, "2026-04-19")),
        ("从第3周开始", ("2026-03-16", None)),
        ("from week 3", ("2026-03-16", None)),
        ("改到第7周", ("2026-04-13", "2026-04-19")),
        ("延长到第7周", (None, "2026-04-19")),
    ],
)
def test_a_week_may_be_the_first_or_the_last(words, found):
    assert tuple(day and day.isoformat() for day in range_in(words, TERM)) == found


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("不对，到第7周", ""),
        ("嗯，叫线代", "线代"),
        ("ok", ""),
        ("好的，英语四级", "英语四级"),
        ("no, Algebra", "Algebra"),
    ],
)
def test_a_word_of_consent_or_correction_is_no_name(answer, name):
    assert read_class(answer, TERM, expect=["name"]).name == name


def test_the_exam_gives_the_class_its_name():
    assert read_class("下个月要考英语四级，帮我安排复习", TERM).name == "英语四级"
    assert read_class("要考试了，帮我安排复习", TERM).name == ""


async def test_contents_listed_over_the_card_replace_made_up_ones():
    chat = Chat(World(classes=[], events=lessons()), model=OfflineModel())
    await chat.says("新建任务类「英语四级」，第3周到第4周，10节")
    assert "5 项 / 10 节" in card(chat).summary
    await chat.answers("message", "单词、听力、阅读、写作")
    assert "4 项 / 10 节" in card(chat).summary


async def test_what_says_nothing_over_the_card_of_a_class_is_not_understood_and_leaves_it_open():
    chat = Chat(World(classes=[], events=lessons()), model=OfflineModel())
    await chat.says("新建任务类「英语四级」，第3周到第4周，分4次，建好排进课表")
    await chat.answers("message", "太复杂了")
    assert "没有用上：「太复杂了」" in said(chat)
    assert "4 项 / 8 节" in card(chat).summary
    await chat.answers("approve")
    assert "R smart_planning done" in chat.kinds()


@pytest.mark.parametrize("message", ["好", "好的吧", "ok", "可以。", "sounds good", "嗯嗯"])
def test_consent_is_nothing_but_consent(message):
    assert affirms(message)
    assert leaves_it_open(message)


@pytest.mark.parametrize("message", ["好像不对", "好，改周五", "okay but friday", "", "不好"])
def test_more_than_consent_is_none(message):
    assert not affirms(message)


@pytest.mark.parametrize("answer", ["好", "随便", "都行", "你定吧", "the first one", "1"])
async def test_of_the_offered_places_consent_takes_the_first(answer):
    chat = await planned()
    await chat.says("把第2章挪一下")
    first = chat.of("interrupt.raised")[0].question.splitlines()[1].removeprefix("1. ")
    await chat.answers("message", answer)
    assert first.split()[-1].rstrip("节") in card(chat).summary


@pytest.mark.parametrize("english", [False, True])
async def test_a_single_move_is_taken_back_in_words(english):
    chat = await planned(english=english)
    before = place(chat, "第2章")
    await chat.says("move chapter 2 to Sunday morning" if english else "第2章移到周日上午")
    await chat.answers("approve")
    assert place(chat, "第2章") != before
    await chat.says("undo that" if english else "改回去吧")
    await chat.answers("approve")
    assert place(chat, "第2章") == before


async def test_an_item_that_was_taken_out_comes_back_to_its_place():
    chat = await planned()
    before = place(chat, "第2章")
    await chat.says("移出第2章")
    await chat.answers("approve")
    await chat.says("恢复刚才的")
    await chat.answers("approve")
    assert place(chat, "第2章") == before


@pytest.mark.parametrize("message", ["撤销", "恢复原来的"])
async def test_what_cannot_be_taken_back_is_said_to_be_so(message):
    chat = await planned()
    await chat.says(message)
    assert "全部移出" in said(chat)


@pytest.mark.parametrize("message", ["把高数课移到周五", "move my maths lecture to Friday"])
async def test_a_course_is_not_moved(message):
    chat = await planned(english=message.isascii())
    await chat.says(message)
    assert chat.end.code == "fixed_entry"


async def test_a_vague_day_gets_a_place_that_begins_where_lessons_do():
    events = [course(1, "高等数学", day_number(3, 3), 1, 3), course(2, "实习", day_number(3, 3), 7, 7)]
    chat = Chat(
        World(classes=[task_class(5, "线性代数", "2026-03-16", "2026-03-22")], events=events), model=OfflineModel()
    )
    await chat.says("Put chapter 1 on Wednesday", task_class_ids=(5,))
    assert "wk 3 Wed 5-6" in card(chat).summary


async def test_a_week_is_told_day_by_day():
    chat = await planned()
    await chat.says("第3周有几节课")
    lines = said(chat).splitlines()
    assert lines[0].startswith("第3周（3月16日–3月22日）")
    assert [line[:6] for line in lines[1:6]] == [f"第3周 周{day}" for day in "一二三四五"]


def test_ch_is_a_chapter():
    tasks = [entry(n, f"Chapter {n}", order=n) for n in (1, 2)]
    assert [row["state_id"] for row in items_in("move ch. 2", brief("", tasks=tasks))] == [2]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("把第一单元移到周三", ["第二单元", "第三单元"]),
        ("高频名词放到周日", ["高频动词", "高频名词"]),
        ("第三部分和第四部分对调", ["第一部分", "第三部分", "第五部分"]),
    ],
)
def test_what_is_another_name_or_counts_otherwise_is_no_slip(typed, names):
    assert correct_spelling(typed, names) == typed


def test_a_slip_beside_another_name_is_mended():
    assert correct_spelling("高频名词和高濒动词", ["高频动词", "高频名词"]) == "高频名词和高频动词"
