"""Shapes of the JSON that the API answers: types of the code that writes it, and what the OpenAPI document is made of.

Each answer is a TypedDict, so mypy holds the writer to it and `smartmate.openapi.document` publishes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar

from pydantic import Field, GetPydanticSchema
from typing_extensions import TypedDict

from taskclasses.fields import LEVELS, MODES, STRATEGIES, SUBJECT_TYPES

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


class ClassItem(TypedDict):
    id: int
    order: int
    content: str
    duration: int | None
    sections: int
    status: Annotated[int, Field(ge=1, le=2)]
    embedded_time: EmbeddedTime | None


class ClassFields(TypedDict):
    """A class without its items."""

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


class ClassBrief(ClassFields):
    """A row of the list of classes."""

    item_count: int
    applied_count: int


class ClassObject(ClassFields):
    items: list[ClassItem]


# --- `data` of refusals ----------------------------------------------------------------------------------------------


class FieldFault(TypedDict):
    """`code` names faults of an uploaded file."""

    field: str
    message: str
    code: NotRequired[str]


class FieldFaults(TypedDict):
    errors: list[FieldFault]


class FieldName(TypedDict):
    field: str


class LengthFault(TypedDict):
    field: str
    limit: int


RowStatus = Literal["ok", "duplicate", "conflict", "invalid"]


class ImportRow(TypedDict):
    row: int
    status: RowStatus
    code: str
    message: str
    events: int


class ImportRows(TypedDict):
    rows: list[ImportRow]


class Blocker(TypedDict):
    """What is in the way."""

    event_id: int
    task_item_id: int
    name: str
    type: str


# An import also names the row of the file.
Conflict = TypedDict(
    "Conflict",
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
        "row": NotRequired[int],
    },
)


class Conflicts(TypedDict):
    conflicts: list[Conflict]


class RetryAfter(TypedDict):
    retry_after: int


class ItemIds(TypedDict):
    task_item_ids: list[int]


class ClassIds(TypedDict):
    task_class_ids: list[int]


class SemesterInUse(TypedDict):
    """Events of the semester, of all those that the change would leave no room for."""

    events: int


class PresentRevision(TypedDict):
    revision: int


class GivenAnswer(TypedDict):
    """The answer an interaction has had."""

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


class RequestId(TypedDict):
    request_id: str


REFUSALS: Mapping[int, Any] = {
    40004: FieldName,
    40005: FieldFaults,
    40006: LengthFault,
    40019: ImportRows,
    40025: Conflicts,
    40026: Conflicts,
    40033: RetryAfter,
    40034: ItemIds,
    40038: RetryAfter,
    40040: ClassIds,
    40046: ClassIds,
    40048: ItemIds,
    40049: Conflicts,
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
    50000: RequestId,
}
"""Shape of `data` by code (wire.md 1.5); the codes that are not here answer null."""
