"""What the timetable and the task classes say, as plain rows.

`Facts` is the only input from outside: `schedules.selectors` fills it from the database, tests write it by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from schedules.planner.class_rules import ClassRules
from schedules.planner.grid import Cell, Grid, Place
from schedules.planner.soft_limits import SoftLimit


def event_of_exam(exam_id: int) -> int:
    """Returns the number that an exam has among events: theirs are positive, its own is negative."""
    return -exam_id


def exam_of_event(event_id: int) -> int | None:
    return -event_id if event_id < 0 else None


@dataclass(frozen=True)
class EventFact:
    """Holds one event of the timetable.

    `type` is `course`, `task` or `exam`; `task_item_id` is set exactly for a task event made from an item. A host names
    its guest in `guest_task_item_id` and the guest's range, a part of the host's own, in `guest_place`. A lesson names
    its course and the course's place in the row of colours; `departure` tells how it differs from its weekly pattern.
    One that falls out is not `held` and has no sections. An exam may lie over other events; it owns its sections.
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
    course_id: int | None = None
    color_index: int | None = None
    held: bool = True
    departure: Mapping[str, Any] | None = None

    @property
    def exam_id(self) -> int | None:
        return exam_of_event(self.id)


@dataclass(frozen=True)
class ItemFact:
    """Holds one item of a class; `sections` is the length that is left to place, `applied` whether the timetable holds
    it.

    `mark` is what the student said about it; one that was missed is so only at `missed_place`. `rest`: a
    part of it is done. `pinned` and `by_hand` tell of an applied item who keeps it there: see `TaskEntry`.
    """

    id: int
    order: int
    content: str
    sections: int
    applied: bool
    mark: str = ""
    missed_place: Place | None = None
    rest: bool = False
    pinned: bool = False
    by_hand: bool = False


@dataclass(frozen=True)
class ClassFact:
    """Holds a task class; `total_slots` is its budget of sections, None when it has none.

    `seal` and `color_index` are what the student knows it by at a glance.
    """

    id: int
    name: str
    total_slots: int | None
    rules: ClassRules
    items: tuple[ItemFact, ...]
    seal: str = ""
    color_index: int = 0

    @property
    def item_ids(self) -> tuple[int, ...]:
        """Returns the ids of its items in class order."""
        return tuple(item.id for item in self.items)


@dataclass(frozen=True)
class Facts:
    """Holds all events held in one student's semester and every class that is asked for or owns a placed item.

    `now`: the first cell that had not begun when they were read.
    """

    user_id: int
    semester_id: int
    grid: Grid
    base_version: int
    events: tuple[EventFact, ...]
    task_classes: tuple[ClassFact, ...]
    now: Cell | None = None
    wishes: tuple[SoftLimit, ...] = ()
