"""What happens in a student's term, as wishes for re-planning. Each answers the draft that costs the fewest changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, islice

from schedules.planner.draft.adapter import apply_plan, problem_of
from schedules.planner.draft.progress import MISSED, PARTIAL
from schedules.planner.draft.state import ScheduleState, TaskEntry, with_spots
from schedules.planner.grid import Place, day_number
from schedules.planner.replan.least_change import Replanned, Wish, movable_items, replan, stays
from schedules.planner.solver.rough_build import plan

WAYS_TRIED = 12
"""So many choices of items that leave a week are compared."""
RAPID = "rapid"


def pick_up(state: ScheduleState, item_ids: Collection[int] | None = None) -> Replanned:
    """Places what was missed anew, before its followers: the named items, or all that carry the mark."""
    missed = {entry.source_id for entry in state.items() if entry.mark == MISSED}
    return replan(state, Wish(again=frozenset(missed if item_ids is None else item_ids)))


def put_rests(state: ScheduleState, item_ids: Collection[int] | None = None) -> Replanned:
    """Places the rests of items that are done in part, before their followers."""
    rests = {entry.source_id for entry in state.items() if entry.mark == PARTIAL and not entry.slots}
    return replan(state, Wish(again=frozenset(rests if item_ids is None else item_ids)))


def away(state: ScheduleState, first_day: int, last_day: int) -> Replanned:
    """Places anew what lies on days on which the student was or is away, the past ones included."""
    inside = items_within(state, first_day, last_day)
    return replan(state, Wish(again=inside, closed=tuple(whole_days(state, first_day, last_day))))


def items_within(state: ScheduleState, first_day: int, last_day: int) -> frozenset[int]:
    """Returns the items that lie on some days of the semester."""
    return frozenset(entry.source_id for entry in _items_placed(state) if first_day <= _day(state, entry) <= last_day)


def keep_free(state: ScheduleState, places: Iterable[Place], *, displaced: Collection[int] = ()) -> Replanned:
    """Keeps these places free of study; what stands there moves, and what was displaced is placed anew."""
    closed = tuple(places)
    cells = {(place.day, section) for place in closed for section in place.sections}
    grid = replace(state.grid, kept_free=state.grid.kept_free - cells)
    before = replace(state, semester=replace(state.semester, grid=grid))
    return replan(state, Wish(again=_without_place(state, displaced), closed=closed), basis=before)


def leave_places(state: ScheduleState, places: Collection[Place], class_id: int) -> Replanned:
    """Places anew what a class has there; what others have there stays."""
    cells = {(place.day, section) for place in places for section in place.sections}
    placed = [(entry, place) for entry in _items_placed(state) if (place := state.place_of(entry)) is not None]
    there = {entry.source_id: {(place.day, section) for section in place.sections} for entry, place in placed}
    mine = frozenset(entry.source_id for entry, _ in placed
                     if entry.task_class_id == class_id and there[entry.source_id] & cells)  # fmt: skip
    taken = {cell for item, own in there.items() if item not in mine for cell in own}
    return replan(state, Wish(again=mine, closed=tuple(place for place in places if place.cell not in taken)))


def seat_displaced(state: ScheduleState, item_ids: Collection[int]) -> Replanned:
    """Places anew what lost its place, as far as it has none by now."""
    return replan(state, Wish(again=_without_place(state, item_ids)))


def mend(state: ScheduleState, class_ids: Collection[int] = (), *, displaced: Collection[int] = ()) -> Replanned:
    """Places anew whatever breaks a rule by now, what the named classes have without a place, and what was
    displaced."""
    waiting = {entry.source_id for entry in state.items() if not entry.slots and entry.task_class_id in class_ids}
    return replan(state, Wish(again=frozenset(waiting) | _without_place(state, displaced), mend=True))


def _without_place(state: ScheduleState, item_ids: Collection[int]) -> frozenset[int]:
    return frozenset(entry.source_id for entry in state.items() if entry.source_id in item_ids and not entry.slots)


def lighten(state: ScheduleState, week: int, sections: int) -> Replanned:
    """Moves at least so many sections of study out of a week, or all that find another place, by the fewest changes."""
    first, last = day_number(week, 1), day_number(week, 7)
    inside = [
        entry for entry in _items_placed(state) if first <= _day(state, entry) <= last and not stays(state, entry)
    ]
    wanted = min(sections, sum(entry.duration for entry in inside))
    if wanted <= 0:
        return replan(state, Wish())
    done = _leave_at_least(state, inside, wanted, (first, last))
    if done is not None:
        return done
    # No more can leave than find a place where all leave: each number below takes a dozen plans to try.
    left = _leave(state, inside, first, last).left
    able = sum(entry.duration for entry in inside if entry.source_id not in left)
    for fewer in range(min(able, wanted - 1), 0, -1):
        done = _leave_at_least(state, inside, fewer, (first, last))
        if done is not None:
            return done
    return replan(state, Wish())


def _leave_at_least(
    state: ScheduleState, inside: list[TaskEntry], sections: int, days: tuple[int, int]
) -> Replanned | None:
    """Returns the fewest changes by which items of so many sections leave a week; None when no group of them can."""
    tried = [_leave(state, chosen, *days) for chosen in islice(_choices(inside, sections), WAYS_TRIED)]
    best = min(tried, key=lambda one: one.weight)
    return None if best.left else best


def _choices(inside: list[TaskEntry], wanted: int) -> Iterator[tuple[TaskEntry, ...]]:
    """Yields the smallest groups of items that are long enough, the last ones of the week first.

    Only begins of groups that can become long enough are looked at, for there are very many groups.
    """
    late_first = inside[::-1]
    # The most sections that so many of the items from one on can have.
    most = [
        list(accumulate(sorted((entry.duration for entry in late_first[at:]), reverse=True), initial=0))
        for at in range(len(late_first) + 1)
    ]

    def groups(at: int, size: int, missing: int) -> Iterator[tuple[TaskEntry, ...]]:
        if size == 0:
            yield ()
            return
        for first in range(at, len(late_first) - size + 1):
            if most[first][size] < missing:
                return
            entry = late_first[first]
            if entry.duration + most[first + 1][size - 1] >= missing:
                yield from ((entry, *rest) for rest in groups(first + 1, size - 1, missing - entry.duration))

    size = next((size for size, sections in enumerate(most[0]) if sections >= wanted), None)
    yield from () if size is None else groups(0, size, wanted)


def _leave(state: ScheduleState, chosen: Iterable[TaskEntry], first: int, last: int) -> Replanned:
    """Places the chosen items anew outside the week; who stays in it keeps its place."""
    leaving = frozenset(entry.source_id for entry in chosen)
    staying = [entry for entry in _items_placed(state) if entry.source_id not in leaving]
    taken = {
        (place.day, section) for entry in staying if (place := state.place_of(entry)) for section in place.sections
    }
    closed = [place for place in whole_days(state, first, last) if place.cell not in taken]
    return replan(state, Wish(again=leaving, closed=tuple(closed)))


def finish_first(state: ScheduleState, class_id: int) -> Replanned:
    """Brings what is left of a class as far forward as it goes; the others keep their places where they can.

    The same draft comes back when it would not be finished earlier.
    """
    movable = movable_items(state)
    alone = with_spots(state, dict.fromkeys(movable))
    hurried = replace(alone, task_classes=tuple(
        replace(meta, rules=replace(meta.rules, strategy=RAPID)) if meta.id == class_id else meta
        for meta in alone.task_classes
    ))  # fmt: skip
    found = apply_plan(hurried, plan(problem_of(hurried, classes=[class_id])))
    mine = [entry for entry in state.items() if entry.task_class_id == class_id]
    ids = frozenset(entry.source_id for entry in mine if entry.source_id in movable or not entry.slots)
    spots = {item: None if (entry := found.by_item(item)) is None else found.spot_of(entry) for item in ids}
    lost = any(spots[entry.source_id] is None for entry in mine if entry.source_id in movable)
    if lost or not _is_earlier(state, found, ids):
        return replan(state, Wish())
    forward = with_spots(state, {item: spot for item, spot in spots.items() if spot is not None})
    done = replan(forward, Wish(fixed=ids), basis=state)
    return Replanned(state, replace(done.state, revision=state.revision + 1), done.reasons, done.left)


def _is_earlier(before: ScheduleState, after: ScheduleState, ids: Collection[int]) -> bool:
    """Tells whether more of these items have a place, or as many and the last of them ends earlier."""
    figures = []
    for state in (after, before):
        places = [
            place for item in ids if (entry := state.by_item(item)) is not None and (place := state.place_of(entry))
        ]
        figures.append((-len(places), max((place.end_cell for place in places), default=(0, 0))))
    return figures[0] < figures[1]


def whole_days(state: ScheduleState, first_day: int, last_day: int) -> list[Place]:
    """Returns every cell of some days of the semester."""
    days = range(max(1, first_day), min(state.grid.days, last_day) + 1)
    return [Place(day, section, 1) for day in days for section in range(1, state.grid.sections + 1)]


def evenings(state: ScheduleState, first_day: int, last_day: int) -> list[Place]:
    """Returns every cell of the evenings of some days."""
    return [place for place in whole_days(state, first_day, last_day) if state.grid.is_evening(place.first)]


def _items_placed(state: ScheduleState) -> list[TaskEntry]:
    """Returns the items that have a place, in time order."""
    placed = [
        (place, entry.source_id, entry) for entry in state.items() if (place := state.place_of(entry)) is not None
    ]
    return [entry for _, _, entry in sorted(placed, key=lambda row: row[:2])]


def _day(state: ScheduleState, entry: TaskEntry) -> int:
    place = state.place_of(entry)
    assert place is not None
    return place.day
