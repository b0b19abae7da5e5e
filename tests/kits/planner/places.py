"""One table of places and what the placement rule says of them, for every language that judges places."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from schedules.planner.class_rules import rules_of
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import Arranged, UnplaceOp, arrange
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.grid import Place, day_number
from schedules.planner.rules.placement import DERIVE
from tests.kits.tools.world import CALENDAR, GRID

Json = dict[str, Any]
TABLE: Json = json.loads((Path(__file__).parents[2] / "planner" / "places.json").read_text(encoding="utf8"))
CELL = ("week", "day_of_week", "section_from", "section_to")


def place_of(row: Json) -> Place:
    day = day_number(row["week"], row["day_of_week"])
    return Place(day, row["section_from"], row["section_to"] - row["section_from"] + 1)


def draft() -> ScheduleState:
    """The draft of the table: its rows, with what it takes out and what it suggests."""
    events = tuple(
        EventFact(row["id"], row["name"], row["type"], row.get("task_item_id"), row["can_be_embedded"], place_of(row))
        for row in TABLE["events"]
    )
    classes = tuple(_class(row) for row in TABLE["task_classes"])
    now = TABLE["now"]
    closed = frozenset(day_number(row["week"], row["day_of_week"]) for row in TABLE["closed_days"])
    kept = frozenset((day_number(row["week"], row["day_of_week"]), row["section"]) for row in TABLE["kept_free"])
    grid = replace(GRID, closed_days=closed, kept_free=kept)
    cell = day_number(now["week"], now["day_of_week"]), now["section"]
    state = load_state(Facts(1, 1, grid, 1, events, classes), scope=[row.id for row in classes], now=cell)
    for item_id in TABLE["taken_out"]:
        entry = state.by_item(item_id)
        assert entry is not None
        state = UnplaceOp(entry.state_id).apply(state)
    wanted = [(row["task_item_id"], place_of(row), DERIVE) for row in TABLE["suggested"]]
    found = arrange(state, wanted, planned=[item for item, _, _ in wanted])
    assert isinstance(found, Arranged), found
    return found.state


def _class(row: Json) -> ClassFact:
    start, end = (None if row[name] is None else _day(row[name]) for name in ("start_date", "end_date"))
    items = tuple(
        ItemFact(item["id"], item["order"], item["content"], item["sections"], item["embedded_time"] is not None)
        for item in row["items"]
    )
    return ClassFact(row["id"], row["name"], row["total_slots"], rules_of(row, start_day=start, end_day=end), items)


def _day(words: str) -> int:
    found = CALENDAR.day_of(date.fromisoformat(words))
    assert isinstance(found, int)
    return found
