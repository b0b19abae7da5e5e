"""Rough build: the planner places the pending items of the scope, deterministically."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from agent.calls.kinds import Json
from agent.calls.phrase import say
from agent.calls.tool import ToolResult
from agent.calls.values import BuildReport, LeftOut, ToolError
from agent.loop.capacity.gate import options_of, shortage_forecast, shortage_text
from agent.loop.capacity.scope import classes_to_build, wants_partial, wants_refine
from agent.loop.draft.commit import commit_write
from agent.loop.draft.receipts import add_receipt, log_call, remember_places
from agent.loop.draft.sync import (
    draft_event,
    note_change,
    places_of,
    refresh,
    store,
)
from agent.loop.errors import RUN_CANCELLED, RunCancelled, RunFailure
from agent.loop.events import Event, ToolFinished
from agent.loop.interactions import NodeName
from agent.loop.nodes.base import Next
from agent.loop.nodes.chat import enter_mode
from agent.loop.output.blocks import next_number, speak
from agent.loop.output.statuses import announce
from agent.loop.output.tool_events import tool_finished, tool_started
from agent.loop.outside.cancellation import await_or_cancel
from agent.loop.outside.deps import Deps
from agent.loop.phrases import join_names
from agent.loop.state.agent_state import AgentState, HealthPart
from agent.loop.state.draft import AcceptedRisk, RoughBuildRecord
from agent.loop.state.plan import Hook
from agent.loop.state.run import Call, Outcome
from schedules.planner.diagnosis.trade_offs import NO_COSTS, WishCosts, wish_costs
from schedules.planner.draft.adapter import Free, apply_plan, problem_of
from schedules.planner.draft.invariants import invariant_errors
from schedules.planner.draft.state import ClassMeta, ScheduleState
from schedules.planner.problem import MAX_ITEMS, Problem
from schedules.planner.solver.rough_build import Plan
from taskclasses.kernel.i18n import text
from taskclasses.kernel.times import rfc3339

ATTEMPTS = 3
POST_REFINE = Hook(domain="schedule", packs=["analyze", "mutation"], reason="rough_build_post_refine")


@dataclass
class _Build:
    """Holds one attempt: what is built, the draft before, and what the wishes cost the one after."""

    class_ids: list[int]
    second: bool
    refine: bool
    tool: str
    call_id: str
    began: float
    before: ScheduleState
    names: list[str]
    costs: WishCosts = field(default_factory=dict)

    @property
    def arguments(self) -> Json:
        return {"task_class_ids": self.class_ids}

    @property
    def nothing(self) -> BuildReport:
        """Returns the report of a build that planned nothing."""
        return {"task_class_ids": self.class_ids, "class_names": self.names, "placed": 0, "left": []}


class RoughBuildNode:
    name: ClassVar[NodeName] = "rough_build"

    async def step(self, state: AgentState, deps: Deps) -> Next:
        state.run.phase = "executing"
        class_ids, second = classes_to_build(state)
        record = state.draft.rough_build
        if not state.plan.needs_rough_build and record is not None:
            # The build was saved but not the step behind it: a recovered run goes on from there.
            refine = state.run.optimization_mode == "first_full"
            return await self._go_on(state, deps, refine=refine, placed=record.placed, left=len(record.left))
        if not class_ids:
            return self._drop_build(state)
        await announce(state, deps, "rough_build", "rough_building")
        await refresh(state, deps, stage="rough_build")
        class_ids, second = classes_to_build(state)
        if not class_ids:
            return self._drop_build(state)
        if state.schedule is None:
            return _abort_build(
                state, "rough_build_window_missing", text("现在没有进行中的学期，无法排程。", state.locale)
            )
        undated = self._classes_undated(state, class_ids)
        dated = [class_id for class_id in class_ids if class_id not in undated]
        if undated and dated:
            await speak(state, deps, "rough_build", self._undated_text(state, undated, others=True))
        class_ids = dated or class_ids
        build = await self._start_build(state, deps, class_ids, second=second)
        if not dated:
            return await self._window_missing(state, deps, build, self._undated_text(state, undated, others=False))
        for _ in range(ATTEMPTS):
            free: Free = "pending_and_suggested" if second else "pending"
            problem = problem_of(build.before, free=free, classes=class_ids)
            if problem.too_large:
                return await self._too_many(state, deps, build, problem)
            plan = await self._make_plan(state, deps, build, problem)
            report = self._report(state, deps, build, plan)
            if report["left"] and not wants_partial(state):
                report["forecast"] = shortage_forecast(
                    state, deps, problem, [(row["class_id"], row["sections"]) for row in report["left"]]
                )
                return await self._fail_build(state, deps, build, report)
            after = apply_plan(build.before, plan)
            build.costs = await deps.compute(wish_costs, after) if after.wishes else NO_COSTS
            if await commit_write(state, deps, partial(self._settle, state, deps, build, after, report)):
                placed, left = report["placed"], len(report["left"])
                return await self._go_on(state, deps, refine=build.refine, placed=placed, left=left)
            build.before = state.schedule or build.before
        raise RunFailure("internal_error", "the draft kept moving under the rough build")

    async def _make_plan(self, state: AgentState, deps: Deps, build: _Build, problem: Problem) -> Plan:
        """Returns the planner's answer; not waited for when the student asks to stop."""
        try:
            return await await_or_cancel(lambda: deps.rough_build(problem), deps)
        except RunCancelled:
            await self._not_done(state, deps, build, build.nothing, ToolError(RUN_CANCELLED, say("已停止本次任务")))
            raise

    @staticmethod
    def _drop_build(state: AgentState) -> Next:
        """Tells the model that all classes are built already and nobody asked to start over."""
        state.plan.needs_rough_build = False
        if state.conversation.scope:
            state.run.notes.append("already_built")
        enter_mode(state)
        return "execute"

    @staticmethod
    async def _start_build(state: AgentState, deps: Deps, class_ids: list[int], *, second: bool) -> _Build:
        schedule = state.schedule
        assert schedule is not None
        metas = _classes_of(schedule, class_ids)
        call_id = f"rough_build.tool.{next_number(state, 'rough_build.tool')}"
        shown = deps.registry.announce_planning({meta.id: meta.name for meta in metas}, locale=state.locale)
        refine = wants_refine(state, class_ids)
        names = [meta.name for meta in metas]
        ids = [meta.id for meta in metas]
        build = _Build(ids, second, refine, shown.name, call_id, deps.timer(), schedule, names)
        deps.tally.tool_calls += 1
        await deps.emit(tool_started("rough_build", call_id, build.arguments, shown))
        return build

    @staticmethod
    def _classes_undated(state: AgentState, class_ids: list[int]) -> dict[int, str]:
        """Returns the names of the classes without dates, by id."""
        assert state.schedule is not None
        metas = _classes_of(state.schedule, class_ids)
        return {meta.id: meta.name for meta in metas if meta.rules.start_day is None or meta.rules.end_day is None}

    @staticmethod
    def _undated_text(state: AgentState, undated: dict[int, str], *, others: bool) -> str:
        """Names what cannot be planned yet and asks for its dates; `others` are planned without it."""
        message = (
            "这些任务还没有起止日期，先排其余的：{names}。请说哪个任务从哪天到哪天，就能接着排；也可以在任务的页面里填日期。"
            if others
            else "这些任务还没有起止日期：{names}。请说从哪天到哪天，就能接着排；也可以在任务的页面里填日期。"
        )
        return text(message, state.locale, names=join_names(undated.values(), state.locale))

    @staticmethod
    def _report(state: AgentState, deps: Deps, build: _Build, plan: Plan) -> BuildReport:
        """Returns numbers and leftovers in the words of the card, the view and the text for the student."""
        left: list[LeftOut] = []
        for row in plan.unplaced:
            entry = build.before.by_item(row.task_item_id)
            assert entry is not None
            assert entry.task_class_id is not None
            rule = str(row.rule)
            left.append(
                {
                    "task_id": entry.state_id,
                    "item_id": entry.source_id,
                    "name": entry.name,
                    "class_id": entry.task_class_id,
                    "task_class_id": entry.task_class_id,
                    "rule": rule,
                    "reason": deps.registry.rule_label(rule, state.locale),
                    "sections": entry.duration,
                }
            )
        needed = sum(row.needed_sections for row in plan.capacity)
        missing = sum(row["sections"] for row in left)
        return {
            "task_class_ids": build.class_ids,
            "class_names": build.names,
            "left": left,
            "needed": needed,
            "available": needed - missing,
            "missing": missing,
        }

    async def _window_missing(self, state: AgentState, deps: Deps, build: _Build, message: str) -> Next:
        error = ToolError("rough_build_window_missing", say("任务类缺少日期"))
        await self._not_done(state, deps, build, build.nothing, error)
        await announce(state, deps, "rough_build", "rough_build_need_time_window")
        state.plan.needs_rough_build = False
        return _abort_build(state, "rough_build_window_missing", message)

    async def _too_many(self, state: AgentState, deps: Deps, build: _Build, problem: Problem) -> Next:
        """Ends the build of more items than are planned at once: the draft stays as it is."""
        count = len(problem.item_by_id)
        state.plan.needs_rough_build = False
        error = ToolError("rough_build_pending_remaining", say("一次最多排 {limit} 项", limit=MAX_ITEMS))
        await self._not_done(state, deps, build, build.nothing, error)
        await announce(state, deps, "rough_build", "rough_build_failed")
        message = "这次一共有 {n} 项，一次最多排 {limit} 项。请先选其中几个任务来排。"
        return _abort_build(
            state, "rough_build_pending_remaining", text(message, state.locale, n=count, limit=MAX_ITEMS)
        )

    async def _fail_build(self, state: AgentState, deps: Deps, build: _Build, report: BuildReport) -> Next:
        """Ends the build when not everything fits and the student has not agreed to that: the draft stays as it is."""
        options = [[key, label] for key, label in options_of(state)]
        state.draft.report, state.draft.negotiating = {**report, "options": options}, True
        state.plan.needs_rough_build = False
        reason = say("缺 {missing} 节，{n} 项放不下", missing=report["missing"], n=len(report["left"]))
        error = ToolError("rough_build_pending_remaining", reason)
        await self._not_done(state, deps, build, {**report, "placed": 0}, error)
        await announce(state, deps, "rough_build", "rough_build_failed")
        return _abort_build(state, "rough_build_pending_remaining", shortage_text(state, report))

    def _settle(
        self, state: AgentState, deps: Deps, build: _Build, after: ScheduleState, report: BuildReport
    ) -> list[Event]:
        """Makes all placements as one change of the state, verified by the placement rule. Answers what tells of it."""
        errors = invariant_errors(after)
        assert not errors, f"the planner broke the placement rule: {errors[:3]}"
        report["placed"] = placed = len(placed_items(build, after))
        state.draft.schedule = after
        if after.revision != build.before.revision:
            note_change(state, deps, build.before, who="agent")
        self._remember(state, deps, build, report, placed)
        result = self._log_build(state, deps, build, report, after=after)
        told: list[Event] = [self._finish_build(deps, build, result)]
        if after.revision != build.before.revision:
            told.append(draft_event(state, build.before, source="rough_build", stage="rough_build"))
        return told

    @staticmethod
    def _remember(state: AgentState, deps: Deps, build: _Build, report: BuildReport, placed: int) -> None:
        """Remembers in the state what was built."""
        after, left = state.schedule, report["left"]
        assert after is not None
        at = rfc3339(deps.clock())
        state.draft.rough_build = RoughBuildRecord(
            class_ids=build.class_ids, placed=placed, left=left, revision=after.revision, at=at
        )
        state.draft.report = None
        state.draft.built = sorted({*state.draft.built, *build.class_ids})
        state.draft.accepted_risk = (
            AcceptedRisk(
                gap_sections=report["missing"],
                unplaced_item_ids=[row["item_id"] for row in left],
                at=at,
                by=state.run.turns[-1].text if state.run.turns else "",
            )
            if left
            else None
        )
        state.health = HealthPart()
        state.plan.needs_rough_build = False
        places = places_of(after)
        remember_places(state, places, places)
        if build.refine:
            state.run.optimization_mode, state.run.active_optimize_only = "first_full", True
            state.plan.hook = POST_REFINE
        elif not state.run.optimization_mode:
            state.run.optimization_mode = "local_adjust"

    async def _not_done(
        self, state: AgentState, deps: Deps, build: _Build, report: BuildReport, error: ToolError
    ) -> None:
        """Shows the card of a build that wrote nothing."""
        result = self._log_build(state, deps, build, report, error=error)
        await store(state, deps)
        await deps.emit(self._finish_build(deps, build, result))

    @staticmethod
    def _log_build(
        state: AgentState,
        deps: Deps,
        build: _Build,
        report: BuildReport,
        *,
        error: ToolError | None = None,
        after: ScheduleState | None = None,
    ) -> ToolResult:
        """Returns the result card, with its entry in the log and its receipt."""
        result = deps.registry.compose_planning(
            build.call_id, report, error, locale=state.locale, before=build.before, after=after, costs=build.costs
        )
        log_call(
            state,
            Call(
                n=len(state.run.calls) + 1,
                tool=build.tool,
                kind="rough_build",
                arguments=build.arguments,
                status=result.status,
                observation=result.observation_text,
                summary=result.summary,
                data={**report},
                error_code=result.error_code,
                system=True,
                step_index=state.plan.current,
                revision=state.schedule.revision if state.schedule else None,
            ),
        )
        add_receipt(
            state,
            source="write_receipt",
            name="rough_build",
            arguments=build.arguments,
            success=result.success,
            summary=result.summary,
            call_id=build.call_id,
        )
        return result

    @staticmethod
    def _finish_build(deps: Deps, build: _Build, result: ToolResult) -> ToolFinished:
        return tool_finished("rough_build", result, duration_ms=round((deps.timer() - build.began) * 1000))

    @staticmethod
    async def _go_on(state: AgentState, deps: Deps, *, refine: bool, placed: int, left: int) -> Next:
        steps_remain = bool(state.plan.steps)
        if left:
            await announce(state, deps, "rough_build", "rough_build_partial", placed=placed, left=left)
        else:
            code = "rough_build_done" if refine else "rough_build_done_no_refine"
            await announce(state, deps, "rough_build", code)
        if refine or steps_remain:
            return "execute"
        state.run.outcome = Outcome(status="completed", stage="rough_build")
        return "deliver"


def _classes_of(schedule: ScheduleState, class_ids: list[int]) -> list[ClassMeta]:
    return [meta for class_id in class_ids if (meta := schedule.task_class(class_id)) is not None]


def placed_items(build: _Build, after: ScheduleState) -> list[int]:
    """Returns the items of the built classes that stand in the draft now and were free before."""
    free = ("pending", "suggested") if build.second else ("pending",)
    return [
        entry.source_id
        for entry in after.items()
        if entry.task_class_id in build.class_ids
        and entry.slots
        and (old := build.before.by_item(entry.source_id)) is not None
        and old.status in free
    ]


def _abort_build(state: AgentState, code: str, message: str) -> Next:
    state.run.outcome = Outcome(status="aborted", stage="rough_build", code=code, user_message=message)
    return "deliver"
