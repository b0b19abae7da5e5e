"""analyze_health: metrics, issues and the one verdict on whether to go on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from schedules.planner.cost.objective import Cost, evaluate
from schedules.planner.cost.wish_term import WISH
from schedules.planner.diagnosis.candidates import StepOffer, offers
from schedules.planner.diagnosis.class_profile import profile_metrics
from schedules.planner.diagnosis.health_text import issue_text, step_text
from schedules.planner.diagnosis.issues import CRITICAL, INFO, WARNING, Issue, in_order, plan_issues, rhythm_info
from schedules.planner.diagnosis.metric_schema import HEALTH_SCHEMA
from schedules.planner.diagnosis.new_plan import compare_with_new_plan
from schedules.planner.diagnosis.plan_facts import Picture, picture_of
from schedules.planner.diagnosis.rhythm import day_rows
from schedules.planner.diagnosis.rhythm_days import rhythm_metrics
from schedules.planner.diagnosis.tightness import Room, Tightness, tightness_of
from schedules.planner.diagnosis.trade_offs import TradeOff, trade_offs
from schedules.planner.draft.feasibility import Feasibility, feasibility_of, items_under_exams
from schedules.planner.draft.misfits import misfits_of
from schedules.planner.draft.state import ScheduleState
from schedules.planner.solver.layout import Evaluator
from taskclasses.kernel.i18n import text

STAGNATION = 3
"""So many equal signals in a row end the optimising."""


@dataclass(frozen=True)
class History:
    """Holds the signal of the diagnosis before, how often it came in a row, and the items agreed to be left out."""

    signal: str = ""
    count: int = 0
    left_out: Collection[int] = frozenset()


class Diagnosis:
    """Computes everything the verdict follows from; each value is computed once, when it is first asked for."""

    def __init__(self, state: ScheduleState, history: History, locale: str) -> None:
        self.state, self.history, self.locale = state, history, locale
        self.picture: Picture = picture_of(state)
        self.room = Room(self.picture)

    @cached_property
    def cost(self) -> Cost:
        scene = self.picture.scene
        return evaluate(scene.problem, scene.placements, constants=scene.constants)

    @cached_property
    def rhythm(self) -> dict[str, float | int]:
        return rhythm_metrics(self.picture.days)

    @cached_property
    def feasibility(self) -> Feasibility:
        movable = [block.item_id for block in self.room.movable]
        return feasibility_of(self.state, left_out=self.history.left_out, movable=movable)

    @cached_property
    def profile(self) -> dict[str, int]:
        return profile_metrics(self.state)

    @cached_property
    def issues(self) -> list[Issue]:
        found = [*feasibility_issues(self.feasibility), *plan_issues(self.picture)]
        found += [*rhythm_info(found), *profile_issues(self.profile)]
        return in_order(found)

    @property
    def drivers(self) -> list[Issue]:
        return [issue for issue in self.issues if issue.driver]

    @cached_property
    def tightness(self) -> Tightness:
        return tightness_of(self.room, self.issues)

    @cached_property
    def offers(self) -> list[StepOffer]:
        """Returns the steps on offer: steps are looked for only where everything has a place."""
        if self.feasibility.gap or self.feasibility.pending or not self.drivers:
            return []
        scene = self.picture.scene
        return offers(self.room, self.issues, Evaluator(scene.problem, scene.placements))

    @cached_property
    def trade_offs(self) -> list[TradeOff]:
        """Returns what could be given up, for a plan whose problems no single step makes better."""
        if self.verdict != ("close", "no_improving_candidate"):
            return []
        scene = self.picture.scene
        return trade_offs(self.room, self.issues, Evaluator(scene.problem, scene.placements))

    @cached_property
    def signal(self) -> str:
        counts = [sum(issue.severity == one for issue in self.issues) for one in (CRITICAL, WARNING)]
        return (
            f"cost={self.cost.total}|critical={counts[0]}|warning={counts[1]}"
            f"|heavy_days={self.rhythm['heavy_adjacent_days']}|max_switch={self.rhythm['max_switch_count']}"
            f"|tightness={self.tightness.level}|gap={self.feasibility.gap}"
        )

    @property
    def stagnation(self) -> int:
        return self.history.count + 1 if self.history.signal == self.signal else 1

    @cached_property
    def verdict(self) -> tuple[str, str]:
        """Returns (verdict, forced reason), the first that fits."""
        if self.feasibility.gap > 0:
            return "infeasible", ""
        if self.feasibility.pending:
            return "ask_user", ""
        if not self.drivers:
            return "close", ""
        if self.tightness.level == "locked":
            return "close", "locked"
        if not self.offers:
            return "close", "no_improving_candidate"
        if self.stagnation >= STAGNATION:
            return "close", "stagnation"
        return "continue", ""

    @property
    def primary(self) -> Issue | None:
        """Returns the problem to speak of: the pending items when they are the question, else the first driver."""
        if self.verdict[0] == "ask_user":
            return next(issue for issue in self.issues if issue.issue_id == "issue_pending_items")
        return next(iter(self.drivers), None)


def analyze_health(
    state: ScheduleState,
    *,
    locale: str = "zh",
    previous_signal: str = "",
    previous_count: int = 0,
    left_out: Collection[int] = frozenset(),
    detail: str = "summary",
    anew: bool = False,
) -> dict[str, Any]:
    """Returns the diagnosis as a JSON document.

    `previous_signal` / `previous_count` are `improvement_signal` and `stagnation_count` of the diagnosis before, ""
    and 0 at the start of a goal. `left_out` are item ids the student agreed to leave out. `detail="full"` adds a row
    per day; `anew` compares a plan that may be closed with one that is made anew, which takes as long as planning.
    """
    diagnosis = Diagnosis(state, History(previous_signal, previous_count, left_out), locale)
    metrics = _metrics(diagnosis)
    if detail == "full":
        metrics["days"] = day_rows(diagnosis.picture)
    return {
        "tool": "analyze_health",
        "success": True,
        "revision": state.revision,
        "verdict": diagnosis.verdict[0],
        "metrics": metrics,
        "issues": [issue.to_json() for issue in diagnosis.issues],
        **_under_exams(state),
        **_misfits(state),
        "decision": {**_decision(diagnosis), **(_compare_anew(diagnosis) if anew else {})},
        "metric_schema": {name: row for name, row in HEALTH_SCHEMA.items() if name != WISH.name or state.wishes},
    }


def _under_exams(state: ScheduleState) -> dict[str, Any]:
    """Returns what an exam lies over, where there is something: no move of one item is offered for it."""
    rows = [
        {"task_id": item.state_id, "name": item.name, "exam": exam.name, "day": item.slots[0].day}
        for item, exam in items_under_exams(state)
    ]
    return {"under_exams": rows} if rows else {}


def _misfits(state: ScheduleState) -> dict[str, Any]:
    """Returns what stands against what its class says by now, where there is something."""
    rows = [
        {
            "task_id": one.entry.state_id,
            "name": one.entry.name,
            "rules": [rule.value for rule in one.rules],
            "day": one.entry.slots[0].day,
        }
        for one in misfits_of(state)
    ]
    return {"misfits": rows} if rows else {}


def _compare_anew(diagnosis: Diagnosis) -> dict[str, Any]:
    """Returns what planning anew would gain, where no step helps any more."""
    if diagnosis.verdict[0] != "close":
        return {}
    found = compare_with_new_plan(diagnosis.state, diagnosis.cost, diagnosis.issues)
    return {} if found is None else {"new_plan": found.to_json()}


def feasibility_issues(feasibility: Feasibility) -> list[Issue]:
    tasks = tuple(sorted(entry.state_id for entry in feasibility.pending))
    gap, count = feasibility.gap, len(feasibility.pending)
    if gap:
        trigger = ("capacity_gap", ">", 0, gap)
        return [Issue("issue_feasibility_capacity_gap", "feasibility", CRITICAL, trigger, task_ids=tasks)]
    if count:
        trigger = ("pending_count", ">", 0, count)
        return [Issue("issue_pending_items", "feasibility", WARNING, trigger, task_ids=tasks)]
    return []


def profile_issues(profile: dict[str, int]) -> list[Issue]:
    missing = profile["missing_complete_profile_count"]
    if not missing:
        return []
    trigger = ("missing_complete_profile_count", ">", 0, missing)
    return [Issue("issue_semantic_profile_missing", "profile", INFO, trigger, fixed=True)]


def _metrics(diagnosis: Diagnosis) -> dict[str, Any]:
    cost = diagnosis.cost
    return {
        "rhythm": diagnosis.rhythm,
        "tightness": diagnosis.tightness.to_json(),
        "profile": diagnosis.profile,
        "feasibility": diagnosis.feasibility.to_json(),
        "cost": {"total": cost.total, "parts": dict(cost.parts)},
        "can_close": diagnosis.verdict[0] == "close",
    }


def _decision(diagnosis: Diagnosis) -> dict[str, Any]:
    verdict, forced = diagnosis.verdict
    primary, candidates = diagnosis.primary, _candidates(diagnosis)
    given_up = [one.to_json(diagnosis.picture, diagnosis.locale) for one in diagnosis.trade_offs]
    operation = candidates[0]["tool"] if verdict == "continue" else "close" if verdict == "close" else "ask_user"
    return {
        "should_continue_optimize": verdict == "continue",
        "primary_problem": "" if primary is None else issue_text(primary, diagnosis.picture, diagnosis.locale),
        "primary_issue_id": "" if primary is None else primary.issue_id,
        "problem_scope": None if primary is None else primary.scope,
        "is_forced_imperfection": forced != "",
        "forced_reason": forced,
        "recommended_operation": operation,
        "improvement_signal": diagnosis.signal,
        "stagnation_count": diagnosis.stagnation,
        "candidates": candidates,
        **({"trade_offs": given_up} if given_up else {}),
    }


def _candidates(diagnosis: Diagnosis) -> list[dict[str, Any]]:
    verdict = diagnosis.verdict[0]
    if verdict not in ("continue", "close"):
        return []
    rows = [_candidate(diagnosis, offer) for offer in diagnosis.offers]
    return [*rows, _close(diagnosis)]


def _candidate(diagnosis: Diagnosis, offer: StepOffer) -> dict[str, Any]:
    step, index_of = offer.step, diagnosis.picture.scene.index_of
    before = diagnosis.cost.total
    totals = before, before - step.score
    return {
        "candidate_id": step.candidate_id(index_of),
        "tool": step.tool,
        "arguments": step.arguments(index_of),
        "summary": step_text(step, diagnosis.picture, offer.after, totals, diagnosis.locale),
        "effect": "improve" if offer.improves else "partial_improve",
        "score": step.score,
        "after": _after(diagnosis, offer.after, cost=totals[1]),
    }


def _close(diagnosis: Diagnosis) -> dict[str, Any]:
    after = _after(diagnosis, diagnosis.picture, cost=diagnosis.cost.total)
    return {
        "candidate_id": "close",
        "tool": "",
        "arguments": {},
        "summary": text("保持现状并收口", diagnosis.locale),
        "effect": "close",
        "score": 0,
        "after": after | {"can_close": diagnosis.verdict[0] == "close"},
    }


def _after(diagnosis: Diagnosis, picture: Picture, *, cost: int) -> dict[str, Any]:
    """Returns what the next diagnosis will say of a picture without pending items."""
    first = next((issue for issue in in_order(plan_issues(picture)) if issue.driver), None)
    rhythm = rhythm_metrics(picture.days)
    return {
        "can_close": first is None,
        "primary_problem": "" if first is None else issue_text(first, picture, diagnosis.locale),
        "primary_issue_id": "" if first is None else first.issue_id,
        "heavy_adjacent_days": rhythm["heavy_adjacent_days"],
        "max_switch_count": rhythm["max_switch_count"],
        "same_type_transition_ratio": rhythm["same_type_transition_ratio"],
        "cost_total": cost,
    }
