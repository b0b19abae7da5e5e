"""Items told by description are written out by their names, from the plan as it stands; what fits nothing stays."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.spans.items.selections import SelectionPlan, spell_out_selections
from agent.llm.offline.language.utterance.described import spell_described
from tests.kits.offline.conversations import TERM

CHAPTERS, UNITS = [f"第{n}章" for n in range(1, 9)], [f"词汇 Unit {n}" for n in range(1, 7)]
LABS = [f"实验{n}" for n in "一二三四五六"]
NOW = (4, 3, 1)
WAITING = ("第7章", "第8章", "实验六")


def plan(chapters=CHAPTERS, units=UNITS, labs=LABS, waiting=WAITING, names=("概率论复习", "英语六级", "物理实验")):
    """Three classes, an item of each in every week from the third one on; some items have no place."""
    tasks = []
    for class_id, items in enumerate((chapters, units, labs), start=5):
        for order, content in enumerate(items, start=1):
            slot = {"week": 2 + order, "day_of_week": class_id, "slot_start": 3, "slot_end": 4, "day": 1}
            placed = None if content in waiting else {**slot, "host_event_id": None}
            tasks.append(
                {"state_id": len(tasks) + 1, "item_id": 100 + len(tasks), "name": content, "class_id": class_id,
                 "order": order, "status": "suggested", "slot": placed, "duration": 2, "mark": ""}
            )  # fmt: skip
    classes = [{"id": class_id, "name": name} for class_id, name in enumerate(names, start=5)]
    return SelectionPlan(tasks, classes, NOW, lambda: [6], TERM, 10)


def english_plan():
    names = ("Probability revision", "CET-6 words", "Physics labs")
    lists = ([f"{kind} {n}" for n in range(1, last + 1)] for kind, last in (("Chapter", 8), ("Unit", 6), ("Lab", 6)))
    return plan(*lists, waiting=("Chapter 7", "Chapter 8", "Lab 6"), names=names)


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("后面三个单元都挪到晚上", "词汇 Unit 4、词汇 Unit 5、词汇 Unit 6都挪到晚上"),
        ("前两章学完了", "第1章、第2章学完了"),
        ("U5往前提两天", "词汇 Unit 5往前提两天"),
        ("我下一个实验改到周六", "实验二改到周六"),
        ("倒数第二章提前一天", "第7章提前一天"),
        ("从第5章起都推迟", "第5章、第6章、第7章、第8章都推迟"),
        ("第6章之后的都放到5月", "第7章、第8章都放到5月"),
        ("那几个没地方放的塞进去", "第7章、第8章、实验六塞进去"),
        ("剩下的也排进去", "第7章、第8章、实验六也排进去"),
        ("所有偶数章往后挪一天", "第2章、第4章、第6章、第8章往后挪一天"),
        ("实验的后一半先拿掉", "实验四、实验五、实验六先拿掉"),
        ("每门课最后一项推后一天", "第8章、词汇 Unit 6、实验六推后一天"),
        ("实验三后面那个改到周五", "实验四改到周五"),
        ("另外两门课有没有受影响", "概率论复习和物理实验有没有受影响"),
        ("没排上的先放到最后一周", "第7章、第8章、实验六先放到第10周"),
    ],
)
def test_a_description_becomes_names(message, written):
    assert spell_out_selections(message, plan()) == written


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("shift my last three units to evenings", "shift Unit 4, Unit 5 and Unit 6 to evenings"),
        ("could you move my next unit", "could you move Unit 2"),
        ("unit 5 and up can go", "Unit 5 and Unit 6 can go"),
        ("from lab 5 on, everything a week later", "Lab 5 and Lab 6, everything a week later"),
        ("place the rest", "place Chapter 7, Chapter 8 and Lab 6"),
        ("squeeze in the ones that didn't get a spot", "squeeze in Chapter 7, Chapter 8 and Lab 6"),
        ("drop half of the units", "drop Unit 4, Unit 5 and Unit 6"),
        ("push the rest of CET-6 back a week", "push Unit 2, Unit 3, Unit 4, Unit 5 and Unit 6 back a week"),
        ("the one before the final lab", "Lab 5"),
        ("c4 to friday", "Chapter 4 to friday"),
        ("when is my second lab", "when is Lab 2"),
    ],
)
def test_an_english_description_becomes_names(message, written):
    assert spell_out_selections(message, english_plan()) == written


@pytest.mark.parametrize(
    "message",
    [
        "哪些没排上", "还剩几章", "接下来三天别排", "把第5章放到第6章前面", "第3章放到第5章之后", "前三天都很忙",
        "在最后一章后面加一章「总复习」", "概率论从第8周开始", "what's next", "next week is busy",
        "move lab 3 to the last week of april",
        "last week was hard", "how many chapters are left", "what is the last thing i'll finish",
    ],
)  # fmt: skip
def test_what_describes_no_item_stays(message):
    shown = english_plan() if message.isascii() else plan()
    assert spell_out_selections(message, shown) == message


def test_a_name_that_two_classes_have_becomes_an_id():
    same = plan(labs=[f"第{n}章" for n in range(1, 7)], waiting=())
    assert spell_out_selections("概率论最后一章推迟一天", same) == "概率论第8章推迟一天"
    assert spell_out_selections("物理实验最后一章推迟一天", same) == "物理实验[20]推迟一天"


def test_nothing_is_described_where_nothing_is_planned():
    assert spell_out_selections("后面三个单元都挪到晚上", plan([], [], [])) == "后面三个单元都挪到晚上"


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("概率论除了最后一章都往后推一天", "第1章、第2章、第3章、第4章、第5章、第6章都往后推一天"),
        ("把第5周和第6周的实验都移出计划", "把实验三、实验四都移出计划"),
        ("第6周除了实验四都提前两天", "第4章、词汇 Unit 4都提前两天"),
        ("跟实验二同一周的都往后推一天", "第2章、词汇 Unit 2、实验二都往后推一天"),
        ("除了第二、三章，概率论其他章都挪到第8周", "第1章、第4章、第5章、第6章都挪到第8周"),
        ("单数章都往后推一天", "第1章、第3章、第5章都往后推一天"),
        ("概率论第4周以后的都不排", "概率论第4周以后的都不排"),
        ("别动第5周的实验", "别动第5周的实验"),
    ],
)
def test_a_phrase_of_several_things_becomes_names(message, written):
    assert spell_described(message, plan()) == written


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("move the units in weeks 3 and 4 two days later", "move Unit 1 and Unit 2 two days later"),
        ("take every lab but the first out of the plan", "take Lab 2, Lab 3, Lab 4 and Lab 5 out of the plan"),
        ("move everything in week 5 except lab 3 a day later", "move Chapter 3 and Unit 3 a day later"),
        ("whatever is in the same week as lab 2 goes a day later", "Chapter 2, Unit 2 and Lab 2 goes a day later"),
        ("push chapters after 4 back a day", "push Chapter 5, Chapter 6, Chapter 7 and Chapter 8 back a day"),
        ("put all the labs in week 5", "put all the labs in week 5"),
        ("is everything in week 5 except lab 3 done?", "is everything in week 5 except lab 3 done?"),
        ("can we do chapter 2 later", "can we do chapter 2 later"),
    ],
)
def test_an_english_phrase_of_several_things_becomes_names(message, written):
    assert spell_described(message, english_plan()) == written
