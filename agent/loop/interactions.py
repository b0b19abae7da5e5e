"""What a conversation may be waiting for, what each answer to it means, and what opens a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.calls.kinds import Json

InteractionType = Literal["confirm", "ask_user", "connection_recover"]
Subject = Literal["plan", "tool", "question", "recover"]
Status = Literal["open", "answered", "cancelled", "expired", "superseded"]
Action = Literal["approve", "reject", "cancel", "reply", "resume"]
NodeName = Literal["chat", "plan", "confirm", "rough_build", "execute", "interrupt", "deliver"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AnswerOption(_Part):
    id: str
    label: str


class CallRef(_Part):
    """Holds a tool call that waits for consent. `call_id` is its block id."""

    name: str
    arguments: Json = Field(default_factory=dict)
    call_id: str


class Answer(_Part):
    action: Action
    message: str = ""
    option: str | None = None
    run_id: str = ""


class OpenInteraction(_Part):
    """Holds a question or a consent asked of the student; one open per conversation.

    `card` holds the own fields of the announcing event (`confirm.requested` or `interrupt.raised`), so that a reload
    shows the same card. Times are ISO 8601 in UTC.
    """

    id: str
    type: InteractionType
    status: Status = "open"
    subject: Subject
    resume_node: NodeName
    question: str = ""
    options: list[AnswerOption] = Field(default_factory=list)
    call: CallRef | None = None
    draft_revision: int | None = None
    changes: list[Json] = Field(default_factory=list)
    changes_digest: str = ""
    step_index: int = 0
    block_id: str = ""
    topic: str = ""
    """What a question is about: `scope` and `health` are the loop's own, others the policy's, empty when not known."""
    card: Json = Field(default_factory=dict)
    answer: Answer | None = None
    created_at: str
    expires_at: str


class Resume(_Part):
    """Holds an accepted answer, as the loop receives it. A plain message typed over a card arrives with `typed`
    true."""

    interaction: OpenInteraction
    action: Action
    message: str = ""
    option: str | None = None
    typed: bool = False


ACTIONS: dict[InteractionType, tuple[Action, ...]] = {
    "confirm": ("approve", "reject", "cancel"),
    "ask_user": ("reply", "cancel"),
    "connection_recover": ("resume", "cancel"),
}

Effect = Literal[
    "new_goal", "apply_call", "reject_call", "approve_plan", "reject_plan", "cancel_goal", "reply", "recover",
]  # fmt: skip

RESUME: dict[tuple[Subject, Action | Literal["message"]], Effect] = {
    ("tool", "approve"): "apply_call",
    ("tool", "reject"): "reject_call",
    ("tool", "message"): "reject_call",
    ("tool", "cancel"): "cancel_goal",
    ("plan", "approve"): "approve_plan",
    ("plan", "reject"): "reject_plan",
    ("plan", "message"): "reject_plan",
    ("plan", "cancel"): "cancel_goal",
    ("question", "reply"): "reply",
    ("question", "message"): "reply",
    ("question", "cancel"): "cancel_goal",
    ("recover", "resume"): "recover",
    ("recover", "message"): "new_goal",
    ("recover", "cancel"): "cancel_goal",
}
"""(what is pending, what the student does) -> what happens. `message` is a plain message without `extra.resume`."""

MESSAGE_ACTION: dict[InteractionType, Action | None] = {
    "confirm": "reject",
    "ask_user": "reply",
    "connection_recover": None,
}
"""The answer a plain message stands for; None: the interaction is superseded and the message opens a new goal."""


CLOSED: dict[Status, str] = {"superseded": "superseded", "answered": "answered", "cancelled": "answered"}
"""Why a closed interaction takes no answer; everything else has expired."""


@dataclass(frozen=True)
class AnswerRefusal:
    """Tells why an answer is not accepted: 40074 (`reason` names the case) or 40005 (`field`, `reason`)."""

    code: Literal[40074, 40005]
    reason: str
    field: str = ""


@dataclass(frozen=True)
class Accepted:
    """Tells that the answer fits: record it and start a run."""

    action: Action


@dataclass(frozen=True)
class RepeatedAnswer:
    """Tells that the same answer came again: follow the run the first one started."""

    run_id: str


def judge(
    pending: OpenInteraction,
    *,
    action: str,
    message: str = "",
    option: str | None = None,
    type_: str | None = None,
    expired: bool = False,
) -> Accepted | RepeatedAnswer | AnswerRefusal:
    """Returns what an explicit answer (`extra.resume`) to a known interaction of this conversation leads to.

    The order is that of the API: type and action first, then the interaction's status, then the message.
    """
    if type_ not in (None, "", pending.type):
        return AnswerRefusal(40005, "type does not fit the interaction", "extra.resume.type")
    fitting = next((known for known in ACTIONS[pending.type] if known == action), None)
    if fitting is None:
        return AnswerRefusal(40005, "action does not fit the interaction", "extra.resume.action")
    if pending.status in ("answered", "cancelled") and pending.answer is not None:
        same = (pending.answer.action, pending.answer.message, pending.answer.option) == (fitting, message, option)
        return RepeatedAnswer(pending.answer.run_id) if same else AnswerRefusal(40074, "answered")
    if pending.status != "open" or expired:
        return AnswerRefusal(40074, CLOSED.get(pending.status, "expired"))
    if option is not None and option not in {known.id for known in pending.options}:
        return AnswerRefusal(40005, "not one of the offered options", "extra.resume.option")
    if fitting == "reply" and not message.strip() and option is None:
        return AnswerRefusal(40005, "a reply needs text or an option", "message")
    return Accepted(fitting)


def effect_of(resume: Resume) -> Effect:
    """Returns the row of `RESUME` an accepted answer selects."""
    key: Action | Literal["message"] = "message" if resume.typed else resume.action
    return RESUME[(resume.interaction.subject, key)]


class Request(BaseModel):
    """Tells what opened the run: a message (a new goal), or an accepted answer to an interaction (`resume`).

    `task_class_ids` not empty replaces the scope; `thinking` "auto" keeps the stage settings; `locale` "" is read
    from the message. `lost`, for a recovery: the request of the run that was lost or failed. It is taken up again
    when that run never reached its first save (`state.run.run_id` is not its id, `lost_run_id`). `used_blocks`: the
    highest block number that the lost run has shown, by prefix such as `execute.tool`; the recovery goes on above
    them. `taken_up`: another worker has begun this very run and left it; it goes on from the step it saved last.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: str = ""
    task_class_ids: tuple[int, ...] = ()
    always_execute: bool = False
    thinking: Literal["auto", "true", "false"] = "auto"
    resume: Resume | None = None
    locale: str = ""
    lost: Request | None = None
    lost_run_id: str = ""
    used_blocks: Mapping[str, int] = Field(default_factory=dict)
    taken_up: bool = False
