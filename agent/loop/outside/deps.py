"""What the loop needs from outside: the tools' registry, the outside world as plain callables, injected values."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agent.calls.kinds import Json
from agent.calls.ports import Compute, Ports, compute_here
from agent.calls.tool import ConsentCard, ToolAnnouncement, ToolCall, ToolResult, ToolTraits
from agent.calls.values import BuildReport, ToolContext, ToolError, ToolOutcome
from agent.loop.events import Event
from agent.loop.outside.limits import RunLimits
from agent.loop.outside.model import FailedCall, Model
from agent.loop.state.agent_state import AgentState
from schedules.planner.diagnosis.trade_offs import NO_COSTS, WishCosts
from schedules.planner.draft.state import ScheduleState
from schedules.planner.facts import Facts
from schedules.planner.grid import Calendar
from schedules.planner.problem import Problem
from schedules.planner.shapes import CostTable
from schedules.planner.solver.rough_build import Plan
from taskclasses.shapes import ClassObject

Active = dict[str, list[str]]
"""The open domains and their optional packs."""


class ToolRegistry(Protocol):
    """Offers the tools, stage by stage; `agent.tools.registry.Registry` is the implementation."""

    def validate(self, name: str, arguments: Json, draft: ScheduleState | None = None) -> ToolCall | ToolError: ...
    def fit(
        self, name: str, arguments: Json, draft: ScheduleState | None = None, calendar: Calendar | None = None
    ) -> tuple[ToolCall | ToolError, tuple[str, ...]]: ...
    def visible(
        self, active: Mapping[str, Sequence[str]], active_optimize_only: bool = False
    ) -> tuple[ToolTraits, ...]: ...
    def verdict_tool(self) -> ToolTraits: ...
    def refuse_here(self, call: ToolCall, ctx: ToolContext) -> ToolError | None: ...
    def is_candidate(self, verdict: Json | None, name: str, arguments: Json) -> bool: ...
    async def run(self, call: ToolCall, draft: ScheduleState | None, ctx: ToolContext) -> ToolOutcome: ...
    def announce(self, call: ToolCall, draft: ScheduleState | None, *, locale: str) -> ToolAnnouncement: ...
    def card(
        self, call_id: str, call: ToolCall, outcome: ToolOutcome, draft: ScheduleState | None, *, locale: str
    ) -> ConsentCard: ...
    def result(
        self, call_id: str, call: ToolCall, outcome: ToolOutcome, *, locale: str, before: ScheduleState | None = None
    ) -> ToolResult: ...
    def refusal(
        self, call_id: str, call: ToolCall, error: ToolError, *, locale: str, draft: ScheduleState | None = None
    ) -> ToolResult: ...
    def announce_planning(self, classes: Mapping[int, str], *, locale: str) -> ToolAnnouncement: ...
    def compose_planning(
        self,
        call_id: str,
        report: BuildReport,
        error: ToolError | None,
        *,
        locale: str,
        before: ScheduleState | None = None,
        after: ScheduleState | None = None,
        costs: WishCosts = NO_COSTS,
    ) -> ToolResult: ...
    def packs(self) -> Mapping[str, Sequence[str]]: ...
    def default_active(self, mode: str, domain: str = "schedule") -> Active: ...
    def open(
        self, active: Mapping[str, Sequence[str]], domain: str, wanted: Sequence[str], merge: bool, mode: str
    ) -> Active: ...
    def schemas(self, names: Sequence[str]) -> Sequence[Json]: ...
    def catalogue(self, tools: Sequence[ToolTraits]) -> str: ...
    def label(self, name: str, locale: str) -> str: ...
    def rule_label(self, rule: str, locale: str) -> str: ...
    def wish_label(self, wish: Json, classes: Mapping[int, str], locale: str) -> str: ...


LoadFacts = Callable[[Sequence[int]], Awaitable[Facts]]
"""Timetable, and the classes with these ids, in one semester."""
ListTaskClasses = Callable[[], Awaitable[list[ClassObject]]]
"""All classes of the student with their items, as the task class API shows them."""


def never() -> bool:
    """Says that nobody asks the loop to leave its run."""
    return False


def _discard_record(record: Json) -> None:
    """Records nothing: the silent journal."""


RULES = "offline"
"""Name of the policy of fixed rules where a model's name stands."""


@dataclass
class Tally:
    """Holds counts of this run alone, for `run.finished`, and what need not be fetched twice."""

    iterations: int = 0
    tool_calls: int = 0
    corrections: int = 0
    model_calls: int = 0
    failed_calls: list[FailedCall] = field(default_factory=list)
    last_status: tuple[str, str] = ("", "")
    switched: bool | None = None
    """Whether the rules answer, once another model than the first one does; None before that."""
    context_tokens: int | None = None
    """A budget below the limit's, once a model refused a prompt for its length."""
    classes: list[ClassObject] | None = None
    saved: AgentState | None = None
    cost: tuple[ScheduleState, CostTable] | None = None
    missed: frozenset[int] = frozenset()
    """The items that count as missed where the timetable has them, by a mark or by how past items count."""


@dataclass
class Deps:
    """Holds one run's surroundings.

    - `emit` appends one event to the run's log. `save` stores the state document with compare-and-set and sets
      `state.revision`; it raises `DraftConflict` when the stored draft moved, `LeaseLost` when another worker owns
      the run, anything else fails the run. `read_draft` returns (draft part document, stored revision) when the
      stored draft is newer than `state.revision`, else None.
    - `close_interaction(id, status)` marks an interaction superseded or cancelled by the loop itself.
    - `clock` gives aware instants, `timer` seconds for durations, `ids` UUID strings.
    - `calendar` is that of the current semester, None when there is none.
    - `tool_ports` are the callables the tools need, `compute` is where they let the planner work. What that gives
      follows from what it is given, so no journal keeps it.
    - `leaving` tells that the loop is to leave its run to another worker, which it does behind the next saved step.
    - `journal` takes records `{"kind": "context_stats" | "validation", ...}`.
    """

    model: Model
    registry: ToolRegistry
    emit: Callable[[Event], Awaitable[None]]
    save: Callable[[AgentState], Awaitable[None]]
    read_draft: Callable[[AgentState], Awaitable[tuple[Json, int] | None]]
    clock: Callable[[], datetime]
    ids: Callable[[], str]
    cancelled: Callable[[], bool]
    calendar: Calendar | None
    load_facts: LoadFacts
    list_task_classes: ListTaskClasses
    rough_build: Callable[[Problem], Awaitable[Plan]]
    close_interaction: Callable[[str, str], Awaitable[None]]
    run_id: str = ""
    limits: RunLimits = field(default_factory=RunLimits)
    timer: Callable[[], float] = time.monotonic
    tally: Tally = field(default_factory=Tally)
    tool_ports: Ports = field(default_factory=Ports)
    compute: Compute = compute_here
    journal: Callable[[Json], None] = _discard_record
    leaving: Callable[[], bool] = never


def by_rules(deps: Deps) -> bool:
    """Tells whether the words are those of the policy of fixed rules, which is made of the facts themselves."""
    return deps.model.name == RULES or deps.tally.switched is True
