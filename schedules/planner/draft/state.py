"""The draft as a value: every event and item of a window, where it stands and where the timetable has it.

Nothing is shared and nothing changes in place: a write returns a new value. Days inside entries are window day indexes
(1..N, the day the agent counts); a `Place` carries day numbers of the semester.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from schedules.planner.class_rules import ClassRules
from schedules.planner.grid import Cell, Grid, Place, week_and_weekday
from schedules.planner.rules.board import Board, Occupant, PlacedItem
from schedules.planner.rules.placement import FREE, HostMode, Situation, Subject
from schedules.planner.soft_limits import SoftLimit

Status = Literal["existing", "suggested", "pending"]
VERSION = 2
EXAM = "exam"
"""The type of an event that owns its cells whatever else stands there."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Tells where an entry stands: day index of the window, first and last section."""

    day: int
    slot_start: int
    slot_end: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Holds a place and the host it is in: what a write sets and the timetable compares."""

    place: Place
    host_event_id: int | None

    @property
    def host_mode(self) -> HostMode:
        """Returns how the placement rule takes the place: in its host, or in none."""
        return FREE if self.host_event_id is None else self.host_event_id


@dataclass(frozen=True, slots=True)
class Base:
    """Tells where the timetable has an item: its place, the host it sits in, its own event if it stands free, whose it
    is."""

    place: Place
    host_event_id: int | None
    event_id: int | None
    pinned: bool = False
    by_hand: bool = False

    @property
    def spot(self) -> Spot:
        return Spot(self.place, self.host_event_id)


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """Holds an event or an item of the draft.

    `status`: existing = stands where the timetable has it, suggested = stands elsewhere, pending = has no place.
    `embedded_by` / `embed_host` are the state ids of the two ends of an embedding, always set together. `base` is the
    timetable's place of an item, `rule` why a pending item lost its place ("" = not tried or taken out on purpose).
    `location` and `interrupted` are those of the event (own or host) on the timetable. `mark` is what the student said
    about an item: done (which locks it), partial (its duration is that of the rest), missed. A lesson names its course
    and the course's place in the row of colours.
    `pinned`: the student wants the placed item to stay; `by_hand`: the student chose this very place.
    """

    state_id: int
    source: Literal["event", "task_item"]
    source_id: int
    event_id: int | None
    name: str
    category: str
    status: Status
    slots: tuple[Slot, ...]
    duration: int
    task_class_id: int | None
    task_order: int | None
    event_type: str
    can_embed: bool
    embedded_by: int | None
    embed_host: int | None
    locked: bool
    base: Base | None = None
    rule: str = ""
    location: str = ""
    interrupted: bool = False
    mark: str = ""
    course_id: int | None = None
    color_index: int | None = None
    pinned: bool = False
    by_hand: bool = False

    @property
    def kept(self) -> bool:
        """Tells whether nobody but the student moves the item."""
        return self.pinned or self.by_hand

    @property
    def is_item(self) -> bool:
        return self.source == "task_item"

    @property
    def slot(self) -> Slot | None:
        return self.slots[0] if self.slots else None

    @property
    def base_spot(self) -> Spot | None:
        """Tells where the timetable has the item."""
        return None if self.base is None else self.base.spot

    @property
    def own_change(self) -> bool:
        """Tells whether the draft says something about an item that the timetable does not."""
        untouched = "pending" if self.base is None else "existing"
        return self.is_item and (self.status != untouched or self.rule != "")


@dataclass(frozen=True)
class ClassMeta:
    """Holds a task class as the draft carries it."""

    id: int
    name: str
    total_slots: int | None
    rules: ClassRules
    seal: str = ""
    color_index: int = 0
    item_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class SemesterInfo:
    id: int
    grid: Grid


@dataclass(frozen=True)
class Window:
    """Holds a run of consecutive days; index 1 is `first_day` (a day number of the semester)."""

    first_day: int
    total_days: int

    @property
    def last_day(self) -> int:
        return self.first_day + self.total_days - 1

    def index_of(self, day: int) -> int:
        """Returns the day index of a day number; outside 1..total_days for a day outside the window."""
        return day - self.first_day + 1

    def day_of(self, index: int) -> int:
        """Returns the day number of a day index."""
        return self.first_day + index - 1

    def contains(self, day: int) -> bool:
        return self.first_day <= day <= self.last_day

    @property
    def mapping(self) -> list[dict[str, int]]:
        rows = []
        for index in range(1, self.total_days + 1):
            week, weekday = week_and_weekday(self.day_of(index))
            rows.append({"day_index": index, "week": week, "day_of_week": weekday})
        return rows


@dataclass(frozen=True)
class ScheduleState:
    """Holds the draft. Equality and JSON cover the fields alone; indexes are derived on first use."""

    revision: int
    user_id: int
    semester: SemesterInfo
    base_version: int
    now: Cell | None
    window: Window
    scope: tuple[int, ...]
    tasks: tuple[TaskEntry, ...]
    task_classes: tuple[ClassMeta, ...]
    next_state_id: int
    source_ids: Mapping[str, int]
    version: int = VERSION
    wishes: tuple[SoftLimit, ...] = ()

    @property
    def grid(self) -> Grid:
        return self.semester.grid

    @property
    def needed_classes(self) -> frozenset[int]:
        """Returns the classes whose rows the draft is made of: those of its scope and of every item it has changed.

        Without the rows of one of them a rebase would take its suggestions for items that are gone.
        """
        own = (entry.task_class_id for entry in self._items if entry.own_change)
        return frozenset({*self.scope, *filter(None, own)})

    @cached_property
    def _by_id(self) -> dict[int, TaskEntry]:
        return {entry.state_id: entry for entry in self.tasks}

    @cached_property
    def _by_item(self) -> dict[int, TaskEntry]:
        return {entry.source_id: entry for entry in self._items}

    @cached_property
    def _items(self) -> tuple[TaskEntry, ...]:
        return tuple(entry for entry in self.tasks if entry.source == "task_item")

    @cached_property
    def _by_event(self) -> dict[int, TaskEntry]:
        return {entry.source_id: entry for entry in self.tasks if not entry.is_item}

    @cached_property
    def _classes(self) -> dict[int, ClassMeta]:
        return {meta.id: meta for meta in self.task_classes}

    def task(self, state_id: int) -> TaskEntry | None:
        return self._by_id.get(state_id)

    def by_item(self, item_id: int) -> TaskEntry | None:
        return self._by_item.get(item_id)

    def by_event(self, event_id: int) -> TaskEntry | None:
        return self._by_event.get(event_id)

    def task_class(self, class_id: int) -> ClassMeta | None:
        return self._classes.get(class_id)

    def items(self) -> Iterator[TaskEntry]:
        return iter(self._items)

    def class_of(self, entry: TaskEntry) -> ClassMeta:
        """Returns the class of an item entry; every item's class is in the state."""
        assert entry.task_class_id is not None
        return self._classes[entry.task_class_id]

    def place_of(self, entry: TaskEntry) -> Place | None:
        return self.place_at(entry.slots[0]) if entry.slots else None

    def day_of(self, entry: TaskEntry) -> int | None:
        """Returns the day on which an entry stands."""
        return self.window.day_of(entry.slots[0].day) if entry.slots else None

    def place_at(self, slot: Slot) -> Place:
        return Place(self.window.day_of(slot.day), slot.slot_start, slot.slot_end - slot.slot_start + 1)

    def slot_of(self, place: Place) -> Slot:
        return Slot(self.window.index_of(place.day), place.first, place.last)

    def host_event_of(self, entry: TaskEntry) -> int | None:
        """Returns the event id of the host an item sits in."""
        return None if entry.embed_host is None else self._by_id[entry.embed_host].source_id

    def spot_of(self, entry: TaskEntry) -> Spot | None:
        place = self.place_of(entry)
        return None if place is None else Spot(place, self.host_event_of(entry))

    def subject(self, entry: TaskEntry) -> Subject:
        """Returns the item as the placement rule asks about it."""
        return Subject(entry.source_id, entry.task_order or 0, entry.name, entry.duration, self.class_of(entry))

    def situation(self, *, planner: bool = False) -> Situation:
        return Situation(now=self.now, window=(self.window.first_day, self.window.last_day), planner=planner)

    def board(self) -> Board:
        """Returns a fresh occupancy of the whole draft, free to be changed by its receiver."""
        events, items = [], []
        for entry in self.tasks:
            place = self.place_of(entry)
            if place is None:
                continue
            if entry.is_item:
                items.append(self.seat(entry, Spot(place, self.host_event_of(entry))))
            else:
                events.append(Occupant(entry.source_id, entry.name, entry.event_type, place, entry.can_embed))
        events.sort(key=lambda event: event.type == EXAM)
        return Board(self.grid, events, items)

    def seat(self, entry: TaskEntry, spot: Spot) -> PlacedItem:
        assert entry.task_class_id is not None
        order, place = entry.task_order or 0, spot.place
        past = self.now if self.now is not None and place.cell < self.now else None
        return PlacedItem(entry.source_id, entry.task_class_id, order, entry.name, place, spot.host_event_id, past)


def status_of(spot: Spot | None, base: Spot | None) -> Status:
    """Returns where an item stands compared with the timetable."""
    if spot is None:
        return "pending"
    return "existing" if spot == base else "suggested"


def with_spots(
    state: ScheduleState,
    spots: Mapping[int, Spot | None],
    *,
    reasons: Mapping[int, str] | None = None,
    by_hand: Collection[int] = (),
) -> ScheduleState:
    """Returns the state with the items of `spots` (by item id) set down or taken up; nothing is judged here.

    Both ends of every embedding follow. `reasons` names the rule of items left without a place, `by_hand` the items
    whose new place is the student's own. The same value comes back when nothing differs, otherwise the revision is one
    higher.
    """
    changed: dict[int, TaskEntry] = {}
    for item_id, spot in spots.items():
        entry = state.by_item(item_id)
        assert entry is not None, f"item {item_id} is not in the draft"
        new = entry_at(state, entry, spot, rule=(reasons or {}).get(item_id, ""), by_hand=item_id in by_hand)
        if new != entry:
            changed[entry.state_id] = new
    if not changed:
        return state
    tasks = _link_guests(tuple(changed.get(entry.state_id, entry) for entry in state.tasks))
    return replace(state, tasks=tasks, revision=state.revision + 1)


def with_keeping(state: ScheduleState, keeping: Mapping[int, tuple[bool, bool]]) -> ScheduleState:
    """Returns the state with (pinned, by hand) of placed items set, as one change."""
    tasks = tuple(
        replace(entry, pinned=keeping[entry.source_id][0], by_hand=keeping[entry.source_id][1])
        if entry.is_item and entry.slots and entry.source_id in keeping
        else entry
        for entry in state.tasks
    )
    return state if tasks == state.tasks else replace(state, tasks=tasks, revision=state.revision + 1)


def entry_at(
    state: ScheduleState, entry: TaskEntry, spot: Spot | None, *, rule: str = "", by_hand: bool = False
) -> TaskEntry:
    """Returns an item entry at a spot, its status by comparison with the timetable.

    What the student keeps stays so while it stays; the timetable's word comes back with its place; a pin goes along.
    """
    status = status_of(spot, entry.base_spot)
    host = None
    if spot is not None and spot.host_event_id is not None:
        event = state.by_event(spot.host_event_id)
        assert event is not None, f"host {spot.host_event_id} is not in the draft"
        host = event.state_id
    pinned = entry.pinned and spot is not None
    if spot is not None and spot == state.spot_of(entry):
        by_hand = entry.by_hand
    elif entry.base is not None and status == "existing":
        pinned, by_hand = entry.base.pinned, entry.base.by_hand
    own_event = entry.base.event_id if entry.base is not None and status == "existing" else None
    return replace(
        entry,
        status=status,
        slots=() if spot is None else (state.slot_of(spot.place),),
        embed_host=host,
        event_id=own_event,
        rule=rule if spot is None else "",
        pinned=pinned,
        by_hand=by_hand and spot is not None,
    )


def _link_guests(tasks: tuple[TaskEntry, ...]) -> tuple[TaskEntry, ...]:
    """Makes hosts name their guests again after guests moved."""
    guests = {entry.embed_host: entry.state_id for entry in tasks if entry.embed_host is not None}
    return tuple(
        entry
        if entry.is_item or entry.embedded_by == guests.get(entry.state_id)
        else replace(entry, embedded_by=guests.get(entry.state_id))
        for entry in tasks
    )
