"""A problem document and a plan for it, read as a draft: pinned = existing, left over = pending."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from schedules.planner.draft.invariants import occupation_errors
from schedules.planner.draft.load import load_state
from schedules.planner.draft.state import ScheduleState, Spot, Window, with_spots
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.problem import Occupied, Placement, PlanClass, Problem, ProblemError


def draft_of(problem: Problem, placements: Iterable[Placement]) -> ScheduleState:
    """Returns the draft at revision 0; its window runs from the earliest start to the latest end of the classes.

    Raises ProblemError for a placement that no draft can hold: unknown item, wrong length, outside the window, on taken
    cells. The rules of the classes are not judged here.
    """
    scope = [row.id for row in problem.task_classes]
    state = load_state(facts_of(problem), scope=scope, now=problem.now, window=_window(problem))
    spots: dict[int, Spot | None] = {}
    for index, one in enumerate(placements):
        field = f"placements[{index}]"
        item = problem.item_by_id.get(one.task_item_id)
        if item is None:
            raise ProblemError(f"{field}.task_item_id", "is not an item of the problem")
        if item.pinned is not None:
            continue
        if one.place.length != item.duration:
            raise ProblemError(field, "is not as long as the item")
        if not problem.grid.contains(one.place) or not state.window.contains(one.place.day):
            raise ProblemError(field, "lies outside the dates of the classes")
        spots[item.id] = Spot(one.place, one.embed_course_event_id)
    draft = with_spots(state, spots)
    if errors := occupation_errors(draft):
        raise ProblemError("placements", errors[0])
    return replace(draft, revision=0)


def _window(problem: Problem) -> Window | None:
    """Returns the days from the earliest start to the latest end of the classes, None when there is none."""
    first = min((row.start_day for row in problem.task_classes), default=1)
    last = max((row.end_day for row in problem.task_classes), default=0)
    return Window(first, last - first + 1) if first <= last else None


def facts_of(problem: Problem) -> Facts:
    """Returns the rows a timetable would have for this problem: occupants, and pinned items as applied."""
    guests = {pin.embed_course_event_id: pin for pin in problem.pins}
    events = [_event(row, guests.get(row.event_id)) for row in problem.occupied]
    events += [_own_event(problem, pin) for pin in problem.pins if pin.embed_course_event_id is None]
    classes = tuple(_class(row) for row in problem.task_classes)
    return Facts(0, 0, problem.grid, 0, tuple(events), classes, wishes=problem.wishes)


def _event(row: Occupied, guest: Placement | None) -> EventFact:
    """Reads an occupant as an event; a host whose guest is no pinned item of the problem is taken for good."""
    foreign = row.guest_task_item_id is not None and guest is None
    return EventFact(
        row.event_id,
        row.name,
        row.type,
        None,
        row.embeddable and not foreign,
        row.place,
        None if guest is None else guest.task_item_id,
        guest_place=None if guest is None else guest.place,
    )


def _own_event(problem: Problem, pin: Placement) -> EventFact:
    name = problem.item_by_id[pin.task_item_id].name
    return EventFact(-pin.task_item_id, name, "task", pin.task_item_id, False, pin.place)


def _class(row: PlanClass) -> ClassFact:
    items = tuple(
        ItemFact(item.id, item.order, item.name, item.duration, item.pinned is not None) for item in row.items
    )
    return ClassFact(row.id, row.name, None, row.rules, items)
