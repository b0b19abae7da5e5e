"""Sentences of no known form find their intent by words and spans; times, and several requests, are told apart."""

from __future__ import annotations

from datetime import date

import pytest

from agent.llm.offline.language.brief import Brief
from agent.llm.offline.language.meaning.intents import intent_of, told_intent
from agent.llm.offline.language.meaning.requests import requests_in
from agent.llm.offline.language.spans.times.spelling import spell_out_times
from tests.kits.offline.views import view

TODAY = date(2026, 4, 8)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("五一那几天一个都别排", "5月1日到5月5日一个都别排"),
        ("清明之后再开始", "4月6日之后再开始"),
        ("4月18到20号要去比赛", "4月18日到4月20日要去比赛"),
        ("keep 18-20 April free", "keep 18 April to 20 April free"),
        ("nothing over the May Day holiday", "nothing over 1 May to 5 May"),
        ("unit4 and ch 3", "unit 4 and ch 3"),
        ("五一出去玩，4.30走，5.4回", "五一出去玩，4.30走，5.4回"),
    ],
)
def test_ranges_of_days_are_told_by_both_ends(said, meant):
    assert spell_out_times(said, [], TODAY) == meant


def test_a_name_that_holds_a_holiday_stays_as_it_is():
    assert spell_out_times("五一计划排好", ["五一计划"], TODAY) == "五一计划排好"


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("第2章啥时候啊", "show"),
        ("第2章往后稍稍", "move"),
        ("第2章扔到周末", "move"),
        ("chapter 2 sooner pls", "move"),
        ("第2章为什么放不到周六", "explain"),
    ],
)
def test_what_no_line_tells_is_weighed(message, intent):
    brief = Brief(view(message, locale="zh" if not message.isascii() else "en"))
    assert intent_of(message, brief) == intent


@pytest.mark.parametrize("message", ["今天天气怎么样", "tell me a joke", "第2章"])
def test_what_says_too_little_is_not_weighed(message):
    brief = Brief(view(message))
    assert intent_of(message, brief) == told_intent(message, brief)


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("第2章移到周六，顺便看看周五下午有没有空", ["第2章移到周六", "看看周五下午有没有空"]),
        ("move chapter 2 to Friday and tell me if Saturday is free",
         ["move chapter 2 to Friday", "tell me if Saturday is free"]),
        ("第2章移到周六，太靠后我怕来不及", ["第2章移到周六，太靠后我怕来不及"]),
        ("第2章改名叫「看看，然后删掉第1章」", ["第2章改名叫「看看，然后删掉第1章」"]),
    ],
)  # fmt: skip
def test_several_requests_are_told_apart(message, parts):
    assert requests_in(message, Brief(view(message))) == parts
