"""Room for manoeuvre, against the placement rule itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schedules.planner.diagnosis.plan_facts import picture_of
from schedules.planner.diagnosis.rhythm_days import Block
from schedules.planner.diagnosis.tightness import ALTERNATIVES_MAX, REACH, Room
from schedules.planner.draft.operations import Wish, judge
from schedules.planner.draft.state import ScheduleState
from tests.kits.budgets import tried
from tests.kits.planner.crowded import crowded
from tests.kits.planner.legal_places import legal_places


def judged_swap(state: ScheduleState, one: Block, other: Block) -> bool:
    if one.class_id == other.class_id or one.place.length != other.place.length:
        return False
    wishes: dict[int, Wish] = {one.item_id: (other.place, "derive"), other.item_id: (one.place, "derive")}
    return not judge(state, wishes, situation=state.situation(planner=True))[1]


@given(seed=st.integers(0, 10_000))
@tried(30)
def test_two_items_may_swap_exactly_when_the_rule_allows_the_final_picture(seed: int) -> None:
    state = crowded(seed)
    room = Room(picture_of(state))
    for one in room.movable:
        for other in room.movable:
            assert room.may_swap(one, other) == judged_swap(state, one, other)


@given(seed=st.integers(0, 10_000))
@tried(30)
def test_alternatives_are_the_legal_planner_places_nearby(seed: int) -> None:
    state = crowded(seed)
    room = Room(picture_of(state))
    for block in room.movable:
        near = [
            place
            for place, _ in legal_places(state, block.state_id, planner=True)
            if place != block.place and abs(place.day - block.place.day) <= REACH
        ]
        assert room.alternatives(block) == min(len(near), ALTERNATIVES_MAX)
