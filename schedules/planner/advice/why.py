"""Why a placed item stands where it stands: what the objective says of its place beside the others it could take."""

from __future__ import annotations

from dataclasses import dataclass

from schedules.planner.cost.constants import Constants, Segment, constants_of
from schedules.planner.cost.day_terms import load_cost
from schedules.planner.cost.item_terms import target_cost
from schedules.planner.draft.adapter import problem_of
from schedules.planner.draft.legal import FreeCells
from schedules.planner.draft.state import ScheduleState, TaskEntry, with_spots
from schedules.planner.grid import Place
from schedules.planner.problem import PlanClass
from schedules.planner.rules.board import PlacedItem
from schedules.planner.rules.placement import neighbours


@dataclass(frozen=True)
class Why:
    """Tells what holds of a place. `others` = further places the planner could have taken now.

    `on_target` and `light`: none of them would be charged less for the spread of the class, for the load of the day.
    `lessons` and `own` count sections of that day, the item's own included.
    """

    place: Place
    before: PlacedItem | None
    after: PlacedItem | None
    others: int
    on_target: bool
    light: bool
    lessons: int
    own: int


def why(state: ScheduleState, entry: TaskEntry) -> Why | None:
    """Returns why an item stands at its place, None for an item without one."""
    place = state.place_of(entry)
    if place is None:
        return None
    bare = with_spots(state, {entry.source_id: None})
    board, subject = bare.board(), bare.subject(entry)
    problem = problem_of(bare, classes=[entry.task_class_id or 0])
    constants = constants_of(problem)
    owner = constants.classes[entry.task_class_id or 0].task_class
    found = FreeCells(board, bare.situation(planner=True)).places(subject)
    others = [(other, host) for other, host in found if other != place]
    own = _own_sections(bare)
    loads = _Loads(constants, own)
    here = loads.cost(place, guest=state.host_event_of(entry) is not None)
    spread = _Spread(constants, owner, entry.source_id)
    before, after = neighbours(board, subject, place.cell)
    return Why(
        place=place,
        before=before,
        after=after,
        others=len(others),
        on_target=all(spread.cost(place) <= spread.cost(other) for other, _ in others),
        light=all(here <= loads.cost(other, guest=host is not None) for other, host in others),
        lessons=constants.base[place.day].bit_count(),
        own=own.get(place.day, 0) + place.length,
    )


def _own_sections(state: ScheduleState) -> dict[int, int]:
    """Returns sections of own study on free cells by day."""
    found: dict[int, int] = {}
    for entry in state.items():
        place = state.place_of(entry)
        if place is not None and entry.embed_host is None:
            found[place.day] = found.get(place.day, 0) + place.length
    return found


@dataclass(frozen=True)
class _Loads:
    constants: Constants
    own: dict[int, int]

    def cost(self, place: Place, *, guest: bool) -> int:
        """Returns what the item adds to the load of a day; a guest adds none."""
        own, base = self.own.get(place.day, 0), self.constants.base[place.day].bit_count()
        return 0 if guest else load_cost(own + place.length, base) - load_cost(own, base)


class _Spread:
    def __init__(self, constants: Constants, owner: PlanClass, item_id: int) -> None:
        self.owner = owner
        self.segment: Segment | None = None
        self.index = 0
        for segment in constants.classes[owner.id].segments:
            for index, item in enumerate(segment.items):
                if item.id == item_id:
                    self.segment, self.index = segment, index

    def cost(self, place: Place) -> int:
        return 0 if self.segment is None else target_cost(self.owner, self.segment, self.index, place)
