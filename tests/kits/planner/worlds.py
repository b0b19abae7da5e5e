"""Small random worlds for property tests: facts, drafts and writes from a seeded generator."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from schedules.planner.class_rules import ClassRules
from schedules.planner.draft.load import load_state
from schedules.planner.draft.operations import BatchOp, MoveOp, PlaceOp, SwapOp, UnplaceOp
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.grid import Grid, Place
from tests.kits.planner.legal_places import legal_places

GRID = Grid(20, 12, ((1, 4), (5, 8), (9, 12)))
HOLIDAYS = frozenset({4, 5, 6, 13})
GRIDS = (
    GRID,
    Grid(6, 11, ((1, 5), (6, 9), (10, 11)), HOLIDAYS),
    Grid(4, 16, ((1, 4), (5, 8), (9, 12), (13, 16))),
)


def keeping_free(rng: Random, state: ScheduleState) -> ScheduleState:
    """The draft of a student who keeps some cells of its first fortnight free."""
    cells = frozenset((rng.randint(1, 14), rng.randint(1, state.grid.sections)) for _ in range(rng.choice((0, 4, 30))))
    grid = replace(state.grid, kept_free=cells)
    return replace(state, semester=replace(state.semester, grid=grid))


def course(event_id: int, day: int, first: int, last: int, *, hosts: bool = False, name: str = "") -> EventFact:
    return EventFact(event_id, name or f"课{event_id}", "course", None, hosts, Place(day, first, last - first + 1))


def class_fact(class_id: int, lengths: tuple[int, ...], *, start: int | None = 1, end: int | None = 14) -> ClassFact:
    """A steady class that may use fillers; its items are numbered class id * 100 + order."""
    items = tuple(ItemFact(class_id * 100 + i, i, f"项{class_id}-{i}", n, False) for i, n in enumerate(lengths, 1))
    rules = ClassRules(start_day=start, end_day=end, allow_filler_course=True)
    return ClassFact(class_id, f"类{class_id}", None, rules, items)


def with_rules(owner: ClassFact, **rules: Any) -> ClassFact:
    """The same class under other rules."""
    return replace(owner, rules=replace(owner.rules, **rules))


def facts_of(events: tuple[EventFact, ...], classes: tuple[ClassFact, ...], grid: Grid = GRID) -> Facts:
    return Facts(1, 1, grid, 1, events, classes)


def random_facts(rng: Random, *, days: int = 14, classes: int = 3, items: int = 4) -> Facts:
    """Courses (a third of them hosts), classes with exclusions, some items applied free or as guests."""
    grid = rng.choice(GRIDS)
    days = min(days, grid.days)
    taken: set[tuple[int, int]] = set()
    events = []
    for event_id in range(1, days * 2):
        place = _free_place(rng, taken, days, grid, rng.choice((1, 2, 2, 2, 3, 4)))
        if place is not None:
            events.append(EventFact(event_id, f"课{event_id}", "course", None, rng.random() < 0.35, place))
    rows = [_random_class(rng, class_id, days, grid, items) for class_id in range(1, classes + 1)]
    return _with_applied(rng, facts_of(tuple(events), tuple(rows), grid), taken)


def _free_place(rng: Random, taken: set[tuple[int, int]], days: int, grid: Grid, length: int) -> Place | None:
    place = Place(rng.randint(1, days), rng.randint(1, grid.sections - length + 1), length)
    cells = {(place.day, section) for section in place.sections}
    if cells & taken:
        return None
    taken |= cells
    return place


def _random_class(rng: Random, class_id: int, days: int, grid: Grid, items: int) -> ClassFact:
    start = rng.randint(1, max(1, days // 2))
    return with_rules(
        class_fact(class_id, tuple(rng.choice((1, 2, 2, 3)) for _ in range(rng.randint(1, items)))),
        strategy=rng.choice(("steady", "rapid")),
        start_day=start,
        end_day=rng.randint(start, days),
        allow_filler_course=rng.random() < 0.6,
        excluded_slots=tuple(sorted(rng.sample(range(1, grid.blocks + 1), rng.choice((0, 0, 1))))),
        excluded_days_of_week=tuple(sorted(rng.sample(range(1, 8), rng.choice((0, 1, 2))))),
        subject_type=rng.choice(("quantitative", "memory", "reading", "mixed", None)),
        difficulty_level=rng.choice(("low", "medium", "high", None)),
        cognitive_intensity=rng.choice(("low", "medium", "high", None)),
        excluded_cells=tuple((rng.randint(1, 7), rng.randint(1, grid.blocks)) for _ in range(rng.choice((0, 0, 2, 5)))),
    )


def _with_applied(rng: Random, facts: Facts, taken: set[tuple[int, int]]) -> Facts:
    """A few items put on the timetable anywhere free (people may), in order per class, or into a host."""
    state = load_state(facts, scope=[row.id for row in facts.task_classes], now=None)
    for entry in list(state.items()):
        places = list(legal_places(state, entry.state_id))
        if places and rng.random() < 0.3:
            place, _ = rng.choice(places)
            state = PlaceOp(entry.state_id, state.window.index_of(place.day), place.first).apply(state)
    return applied(facts, state)


def applied(facts: Facts, state: ScheduleState) -> Facts:
    """The rows after everything the draft suggests was written, as if by an apply."""
    events = [row for row in facts.events if row.task_item_id is None]
    events = [replace(row, guest_task_item_id=None, guest_place=None) for row in events]
    for entry in state.items():
        spot = state.spot_of(entry)
        if spot is None:
            continue
        if spot.host_event_id is None:
            own = 10_000 + entry.source_id
            events.append(EventFact(own, entry.name, "task", entry.source_id, False, spot.place))
        else:
            events = [
                replace(row, guest_task_item_id=entry.source_id, guest_place=spot.place)
                if row.id == spot.host_event_id
                else row
                for row in events
            ]
    on = {entry.source_id for entry in state.items() if entry.slots}
    classes = tuple(
        replace(row, items=tuple(replace(item, applied=item.id in on) for item in row.items))
        for row in facts.task_classes
    )
    return replace(facts, events=tuple(events), task_classes=classes, base_version=facts.base_version + 1)


def random_state(rng: Random, **size: int) -> tuple[Facts, ScheduleState]:
    facts = random_facts(rng, **size)
    scope = [row.id for row in facts.task_classes if rng.random() < 0.8] or [facts.task_classes[0].id]
    now = rng.choice((None, None, (rng.randint(1, 5), rng.randint(1, facts.grid.sections + 1))))
    return facts, load_state(facts, scope=scope, now=now)


def random_op(rng: Random, state: ScheduleState) -> PlaceOp | MoveOp | SwapOp | BatchOp | UnplaceOp:
    """Any write, legal or not; places are often drawn from the legal ones so that drafts fill up."""

    def task() -> int:
        return rng.choice(state.tasks).state_id if rng.random() < 0.1 else rng.choice(list(state.items())).state_id

    def target(task_id: int) -> tuple[int, int]:
        entry = state.task(task_id)
        if entry is not None and entry.is_item and rng.random() < 0.7:
            places = list(legal_places(state, task_id))
            if places:
                place, _ = rng.choice(places)
                return state.window.index_of(place.day), place.first
        return rng.randint(0, state.window.total_days + 1), rng.randint(0, state.grid.sections + 1)

    def move() -> MoveOp:
        one = task()
        return MoveOp(one, *target(one))

    kind = rng.randrange(6)
    if kind <= 1:
        one = task()
        return PlaceOp(one, *target(one))
    if kind == 2:
        return move()
    if kind == 3:
        return SwapOp(task(), task())
    if kind == 4:
        return BatchOp(tuple(move() for _ in range(rng.randint(1, 3))))
    return UnplaceOp(task())
