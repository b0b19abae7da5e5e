"""Bodies of the exam endpoints."""

from __future__ import annotations

from datetime import time
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from schedules.services.exams import ExamValues
from schedules.terms.semester_values import CLOCK
from taskclasses.kernel.rest import Body, IsoDate, OptionalId, OptionalInt, Text


def _clock(value: Any) -> Any:
    if not isinstance(value, str) or not CLOCK.fullmatch(value):
        raise PydanticCustomError("time_type", "HH:MM")
    return time.fromisoformat(value)


Clock = Annotated[time, BeforeValidator(_clock), Field(json_schema_extra={"format": "HH:MM"})]


class ExamBody(Body):
    """Holds an exam: `start_time` and `end_time` (`HH:MM`, also outside the sections), or `section_from` and
    `section_to`."""

    name: Annotated[Text, Field(max_length=255)]
    date: IsoDate
    location: Annotated[Text, Field(max_length=255)] = ""
    course_id: OptionalId = None
    start_time: Clock | None = None
    end_time: Clock | None = None
    section_from: OptionalInt = None
    section_to: OptionalInt = None
    by_sections: bool | None = None
    note: Annotated[Text, Field(max_length=1_000)] = ""

    def values(self) -> ExamValues:
        """Returns the values; of an exam as it was read, which has both, `by_sections` says which of them count."""
        values = self.model_dump(exclude={"by_sections"})
        if self.by_sections is not None:
            left_out = ("start_time", "end_time") if self.by_sections else ("section_from", "section_to")
            values |= dict.fromkeys(left_out)
        return ExamValues(**values)
