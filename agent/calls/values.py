"""What a call of a tool hands back: what changed, why it did not work, and the draft after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from agent.calls.kinds import Json, Status
from agent.calls.phrase import MODEL, Sayable
from agent.calls.ports import Compute, Ports, compute_here
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar, Cell
from taskclasses.kernel.canonical_json import digest_of

BLOCKED_CODES = frozenset({"health_negotiation_required", "web_not_enabled", "web_blocked_url", "web_cap_reached"})
"""Refused by a policy, not tried."""


@dataclass(frozen=True)
class ToolError:
    """Tells why a call did not do its work.

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
        """Returns the reason as the model reads it."""
        if self.told:
            return self.told
        return self.reason.text(MODEL) + (f"；{self.hint}" if self.hint else "")

    def text(self, locale: str) -> str:
        return self.reason.text(locale)


@dataclass(frozen=True)
class Change:
    """Holds one thing a write changes.

    `before` and `after` are None or `{day, week, day_of_week, section_from, section_to, embed_course_event_id}`, with
    `day` the index in the window.
    """

    op: Literal["place", "move", "unplace", "class_create", "class_update", "class_delete"]
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


@dataclass(frozen=True)
class WrittenValue:
    """Holds one value that a call wrote beside the draft, as it was and as it is now: a field of the class `owner` (no
    field: the class itself), what is said of the item `owner`, the wishes of a kind for the class `owner` or for all
    (0)."""

    owner: int
    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class ToolOutcome:
    """Tells what a tool hands back: the draft (the same value when nothing changed) and typed facts.

    `queue` and `active` are the new values of the goal's queue and tool packs, None when untouched; `written` is what
    is stored otherwise now, beside the draft.
    """

    draft: ScheduleState | None
    data: Json
    changes: tuple[Change, ...] = ()
    error: ToolError | None = None
    queue: Json | None = None
    active: dict[str, list[str]] | None = None
    written: tuple[WrittenValue, ...] = ()

    @property
    def status(self) -> Status:
        return self.error.status if self.error else "done"

    @property
    def changes_digest(self) -> str:
        """Returns what a consent promises, in short: the changes of the draft, for a class write its field table, for
        marks what is said of each item, for wishes those that are set and taken back, for rows what is written of
        them."""
        changes = [change.to_json() for change in self.changes]
        told = (self.data.get(name) for name in ("confirm_fields", "marks", "wishes", "written"))
        fields = next((one for one in told if one is not None), None)
        return digest_of(changes if fields is None else [changes, fields])


@dataclass(frozen=True)
class ToolContext:
    """Holds all a tool may know beyond the draft and its arguments. Identity is never part of it."""

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
    compute: Compute = compute_here


class LeftOut(TypedDict):
    """Holds an item that a rough build found no place for, and the rule that stopped it; `reason` is the rule in
    words."""

    task_id: int
    item_id: int
    name: str
    class_id: int
    task_class_id: int
    rule: str
    reason: str
    sections: int


class Forecast(TypedDict):
    """Tells where it gets too narrow and what takes the room; `week` and `rule` are null when nothing can be named."""

    week: int | None
    class_id: int
    class_name: str
    rule: str | None
    reason: str
    lost_sections: int


class BuildReport(TypedDict):
    """Tells what a rough build did: the classes, how much was placed and what was left out; sections in numbers."""

    task_class_ids: list[int]
    class_names: list[str]
    left: list[LeftOut]
    placed: NotRequired[int]
    needed: NotRequired[int]
    available: NotRequired[int]
    missing: NotRequired[int]
    forecast: NotRequired[Forecast]
