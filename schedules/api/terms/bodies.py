"""Bodies of the endpoints of exceptions and lesson changes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from schedules.serializers import GridNumber
from schedules.services.terms.lesson_changes import LessonChangeValues
from schedules.terms.exceptions import NAME_MAX, NOTE_MAX, REPLACED, ExceptionValues
from taskclasses.kernel.rest import Body, IsoDate, OptionalId, Text


class ExceptionBody(Body):
    """Holds one exception. `last_date` is the first date when it is not given.

    `section_from` and `section_to` say which sections of `kept_free` days have no study; without them all have none.
    """

    kind: Literal["holiday", "makeup", "exam_week", "kept_free"]
    name: Annotated[Text, Field(max_length=NAME_MAX)]
    first_date: IsoDate
    last_date: IsoDate | None = None
    study_allowed: bool = False
    lessons_held: bool = False
    follows_date: IsoDate | None = None
    parity: Literal["replaced", "own"] = REPLACED  # type: ignore[assignment]
    section_from: GridNumber | None = None
    section_to: GridNumber | None = None
    note: Annotated[Text, Field(max_length=NOTE_MAX)] = ""

    def values(self) -> ExceptionValues:
        return ExceptionValues(**{**self.model_dump(), "last_date": self.last_date or self.first_date})


class ExceptionsBody(Body):
    """Holds exceptions that come into the calendar together, as one batch."""

    exceptions: Annotated[list[ExceptionBody], Field(min_length=1, max_length=100)]


class LessonChangeBody(Body):
    """Holds a change of one lesson: `moved`, `cancelled` and `room` name a lesson by `event_id`, `added` its course.

    Where a moved or added lesson is held is told by the four coordinates; `location` null leaves the room as it is.
    """

    kind: Literal["moved", "cancelled", "added", "room"]
    event_id: OptionalId = None
    course_id: OptionalId = None
    week: GridNumber | None = None
    day_of_week: Annotated[int, Field(ge=1, le=7)] | None = None
    section_from: GridNumber | None = None
    section_to: GridNumber | None = None
    location: Annotated[Text, Field(max_length=255)] | None = None
    note: Annotated[Text, Field(max_length=NOTE_MAX)] = ""

    def values(self) -> LessonChangeValues:
        week, weekday, first, last = self.week, self.day_of_week, self.section_from, self.section_to
        told = week is not None and weekday is not None and first is not None and last is not None
        return LessonChangeValues(
            kind=self.kind,
            event_id=self.event_id,
            course_id=self.course_id,
            place=(week, weekday, first, last) if told else None,  # type: ignore[arg-type]
            location=self.location,
            note=self.note,
        )
