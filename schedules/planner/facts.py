"""What the timetable and the task classes say, as plain rows.

`Facts` is the only input from outside: `schedules.selectors` fills it from the database, tests write it by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from schedules.planner.class_rules import ClassRules
from schedules.planner.grid import Grid, Place


@dataclass(frozen=True)
class EventFact:
    """One event of the timetable.

    `type` is `course` or `task`; `task_item_id` is set exactly for a task event made from an item. A host names its
    guest in `guest_task_item_id` and the guest's range, a part of the host's own, in `guest_place`.
    """

    id: int
    name: str
    type: str
    task_item_id: int | None
    can_be_embedded: bool
    place: Place
    guest_task_item_id: int | None = None
    location: str = ""
    interrupted: bool = False
    guest_place: Place | None = None


@dataclass(frozen=True)
class ItemFact:
    """One item of a class; `sections` is its resolved length, `applied` whether the timetable holds it."""

    id: int
    order: int
    content: str
    sections: int
    applied: bool


@dataclass(frozen=True)
class ClassFact:
    """A task class; `total_slots` is its budget of sections, None when it has none."""

    id: int
    name: str
    total_slots: int | None
    rules: ClassRules
    items: tuple[ItemFact, ...]


@dataclass(frozen=True)
class Facts:
    """All events of one student's semester and every class that is asked for or owns a placed item."""

    user_id: int
    semester_id: int
    grid: Grid
    base_version: int
    events: tuple[EventFact, ...]
    task_classes: tuple[ClassFact, ...]
