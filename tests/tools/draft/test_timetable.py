"""What the timetable tells of a week: lessons, items, and the time that the student keeps free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.calls.ports import Ports
from schedules.planner.facts import Facts
from schedules.planner.grid import day_number
from tests.kits.tools.world import GRID, call, facts


def _ports(kept_free: frozenset[tuple[int, int]]) -> Ports:
    async def load_facts(class_ids: Sequence[int]) -> Facts:
        return replace(facts(), grid=replace(GRID, kept_free=kept_free))

    return Ports(load_facts=load_facts)


async def test_time_that_is_kept_free_stands_in_its_day_and_is_not_free():
    saturday = day_number(3, 6)
    kept = frozenset((saturday, section) for section in (1, 2, 9, 10, 11, 12))
    open_day, _ = await call("query_timetable", {"week_from": 3, "week_to": 3}, None, ports=_ports(frozenset()))
    told, result = await call("query_timetable", {"week_from": 3, "week_to": 3}, None, ports=_ports(kept))
    before, after = (one.data["days"][5] for one in (open_day, told))
    runs = [(one["slot_start"], one["slot_end"]) for one in after["entries"] if one["status"] == "kept"]
    assert runs == [(1, 2), (9, 12)]
    assert after["free"] == before["free"] - 6
    assert (after["courses"], after["tasks"]) == (before["courses"], before["tasks"])
    assert f"空闲{after['free']}节" in result.observation_text
