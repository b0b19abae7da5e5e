"""The part of the state that lives as long as a goal: its calls, receipts, questions and counters."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agent.calls.kinds import Json, LoggedKind
from agent.loop.interactions import NodeName, OpenInteraction
from agent.loop.state.conversation import GoalChange, Turn
from agent.loop.state.part import StatePart
from agent.loop.state.plan import GoalStep
from schedules.planner.shapes import CostTable

Phase = Literal["chatting", "planning", "waiting_confirm", "executing", "interrupted", "done"]
Mode = Literal["", "first_full", "global_reopt", "local_adjust"]


class Outcome(StatePart):
    """Tells how a goal ended. `internal_reason` is for logs only."""

    status: Literal["completed", "aborted", "exhausted"]
    stage: str
    code: str = ""
    user_message: str = ""
    internal_reason: str = ""


class Receipt(StatePart):
    """Proves a step (`ExecuteEvidenceReceipt`): written by code only, bound to the step current at that moment."""

    step_index: int = Field(ge=0)
    source: Literal["tool_observation", "write_receipt", "user_reply"]
    name: str
    arguments_digest: str = ""
    success: bool = True
    summary: str = ""
    call_id: str = ""


class Correction(StatePart):
    """Tells why the last answer was not taken up; shown to the model once."""

    kind: Literal["parse", "contract", "tool_call", "flow", "evidence", "safety", "truncated"]
    error: str
    fragment: str = ""
    expected: str = ""
    code: str = ""
    """The habit of form that it corrects, if it is one."""


class Call(StatePart):
    """Holds one executed call of the goal, the source of the react log and of the view."""

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
    """Holds a call the student agreed to, to be run at the next round."""

    name: str
    arguments: Json
    call_id: str
    draft_revision: int | None = None
    changes_digest: str = ""
    interaction_id: str = ""


class Rejection(StatePart):
    """Holds a call the student refused: never asked again in this goal."""

    name: str
    arguments: Json
    digest: str
    changes_digest: str = ""


class Answered(StatePart):
    """Holds the last interaction answered in this goal, and how much had happened by then.

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
    rest: str = ""
    """What the student's message wants beside the request: the request of the next goal."""
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
    start_lengths: dict[str, int] = Field(default_factory=dict)
    start_cost: CostTable | None = None
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
    """The events of the write this document was saved with, until they are emitted, by its worker or the next one."""
