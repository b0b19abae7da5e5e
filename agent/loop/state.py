"""What a conversation remembers, in parts by lifetime.

A reset is a fresh part, never field by field: `new_goal` replaces run, plan, health and tools and keeps conversation
and draft. The stored form is canonical JSON with a version; `migrations.py` lifts older documents.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator
from typing_extensions import TypedDict

from agent.calls.kinds import Json, LoggedKind
from agent.loop.interactions import NodeName, OpenInteraction
from agent.loop.migrations import VERSION, migrate_document
from schedules.planner.draft.diff import changes_between
from schedules.planner.draft.state import ScheduleState

Phase = Literal["chatting", "planning", "waiting_confirm", "executing", "interrupted", "done"]
Mode = Literal["", "first_full", "global_reopt", "local_adjust"]
Via = Literal["message", "reply", "reject"]


def _read_schedule(value: object) -> ScheduleState | None:
    if value is None or isinstance(value, ScheduleState):
        return value
    if not isinstance(value, dict):
        raise ValueError("a stored schedule is an object")
    return ScheduleState.from_json(value)


Schedule = Annotated[
    ScheduleState | None,
    PlainValidator(_read_schedule),
    PlainSerializer(lambda value: value.to_json() if value is not None else None),
]


class StatePart(BaseModel):
    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    def copied(self) -> Self:
        """A copy with lists and dictionaries of its own; what they hold is shared."""
        copy = self.model_copy()
        for name, value in self:
            if isinstance(value, list | dict):
                setattr(copy, name, value.copy())
        return copy


class DraftCost(TypedDict):
    """What a draft costs, whole and by part; lower is better."""

    total: int
    parts: dict[str, int]


class Asked(StatePart):
    """What a question is about. Two questions of one topic and one `about` are the same, whatever their words."""

    topic: str
    about: Json = Field(default_factory=dict)


class Turn(StatePart):
    """Something said aloud, or an option chosen: `question` is then what it answers and `option` its id, with the
    option's label as the text.

    `via` tells how words of the student came. Of words for the student, `asks` tells what they ask, and `item_ids`
    which items they name.
    """

    role: Literal["user", "assistant"]
    text: str
    via: Via = "message"
    question: str = ""
    option: str | None = None
    asks: Asked | None = None
    item_ids: list[int] = Field(default_factory=list)


class WeekPlace(StatePart):
    """Where an item stood or stands."""

    week: int
    day_of_week: int
    section_from: int
    section_to: int


class GoalChange(StatePart):
    """What a goal made of the draft: a build, several changes, or one change of one item. `told` is what the student
    heard of it."""

    kind: Literal["build", "several", "place", "move", "unplace"]
    item_id: int | None = None
    before: WeekPlace | None = None
    after: WeekPlace | None = None
    told: str = ""


class ConversationPart(StatePart):
    """Never reset. `watermark` turns came before `dialogue`; `summary` stands for them."""

    id: str
    user_id: int
    locale: str = "zh"
    scope: list[int] = Field(default_factory=list)
    dialogue: list[Turn] = Field(default_factory=list)
    summary: str = ""
    watermark: int = 0
    goals: int = 0
    seen_revision: int | None = None
    """The newest draft revision whose change log the model has been told about."""
    seen_classes: dict[str, str] = Field(default_factory=dict)
    """How the classes of the scope were when the loop last looked: class id -> digest."""
    last_change: GoalChange | None = None
    """What the last goal that changed the draft made of it; the present goal's own is `RunPart.change`."""


class Outcome(StatePart):
    """How a goal ended. `internal_reason` is for logs only."""

    status: Literal["completed", "aborted", "exhausted"]
    stage: str
    code: str = ""
    user_message: str = ""
    internal_reason: str = ""


class Receipt(StatePart):
    """`ExecuteEvidenceReceipt`: written by code only, bound to the step current at that moment."""

    step_index: int = Field(ge=0)
    source: Literal["tool_observation", "write_receipt", "user_reply"]
    name: str
    arguments_digest: str = ""
    success: bool = True
    summary: str = ""
    call_id: str = ""


class Correction(StatePart):
    """Why the last answer was not taken up; shown to the model once."""

    kind: Literal["parse", "contract", "tool_call", "flow", "evidence", "safety", "truncated"]
    error: str
    fragment: str = ""
    expected: str = ""
    code: str = ""
    """The habit of form that it corrects, if it is one."""


class Call(StatePart):
    """One executed call of the goal, the source of the react log and of the view."""

    n: int
    tool: str
    kind: LoggedKind
    arguments: Json = Field(default_factory=dict)
    status: Literal["done", "failed", "blocked", "rejected"]
    thought: str = ""
    observation: str = ""
    summary: str = ""
    data: Json = Field(default_factory=dict)
    error_code: str = ""
    rule: str = ""
    system: bool = False
    step_index: int = 0
    revision: int | None = None
    repeated: bool = False
    folded: bool = False


class Approved(StatePart):
    """A call the student agreed to, to be run at the next round."""

    name: str
    arguments: Json
    call_id: str
    draft_revision: int | None = None
    changes_digest: str = ""
    interaction_id: str = ""


class Rejection(StatePart):
    """A call the student refused: never asked again in this goal."""

    name: str
    arguments: Json
    digest: str
    changes_digest: str = ""


class GoalStep(StatePart):
    """One step of a plan. `kind` and `class_ids` are given by a backend that plans by fixed steps."""

    content: str
    done_when: str
    kind: str = ""
    class_ids: list[int] = Field(default_factory=list)


class Answered(StatePart):
    """The last interaction answered in this goal, and how much had happened by then.

    `call` or `steps` is what a card asked consent to, `topic` what a question was about.
    """

    type: str
    subject: str
    action: str
    message: str = ""
    option: str | None = None
    question: str = ""
    topic: str = ""
    call: Json | None = None
    steps: list[GoalStep] = Field(default_factory=list)
    seen: bool = False
    results_at: int = 0


class RunPart(StatePart):
    """Lives as long as the goal; a resume keeps it, a new goal gets a fresh one.

    `run_id` is the run that saved the part last, `node` where it stood.
    """

    run_id: str = ""
    request: str = ""
    always_execute: bool = False
    thinking: Literal["auto", "true", "false"] = "auto"
    wants_thinking: bool = False
    phase: Phase = "chatting"
    node: NodeName = "chat"
    rounds: int = 0
    plan_calls: int = 0
    idle_rounds: int = 0
    corrections: dict[str, int] = Field(default_factory=dict)
    corrections_total: int = 0
    correction: Correction | None = None
    reminders: dict[str, str] = Field(default_factory=dict)
    """What the model was told about the form of its answers: code of the habit -> one line. It stays for the goal."""
    optimization_mode: Mode = ""
    active_optimize_only: bool = False
    refine: bool | None = None
    receipts: list[Receipt] = Field(default_factory=list)
    seen_receipts: list[str] = Field(default_factory=list)
    seen_places: list[str] = Field(default_factory=list)
    rejected: list[Rejection] = Field(default_factory=list)
    questions: list[str] = Field(default_factory=list)
    counters: dict[str, int] = Field(default_factory=dict)
    calls: list[Call] = Field(default_factory=list)
    repeats: dict[str, int] = Field(default_factory=dict)
    turns: list[Turn] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    news: list[str] = Field(default_factory=list)
    """Sentences for msg3 about what moved since the last round; shown once."""
    start_revision: int | None = None
    start_places: dict[str, list[int]] = Field(default_factory=dict)
    start_cost: DraftCost | None = None
    approved: Approved | None = None
    interaction: Answered | None = None
    pending: OpenInteraction | None = None
    scope_asked: bool = False
    scope_given: bool = False
    """The request itself named the classes; it wins over the model."""
    accept_partial: bool = False
    resumes: bool = False
    """The goal began with consent to what the goal before it had been refused."""
    change: GoalChange | None = None
    outcome: Outcome | None = None
    outbox: list[Json] = Field(default_factory=list)
    """The events that tell of the write this document was saved with: whoever finds them untold tells them."""


class Hook(StatePart):
    """Opens tool packs before the next execute round, once."""

    domain: str
    packs: list[str] = Field(default_factory=list)
    reason: str = ""


class PlanPart(StatePart):
    """Dropped whole when the goal ends or the student refuses the plan. No steps = a plan of one step, index 0."""

    steps: list[GoalStep] = Field(default_factory=list)
    current: int = 0
    hook: Hook | None = None
    needs_rough_build: bool = False
    build_after_write: bool = False
    """The build is for a class that has to be written first."""
    needs_refine: bool | None = None

    @property
    def build_due(self) -> bool:
        """A rough build is wanted and nothing has to come before it."""
        return self.needs_rough_build and not self.build_after_write

    @property
    def last(self) -> bool:
        return self.current >= len(self.steps) - 1


class RoughBuildRecord(StatePart):
    class_ids: list[int]
    placed: int
    left: list[Json] = Field(default_factory=list)
    revision: int
    at: str


class AcceptedRisk(StatePart):
    gap_sections: int
    unplaced_item_ids: list[int] = Field(default_factory=list)
    at: str
    by: str
    """Interaction id, or the message that accepted it."""


Author = Literal["agent", "student", "apply", "rebase"]
LOG_LENGTH = 50


class LogEntry(StatePart):
    """One change of the draft: who made it, which revision came of it, what moved."""

    who: Author
    revision: int
    at: str
    changes: list[Json] = Field(default_factory=list)


class DraftPart(StatePart):
    """Never reset, only rebased. The student's own save changes this part alone."""

    schedule: Schedule = None
    rough_build: RoughBuildRecord | None = None
    built: list[int] = Field(default_factory=list)
    report: Json | None = None
    accepted_risk: AcceptedRisk | None = None
    negotiating: bool = False
    """The last goal ended because not everything fits; the next message may choose an option."""
    log: list[LogEntry] = Field(default_factory=list)
    """The newest changes, oldest first."""
    by_hand: list[int] = Field(default_factory=list)
    """Ids of the items that stand where the student put them: nothing moves them without being asked."""
    written_at: str = ""
    """When the present revision was written, RFC 3339; `written_by` is the run that last wrote it."""
    written_by: str = ""

    def note_change(self, before: ScheduleState | None, *, who: Author, at: str) -> None:
        """Enters into the log how the present revision differs from the one before."""
        after = self.schedule
        assert after is not None
        changes = [] if before is None else [row.to_json(after.window) for row in changes_between(before, after)]
        entry = LogEntry(who=who, revision=after.revision, at=at, changes=changes)
        self.log = [*self.log, entry][-LOG_LENGTH:]
        touched = {int(row["task_item_id"]) for row in changes if row.get("task_item_id") is not None}
        placed = (
            {int(row["task_item_id"]) for row in changes if row.get("after") is not None} if who == "student" else set()
        )
        self.by_hand = sorted(({*self.by_hand} - touched) | placed)
        # Never back in time: what was undone before the draft was written has been looked at.
        self.written_at = max(at, self.written_at)

    def to_document(self) -> Json:
        return self.model_dump(mode="json")

    @classmethod
    def from_document(cls, document: Mapping[str, object]) -> Self:
        return cls.model_validate(document)


class HealthPart(StatePart):
    """The last diagnosis. `signals` are the newest five improvement signals, oldest first."""

    verdict: Json | None = None
    revision: int | None = None
    signals: list[str] = Field(default_factory=list)
    stagnation: int = 0


class ToolsPart(StatePart):
    active: dict[str, list[str]] = Field(default_factory=dict)
    opened: bool = False
    """Whether the goal's first packs have been opened."""
    queue: Json = Field(default_factory=dict)
    last_class_write: Json | None = None
    searches: int = 0
    fetches: int = 0
    fetched_bytes: int = 0


PARTS = ("conversation", "run", "plan", "draft", "health", "tools")


class AgentState(StatePart):
    """One document per conversation. `revision` is the stored document's, kept by the store for compare-and-set."""

    revision: int = 0
    saved_at: str = ""
    conversation: ConversationPart
    run: RunPart = Field(default_factory=RunPart)
    plan: PlanPart = Field(default_factory=PlanPart)
    draft: DraftPart = Field(default_factory=DraftPart)
    health: HealthPart = Field(default_factory=HealthPart)
    tools: ToolsPart = Field(default_factory=ToolsPart)

    @classmethod
    def fresh(cls, *, conversation_id: str, user_id: int, locale: str = "zh") -> Self:
        return cls(conversation=ConversationPart(id=conversation_id, user_id=user_id, locale=locale))

    @property
    def schedule(self) -> ScheduleState | None:
        return self.draft.schedule

    @property
    def built_classes(self) -> list[int]:
        """Classes that have a first plan. Where none of its items is placed any more, a class has none."""
        if self.schedule is None:
            return list(self.draft.built)
        placed: dict[int | None, bool] = {}
        for entry in self.schedule.items():
            placed[entry.task_class_id] = placed.get(entry.task_class_id, False) or bool(entry.slots)
        return [class_id for class_id in self.draft.built if placed.get(class_id, True)]

    @property
    def locale(self) -> str:
        return self.conversation.locale

    @property
    def verdict(self) -> Json | None:
        """The last diagnosis, only while it is current."""
        current = self.schedule is not None and self.health.revision == self.schedule.revision
        return self.health.verdict if current else None

    def new_goal(self) -> None:
        """Conversation and draft stay, everything else is fresh. What the goal changed is remembered."""
        self.conversation.last_change = self.run.change or self.conversation.last_change
        self.run, self.plan, self.health, self.tools = RunPart(), PlanPart(), HealthPart(), ToolsPart()
        self.conversation.goals += 1

    def checkpoint(self) -> Self:
        """A copy that later changes do not touch. Rows and the schedule are values that are replaced, never edited, so
        that only the parts and their lists are copied."""
        return self.model_copy(update={name: getattr(self, name).copied() for name in PARTS})

    def restore(self, checkpoint: Self) -> None:
        """Back to a checkpoint; block numbers keep counting, so that no block id is used twice in a goal."""
        counters = self.run.counters
        for name in PARTS:
            setattr(self, name, getattr(checkpoint, name))
        self.run.counters = counters

    def saved(self, now: datetime) -> Json:
        """The document to store."""
        self.saved_at = now.isoformat()
        return self.to_document()

    def to_document(self) -> Json:
        return {"version": VERSION, **self.model_dump(mode="json")}

    @classmethod
    def from_document(cls, document: Json) -> Self:
        """Reads a stored document of any version up to ours. Raises `UnknownVersion` for a newer one."""
        fields = migrate_document(copy.deepcopy(document))
        fields.pop("version")
        return cls.model_validate(fields)
