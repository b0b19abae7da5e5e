"""Facts -> draft: a fresh draft shows exactly the timetable, every item existing or pending."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from schedules.planner.draft.progress import DONE, MISSED, PARTIAL
from schedules.planner.draft.state import (
    EXAM,
    Base,
    ClassMeta,
    ScheduleState,
    SemesterInfo,
    TaskEntry,
    Window,
)
from schedules.planner.facts import ClassFact, EventFact, Facts, ItemFact
from schedules.planner.grid import Cell, week_and_weekday
from schedules.planner.rules.board import Board, Occupant, PlacedItem
from schedules.planner.rules.placement import Subject
from schedules.planner.soft_limits import in_order

DEFAULT_WINDOW_DAYS = 14
"""This week and the next, when no class of the draft has dates."""

TASK_CATEGORY = "任务"
CATEGORIES = {"course": "课程", EXAM: "考试"}
"""Type of an event -> what the lists of the agent call it; other events are the student's own."""


def load_state(
    facts: Facts,
    *,
    scope: Iterable[int],
    now: Cell | None,
    previous: ScheduleState | None = None,
    window: Window | None = None,
) -> ScheduleState:
    """Returns the draft of these rows with no change of its own.

    Every event with a cell in the window, every item of the scope's classes, every placed item of other classes inside
    the window. `previous` lends its state ids and its revision, and keeps the items it has changed in the picture; its
    changes are not replayed here (see `rebase`). Classes of `scope` that the facts do not know are left out. `window`
    stands in for the union of the class dates.
    """
    rows = _Rows(facts, frozenset(scope), previous)
    window = rows.window(now) if window is None else window
    chosen = rows.items_in(window)
    events = rows.events_in(window, chosen)
    ids = _StateIds(previous)
    events.sort(key=lambda row: (not window.contains(row.place.day), row.place.day, row.place.first, row.id))
    inside = sum(window.contains(row.place.day) for row in events)
    ids.give_all(f"e:{event.id}" for event in events[:inside])
    ids.give_all(f"t:{item.id}" for _, item in chosen)
    ids.give_all(f"e:{event.id}" for event in events[inside:])
    owners = {owner.id for owner, _ in chosen} | rows.scope
    bare = ScheduleState(
        revision=0 if previous is None else previous.revision,
        user_id=facts.user_id,
        semester=SemesterInfo(facts.semester_id, facts.grid),
        base_version=facts.base_version,
        now=now,
        window=window,
        scope=tuple(sorted(rows.scope)),
        tasks=(),
        task_classes=tuple(_meta(row) for row in sorted(facts.task_classes, key=lambda r: r.id) if row.id in owners),
        next_state_id=ids.next,
        source_ids=ids.known,
        wishes=in_order(facts.wishes),
    )
    return _with_entries(bare, rows, events, chosen)


def _with_entries(
    bare: ScheduleState, rows: _Rows, events: list[EventFact], chosen: list[tuple[ClassFact, ItemFact]]
) -> ScheduleState:
    """Returns the draft with its entries: events first, so that items find their hosts."""
    guests = {row.guest_task_item_id: row.id for row in events if row.guest_task_item_id is not None}
    inside = {item.id for _, item in chosen}
    seats = {event: bare.source_ids[f"t:{item}"] for item, event in guests.items() if item in inside}
    with_events = replace(bare, tasks=tuple(_event_entry(bare, row, rows, seats.get(row.id)) for row in events))
    entries = [*with_events.tasks, *(_item_entry(with_events, owner, item, rows) for owner, item in chosen)]
    return replace(with_events, tasks=tuple(sorted(entries, key=lambda entry: entry.state_id)))


class _StateIds:
    """Gives state ids: known sources keep theirs, new ones get the next number, none is ever used twice."""

    def __init__(self, previous: ScheduleState | None) -> None:
        self.known: dict[str, int] = {} if previous is None else dict(previous.source_ids)
        self.next = 1 if previous is None else previous.next_state_id

    def give_all(self, sources: Iterable[str]) -> None:
        for source in sources:
            if source not in self.known:
                self.known[source] = self.next
                self.next += 1


class _Rows:
    """Holds the facts, indexed, and which of them belong into the draft."""

    def __init__(self, facts: Facts, scope: frozenset[int], previous: ScheduleState | None) -> None:
        self.facts = facts
        self.classes = {row.id: row for row in facts.task_classes}
        self.scope = frozenset(class_id for class_id in scope if class_id in self.classes)
        self.known_items = {item.id for row in facts.task_classes for item in row.items}
        self.bases = bases_of(facts)
        self.events = {row.id: row for row in facts.events}
        own = [] if previous is None else [entry for entry in previous.items() if entry.own_change]
        self.changed = {entry.source_id for entry in own}
        self.suggesting = {entry.task_class_id for entry in own if entry.status == "suggested"}
        self.kept_days = {
            place.day for entry in own if entry.kept and previous and (place := previous.place_of(entry)) is not None
        }

    def window(self, now: Cell | None) -> Window:
        """Returns the days that are planned, and those of the suggestions that the student keeps."""
        planned = self._planned_window(now)
        days = [day for day in self.kept_days if 1 <= day <= self.facts.grid.days]
        first, last = min([planned.first_day, *days]), max([planned.last_day, *days])
        return Window(first, last - first + 1)

    def _planned_window(self, now: Cell | None) -> Window:
        """Joins the dates of the scope's classes and of those with suggestions; else takes this week and the next."""
        dated = [
            (rules.start_day, rules.end_day)
            for rules in (row.rules for row in self.facts.task_classes if row.id in self.scope | self.suggesting)
            if rules.start_day is not None and rules.end_day is not None and rules.start_day <= rules.end_day
        ]
        if dated:
            first = max(1, min(start for start, _ in dated))
            last = min(self.facts.grid.days, max(end for _, end in dated))
            if first <= last:
                return Window(first, last - first + 1)
        monday = 1 if now is None else 7 * (week_and_weekday(now[0])[0] - 1) + 1
        return Window(monday, min(DEFAULT_WINDOW_DAYS, self.facts.grid.days - monday + 1))

    def items_in(self, window: Window) -> list[tuple[ClassFact, ItemFact]]:
        """Returns the items of the draft by (class id, order, item id)."""
        return [
            (row, item)
            for row in sorted(self.facts.task_classes, key=lambda r: r.id)
            for item in sorted(row.items, key=lambda i: (i.order, i.id))
            if self._is_wanted(row, item, window)
        ]

    def _is_wanted(self, row: ClassFact, item: ItemFact, window: Window) -> bool:
        if (item.mark == DONE or item.applied) and item.id not in self.bases:
            # Done elsewhere, or on the timetable of another semester: there is nothing left to place.
            return False
        return row.id in self.scope or item.id in self.changed or self._stands_in(window, item)

    def _stands_in(self, window: Window, item: ItemFact) -> bool:
        base = self.bases.get(item.id)
        return base is not None and window.contains(base.place.day)

    def events_in(self, window: Window, chosen: list[tuple[ClassFact, ItemFact]]) -> list[EventFact]:
        """Returns events of the window that are not the body of an item.

        An applied item of the scope may stand outside the window: the events of its day come along, for they are its
        host or its neighbours.
        """
        days = {self.bases[item.id].place.day for _, item in chosen if item.id in self.bases}
        return [
            row
            for row in self.facts.events
            if row.task_item_id not in self.known_items and (window.contains(row.place.day) or row.place.day in days)
        ]


def bases_of(facts: Facts) -> dict[int, Base]:
    """Returns where the timetable has each applied item."""
    keeping = {item.id: (item.pinned, item.by_hand) for row in facts.task_classes for item in row.items}
    bases: dict[int, Base] = {}
    for event in facts.events:
        own, guest = event.task_item_id, event.guest_task_item_id
        if own is not None:
            bases[own] = Base(event.place, None, event.id, *keeping.get(own, ()))
        if guest is not None:
            bases[guest] = Base(event.guest_place or event.place, event.id, None, *keeping.get(guest, ()))
    return bases


def _event_entry(state: ScheduleState, row: EventFact, rows: _Rows, guest: int | None) -> TaskEntry:
    foreign_guest = row.guest_task_item_id is not None and guest is None
    return TaskEntry(
        state_id=state.source_ids[f"e:{row.id}"],
        source="event",
        source_id=row.id,
        event_id=row.id,
        name=row.name,
        category=CATEGORIES.get(row.type, TASK_CATEGORY),
        status="existing",
        slots=(state.slot_of(row.place),),
        duration=row.place.length,
        task_class_id=None,
        task_order=None,
        event_type=row.type,
        can_embed=row.can_be_embedded and row.type == "course" and not foreign_guest,
        embedded_by=guest,
        embed_host=None,
        locked=True,
        location=row.location,
        interrupted=row.interrupted,
        course_id=row.course_id,
        color_index=row.color_index,
    )


def _item_entry(state: ScheduleState, owner: ClassFact, item: ItemFact, rows: _Rows) -> TaskEntry:
    base = rows.bases.get(item.id)
    host = None if base is None or base.host_event_id is None else state.by_event(base.host_event_id)
    event = None if base is None else rows.events[base.host_event_id or base.event_id or 0]
    return TaskEntry(
        state_id=state.source_ids[f"t:{item.id}"],
        source="task_item",
        source_id=item.id,
        event_id=None if base is None else base.event_id,
        name=item.content,
        category=owner.name,
        status="pending" if base is None else "existing",
        slots=() if base is None else (state.slot_of(base.place),),
        duration=item.sections if base is None or item.mark != DONE else base.place.length,
        task_class_id=owner.id,
        task_order=item.order,
        event_type="task",
        can_embed=False,
        embedded_by=None,
        embed_host=None if host is None else host.state_id,
        locked=item.mark == DONE,
        base=base,
        mark=_mark(item, base),
        location="" if event is None else event.location,
        interrupted=event is not None and event.interrupted,
        pinned=base is not None and base.pinned,
        by_hand=base is not None and base.by_hand,
    )


def _mark(item: ItemFact, base: Base | None) -> str:
    """Returns the mark of an item; who missed it at another place has it open again."""
    if item.mark == MISSED:
        rest = PARTIAL if item.rest else ""
        return MISSED if base is not None and base.place == item.missed_place else rest
    return item.mark


def _meta(row: ClassFact) -> ClassMeta:
    return ClassMeta(row.id, row.name, row.total_slots, row.rules, row.seal, row.color_index, row.item_ids)


def board_of(facts: Facts) -> Board:
    """Returns occupancy of the timetable itself, for judging an apply against the rows."""
    owners = {item.id: (row, item) for row in facts.task_classes for item in row.items}
    events = [
        Occupant(row.id, row.name, row.type, row.place, row.can_be_embedded and row.type == "course")
        for row in facts.events
        if row.task_item_id not in owners
    ]
    events.sort(key=lambda event: event.type == EXAM)
    return Board(facts.grid, events, _placed_items(owners, bases_of(facts), facts.now))


def _placed_items(
    owners: Mapping[int, tuple[ClassFact, ItemFact]], bases: Mapping[int, Base], now: Cell | None
) -> list[PlacedItem]:
    placed = []
    for item_id, base in bases.items():
        if item_id in owners:
            row, item = owners[item_id]
            past = now if now is not None and base.place.cell < now else None
            place, host = base.place, base.host_event_id
            placed.append(PlacedItem(item_id, row.id, item.order, item.content, place, host, past))
    return placed


def subject_of(owner: ClassFact, item: ItemFact) -> Subject:
    """Returns an item of the facts as the placement rule asks about it."""
    return Subject(item.id, item.order, item.content, item.sections, owner)
