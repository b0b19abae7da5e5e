"""Shapes of the JSON of imports of course files."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from schedules.terms.shapes import LessonShift
from taskclasses.shapes import (
    Conflict,
    ImportRow,
    Weekday,
)


class MissingMeeting(TypedDict):
    """Holds a weekly meeting imported before, in the weeks that the file no longer has; `event_ids` are its lessons."""

    name: str
    day_of_week: Weekday
    section_from: int
    section_to: int
    weeks: list[int]
    event_ids: list[int]


class Meeting(TypedDict):
    day_of_week: Weekday
    section_from: int
    section_to: int
    location: str


MovedMeeting = TypedDict(
    "MovedMeeting", {"name": str, "weeks": list[int], "event_ids": list[int], "from": Meeting, "to": Meeting}
)
"""A weekly meeting imported before that the file has at another time or in another room, in the weeks that move."""


NewTeacher = TypedDict("NewTeacher", {"name": str, "from": str, "to": str})
"""A course imported before that the file has with another teacher; "" where none was known."""


class ImportMend(TypedDict):
    """Tells what could be done about a doubtful row (0: about the whole file); `taken` when the request named its
    id."""

    id: str
    kind: str
    row: int
    message: str
    taken: bool


class KeptChange(LessonShift):
    """Holds a lesson that the student changed and that the file names; `to` is null for a cancelled one.

    `kept` is false when the import was told to put it back to where the file has it.
    """

    event_id: int
    name: str
    kept: bool


class PictureObject(TypedDict):
    """Tells how much of a timetable a picture showed, and what is to be said of it as a whole."""

    outcome: Literal["whole", "partly", "not_a_timetable"]
    warnings: list[str]


class ImportReport(TypedDict):
    """Reports an import; `missing` is told of files that hold a whole timetable: what they lack and what stays.

    `moved` and `gone` tell what the file has elsewhere and no more of what earlier imports brought, `teachers` who
    teaches a course now; it becomes so where the import was asked to `replace`. `events` are the lessons at new times,
    those that move included. `changes` are the lessons that the student changed and that the file names. `batch_id` is
    null when nothing was written.
    """

    dry_run: bool
    batch_id: int | None
    events: int
    duplicates: int
    rows: list[ImportRow]
    conflicts: list[Conflict]
    missing: list[MissingMeeting]
    replace: bool
    moved: list[MovedMeeting]
    gone: list[MissingMeeting]
    teachers: list[NewTeacher]
    mends: list[ImportMend]
    picture: PictureObject | None
    changes: list[KeptChange]
    released_task_item_ids: list[int]
