"""Bodies of the progress endpoints."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from schedules.mapping import place_of
from schedules.models import GRACE_HOURS_MAX
from schedules.planner.grid import Place
from schedules.serializers import GridNumber
from schedules.services.progress import MarkWish
from taskclasses.kernel.rest import Body, Id

MARKS_MAX = 200
Sections = Annotated[int, Field(ge=1, le=4)]


class PlaceBody(Body):
    week: GridNumber
    day_of_week: Annotated[int, Field(ge=1, le=7)]
    start_section: GridNumber
    end_section: GridNumber

    @model_validator(mode="after")
    def _ends_after_start(self) -> PlaceBody:
        if self.end_section < self.start_section:
            raise PydanticCustomError("value_error", "end_section")
        return self

    @property
    def place(self) -> Place:
        return place_of(self.week, self.day_of_week, self.start_section, self.end_section)


class MarkBody(Body):
    """Tells what is said; `sections_left` of a part done (default: half of it); `place` where it was done, when not as
    planned or now."""

    progress: Literal["open", "done", "partial", "missed"]
    sections_left: Sections | None = None
    place: PlaceBody | None = None

    def wish(self, task_item_id: int) -> MarkWish:
        place = None if self.place is None else self.place.place
        return MarkWish(task_item_id, self.progress, self.sections_left, place)


class ItemMarkBody(MarkBody):
    task_item_id: Id


class MarksBody(Body):
    items: Annotated[list[ItemMarkBody], Field(min_length=1, max_length=MARKS_MAX)]

    def wishes(self) -> list[MarkWish]:
        return [item.wish(item.task_item_id) for item in self.items]


class ProgressSettingsBody(Body):
    mode: Literal["assume_done", "tick"]
    grace_hours: Annotated[int, Field(ge=0, le=GRACE_HOURS_MAX)] | None = None
