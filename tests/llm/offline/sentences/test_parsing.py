"""What the offline policy reads out of a sentence: dates, targets, items, classes, class descriptions, intents."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.dialogue.offers import choice_in
from agent.llm.offline.language.meaning.intents import intent_of
from agent.llm.offline.language.normalize import digits
from agent.llm.offline.language.spans.classes.class_sentence import read_class
from agent.llm.offline.language.spans.classes.class_times import read_exclusions
from agent.llm.offline.language.spans.dates import dates_in, range_in
from agent.llm.offline.language.spans.happenings import days_in
from agent.llm.offline.language.spans.mentions import classes_in, items_in
from agent.llm.offline.language.spans.targets import PlaceTarget, Shift, read_target, shift_in
from agent.llm.offline.language.spans.times.semester import SemesterDates
from tests.kits.offline.sentences import INTENTS
from tests.kits.offline.views import BASE, view

TERM = SemesterDates.of(BASE)
BRIEF = Brief(BASE)


def day(month, number):
    return date(2026, month, number)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("十二节", "12节"),
        ("二十", "20"),
        ("第三章", "第3章"),
        ("一百零五", "105"),
        ("两周", "2周"),
        ("三十一", "31"),
        ("无", "无"),
    ],
)
def test_chinese_numerals_become_digits(text, read):
    assert digits(text) == read


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-03-16", [day(3, 16)]),
        ("3月16日到4月12日", [day(3, 16), day(4, 12)]),
        ("三月十六号", [day(3, 16)]),
        ("3月16日到28日", [day(3, 16), day(3, 28)]),
        ("3/16-4/12", [day(3, 16), day(4, 12)]),
        ("March 16 to 12 April", [day(3, 16), day(4, 12)]),
        ("明天", [day(3, 6)]),
        ("后天", [day(3, 7)]),
        ("the day after tomorrow", [day(3, 7)]),
        ("today", [day(3, 5)]),
        ("第4周周三5-6节", []),
        ("2月30日", []),
    ],
)
def test_dates_are_read_in_the_order_of_the_text(text, found):
    assert dates_in(text, TERM) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("第3周到第5周", (day(3, 16), day(4, 5))),
        ("从第三周到第六周", (day(3, 16), day(4, 12))),
        ("第3-6周", (day(3, 16), day(4, 12))),
        ("week 3 to 5", (day(3, 16), day(4, 5))),
        ("weeks 3-5", (day(3, 16), day(4, 5))),
        ("下周", (day(3, 9), day(3, 15))),
        ("this week", (day(3, 2), day(3, 8))),
        ("4月12日前完成", (None, day(4, 12))),
        ("从3月16日开始", (day(3, 16), None)),
        ("随便", (None, None)),
    ],
)
def test_a_range_has_a_first_and_a_last_day(text, found):
    assert range_in(text, TERM) == found


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("第4周周三5-6节", PlaceTarget(week=4, days=(3,), sections=(5, 6))),
        ("第三周三5-6节", PlaceTarget(week=3, days=(3,), sections=(5, 6))),
        ("周三下午", PlaceTarget(days=(3,), part=(5, 8))),
        ("Wednesday afternoon", PlaceTarget(days=(3,), part=(5, 8))),
        ("Wed 5-6", PlaceTarget(days=(3,), sections=(5, 6))),
        ("Thursday 7-8 in week 4", PlaceTarget(week=4, days=(4,), sections=(7, 8))),
        ("下周三晚上", PlaceTarget(week=2, days=(3,), part=(9, 12))),
        ("星期天早上", PlaceTarget(days=(7,), part=(1, 4))),
        ("3月19日第3节", PlaceTarget(week=3, days=(4,), sections=(3, None))),
        ("周五第七到八节", PlaceTarget(days=(5,), sections=(7, 8))),
        ("明天上午", PlaceTarget(week=1, days=(5,), part=(1, 4))),
        ("weekend", PlaceTarget(days=(6, 7))),
        ("别的时间", PlaceTarget()),
    ],
)
def test_a_target_is_what_was_said_and_nothing_more(text, target):
    assert read_target(text, TERM) == target


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("往后挪一天", 1),
        ("推迟两天", 2),
        ("提前3天", -3),
        ("往后移一周", 7),
        ("two days earlier", -2),
        ("a week later", 7),
        ("推迟到第二天", 1),
        ("the day before", -1),
    ],
)
def test_a_shift_is_a_number_of_days(text, days):
    assert shift_in(text) == Shift(days=days)


@pytest.mark.parametrize("text", ["移到周三", "第2章移到下午", "move it to Wednesday", "the day after tomorrow"])
def test_a_target_is_no_shift(text):
    assert shift_in(text) is None


def test_later_words_change_only_what_they_name():
    wednesday = PlaceTarget(week=4, days=(3,), part=(5, 8))
    assert wednesday.then(PlaceTarget(days=(4,))) == PlaceTarget(days=(4,), part=(5, 8))
    assert wednesday.then(PlaceTarget(part=(9, 12))) == PlaceTarget(week=4, days=(3,), part=(9, 12))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("把概率论复习排好", [5]),
        ("概率论怎么样", [5]),
        ("线性代数和概率论复习", [5, 6]),
        ("全部排好", [5, 6]),
        ("plan them all", [5, 6]),
        ("量子力学", []),
        ("线性也排一下", [6]),
        ("线性规划排一下", []),
        ("all of them", [5, 6]),
        ("a small thing", []),
    ],
)
def test_classes_are_found_by_name(text, ids):
    assert classes_in(text, BRIEF.classes) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("移动[8]", [8]),
        ("随机变量移到周五", [8]),
        ("第二章", [8]),
        ("第1章", [7, 12]),
        ("概率论的第1章", [7]),
        ("线性代数第1章", [12]),
        ("item 3 of 概率论复习", [9]),
        ("第19章", []),
    ],
)
def test_items_are_found_by_id_name_and_ordinal(text, ids):
    assert [row["state_id"] for row in items_in(text, BRIEF)] == ids


@pytest.mark.parametrize(
    ("text", "number"), [("2", 2), ("第二个", 2), ("选3", 3), ("option 1", 1), ("4", None), ("2月", None)]
)
def test_a_choice_is_a_bare_number(text, number):
    assert choice_in(text, 3) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "新建任务类「线性代数复习」，3月16日到4月12日，共12节，均匀分布，周日不排，内容：行列式、矩阵、二次型，建好后排进课表",
            {
                "name": "线性代数复习",
                "start": day(3, 16),
                "end": day(4, 12),
                "total": 12,
                "strategy": "steady",
                "excluded_days": (7,),
                "items": ("行列式", "矩阵", "二次型"),
            },
        ),
        (
            "帮我建一个概率论复习任务类，12节，从第3周到第6周，每周末不排",
            {"name": "概率论复习", "total": 12, "start": day(3, 16), "end": day(4, 12), "excluded_days": (6, 7)},
        ),
        (
            "create a task class called Linear Algebra, March 16 to April 12, 12 sections, no weekends, no evenings, "
            "items: matrices, vectors, and schedule it",
            {
                "name": "Linear Algebra",
                "total": 12,
                "excluded_days": (6, 7),
                "excluded_blocks": (5, 6),
                "items": ("matrices", "vectors"),
            },
        ),
        (
            "新建任务类 操作系统，总共二十节，突击，难度高，计算型，第1-2节不排，周一、三不排，分10次，可嵌入",
            {
                "name": "操作系统",
                "total": 20,
                "strategy": "rapid",
                "difficulty": "high",
                "subject_type": "quantitative",
                "excluded_blocks": (1,),
                "excluded_days": (1, 3),
                "parts": 10,
                "filler": True,
            },
        ),
        (
            "添加学习任务《计算机网络》，不嵌入，强度低",
            {"name": "计算机网络", "filler": False, "intensity": "low", "subject_type": ""},
        ),
        ("内容：1. 听力 2. 阅读 3. 写作，记忆型", {"items": ("听力", "阅读", "写作"), "subject_type": "memory"}),
        ("内容：第1章到第3章，每章3节", {"items": ("第1章", "第2章", "第3章"), "each": 3, "total": None}),
        (
            "items: chapters 1-3, high difficulty",
            {"items": ("Chapter 1", "Chapter 2", "Chapter 3"), "difficulty": "high"},
        ),
        ("内容：\n行列式\n矩阵", {"items": ("行列式", "矩阵")}),
    ],
)
def test_a_class_is_read_from_a_sentence(text, said):
    slots = read_class(text, TERM)
    assert {key: getattr(slots, key) for key in said} == said


def test_a_list_alone_counts_once_items_were_asked_for():
    assert read_class("行列式、矩阵", TERM).items == ()
    assert read_class("第3周到第5周，行列式、矩阵", TERM, expect=["items"]).items == ("行列式", "矩阵")


def test_a_sentence_is_read_once_for_one_term_and_one_question():
    text = "新建任务类「英语」，共6节，周末不排"
    read = read_class(text, TERM)
    assert read_class(text, replace(TERM)) is read
    assert read_class(text, replace(TERM, sections=4)).excluded_days == read.excluded_days == (6, 7)
    assert read_class("线代", TERM, expect=["name"]).name != read_class("线代", TERM).name


def test_items_without_a_total_take_two_sections_each():
    assert read_class("《线代》，内容：行列式、矩阵", TERM).completed().total == 4


def test_a_total_without_items_makes_placeholder_names():
    made = read_class("新建任务类「英语」，共6节", TERM).completed()
    assert (made.items, made.placeholders) == (("英语 1", "英语 2", "英语 3"), True)


@pytest.mark.parametrize(("text", "intent"), [(text, intent) for intent, texts in INTENTS.items() for text in texts])
def test_the_first_row_of_the_table_that_fits_is_the_intent(text, intent):
    assert intent_of(text, Brief(view(text))) == intent


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("只排晚上第9到第11节", (1, 2, 3, 4, 6)),
        ("只排第5到8节", (1, 2, 5, 6)),
        ("只能放第5-6节", (1, 2, 4, 5, 6)),
        ("晚上十点以后、也就是第12节都不要安排", (6,)),
        ("第10节以后都不要排", (6,)),
        ("第3节之前别排", (1,)),
        ("别在第1节到第4节排", (1, 2)),
        ("晚上别排", (5, 6)),
        ("nothing after section 10", (6,)),
        ("nothing before section 3", (1,)),
        ("only between sections 5 and 8", (1, 2, 5, 6)),
        ("only in the evening, sections 9 to 10", (1, 2, 3, 4)),
        ("每天只排2节", None),
    ],
)
def test_sections_tell_more_narrowly_than_their_part_of_the_day_what_is_kept_free(text, blocks):
    assert read_exclusions(text, TERM)["excluded_blocks"] == blocks


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I'm away the weekend after next", (date(2026, 3, 14), date(2026, 3, 15))),
        ("I want to have may off", (date(2026, 5, 1), date(2026, 5, 31))),
        ("got a dentist thing friday afternoon", (date(2026, 3, 6), date(2026, 3, 6))),
        ("got sick on wednesday", (date(2026, 3, 4), date(2026, 3, 4))),
    ],
)
def test_days_of_absence_lie_where_the_words_say(text, days):
    assert [(run.first, run.last) for run in days_in(text, TERM)] == [days]
