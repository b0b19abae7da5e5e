"""What loop and tools say to each other about one call: the tool's traits, the call, its announcement, its result."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.calls.kinds import ANSWERS, OBSERVATIONS, WRITES, Json, Kind, Status
from schedules.planner.draft.state import ScheduleState

_TAIL = re.compile(r"(?:\(\s*\)|:\d+)$")
_SPACE = re.compile(r"^.*(?:[./]|::|__)(?=\w)")


@dataclass(frozen=True, kw_only=True)
class ToolTraits:
    """Tells what the loop has to know of a tool beside its name.

    - `domain` and `pack`: where it is opened; None for a tool that is always open.
    - `takes_verdict`: its data is the diagnosis of the whole draft.
    - `improves`: may be called while a plan is improved step by step.
    - `opens_packs`: opens further tools.
    - `head_of_queue`: is about the head of the queue, which its arguments do not name.
    - `whole_term`: is about every class that stands on the timetable, not about the scope alone.
    - `always_asks`: takes away what no draft holds, so that consent given beforehand does not cover it.
    - `counts_as`: which budget of the web a success draws on.
    """

    name: str
    kind: Kind
    domain: str | None = None
    pack: str | None = None
    takes_verdict: bool = False
    improves: bool = False
    opens_packs: bool = False
    head_of_queue: bool = False
    whole_term: bool = False
    always_asks: bool = False
    counts_as: Literal["", "search", "fetch"] = ""

    @property
    def repeatable(self) -> bool:
        """Tells whether an equal call on an unchanged draft may be answered with the earlier result."""
        return self.kind in ANSWERS

    @property
    def observes(self) -> bool:
        return self.kind in OBSERVATIONS

    @property
    def writes(self) -> bool:
        return self.kind in WRITES


class Arguments(Protocol):
    """Holds the typed arguments of a call; only its own tool looks into them."""

    def bounds(self, draft: ScheduleState) -> list[Json]:
        """Returns violations that only the draft can tell."""
        ...


@dataclass(frozen=True)
class ToolCall:
    """Holds a call whose name is known and whose arguments fit: `arguments` are the given ones, cleaned, under their
    own names; `args` the typed value with defaults."""

    tool: ToolTraits
    arguments: Json
    args: Arguments

    @property
    def name(self) -> str:
        return self.tool.name


@dataclass(frozen=True)
class ToolAnnouncement:
    """Announces a call that is about to run, in words: `intent` is label and arguments in one line."""

    name: str
    summary: str
    arguments_preview: str
    argument_view: Json
    intent: str


@dataclass(frozen=True)
class ConsentCard:
    """Tells what a dry run promises, for the student to agree to."""

    summary: str
    tool: Json
    fields: list[Json]
    changes: list[Json]
    affected_days: list[int]
    cost_before: int | None
    cost_after: int | None


@dataclass(frozen=True)
class ToolResult:
    """Tells what is published about one executed call. Only `observation_text` is for the model."""

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


def plain_name(name: str) -> str:
    """Returns the plain name of a tool: `functions.getTaskInfo:0`, `tools/get-task-info` and
    `mcp__smartmate__get_task_info()` are `get_task_info`."""
    name = _SPACE.sub("", _TAIL.sub("", name.strip().strip("\"'`*")))
    if not name.isupper():
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[\s-]+", "_", name).lower()
