"""Conditions on places as arguments: what is taken, what is refused, what the card says of them."""

from __future__ import annotations

import pytest

from agent.calls.values import ToolError
from agent.tools.cards.arguments import argument_view
from agent.tools.cards.parts.kit import Lang
from agent.tools.default import default_registry
from tests.kits.offline.views import BASE, execute, task
from tests.kits.tools.world import call, draft


def violations(arguments):
    found = default_registry().validate("replan", arguments, draft())
    listed = found.listed if isinstance(found, ToolError) else ()
    return [(one["field"], one["problem"]) for one in listed]


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        ({"without": [{"from_date": "2026-99-99"}]}, ("limits[0].without[0].from_date", "type")),
        ({"within": [{"weekdays": [1]}, {"to_date": "tomorrow.."}]}, ("limits[0].within[1].to_date", "type")),
        ({"a_day": 1, "during": [{"section_from": 9, "section_to": 3}]}, ("limits[0].during[0].section_to", "range")),
        (
            {"within": [{"from_date": "2026-03-20", "to_date": "2026-03-16"}]},
            ("limits[0].within[0].to_date", "range"),
        ),
        ({}, ("limits[0].within", "missing")),
        ({"task_ids": [5], "held": True, "each_class": True}, ("limits[0].within", "missing")),
        ({"in_order": True}, ("limits[0].task_ids", "missing")),
        ({"a_day": 1, "task_ids": [5] * 501}, ("limits[0].task_ids", "range")),
    ],
)
def test_a_condition_that_means_nothing_is_refused(limit, found):
    assert found in violations({"kind": "limits", "limits": [limit]})


@pytest.mark.parametrize(
    "more", [{"limits": [{"a_day": 1}]}, {"limits": [{"a_day": 1}], "others_stay": True}, {"others_stay": True}]
)
def test_conditions_beside_another_kind_are_refused(more):
    assert {(key, "conflict") for key in more} <= set(violations({"kind": "missed", **more}))


def test_what_is_no_condition_at_all_is_told_by_its_type():
    assert ("limits[0]", "type") in violations({"kind": "limits", "limits": ["no Mondays"]})
    assert ("limits[1].within", "missing") in violations({"kind": "limits", "limits": ["no Mondays", {}]})
    assert ("limits[0].within", "type") in violations({"kind": "limits", "limits": [{"within": "Monday"}]})


async def test_a_condition_without_items_holds_for_all_of_the_draft():
    state = draft()
    free = {"without": [{"from_date": "2026-03-16", "to_date": "2026-03-19"}]}
    every, _ = await call("replan", {"kind": "limits", "limits": [free]}, state)
    ids = [entry.state_id for entry in state.items()]
    named, _ = await call("replan", {"kind": "limits", "limits": [{**free, "task_ids": ids}]}, state)
    assert every.data["changes"] == named.data["changes"] != []
    assert {entry.state_id for entry in state.items() if not entry.slots} == {
        entry.state_id for entry in every.draft.items() if not entry.slots
    }


@pytest.mark.parametrize(
    ("limit", "zh", "en"),
    [
        ({"a_day": 1, "task_ids": [5, 6]}, "每天最多 1 项（2 项）", "at most 1 a day (steps: 2)"),
        (
            {"without": [{"weekdays": [6, 7]}, {"section_from": 9, "section_to": 12}]},
            "不在周六、周日或第9-12节",
            "not Sat, Sun or periods 9-12",
        ),
        (
            {"within": [{"from_date": "2026-03-16", "to_date": "2026-03-20"}], "held": True},
            "只在3 月 16 日 周一 到 3 月 20 日 周五，原来符合的保持",
            "only Mon, Mar 16 to Fri, Mar 20, kept where it holds already",
        ),
        ({"within": [{"to_date": "2026-03-20"}]}, "只在不晚于 3 月 20 日 周五", "only until Fri, Mar 20"),
        (
            {"days_between": 2, "each_class": True},
            "两项之间空 2 天，每个任务类分别算",
            "days free between two: 2, each task for itself",
        ),
        (
            {"without": [{"section_to": 2}, {"section_from": 11}]},
            "不在第1-2节或第11节起",
            "not periods 1-2 or from period 11",
        ),
    ],
)
def test_a_card_says_a_condition_in_words(limit, zh, en):
    arguments = {"kind": "limits", "limits": [limit], "others_stay": True}
    told = {}
    for locale in ("zh", "en"):
        view = argument_view(arguments, lang=Lang(locale), draft=draft())
        told[locale] = {row["key"]: row for row in view["expanded"]["fields"]}
    assert (told["zh"]["limits"]["display"], told["en"]["limits"]["display"]) == (zh, en)
    assert (told["en"]["limits"]["label"], told["en"]["others_stay"]["label"]) == ("Conditions", "Others stay")


def test_a_card_tells_of_many_conditions_how_many_there_are():
    arguments = {"kind": "limits", "limits": [{"a_day": n} for n in range(1, 6)]}
    (shown,) = [
        row["display"]
        for row in argument_view(arguments, lang=Lang("zh"), draft=draft())["expanded"]["fields"]
        if row["key"] == "limits"
    ]
    assert shown == "每天最多 1 项；每天最多 2 项；每天最多 3 项 等 5 项"


LONG_PLAN = {
    **BASE["draft"],
    "tasks": [
        *(task(n, f"第{n}章", n, day=1 + n % 14, first=1 + 2 * (n % 5)) for n in range(1, 61)),
        task(70, "行列式", 1, class_id=6, day=5),
    ],
}


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("不要连续两天做", None),
        ("at least one free day between my tasks", None),
        ("概率论复习的章节之间至少隔一天", list(range(1, 61))),
    ],
)
def test_a_condition_over_a_long_plan_is_a_call_that_the_tool_takes(words, ids):
    decided = execute(words, draft=LONG_PLAN)
    asked = decided["tool_call"]
    assert asked["name"] == "replan"
    (limit,) = asked["arguments"]["limits"]
    assert limit.get("task_ids") == ids
    assert violations(asked["arguments"]) == []
