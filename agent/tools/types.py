"""The vocabulary of the tools: a registry entry, what a call hands back, and what it may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from agent.calls.phrase import Sayable
from agent.calls.ports import Ports
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar, Cell
from taskclasses.kernel.canonical_json import digest_of

if TYPE_CHECKING:
    from agent.tools.argument_schema import Args

Kind = Literal["control", "read", "analysis", "queue", "draft_write", "sql_write", "web"]
Status = Literal["done", "failed", "blocked"]
Json = dict[str, Any]

BLOCKED_CODES = frozenset({"health_negotiation_required", "web_not_enabled", "web_blocked_url", "web_cap_reached"})
"""Refused by a policy, not tried."""


@dataclass(frozen=True)
class ToolError:
    """Why a call did not do its work.

    `reason` is one sentence for the student; `told` what the model reads instead, where it needs key names; `rule` the
    placement rule that stopped a write; `lines` further sentences (the blocker, the legal range, other entries of a
    batch); `hint` the tool that would do, for the model only; `details` JSON facts for the model, `listed` the
    violations of a schema.
    """

    code: str
    reason: Sayable
    rule: str = ""
    lines: tuple[Sayable, ...] = ()
    hint: str = ""
    told: str = ""
    details: Json = field(default_factory=dict)
    listed: tuple[Json, ...] = ()

    @property
    def status(self) -> Status:
        return "blocked" if self.code in BLOCKED_CODES else "failed"

    @property
    def message(self) -> str:
        """The reason as the model reads it."""
        if self.told:
            return self.told
        return self.reason.text("zh") + (f"；{self.hint}" if self.hint else "")

    def text(self, locale: str) -> str:
        return self.reason.text(locale)


@dataclass(frozen=True)
class Change:
    """One thing a write changes.

    `before` and `after` are None or `{day, week, day_of_week, section_from, section_to, embed_course_event_id}`, with
    `day` the index in the window.
    """

    op: Literal["place", "move", "unplace", "class_create", "class_update"]
    task_id: int | None
    task_item_id: int | None
    task_class_id: int | None
    name: str
    before: Json | None = None
    after: Json | None = None

    def to_json(self) -> Json:
        return {
            "op": self.op,
            "task_id": self.task_id,
            "task_item_id": self.task_item_id,
            "task_class_id": self.task_class_id,
            "name": self.name,
            "before": self.before,
            "after": self.after,
        }


def changes_digest(changes: tuple[Change, ...]) -> str:
    return digest_of([change.to_json() for change in changes])


@dataclass(frozen=True)
class Outcome:
    """What a tool hands back: the draft (the same value when nothing changed) and typed facts.

    `queue` and `active` are the new values of the goal's queue and tool packs, None when untouched.
    """

    draft: ScheduleState | None
    data: Json
    changes: tuple[Change, ...] = ()
    error: ToolError | None = None
    queue: Json | None = None
    active: dict[str, list[str]] | None = None

    @property
    def status(self) -> Status:
        return self.error.status if self.error else "done"


@dataclass(frozen=True)
class ToolContext:
    """All a tool may know beyond the draft and its arguments. Identity is never part of it."""

    now: datetime | None = None
    now_cell: Cell | None = None
    calendar: Calendar | None = None
    locale: str = "zh"
    verdict: Json | None = None
    previous_signal: str = ""
    previous_count: int = 0
    left_out: frozenset[int] = frozenset()
    queue: Json = field(default_factory=dict)
    active: Mapping[str, list[str]] = field(default_factory=dict)
    mode: str = ""
    active_optimize_only: bool = False
    dry_run: bool = False
    call_id: str = ""
    caps: Mapping[str, int] = field(default_factory=dict)
    scope: tuple[int, ...] = ()
    ports: Ports = field(default_factory=Ports)


Run = Callable[..., Any]
"""(draft, args, ctx) -> Outcome, or an awaitable of it."""


@dataclass(frozen=True)
class Tool:
    """One entry of the registry. `run`, `observe` and `view` are one thing seen from three sides: the deed, the text
    the model reads, the card the student reads; the last two are made from the data of the first. `failure_view` adds
    what only this tool knows to the common card of a failure."""

    name: str
    label: str
    purpose: str
    kind: Kind
    args: type[Args]
    run: Run
    observe: Callable[[Outcome], str]
    view: Callable[..., Any]
    view_type: str
    failure_view: Callable[..., Any] | None = None
    domain: str | None = None
    pack: str | None = None
    aliases: tuple[str, ...] = ()
    needs_draft: bool = True
    returns: str = ""
    sample: str = ""

    @property
    def writes(self) -> bool:
        return self.kind in {"draft_write", "sql_write"}


@dataclass(frozen=True)
class ValidatedCall:
    """A call whose name is known and whose arguments fit: `arguments` are the given ones, cleaned, under their own
    names; `args` the typed value with defaults."""

    tool: Tool
    arguments: Json
    args: Args
    checked: bool = True
    """False for a refused call: then `arguments` are as received and may be anything."""

    @property
    def name(self) -> str:
        return self.tool.name


@dataclass(frozen=True)
class ToolExecutionResult:
    """What is published about one executed call. Only `observation_text` is for the model."""

    call_id: str
    tool: str
    status: Status
    observation_text: str
    summary: str
    arguments_preview: str
    argument_view: Json
    result_view: Json
    changes: tuple[Json, ...] = ()
    draft_revision: int | None = None
    error_code: str = ""
    error_message: str = ""

    @property
    def success(self) -> bool:
        return self.status == "done"

    def to_json(self) -> Json:
        """The fields a `tool.finished` event carries; the observation travels inside the card's raw text."""
        return {
            "call_id": self.call_id,
            "name": self.tool,
            "status": self.status,
            "success": self.success,
            "summary": self.summary,
            "arguments_preview": self.arguments_preview,
            "argument_view": self.argument_view,
            "result_view": self.result_view,
            "changes": list(self.changes),
            "draft_revision": self.draft_revision,
            "error_code": self.error_code,
            "error_message": self.error_message,
        }
