"""Items of different classes that have one name: what is told of one names its class."""

from __future__ import annotations

from dataclasses import replace

from agent.tools.default import default_registry
from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState
from tests.kits.tools.world import FIRST, call, facts

REGISTRY = default_registry()
FIRST_CLASS, SECOND_CLASS = 6, 9
"""The items of one name, by their state ids."""


def twins() -> ScheduleState:
    """The second item of both classes is called 第2章."""
    told = facts()
    classes = tuple(
        replace(
            row, items=tuple(replace(item, content="第2章") if n == 1 else item for n, item in enumerate(row.items))
        )
        for row in told.task_classes
    )
    return load_state(replace(told, task_classes=classes), scope=(5, 6), now=(FIRST, 1))


async def test_a_consent_card_says_of_which_class_an_item_is() -> None:
    state = twins()
    arguments = {"task_id": FIRST_CLASS, "day": 4, "slot_start": 3}
    outcome, result = await call("place", arguments, state)
    found = REGISTRY.validate("place", arguments, state)
    card = REGISTRY.card("execute.tool.1", found, outcome, state, locale="zh")
    assert card.summary.startswith("将 第2章（概率论复习） 安排到")
    assert REGISTRY.card("execute.tool.1", found, outcome, state, locale="en").summary.startswith(
        "Place 第2章 (概率论复习)"
    )
    assert [row["name"] for row in card.changes] == ["第2章"], "what programs read stays the name"
    assert "第2章（概率论复习）" in result.arguments_preview
    assert "第2章（概率论复习）" in result.result_view["collapsed"]["subtitle"]


async def test_a_name_that_one_class_has_alone_stays_as_it_is() -> None:
    outcome, result = await call("place", {"task_id": 5, "day": 4, "slot_start": 3}, twins())
    assert "（概率论复习）" not in result.result_view["collapsed"]["subtitle"]
    assert "概率论复习第1项" in result.result_view["collapsed"]["subtitle"]
    assert outcome.error is None


async def test_what_found_no_place_names_its_class() -> None:
    state = twins()
    left = [
        {"item_id": 602, "task_id": SECOND_CLASS, "name": "第2章", "rule": "occupied", "class_id": 6},
        {"item_id": 502, "task_id": FIRST_CLASS, "name": "第2章", "rule": "occupied", "class_id": 5},
    ]
    report = {"task_class_ids": [5, 6], "class_names": ["概率论复习", "六级词汇"], "placed": 1, "left": left}
    result = REGISTRY.compose_planning("rough_build.tool.1", report, None, locale="zh", before=state, after=state)
    rows = result.result_view["expanded"]["sections"][-1]["items"]
    assert [row["title"] for row in rows] == ["第2章（六级词汇）", "第2章（概率论复习）"]
