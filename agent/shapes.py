"""Shapes of the JSON that the agent's endpoints answer.

Cards and timeline items repeat the own fields of an event: their shapes are made of the event's class.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, get_args

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model
from typing_extensions import TypedDict

from agent.calls.kinds import Json
from agent.loop.events import (
    COMMON,
    ConfirmRequested,
    Event,
    InterruptRaised,
    RunStatus,
    ToolFinished,
)
from agent.loop.interactions import InteractionType, NodeName
from agent.loop.interactions import Status as InteractionStatus
from agent.loop.state.run import Phase
from agent.tools.cards.schemas import CHANGE
from schedules.exams.shapes import WrittenExamObject
from schedules.planner.replan.asks import ReplanKind, ReplanWay
from schedules.planner.shapes import CellPoint, DayRange, Difference, PreviewOfDraft
from schedules.presentation.shapes.placement import PersistedDiff
from schedules.terms.shapes import CalendarWrite, LessonWrite
from taskclasses.shapes import Conflict, DateText, GivenAnswer, Instant, PlaceWarning, Uuid, described_by, one_of

RunState = Annotated[str, one_of(get_args(RunStatus))]
_WHOLE = ConfigDict(json_schema_serialization_defaults_required=True)


def _own(name: str, event: type[Event], **more: Any) -> type[BaseModel]:
    """Returns the own fields of an event and some more."""
    kept = {key: field for key, field in event.model_fields.items() if key not in (*COMMON, "interaction_type")}
    fields: dict[str, Any] = {key: (field.annotation, field) for key, field in kept.items()}
    return create_model(name, __config__=_WHOLE, **{**fields, **more})


_CHANGES: dict[str, Any] = {"changes": (list[Annotated[Json, WithJsonSchema(CHANGE)]], ...)}
_ROW: dict[str, Any] = {"status": (InteractionStatus, ...), "answer": (GivenAnswer | None, ...)}
_CARD = {**_ROW, "run_id": (Uuid, ...), "created_at": (Instant, ...)}
ConfirmCard = _own("ConfirmCard", ConfirmRequested, **_CHANGES, **_CARD, type=(Literal["confirm"], ...))
QuestionCard = _own(
    "QuestionCard",
    InterruptRaised,
    **_CARD,
    type=(Literal["ask_user", "connection_recover"], ...),
)
Interaction = Annotated[Json, described_by(ConfirmCard | QuestionCard)]
"""An open question: the fields of the announcing event with what its row adds."""


class _Item(BaseModel):
    model_config = _WHOLE

    seq: int = Field(ge=1)
    run_id: Uuid
    role: Literal["user", "assistant", "tool", "system"]
    stage: NodeName
    block_id: str
    content: str
    idx_from: int | None
    idx_to: int | None
    created_at: Instant


def _item(kind: str, payload: type[BaseModel]) -> type[BaseModel]:
    name = "".join(word.title() for word in kind.split("_"))
    kinds: Any = Literal[kind]
    return create_model(f"{name}Item", __base__=_Item, kind=(kinds, ...), payload=(payload, ...))


def _payload(name: str, **fields: Any) -> type[BaseModel]:
    shape: dict[str, Any] = {key: (kind, ...) for key, kind in fields.items()}
    return create_model(name, __config__=_WHOLE, **shape)


_NOTHING = _payload("NoPayload")
TimelineItem = Annotated[
    Json,
    described_by(
        _item("user_text", _NOTHING)
        | _item("assistant_text", _NOTHING)
        | _item("reasoning_text", _payload("ReasoningPayload", duration_ms=int))
        | _item("tool_result", _own("ToolPayload", ToolFinished, **_CHANGES))
        | _item("confirm_request", _own("ConfirmPayload", ConfirmRequested, **_CHANGES, **_ROW))
        | _item("interrupt", _own("InterruptPayload", InterruptRaised, **_ROW, interaction_type=(InteractionType, ...)))
        | _item("schedule_completed", _payload("CompletedPayload", revision=int))
        | _item("system_message", _payload("SystemPayload", code=str, level=Literal["info", "warning"]))
        | _item("error", _payload("ErrorPayload", code=str))
    ),
]


class EventEnvelope(TypedDict):
    """Holds one event as polling and the WebSocket carry it: `framings.poll` of /api/v1/schema/events.json."""

    idx: int
    type: str
    data: Json
    ts: float


Follow = TypedDict("Follow", {"run_id": Uuid, "from": int})


class TimelinePage(TypedDict):
    items: list[TimelineItem]
    next_after_seq: int
    has_more: bool
    follow: Follow | None


class StartedTask(TypedDict):
    task_id: Uuid
    conversation_id: Uuid
    status: Literal["running"]
    next_offset: int


class RunError(TypedDict):
    code: str
    message: str


class EventsPage(TypedDict):
    events: list[EventEnvelope]
    next_offset: int
    has_more: bool


class PollPage(EventsPage):
    """Holds the poll answer (wire.md 6.4)."""

    task_id: Uuid
    conversation_id: Uuid
    status: RunState
    run_status: RunState
    interaction: Interaction | None
    error: RunError | None
    continues_task_id: Uuid | None
    created_at: Instant
    started_at: Instant | None
    finished_at: Instant | None


class CancelledTask(TypedDict):
    task_id: Uuid
    run_status: RunState


class CancelledRun(TypedDict):
    """Holds what was cancelled; both are null when there was nothing to cancel."""

    run_id: Uuid | None
    run_status: RunState | None


class ConversationObject(TypedDict):
    conversation_id: Uuid
    title: str
    run_status: RunState | None
    message_count: int
    last_message_at: Instant
    created_at: Instant


class DraftFigures(TypedDict):
    """Holds the draft in figures; values are empty when there is no draft."""

    exists: bool
    task_class_ids: list[int]
    window: DayRange | None
    suggested: int
    unplaced: int
    expires_at: Instant | None


class RunObject(TypedDict):
    run_id: Uuid
    status: RunState
    outcome: str | None
    error: RunError | None
    continues_run_id: Uuid | None
    next_idx: int
    created_at: Instant
    finished_at: Instant | None


class ConversationStateObject(TypedDict):
    conversation_id: Uuid
    title: str
    timeline_seq: int
    revision: int
    phase: Annotated[str, one_of(get_args(Phase))]
    draft: DraftFigures
    last_run: RunObject | None
    interaction: Interaction | None


class ContextStats(TypedDict):
    """Holds the latest model call: tokens of its four messages, of the answer, and how long it took."""

    run_id: Uuid
    call_index: int
    stage: str
    model: str
    msg0: int
    msg1: int
    msg2: int
    msg3: int
    total: int
    budget: int
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    first_delta_ms: int
    latency_ms: int
    finish_reason: str
    compacted: bool
    attempt: int


class DraftPreview(PreviewOfDraft):
    """Holds the draft as week grid and list (wire.md 3); `generated_at` is empty while it is as it was loaded.

    `semester_id` is the semester whose weeks are meant.
    """

    conversation_id: Uuid
    semester_id: int
    trace_id: str
    generated_at: Instant | Literal[""]
    difference: Difference


class SavedPlaces(TypedDict):
    """Holds preferences that the saved places break."""

    warnings: list[PlaceWarning]


class KeptDraftItem(TypedDict):
    task_item_id: int
    pinned: bool
    by_hand: bool


class KeptDraftItems(TypedDict):
    revision: int
    items: list[KeptDraftItem]


class WhyPart(TypedDict):
    """Holds one reason; `decides`: it speaks for this place and stands in the sentence."""

    part: Annotated[str, one_of(("hand", "order", "window", "free", "spread", "load"))]
    message: str
    decides: bool


class WhyHere(TypedDict):
    task_item_id: int
    message: str
    parts: list[WhyPart]


class PlaceReason(TypedDict):
    """Holds a rule that a place breaks, in a sentence for the student; `code` is that of a save there."""

    code: str
    rule: str
    message: str


class PlaceVerdict(TypedDict):
    """Holds a verdict; `warned`: taken when the student sets it. `reasons` are numbers in the list of reasons, from 0;
    the host is 0 where the place is free."""

    kind: Annotated[str, one_of(("legal", "warned", "refused"))]
    embed_course_event_id: int
    reasons: list[int]


class PlacesOfWeek(TypedDict):
    """Holds the places of a week: `cells[day_of_week - 1][first section - 1]` is the number of a verdict, from 0; a
    later start would not end within the day. `legal` and `warned` count."""

    week: int
    legal: int
    warned: int
    cells: list[list[int]]


class SwapPlace(CellPoint):
    """Tells where a suggestion begins that the item may change places with."""

    task_item_id: int


class LegalPlaces(TypedDict):
    """Holds every place of the semester for one item of `sections`; `revision` is the draft's, null on the timetable.

    `swaps`: places of other suggestions, each legal for both once the two have changed.
    """

    task_item_id: int
    task_class_id: int
    sections: int
    revision: int | None
    weeks: list[PlacesOfWeek]
    verdicts: list[PlaceVerdict]
    reasons: list[PlaceReason]
    swaps: list[SwapPlace]


class AppliedDraft(PersistedDiff):
    """Holds what was applied; `left` are the conflicts of what was left out because it clashes, when the request
    allowed that."""

    revision: int
    left: NotRequired[list[Conflict]]


class DraftDifference(Difference):
    """Tells what the draft changes on the timetable."""

    conversation_id: Uuid
    revision: int


class DiscardedDraft(TypedDict):
    revision: int
    discarded: int


class ReplanMove(TypedDict):
    """Holds one item that stands elsewhere for it; `reason` is empty where the ask itself is the reason."""

    task_item_id: int
    task_class_id: int
    name: str
    op: Literal["place", "move", "unplace"]
    reason: str


class ReplanLeft(TypedDict):
    task_item_id: int
    rule: str
    reason: str


class ClassDateChange(TypedDict):
    task_class_id: int
    field: Literal["start_date", "end_date"]
    before: DateText | None
    after: DateText


class CatchUpWayObject(TypedDict):
    """Holds one way: how many items keep their places, what would find none, in sentences, and what it would change."""

    way: ReplanWay
    stays: int
    left: list[str]
    difference: Difference


class CatchUpWays(TypedDict):
    """Holds the ways to catch up, the fewest changes first.

    `missed` are the items that count as missed, `kept` those on the days away that only the student moves.
    """

    kind: ReplanKind
    missed: list[int]
    kept: list[int]
    ways: list[CatchUpWayObject]


class ReplannedDraft(TypedDict):
    """Holds the draft after an ask: what this ask moved, how many items stay, what found no place, in sentences too.

    `class_change`, `lesson_change`, `exam_change`, `calendar_change`: what the ask wrote, null where it wrote
    nothing of the kind.
    """

    conversation_id: Uuid
    revision: int
    kind: str
    moves: list[ReplanMove]
    stays: int
    left: list[ReplanLeft]
    sentences: list[str]
    class_change: ClassDateChange | None
    lesson_change: LessonWrite | None
    exam_change: WrittenExamObject | None
    calendar_change: CalendarWrite | None
    difference: DraftDifference
