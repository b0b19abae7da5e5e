"""How a draft stands to the student's wishes: what of it is against which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Place, block_of
from schedules.planner.soft_limits import SoftLimit


@dataclass(frozen=True)
class WishStanding:
    """Tells of one wish the `sections` of study against it, on these day numbers; met when there are none.

    `concerned`: whether the draft has anything placed that it is about.
    """

    wish: SoftLimit
    sections: int
    days: tuple[int, ...]
    concerned: bool

    @property
    def met(self) -> bool:
        return self.sections == 0


def wish_standings(state: ScheduleState) -> list[WishStanding]:
    """Returns how a draft stands to each of its wishes."""
    return [_judge_wish(state, wish) for wish in state.wishes]


def _judge_wish(state: ScheduleState, wish: SoftLimit) -> WishStanding:
    placed = list(_find_placed(state, wish))
    if wish.of_day:
        loads: dict[int, int] = {}
        for _, place in placed:
            # Of one class each item counts as whole blocks, as the objective has it.
            sections = place.length if wish.class_id is None else 2 * block_of(place.length)
            loads[place.day] = loads.get(place.day, 0) + sections
        against = {day: load - 2 * wish.value for day, load in loads.items() if load > 2 * wish.value}
    else:
        against = {}
        for entry, place in placed:
            end = state.class_of(entry).rules.end_day or state.window.last_day
            count = wish.sections_against(state.grid, place) or (wish.days_against(place, end) > 0) * place.length
            if count:
                against[place.day] = against.get(place.day, 0) + count
    return WishStanding(wish, sum(against.values()), tuple(sorted(against)), bool(placed))


def _find_placed(state: ScheduleState, wish: SoftLimit) -> Iterator[tuple[TaskEntry, Place]]:
    """Yields what a wish is about: single items only as far as the planner may choose their place."""
    for entry in state.items():
        place = state.place_of(entry)
        rules = state.class_of(entry).rules
        if place is None or not wish.concerns(entry.task_class_id or 0, high=rules.high):
            continue
        if wish.of_day or entry.status == "suggested":
            yield entry, place
