"""A small draft written by hand: one week and a half of courses, two classes, every kind of entry."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from agent.calls.tool import ToolCall, ToolResult
from agent.calls.values import ToolContext, ToolError, ToolOutcome
from agent.tools.default import default_registry
from schedules.planner.class_rules import ClassRules
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import PlaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.grid import Calendar, Grid, Place

GRID = Grid(20, 12, ((1, 4), (5, 8), (9, 12)))
STARTS = ("08:00", "08:55", "10:15", "11:10", "14:00", "14:55", "16:15", "17:10", "19:00", "19:55", "20:50", "21:45")
TIMES = tuple(
    (start, (datetime.combine(date(2026, 1, 1), start) + timedelta(minutes=45)).time())
    for start in (time.fromisoformat(clock) for clock in STARTS)
)
CALENDAR = Calendar(date(2026, 3, 2), 20, TIMES, "Asia/Shanghai")
FIRST = 15
"""Day number of the window's first day: Monday of week 3."""

ENGLISH, POLITICS, MATHS, FITNESS = 1, 2, 3, 4
"""State ids of the events below, in time order."""


def events() -> tuple[EventFact, ...]:
    return (
        EventFact(31, "大学英语", "course", None, False, Place(FIRST, 1, 2)),
        EventFact(32, "思修", "course", None, True, Place(FIRST + 1, 3, 3)),
        EventFact(33, "高等数学", "course", None, False, Place(FIRST + 2, 3, 2)),
        EventFact(34, "社团例会", "task", None, False, Place(FIRST + 4, 9, 2)),
    )


def class_fact(class_id: int, name: str, lengths: tuple[int, ...], *, fillers: bool = True, **more: Any) -> ClassFact:
    items = tuple(
        ItemFact(class_id * 100 + i, i, f"{name}第{i}项", length, False) for i, length in enumerate(lengths, 1)
    )
    values: dict[str, Any] = {
        "strategy": "steady", "start_day": FIRST, "end_day": FIRST + 13, "allow_filler_course": fillers,
        "excluded_slots": (6,), "excluded_days_of_week": (7,), "subject_type": "quantitative",
        "difficulty_level": "high", "cognitive_intensity": "high",
    }  # fmt: skip
    return ClassFact(class_id, name, sum(lengths), ClassRules(**values | more), items)


def facts(*, names: tuple[str, str] = ("概率论复习", "六级词汇"), extra: tuple[EventFact, ...] = ()) -> Facts:
    classes = (
        class_fact(5, names[0], (2, 2, 2)),
        class_fact(6, names[1], (2, 1), fillers=False, subject_type=None, cognitive_intensity="low"),
    )
    return Facts(7, 1, GRID, 1, events() + extra, classes)


def draft(**changes: object) -> ScheduleState:
    """Items 5-7 belong to class 5, items 8-9 to class 6; 5, 6 and 8 are suggested, the others pending."""
    state = load_state(facts(**changes), scope=(5, 6), now=(FIRST, 1))  # type: ignore[arg-type]
    for operation in (PlaceOp(5, 1, 3), PlaceOp(6, 4, 3), PlaceOp(8, 4, 5)):
        state = operation.apply(state)
    return state


def context(**fields: object) -> ToolContext:
    everything = {
        "schedule": ["analyze", "deep_analyze", "detail_read", "mutation", "progress", "queue", "web"],
        "taskclass": [],
    }
    base: dict[str, object] = {
        "active": everything, "calendar": CALENDAR, "now": datetime(2026, 3, 16, 0, 0, tzinfo=UTC), "scope": (5, 6),
        "caps": {"searches_left": 5, "fetches_left": 8, "bytes_left": 4 << 20},
    }  # fmt: skip
    return ToolContext(**{**base, **fields})  # type: ignore[arg-type]


async def call(
    name: str, arguments: dict[str, object], state: ScheduleState | None, **fields: object
) -> tuple[ToolOutcome, ToolResult]:
    """The stages of a call in a row, without a student to ask. Arguments that do not fit are refused like a day that
    lies outside the window: on a card of their own, which quotes none of them."""
    registry, ctx = default_registry(), context(**fields)
    found = registry.validate(name, arguments, state)
    refused = found if isinstance(found, ToolError) else registry.refuse_here(found, ctx)
    if isinstance(found, ToolError):
        tool = registry.resolve(name)
        assert tool is not None
        found = ToolCall(tool, {}, tool.args.model_construct())
    outcome = ToolOutcome(state, {}, error=refused) if refused else await registry.run(found, state, ctx)
    return outcome, registry.result("execute.tool.1", found, outcome, locale=ctx.locale, before=state)
