"""Odd but legal problems: an answer every time, never an exception."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.planner.codec import plan_to_json, problem_from_json
from schedules.planner.solver.rough_build import BoundedPlan, plan_with_bound
from tests.kits.planner.examples import example, item, lesson


def solve(document: dict[str, Any]) -> BoundedPlan:
    found = plan_with_bound(problem_from_json(document))
    plan_to_json(found)
    return found


def rules(found: BoundedPlan) -> list[str]:
    return [left.rule for left in found.unplaced]


def steady_only(**changes: Any) -> dict[str, Any]:
    document = example()
    document["task_classes"] = [document["task_classes"][0] | changes]
    document["occupied"] = []
    return document


@pytest.mark.parametrize("key", ["occupied", "task_classes"])
def test_it_plans_without_lessons_and_without_classes(key: str) -> None:
    assert solve(example() | {key: []}).unplaced == ()


def test_a_class_without_items_costs_nothing() -> None:
    found = solve(steady_only(items=[]))
    assert (found.placements, found.cost.total, found.bound, found.gap) == ((), 0, 0, 0.0)


def test_nothing_fits_when_now_is_after_the_end() -> None:
    now = {"week": 20, "day_of_week": 7, "section": 13}
    assert rules(solve(example() | {"now": now})) == ["in_the_past"] * 5


def test_dates_outside_the_semester_leave_no_start() -> None:
    outside = {"week": 25, "day_of_week": 1}
    assert rules(solve(steady_only(start=outside, end=outside))) == ["outside_class_window"] * 2


def test_all_blocks_excluded() -> None:
    assert rules(solve(steady_only(excluded_slots=[1, 2, 3, 4, 5, 6]))) == ["excluded_block"] * 2


def test_capacity_of_exactly_the_need_is_used_up() -> None:
    monday = {"week": 1, "day_of_week": 1}
    found = solve(steady_only(start=monday, end=monday, excluded_slots=[3, 4, 5, 6], items=[item(1, 1), item(2, 2)]))
    assert [placement.place.first for placement in found.placements] == [1, 3]


def test_one_single_free_section() -> None:
    document = steady_only(
        start={"week": 1, "day_of_week": 1}, end={"week": 1, "day_of_week": 1}, items=[item(1, 1, 1), item(2, 2, 1)]
    )
    document["occupied"] = [lesson(1, "a", 1, 1, 6), lesson(2, "b", 1, 8, 10)]
    found = solve(document)
    assert [(one.task_item_id, one.place.first) for one in found.placements] == [(1, 7)]
    assert rules(found) == ["occupied"]


def test_every_cell_a_filler_hosts_one_guest_a_lesson() -> None:
    document = steady_only(
        start={"week": 1, "day_of_week": 1}, end={"week": 1, "day_of_week": 1}, excluded_slots=[], items=[]
    )
    document["occupied"] = [lesson(n, "filler", 1, 2 * n - 1, 2 * n, embed=True) for n in range(1, 7)]
    document["task_classes"][0]["items"] = [item(n, n, 1) for n in range(1, 9)]
    found = solve(document)
    assert len({one.embed_course_event_id for one in found.placements}) == len(found.placements) == 6
    assert found.cost.parts["load"] == 0
    assert rules(found) == ["host_taken"] * 2


def test_inverted_pins_leave_no_room_between_them() -> None:
    late = {"week": 1, "day_of_week": 4, "section_from": 1}
    early = {"week": 1, "day_of_week": 1, "section_from": 1}
    items = [item(1, 1, pinned=late), item(2, 2), item(3, 3, pinned=early), item(4, 4)]
    found = solve(steady_only(items=items))
    assert [one.task_item_id for one in found.placements if one.task_item_id in (2, 4)] == [4]
    assert len(found.unplaced) == 1


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_sixteen_sections_and_one_week(length: int) -> None:
    document = steady_only(items=[item(n, n, length) for n in range(1, 13)], excluded_slots=[])
    document["semester"] = {"weeks": 1, "sections": 16, "day_parts": [[1, 4], [5, 8], [9, 12], [13, 16]]}
    found = solve(document)
    assert found.unplaced == ()
    places = [one.place for one in found.placements]
    assert places == sorted(places)


def test_two_thousand_items_are_answered_with_what_fits() -> None:
    document = steady_only(
        items=[item(n, n) for n in range(1, 2001)], excluded_slots=[], end={"week": 20, "day_of_week": 7}
    )
    found = solve(document)
    assert len(found.placements) == 840
    assert set(rules(found)) == {"occupied"}


def test_a_lone_steady_item_lies_near_the_middle_of_its_capacity() -> None:
    found = solve(steady_only(items=[item(1, 1)], end={"week": 2, "day_of_week": 7}))
    assert found.placements[0].place.day in (6, 7, 8)
