"""The typed union of everything a run can tell a client (wire.md 6.1).

An event is born without a place in its run; the log gives it `idx` and `ts` when it is appended (`Event.stamped`).
Names and fields are forever within version 1: clients ignore what they do not know, we add and never rename.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from agent.calls.kinds import Json
from agent.loop.interactions import InteractionType, NodeName

VERSION = 1
RunStatus = Literal["queued", "running", "waiting", "succeeded", "failed", "cancelled", "interrupted"]
BlockId = Annotated[str, Field(min_length=1, max_length=80)]
Piece = Annotated[str, Field(min_length=1)]
Index = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]
COMMON = ("type", "stage", "block_id")


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Option(_Value):
    """Holds one offered answer of a question."""

    id: str
    label: str


class PlanStep(_Value):
    content: str
    done_when: str


class LabelledValue(_Value):
    """Holds one row of the field table of a confirmation card."""

    label: str
    value: object


class ConfirmTool(_Value):
    call_id: str
    name: str
    arguments_preview: str
    argument_view: Json | None


class Event(_Value):
    """Holds the common part: `stage` (wire.md 6.2) and `block_id`, which all events of one block share."""

    type: str
    stage: NodeName
    block_id: BlockId

    def own(self) -> Json:
        """Returns the event's own fields as JSON values, in the order of the documents."""
        return {key: value for key, value in self.model_dump(mode="json").items() if key not in COMMON}

    def stamp(self, *, idx: int, ts: float, run_id: str, conversation_id: str) -> Stamped:
        return Stamped(idx=idx, ts=round(ts, 3), run_id=run_id, conversation_id=conversation_id, event=self)


class MessageStarted(Event):
    """Begins a run, as idx 0 of every run."""

    type: Literal["message.started"] = "message.started"
    continues_run_id: str | None = None


class StatusChanged(Event):
    """Tells that a stage begins or changes; `summary` is shown, the list of codes is open."""

    type: Literal["status.changed"] = "status.changed"
    code: str
    summary: str


class ReasoningStarted(Event):
    type: Literal["reasoning.started"] = "reasoning.started"


class ReasoningDelta(Event):
    """Holds a piece of a thought; `index` counts from 1 in each block."""

    type: Literal["reasoning.delta"] = "reasoning.delta"
    content: Piece
    index: Index


class ReasoningEnded(Event):
    type: Literal["reasoning.ended"] = "reasoning.ended"
    full_content: str
    duration_ms: Count


class TextStarted(Event):
    type: Literal["text.started"] = "text.started"


class TextDelta(Event):
    """Holds a piece of a text; `elapsed` = seconds since the previous piece of the block, the first since
    `text.started`; 3 decimals."""

    type: Literal["text.delta"] = "text.delta"
    content: Piece
    index: Index
    elapsed: Seconds


class TextEnded(Event):
    """Ends a text; `superseded`: the answer was not accepted, the text is withdrawn."""

    type: Literal["text.ended"] = "text.ended"
    full_content: str
    superseded: bool = False


class ToolPreparing(Event):
    """Announces a call; `preparing_id` = `<name>:<N-1>` of the goal's N-th call."""

    type: Literal["tool.preparing"] = "tool.preparing"
    preparing_id: str
    name: str
    message: str
    intent: str


class ToolIntent(Event):
    type: Literal["tool.intent"] = "tool.intent"
    preparing_id: str
    name: str
    intent: str


class ToolDropped(Event):
    """Tells that an announced call is not run now: corrected, or it waits for consent."""

    type: Literal["tool.dropped"] = "tool.dropped"
    preparing_id: str
    name: str


class ToolStarted(Event):
    type: Literal["tool.started"] = "tool.started"
    call_id: str
    preparing_id: str | None = None
    name: str
    arguments: Json
    summary: str
    arguments_preview: str
    argument_view: Json | None = None


class ToolProgressed(Event):
    type: Literal["tool.progressed"] = "tool.progressed"
    call_id: str
    name: str
    message: str
    done: Count
    total: Count


class ToolFinished(Event):
    """Ends a call, exactly one for each `ToolStarted`; `changes` and the views are defined in tools.md."""

    type: Literal["tool.finished"] = "tool.finished"
    call_id: str
    name: str
    status: Literal["done", "failed", "blocked"]
    success: bool
    summary: str
    arguments_preview: str
    argument_view: Json | None = None
    result_view: Json | None = None
    changes: list[Json] = Field(default_factory=list)
    draft_revision: int | None = None
    error_code: str = ""
    error_message: str = ""
    duration_ms: Count = 0


class DraftUpdated(Event):
    type: Literal["draft.updated"] = "draft.updated"
    revision: int
    source: Literal["rough_build", "tool", "rebase", "student"]
    task_item_ids: list[int]


class ConfirmRequested(Event):
    type: Literal["confirm.requested"] = "confirm.requested"
    interaction_id: str
    title: str
    summary: str
    subject: Literal["plan", "tool"]
    tool: ConfirmTool | None = None
    plan_steps: list[PlanStep] = Field(default_factory=list)
    fields: list[LabelledValue] = Field(default_factory=list)
    changes: list[Json] = Field(default_factory=list)
    affected_days: list[int] = Field(default_factory=list)
    cost_before: int | None = None
    cost_after: int | None = None
    draft_revision: int
    expires_at: str


class InterruptRaised(Event):
    """Asks the student; `streamed`: the model spoke the question already, so it is not repeated as text."""

    type: Literal["interrupt.raised"] = "interrupt.raised"
    interaction_id: str
    interaction_type: Literal["ask_user", "connection_recover"]
    question: str
    options: list[Option] = Field(default_factory=list)
    streamed: bool = False
    expires_at: str


class InteractionResolved(Event):
    """Tells which answer made the run, as its idx 1."""

    type: Literal["interaction.resolved"] = "interaction.resolved"
    interaction_id: str
    interaction_type: InteractionType
    action: str
    message: str = ""
    option: str | None = None


class ScheduleCompleted(Event):
    type: Literal["schedule.completed"] = "schedule.completed"
    revision: int


class SystemMessage(Event):
    """Shows a notice that must survive a reload."""

    type: Literal["system.message"] = "system.message"
    code: str
    level: Literal["info", "warning"] = "info"
    content: str


class StreamReset(Event):
    """Sets a reader back, never in a log: made for a reader whose place is no longer held (wire.md 6.6)."""

    type: Literal["stream.reset"] = "stream.reset"
    folded_from: int
    folded_to: int
    items: list[Json]
    open_block: Json | None = None
    interaction: Json | None = None
    run_status: RunStatus
    revision: int


class RunFailed(Event):
    """Ends a run that failed; `code` is one of the 5xxxx codes."""

    type: Literal["run.failed"] = "run.failed"
    code: str
    message: str


class RunFinished(Event):
    """Ends a run; the counters are those of this run."""

    type: Literal["run.finished"] = "run.finished"
    run_status: RunStatus
    outcome: Literal["completed", "paused", "aborted", "exhausted", "interrupted"]
    outcome_code: str = ""
    total_iterations: Count = 0
    total_tool_calls: Count = 0
    auto_fix_attempts: Count = 0


class ForeignEvent(Event):
    """Holds an event of a type that a newer version tells: passed on and kept as it is, drawn by nobody here."""

    model_config = ConfigDict(extra="allow")


AnyEvent = Annotated[
    MessageStarted | StatusChanged | ReasoningStarted | ReasoningDelta | ReasoningEnded | TextStarted |
    TextDelta | TextEnded | ToolPreparing | ToolIntent | ToolDropped | ToolStarted | ToolProgressed |
    ToolFinished | DraftUpdated | ConfirmRequested | InterruptRaised | InteractionResolved | ScheduleCompleted |
    SystemMessage | StreamReset | RunFailed | RunFinished,
    Field(discriminator="type"),
]  # fmt: skip
EVENT: TypeAdapter[Event] = TypeAdapter(AnyEvent)
TYPES = frozenset(kind.model_fields["type"].default for kind in get_args(get_args(AnyEvent)[0]))
TERMINAL = (RunFailed, RunFinished)


@dataclass(frozen=True)
class Stamped:
    """Holds one event in its place: `idx` contiguous from 0 in the run, `ts` UNIX seconds with 3 decimals."""

    idx: int
    ts: float
    run_id: str
    conversation_id: str
    event: Event
    encoded: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What its stored form and the framings are as text, by name: log, archive and all readers of it share them."""

    @property
    def terminal(self) -> bool:
        return isinstance(self.event, TERMINAL)

    def to_document(self) -> Json:
        """Returns the stored form: common fields first, then the event's own."""
        event = self.event
        return {
            "v": VERSION,
            "idx": self.idx,
            "ts": self.ts,
            "type": event.type,
            "run_id": self.run_id,
            "conversation_id": self.conversation_id,
            "stage": event.stage,
            "block_id": event.block_id,
            **event.own(),
        }

    def to_line(self) -> str:
        """Returns the stored form as one line of JSON."""
        line: str | None = self.encoded.get("line")
        if line is None:
            line = self.encoded["line"] = json.dumps(self.to_document(), ensure_ascii=False, separators=(",", ":"))
        return line

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Reads the stored form. Raises `ValueError` for another version; a field that the next version added is
        left out, an event of a type that it added is a `ForeignEvent`."""
        fields = dict(document)
        if fields.pop("v", VERSION) != VERSION:
            raise ValueError("unknown event version")
        place = {key: fields.pop(key) for key in ("idx", "ts", "run_id", "conversation_id")}
        known = fields.get("type") in TYPES
        event = EVENT.validate_python(fields, extra="ignore") if known else ForeignEvent.model_validate(fields)
        return cls(event=event, **place)
