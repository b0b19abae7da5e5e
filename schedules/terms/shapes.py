"""Shapes of the JSON that the endpoints of exceptions and lesson changes answer."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from schedules.terms.exceptions import KINDS, LESSON_KINDS, PARITIES
from schedules.terms.lessons import CHANGES
from taskclasses.shapes import DateText, Weekday, one_of

SHIFTS = (*CHANGES, *LESSON_KINDS, "replaced")
"""Why a lesson does not stand as the weekly pattern has it: what the student did, then what the calendar does."""


class LessonPlace(TypedDict):
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int
    location: str


Departure = TypedDict(
    "Departure",
    {"kind": Annotated[str, one_of(SHIFTS)], "note": str, "from": LessonPlace | None},
)
"""Why a lesson is not as the weekly pattern has it; `from` = its place there, null for one that no pattern has.

`note` = the student's note, or the name of the exception.
"""

LessonShift = TypedDict(
    "LessonShift",
    {"kind": Annotated[str, one_of(SHIFTS)], "note": str, "from": LessonPlace | None, "to": LessonPlace | None},
)
"""`to` is null for a lesson that falls out."""


class LessonChangeObject(LessonShift):
    """Tells what the student did to one lesson; `id` is that of the lesson's event."""

    id: int
    course_id: int | None
    name: str


class ExceptionFields(TypedDict):
    """Holds an exception; `section_from` and `section_to` are those of time kept free, null for whole days."""

    kind: Annotated[str, one_of(KINDS)]
    name: str
    first_date: DateText
    last_date: DateText
    study_allowed: bool
    lessons_held: bool
    follows_date: DateText | None
    parity: Annotated[str, one_of(PARITIES)]
    section_from: int | None
    section_to: int | None
    note: str


class ExceptionObject(ExceptionFields):
    """Holds an exception; `id` is 0 for one that is yet to be made."""

    id: int


class Proposal(TypedDict):
    """Holds a public holiday or a day worked in lieu. `known` = the calendar has it; `clash` = it has another on the
    date."""

    status: Literal["new", "known", "clash"]
    exception: ExceptionFields
    present: list[ExceptionObject]


class Proposals(TypedDict):
    country: str
    proposals: list[Proposal]


LessonEffect = TypedDict(
    "LessonEffect", {"event_id": int, "name": str, "from": LessonPlace | None, "to": LessonPlace | None}
)
"""A lesson that moves, falls out (`to` null) or is held again (`from` null); `event_id` is 0 for one yet to be made."""


class ItemEffect(TypedDict):
    """Holds an item that returns to the pool, and where it stood."""

    task_item_id: int
    task_class_id: int
    name: str
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int


class TermEffects(TypedDict):
    """Tells what a write does, or would do: `batch_id` is null for a trial."""

    batch_id: int | None
    lessons: list[LessonEffect]
    items: list[ItemEffect]
    released_task_item_ids: list[int]


class CalendarWrite(TermEffects):
    """Holds the calendar; `exceptions` as they stand after the write; of a trial as they would."""

    exceptions: list[ExceptionObject]


class LessonWrite(TermEffects):
    """Holds a lesson after a write; `change` is null when the lesson stands as the pattern has it, or went."""

    change: LessonChangeObject | None


class TermDay(TypedDict):
    """Holds a date on which an exception counts."""

    date: DateText
    day_of_week: Weekday
    kind: Annotated[str, one_of(LESSON_KINDS)]
    name: str
    study_allowed: bool
    follows_date: DateText | None


class KeptFreeTime(TypedDict):
    """Holds sections of a date that the student keeps free of study."""

    date: DateText
    day_of_week: Weekday
    section_from: int
    section_to: int
    name: str
