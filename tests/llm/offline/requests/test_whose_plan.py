"""Whose a plan and a limit are, which day a class ends on beside its exam, and what a courtesy is wrapped around."""

from __future__ import annotations

from datetime import date

import pytest

from agent.llm.offline.language.spans.classes.exam_days import ends_before_exam, without_exam_day
from agent.llm.offline.language.spans.classes.item_list import items_of
from agent.llm.offline.language.spans.conditions.limits import read_conditions
from agent.llm.offline.language.spans.times.hours import frees_noon
from agent.llm.offline.language.utterance.page_words import unwrap_request
from tests.conversations.checker import Case, play
from tests.kits.offline.conversations import TERM, brief


@pytest.mark.parametrize(
    ("message", "most"),
    [
        ("不要一天排两个", 1),
        ("每天学一个任务就够了，别一天安排两个", 1),
        ("一天就一项，不要排两项", 1),
        ("一天别给我排三样任务", 2),
        ("每天最多学两个，不能排三个", 2),
        ("never two on the same day", 1),
        ("at most one thing per day please, dont put two on one day", 1),
        ("one thing a day is enough for me, not two", 1),
        ("no more than two a day", 2),
    ],
)
def test_a_number_that_is_refused_allows_one_less_and_is_said_once(message, most):
    assert [one.values for one in read_conditions(message, brief(message)).said] == [{"a_day": most}]


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("六级我报名了，6月13号考，词汇那个可以延到5月底", "六级我报名了，词汇那个可以延到5月底"),
        ("my exam is on 13 june, so it can run until 31 may", "it can run until 31 may"),
        ("考试改到6月13号了，复习到5月底", "考试改到6月13号了，复习到5月底"),
        ("the exam is on 13 june", "the exam is on 13 june"),
    ],
)
def test_the_day_of_an_exam_is_no_last_day_beside_one_that_is_told(message, left):
    assert without_exam_day(message, TERM) == left


def test_what_is_to_be_done_before_an_exam_ends_the_day_before():
    for message in ("物理4月2号期中考，三个实验都要在那之前做完", "midterm on 2 april so all must be done before that"):
        assert ends_before_exam(message)
        within = [one.values["within"] for one in read_conditions(message, brief(message)).said]
        assert within == [[{"to_date": date(2026, 4, 1).isoformat()}]]
    assert not ends_before_exam("4月2号考试，考前三天复习完")


@pytest.mark.parametrize(
    ("message", "request_left"),
    [
        (
            "Dear assistant, I would be most grateful if you could move chapter 3 to Friday",
            "please move chapter 3 to Friday",
        ),
        ("I was wondering whether you might be so kind as to put lab 1 on Tuesday", "please put lab 1 on Tuesday"),
        ("I'd appreciate it if you could move chapter 4 to friday", "please move chapter 4 to friday"),
        ("put it in the week of 6 April, ideally on Wednesday", "put it in the week of 6 April on Wednesday"),
        ("您好，能不能麻烦您把行列式挪到周五", "把行列式挪到周五"),
        ("安排在4月6号那一周，最好是周三", "安排在4月6号那一周的周三"),
        ("move it to friday, ideally in the morning", "move it to friday, ideally in the morning"),
        ("what would be a good time if I could choose", "what would be a good time if I could choose"),
    ],
)
def test_a_request_is_read_without_the_courtesies_around_it(message, request_left):
    assert unwrap_request(message) == request_left


@pytest.mark.parametrize(
    ("clause", "noon"),
    [
        ("中午12点到2点我要午休", True),
        ("中午也不要排", True),
        ("no studying at lunch", True),
        ("not between 12 and 2", True),
        ("中午12点到3点不排", False),
        ("中午可以排吗", False),
        ("12:00到14:00别排", True),
        ("12点半到1点半不排", True),
        ("keep 12 to 1:30 free", True),
        ("能不能隔一天学一次", False),
        ("at most 2 things at lunch, no more", False),
        ("下午2点以后不要排", False),
        ("nothing between 12 and 4", False),
    ],
)
def test_hours_in_which_no_section_lies_are_free_anyway(clause, noon):
    assert frees_noon(clause, TERM) is noon


def test_the_name_of_a_class_behind_a_colon_is_not_the_list_of_its_contents():
    items, _ = items_of("new class: Statistics, from 30 March to 19 April, with three parts: data, analysis, report")
    assert items == ("data", "analysis", "report")


@pytest.mark.parametrize(
    ("message", "weeks"),
    [
        ("lab 1 and lab 2 should be in the same week, lab 3 the week after", (4, 4, 5)),
        ("keep lab 2 and lab 3 in one week and do lab 1 the week before", (4, 5, 5)),
        ("put the three labs in the same week", (4, 4, 4)),
    ],
)
async def test_items_of_one_week_and_those_a_week_beside_it_get_their_weeks(message, weeks):
    played = await play(Case("en", 0, (message, "!ok*"), ()))
    placed = [played.after[name] for name in ("Lab 1 Pendulum", "Lab 2 Lenses", "Lab 3 Bridge circuit")]
    assert tuple(place[0] for place in placed if place) == weeks


@pytest.mark.parametrize(
    ("turns", "planned"),
    [
        (("never study on tuesday evenings", "!ok*", "plan vocabulary in the evenings", "!ok*"), {"Common verbs"}),
        (("Plan physics lab in week 4 only", "!ok"), {"Lab 1 Pendulum"}),
        (("put lab 1 on 24 march and common verbs on 25 march", "!ok*"), {"Lab 1 Pendulum", "Common verbs"}),
    ],
)
async def test_a_plan_is_of_the_classes_that_it_names(turns, planned):
    played = await play(Case("en", 0, turns, ()))
    new = {name for name, place in played.after.items() if place and not played.before.get(name)}
    assert new & {"Lab 1 Pendulum", "Common verbs"} == planned
