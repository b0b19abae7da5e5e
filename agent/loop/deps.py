"""What the loop needs from outside, as injected values and plain callables."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agent.loop.events import Event
from agent.loop.limits import Limits
from agent.loop.model import FailedCall, Model
from agent.loop.ports import ListTaskClasses, LoadFacts, Registry
from agent.loop.state import AgentState
from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar
from schedules.planner.problem import Problem
from schedules.planner.solver.rough_build import Plan


def _nothing(record: dict[str, Any]) -> None:
    """The silent journal."""


@dataclass
class Tally:
    """Counts of this run alone, for `run.finished`, and what need not be fetched twice."""

    iterations: int = 0
    tool_calls: int = 0
    corrections: int = 0
    model_calls: int = 0
    failed_calls: list[FailedCall] = field(default_factory=list)
    last_status: tuple[str, str] = ("", "")
    classes: list[dict[str, Any]] | None = None
    saved: AgentState | None = None
    cost: tuple[ScheduleState, dict[str, Any]] | None = None


@dataclass
class Deps:
    """One run's surroundings.

    - `emit` appends one event to the run's log. `save` stores the state document with compare-and-set and sets
      `state.revision`; it raises `DraftConflict` when the stored draft moved, `LeaseLost` when another worker owns
      the run, anything else fails the run. `read_draft` returns (draft part document, stored revision) when the
      stored draft is newer than `state.revision`, else None.
    - `close_interaction(id, status)` marks an interaction superseded or cancelled by the loop itself.
    - `clock` gives aware instants, `timer` seconds for durations, `ids` UUID strings.
    - `calendar` is that of the current semester, None when there is none.
    - `tool_ports` are the callables the tools need (`registry.ports(**tool_ports)`): web_search, web_fetch,
      upsert_task_class, task_class_book, load_facts.
    - `journal` takes records `{"kind": "context_stats" | "validation", ...}`.
    """

    model: Model
    registry: Registry
    emit: Callable[[Event], Awaitable[None]]
    save: Callable[[AgentState], Awaitable[None]]
    read_draft: Callable[[AgentState], Awaitable[tuple[dict[str, Any], int] | None]]
    clock: Callable[[], datetime]
    ids: Callable[[], str]
    cancelled: Callable[[], bool]
    calendar: Calendar | None
    load_facts: LoadFacts
    list_task_classes: ListTaskClasses
    rough_build: Callable[[Problem], Awaitable[Plan]]
    close_interaction: Callable[[str, str], Awaitable[None]]
    run_id: str = ""
    limits: Limits = field(default_factory=Limits)
    timer: Callable[[], float] = time.monotonic
    tally: Tally = field(default_factory=Tally)
    tool_ports: dict[str, Any] = field(default_factory=dict)
    journal: Callable[[dict[str, Any]], None] = _nothing
