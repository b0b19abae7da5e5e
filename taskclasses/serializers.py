"""Bodies of the class endpoints."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from taskclasses.kernel.rest import Body, IsoDate, OptionalId, OptionalInt, Text
from taskclasses.seals import SEAL_MAX
from taskclasses.spec import CONTENT_MAX, ITEMS_MAX, NAME_MAX


class ItemBody(Body):
    id: OptionalId = None
    order: Annotated[int, Field(ge=1, le=10_000)]
    content: Annotated[Text, Field(max_length=CONTENT_MAX)]
    duration: OptionalInt = None


class CellBody(Body):
    day_of_week: int
    block: int


class ClassBody(Body):
    """Checks types only: what the values mean together is checked by `taskclasses.spec`."""

    name: Annotated[Text, Field(max_length=NAME_MAX)]
    mode: Text = "auto"
    start_date: IsoDate | None = None
    end_date: IsoDate | None = None
    subject_type: Text | None = None
    difficulty_level: Text | None = None
    cognitive_intensity: Text | None = None
    total_slots: OptionalInt = None
    allow_filler_course: bool = False
    strategy: Text = "steady"
    excluded_slots: Annotated[list[int], Field(default_factory=list, max_length=100)]
    excluded_days_of_week: Annotated[list[int], Field(default_factory=list, max_length=100)]
    excluded_cells: Annotated[list[CellBody], Field(default_factory=list, max_length=200)]
    color_index: int | None = None
    seal: Annotated[Text, Field(max_length=SEAL_MAX)] | None = None
    course_id: OptionalId = None
    exam_id: OptionalId = None
    items: Annotated[list[ItemBody], Field(default_factory=list, max_length=ITEMS_MAX)]
