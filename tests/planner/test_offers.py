"""Ways out of a refused place: accepted as they are, with the least change."""

from __future__ import annotations

from random import Random

import pytest

from schedules.planner.advice.offers import ORDER, offers_for
from schedules.planner.draft.operations import Arranged, arrange
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, with_keeping, with_spots
from schedules.planner.grid import Place
from tests.kits.planner.legal_places import legal_places
from tests.kits.planner.places import TABLE, draft, place_of
from tests.kits.planner.worlds import random_state


def refused(state: ScheduleState, entry: TaskEntry, spot: Spot) -> dict[int, list]:  # type: ignore[type-arg]
    found = arrange(state, [(entry.source_id, spot.place, spot.host_mode)])
    return {} if isinstance(found, Arranged) else found


@pytest.mark.parametrize(
    "case", [case for case in TABLE["cases"] if "swaps_with" in case], ids=lambda case: case["says"]
)
def test_a_legal_exchange_is_offered(case: dict[str, object]) -> None:
    state = draft()
    partner = state.by_item(case["swaps_with"])  # type: ignore[arg-type]
    entry = state.by_item(case["item"])  # type: ignore[arg-type]
    assert entry is not None
    assert partner is not None
    spot = state.spot_of(partner)
    assert spot is not None
    assert spot.place == place_of(case)
    offers = offers_for(state, {entry.source_id: spot}, refused(state, entry, spot))
    [swap] = [offer for offer in offers if offer.kind == "swap"]
    assert swap.spots == {entry.source_id: spot, partner.source_id: state.spot_of(entry)}
    pinned = with_keeping(state, {partner.source_id: (True, False)})
    kinds = [offer.kind for offer in offers_for(pinned, {entry.source_id: spot}, refused(pinned, entry, spot))]
    assert "swap" not in kinds


def order_conflicts(state: ScheduleState, rng: Random) -> list[tuple[TaskEntry, Spot]]:
    """Places that break nothing but the order of their class."""
    found = []
    for entry in state.items():
        if entry.status != "suggested":
            continue
        for _ in range(30):
            day, first = rng.randint(1, state.grid.days), rng.randint(1, state.grid.sections)
            spot = Spot(Place(day, first, entry.duration), None)
            rules = {one.rule for one in refused(state, entry, spot).get(entry.source_id, ())}
            if rules and rules <= ORDER:
                found.append((entry, spot))
                break
    return found


def one_move_mends(state: ScheduleState, entry: TaskEntry, spot: Spot) -> bool:
    """Whether moving a single sibling makes the place legal, tried literally."""
    there = with_spots(state, {entry.source_id: spot})
    siblings = [one for one in there.items() if one.task_class_id == entry.task_class_id and one.status == "suggested"]
    for sibling in siblings:
        if sibling.source_id == entry.source_id or sibling.kept:
            continue
        for place, host in legal_places(there, sibling.state_id, planner=True):
            targets = [
                (entry.source_id, spot.place, spot.host_mode),
                (sibling.source_id, place, Spot(place, host).host_mode),
            ]
            if isinstance(arrange(state, targets, planned=[sibling.source_id]), Arranged):
                return True
    return False


@pytest.mark.parametrize("seed", range(12))
def test_shifted_followers_are_accepted_and_as_few_as_can_be(seed: int) -> None:
    rng = Random(seed)
    _, state = random_state(rng)
    for entry, spot in order_conflicts(state, rng)[:3]:
        offers = offers_for(state, {entry.source_id: spot}, refused(state, entry, spot))
        if not offers:
            assert not one_move_mends(state, entry, spot)
            continue
        [offer] = offers
        targets = [(item, where.place, where.host_mode) for item, where in offer.spots.items()]
        done = arrange(state, targets, planned=offer.planned)
        assert isinstance(done, Arranged)
        assert done.state.by_item(entry.source_id).by_hand  # type: ignore[union-attr]
        if len(offer.planned) > 1:
            assert not one_move_mends(state, entry, spot)
