"""Shapes of the JSON that the API answers: types of the code that writes it, and what the OpenAPI document is made of.

Each answer is a TypedDict, so mypy holds the writer to it and `smartmate.openapi.document` publishes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar

from pydantic import Field, GetPydanticSchema
from typing_extensions import TypedDict

from taskclasses.fields import COLORS, LEVELS, MODES, STRATEGIES, SUBJECT_TYPES

T = TypeVar("T")


def one_of(values: Iterable[str]) -> Any:
    """Marks a text as one of some words."""
    return Field(json_schema_extra={"enum": list(values)})


def described_by(kind: Any) -> Any:
    """Marks JSON that is put together from parts at run time: it has the schema of `kind`."""
    return GetPydanticSchema(lambda _source, handler: handler(kind))


Weekday = Annotated[int, Field(ge=1, le=7)]
DateText = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
ClockText = Annotated[str, Field(pattern=r"^\d{2}:\d{2}$")]
Instant = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")]
Uuid = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
Level = Annotated[str, one_of(LEVELS)]


ProgressText = Annotated[str, one_of(("open", "done", "partial", "missed"))]


class Page(TypedDict, Generic[T]):
    list: Sequence[T]
    page: int
    page_size: int
    total: int
    has_more: bool


class EmbeddedTime(TypedDict):
    week: int
    day_of_week: Weekday
    section_from: int
    section_to: int


class WeekCell(TypedDict):
    """Holds one block of one weekday."""

    day_of_week: Weekday
    block: Annotated[int, Field(ge=1)]


class ClassItem(TypedDict):
    """Holds an item; `sections` = what there is to place of it; of an item done in part that is `sections_left`, else
    null."""

    id: int
    order: int
    content: str
    duration: int | None
    sections: int
    status: Annotated[int, Field(ge=1, le=2)]
    embedded_time: EmbeddedTime | None
    progress: ProgressText
    sections_left: int | None


class ClassFields(TypedDict):
    """Holds a class without its items."""

    id: int
    name: str
    mode: Annotated[str, one_of(MODES)]
    start_date: DateText | None
    end_date: DateText | None
    subject_type: Annotated[str, one_of(SUBJECT_TYPES)] | None
    difficulty_level: Level | None
    cognitive_intensity: Level | None
    total_slots: int | None
    allow_filler_course: bool
    strategy: Annotated[str, one_of(STRATEGIES)]
    excluded_slots: list[int]
    excluded_days_of_week: list[Weekday]
    excluded_cells: list[WeekCell]
    color_index: Annotated[int, Field(ge=0, lt=COLORS)]
    seal: str
    course_id: int | None
    exam_id: int | None


class ClassBrief(ClassFields):
    """Holds a row of the list of classes; `waiting_count` = items that still want a place."""

    item_count: int
    applied_count: int
    waiting_count: int


class ClassObject(ClassFields):
    items: list[ClassItem]


# --- `data` of refusals ----------------------------------------------------------------------------------------------


class FieldFault(TypedDict):
    """Names a wrong field; `code` names faults of an uploaded file, `forms` the formats that can be read."""

    field: str
    message: str
    code: NotRequired[str]
    forms: NotRequired[list[str]]


class FieldFaults(TypedDict):
    errors: list[FieldFault]


class Forms(TypedDict):
    """Holds the formats of course files that can be read."""

    forms: list[str]


class FieldName(TypedDict):
    field: str


class LengthFault(TypedDict):
    field: str
    limit: int


RowStatus = Literal["ok", "duplicate", "conflict", "invalid"]


class ImportRow(TypedDict):
    """Holds a row of an import; `text` is what stands in the file, `pattern` what it would be; `confidence` is told of
    pictures only."""

    row: int
    status: RowStatus
    code: str
    message: str
    events: int
    course_name: str
    text: str
    pattern: str
    location: str
    teacher: str
    confidence: float | None


class ImportRows(TypedDict):
    rows: list[ImportRow]


class Blocker(TypedDict):
    """Tells what is in the way."""

    event_id: int
    task_item_id: int
    name: str
    type: str


# A place that a rule speaks against, and what is in the way.
_BrokenPlace = TypedDict(
    "_BrokenPlace",
    {
        "code": str,
        "rule": str,
        "task_item_id": int,
        "task_class_id": int,
        "week": int,
        "day_of_week": int,
        "section_from": int,
        "section_to": int,
        "with": Blocker | None,
    },
)


class Conflict(_BrokenPlace):
    """Tells what forbids a place; an import also names the row of the file."""

    row: NotRequired[int]


class PlaceWarning(_BrokenPlace):
    """Tells which preference a place of the student's own breaks; `message` says it in a sentence."""

    message: str


class OfferedItem(TypedDict):
    """Holds an item of a body of schedule-state or apply-batch; `from_timetable` stands with what is applied."""

    task_item_id: int
    task_class_id: int
    week: int
    day_of_week: int
    start_section: int
    end_section: int
    embed_course_event_id: int | None
    by_hand: bool
    from_timetable: NotRequired[bool]


class PlaceOffer(TypedDict):
    """Holds a way out of a refused place: `items` can be posted as they are in place of those that were refused."""

    kind: Literal["shift_followers", "swap", "nearest"]
    message: str
    items: list[OfferedItem]


class Conflicts(TypedDict):
    conflicts: list[Conflict]
    offers: NotRequired[list[PlaceOffer]]


class RetryAfter(TypedDict):
    retry_after: int


class ItemIds(TypedDict):
    task_item_ids: list[int]


class ClassIds(TypedDict):
    task_class_ids: list[int]


class SemesterInUse(TypedDict):
    """Holds events of the semester, of all those that the change would leave no room for."""

    events: int


class PresentRevision(TypedDict):
    revision: int


class GivenAnswer(TypedDict):
    """Holds the answer an interaction has had."""

    action: str
    message: str
    option: str | None
    run_id: Uuid


class ClosedInteraction(TypedDict):
    reason: Literal["unknown", "expired", "superseded", "answered"]
    answer: GivenAnswer | None


class ActiveRun(TypedDict):
    run_id: Uuid
    status: Literal["queued", "running"]
    next_idx: int


class UndoObstacles(TypedDict):
    reason: Literal["not_found", "already_undone", "changed_since", "not_placed"]
    conflicts: list[Conflict]


class UnfitMarks(TypedDict):
    """Names items that cannot be marked; `not_begun`: it lies ahead; `not_placed`: it stands nowhere; `bad_rest`: the
    rest is not shorter."""

    reason: Literal["not_begun", "not_placed", "bad_rest"]
    task_item_ids: list[int]


class UsedQuota(TypedDict):
    """Tells how many messages to the assistant were sent today, and how many may be."""

    used: int
    limit: int | None


class ExceptionBrief(TypedDict):
    """Holds an exception of the calendar; `id` is 0 for one yet to be made."""

    id: int
    kind: Literal["holiday", "makeup", "exam_week", "kept_free"]
    name: str
    first_date: DateText
    last_date: DateText
    follows_date: DateText | None


Overlap = TypedDict("Overlap", {"exception": ExceptionBrief, "with": ExceptionBrief})
"""Two exceptions that share a date, or make-up days that take the lessons of one date."""


class Overlaps(TypedDict):
    overlaps: list[Overlap]


class RequestId(TypedDict):
    request_id: str


REFUSALS: Mapping[int, Any] = {
    40004: FieldName,
    40005: FieldFaults,
    40006: LengthFault,
    40019: ImportRows,
    40025: Conflicts,
    40026: Conflicts,
    40085: Forms,
    40033: RetryAfter,
    40034: ItemIds,
    40038: RetryAfter,
    40040: ClassIds,
    40046: ClassIds,
    40048: ItemIds,
    40049: Conflicts,
    40051: Overlaps,
    40059: Conflicts,
    40060: ItemIds,
    40061: Conflicts,
    40062: ItemIds,
    40071: PresentRevision,
    40072: Conflicts,
    40073: Conflicts,
    40074: ClosedInteraction,
    40075: ActiveRun,
    40077: UndoObstacles,
    40078: SemesterInUse,
    40090: UnfitMarks,
    40092: UsedQuota,
    50000: RequestId,
}
"""Shape of `data` by code (wire.md 1.5); the codes that are not here answer null."""
