"""Questions about lessons are answered from the timetable, those about items from the plan."""

from __future__ import annotations

import pytest

from agent.llm.offline.language.slips import spell_end_of_question
from tests.conversations.checker import Case, misses, play

LESSONS = [
    ("zh", ("高数周几有课来着",), "周一至周五 1-2节"),
    ("zh", ("什么时候有英语", "那高数呢"), "高等数学：周一至周五"),
    ("zh", ("对了明天几点上课",), "08:00"),
    ("zh", ("第8周以后我还有课吗",), "第9-12周"),
    ("zh", ("高数这学期上到第几周？期末考是什么时候",), "第12周"),
    ("zh", ("今天高数课我翘了", "下一次是什么时候"), "第2周 周二"),
    ("zh", ("那英语要是在周四3-4节会不会跟行列式冲突",), "会冲突"),
    ("en", ("which days do i have english?",), "Mon, Wed 3-4"),
    ("en", ("how many calculus lectures are left",), "Mon–Fri 1-2"),
    ("en", ("I missed my english lesson today lol", "whatever. when's the next one?"), "wk 2 Wed (11 Mar) 3-4 English"),
    ("en", ("is matrices on a day with english",), "No English that day"),
    ("en", ("what's my first lesson on wednesday", "and the last one that day?"), "The last one: wk 2 Wed"),
    ("en", ("if english moved to tuesday sections 5-6, would it hit matrices?",), "Yes, that would clash"),
]
STANDING = [
    ("zh", ("特征值是最后一个对吧",), "整个计划最后的是第六章"),
    ("zh", ("第一章排在最前面是吧",), "是的"),
    ("zh", ("把第五章移到第5周周五", "!ok", "还有哪个在周六的"), "没有"),
    ("en", ("move chapter 5 to friday of week 5", "!ok", "thanks!! anything else on a saturday?"), "None"),
    ("en", ("at most one item a day", "!ok", "does my plan keep to that?"), "Nothing breaks it"),
]


@pytest.mark.parametrize(("language", "turns", "told"), LESSONS)
async def test_what_is_asked_of_lessons_is_told_from_the_timetable(language, turns, told):
    case = Case(language, 0, turns, (f"says {told}",))
    assert not misses(case, await play(case))


@pytest.mark.parametrize(("language", "turns", "told"), STANDING)
async def test_whether_items_stand_as_supposed_is_told_first(language, turns, told):
    case = Case(language, 0, turns, (f"says {told}",))
    assert not misses(case, await play(case))


async def test_a_plan_that_keeps_to_its_conditions_is_told_to_do_so():
    said = "Plan physics lab and vocab sprint together, no more than one session a day, nothing after 6pm"
    case = Case("en", 0, (said, "!ok*"), ("says keeps to", "in Lab 3", "in Common nouns"))
    played = await play(case)
    assert not misses(case, played)
    assert not any("cannot be kept" in one for one in played.said)


@pytest.mark.parametrize("said", ["它是排在最后的吧", "都在工作日了吧", "那个时间现在空着了吧", "特征值是最后一个对吧"])
def test_what_is_only_supposed_of_how_things_are_asks(said):
    assert spell_end_of_question(said).endswith("吗")


@pytest.mark.parametrize(
    "said", ["第二章放到周六吧", "那就周六上午吧", "把它删了吧", "就这样吧", "算了吧", "都放在周末吧"]
)
def test_what_is_to_be_done_asks_nothing(said):
    assert spell_end_of_question(said) == said
