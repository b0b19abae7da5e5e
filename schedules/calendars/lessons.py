"""What an export tells of an event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from schedules.planner.grid import Place


@dataclass(frozen=True, kw_only=True)
class ExamEntry:
    """Holds an exam with its own instants."""

    exam_id: int
    revision: int
    updated_at: datetime
    name: str
    location: str
    begin: datetime
    end: datetime
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """Holds one event of the timetable; `category` is the class of a task and empty for a course, `guest` what it
    hosts.

    `mark` and `guest_mark` are what the student said of the item here: done, partial, missed or nothing.
    """

    event_id: int
    revision: int
    updated_at: datetime
    name: str
    location: str
    place: Place
    category: str
    task: bool
    can_be_embedded: bool
    interrupted: bool
    guest: str
    item_id: int | None = None
    guest_id: int | None = None
    guest_place: Place | None = None
    mark: str = ""
    guest_mark: str = ""
