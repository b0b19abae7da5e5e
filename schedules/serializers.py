"""Bodies of the timetable endpoints."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from schedules.models import COURSE_COLORS, default_section_times
from schedules.services.courses import CourseValues
from schedules.services.placement.apply import ApplyClass, ApplyItem
from schedules.terms.semester_values import SemesterValues
from taskclasses.fields import ClassValues, ItemValues
from taskclasses.kernel.rest import Body, Id, IsoDate, OptionalId, Text
from taskclasses.serializers import ClassBody

ITEMS_MAX, BATCHES_MAX, CLASSES_MAX = 500, 20, 20
GridNumber = Annotated[int, Field(ge=1, le=2**31)]


class PlacedItemBody(Body):
    """Holds one placed item of an apply-batch."""

    task_item_id: Id
    week: GridNumber
    day_of_week: Annotated[int, Field(ge=1, le=7)]
    start_section: GridNumber
    end_section: GridNumber
    embed_course_event_id: OptionalId = None
    # False: the place is the planner's suggestion, so that preferences bind it.
    by_hand: bool = True

    @model_validator(mode="after")
    def _ends_after_start(self) -> PlacedItemBody:
        if self.end_section < self.start_section:
            raise PydanticCustomError("value_error", "end_section")
        return self

    def values(self) -> ApplyItem:
        return ApplyItem(**self.model_dump())


class ClassItems(Body):
    task_class_id: Id
    items: Annotated[list[PlacedItemBody], Field(min_length=1, max_length=ITEMS_MAX)]


class ApplyBody(Body):
    """Holds one class (`task_class_id`, `items`) or many (`batches`), never both."""

    task_class_id: OptionalId = None
    items: Annotated[list[PlacedItemBody], Field(min_length=1, max_length=ITEMS_MAX)] | None = None
    batches: Annotated[list[ClassItems], Field(min_length=1, max_length=BATCHES_MAX)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_form(cls, document: Any) -> Any:
        if not isinstance(document, dict):
            return document
        single = document.get("task_class_id") is not None or document.get("items") is not None
        if single and document.get("batches") is not None:
            raise PydanticCustomError("value_error", "task_class_id, items, batches")
        absent = [name for name in ("task_class_id", "items") if not document.get(name) and document.get(name) != []]
        if document.get("batches") is None and absent:
            raise PydanticCustomError("missing", ", ".join(absent))
        if document.get("batches") is None and not isinstance(document["items"], list):
            raise PydanticCustomError("list_type", "items")
        return document

    @model_validator(mode="after")
    def _not_too_many(self) -> ApplyBody:
        if sum(len(batch.items) for batch in self.batches or []) > ITEMS_MAX:
            raise PydanticCustomError("too_long", "batches", {"max_length": ITEMS_MAX})
        return self

    def classes(self) -> list[ApplyClass]:
        if self.batches is not None:
            return [ApplyClass(batch.task_class_id, [item.values() for item in batch.items]) for batch in self.batches]
        return [ApplyClass(self.task_class_id or 0, [item.values() for item in self.items or []])]


class PlanningBody(Body):
    task_class_ids: Annotated[list[Id], Field(min_length=1, max_length=CLASSES_MAX)]


class SemesterBody(Body):
    """Holds a semester of the student's own; the section times of the shared default when none are given."""

    name: Annotated[Text, Field(max_length=60)]
    first_monday: IsoDate
    weeks: int
    section_times: Annotated[list[list[str]], Field(max_length=64)] = Field(default_factory=default_section_times)
    time_zone: Annotated[Text, Field(max_length=64)] = "Asia/Shanghai"

    def values(self) -> SemesterValues:
        return SemesterValues(**self.model_dump())


class CurrentSemesterBody(Body):
    """Names the current semester: None (or 0) gives the choice up: the shared current semester counts again."""

    semester_id: OptionalId


class CourseBody(Body):
    """Holds a course in the JSON form of courses. `arrangements` are judged one by one, as an import judges its
    rows."""

    course_name: Annotated[Text, Field(max_length=255)]
    teacher: Annotated[Text, Field(max_length=255)] = ""
    location: Annotated[Text, Field(max_length=255)] = ""
    color_index: Annotated[int, Field(ge=0, lt=COURSE_COLORS)] | None = None
    is_allow_tasks: bool = False
    note: Annotated[Text, Field(max_length=1_000)] = ""
    arrangements: Annotated[list[Any], Field(max_length=60)] = Field(default_factory=list)

    def values(self) -> CourseValues:
        return CourseValues(
            name=self.course_name,
            teacher=self.teacher,
            location=self.location,
            color_index=self.color_index,
            can_be_embedded=self.is_allow_tasks,
            note=self.note,
            arrangements=self.arrangements,
        )


class MergeBody(Body):
    """Holds the course whose lessons come over, and which is deleted."""

    course_id: Id


class ImportBody(Body):
    """Holds one of `courses`, the lists of a 正方 system, or a pasted `text`; judged row by row: one fault hides no
    other.

    `mends` are the ids of the offered mends to take.
    """

    format: str = "json"
    courses: Annotated[list[Any], Field(max_length=2_000)] | None = None
    kb_list: Annotated[list[Any], Field(max_length=2_000)] | None = Field(default=None, alias="kbList")
    sjk_list: Annotated[list[Any], Field(max_length=2_000)] | None = Field(default=None, alias="sjkList")
    text: Text | None = None
    mends: Annotated[list[Text], Field(max_length=4_000)] = Field(default_factory=list)


def class_values(body: ClassBody) -> ClassValues:
    fields = body.model_dump()
    items = [ItemValues(**item) for item in fields.pop("items")]
    return ClassValues(**fields, items=items)
