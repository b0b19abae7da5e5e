"""The whole objective as a CP-SAT model, to hold the planner against a proven optimum. Needs OR-tools.

A boolean per item and legal place; every part of the objective is linear over them plus small convex tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from schedules.planner.cost.day_terms import (
    buffer_cost,
    heavy_adjacent_cost,
    load_cost,
    long_run_cost,
    switch_cost,
)
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.problem import Problem, check_problem
from schedules.planner.solver.class_tables import ClassTable, ItemTable
from schedules.planner.solver.day_spots import DayKind, DaySpot
from schedules.planner.solver.layout import Layout, Seat
from schedules.planner.solver.rough_build import BoundedPlan, plan, plan_of, seat_placements
from schedules.planner.solver.tables import Tables

Terms = list[Any]
"""Summands of a linear expression: CP-SAT variables, expressions and integers."""


class ExactUnavailable(RuntimeError):
    """Tells that OR-tools is not installed."""


@dataclass(frozen=True)
class ExactPlan:
    """Holds CP-SAT's best plan with its bound, and whether the plan is proven optimal.

    `progress`: (seconds, total, bound) at each plan found that was better than the one before; `seconds`: until the
    end. Building the model is left out of both.
    """

    plan: BoundedPlan
    proven: bool
    progress: tuple[tuple[float, int, int], ...]
    seconds: float


def load_solver() -> ModuleType:
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise ExactUnavailable("--exact needs OR-tools: pip install 'ortools>=9.14,<10'") from error
    return cp_model


def solve_exact(problem: Problem, *, seconds: float, workers: int = 8, warm: bool = True) -> ExactPlan:
    """Solves a problem with CP-SAT for at most so many seconds; `warm` begins at the planner's own plan.

    Raises ExactUnavailable without OR-tools, ProblemError for a problem that contradicts itself.
    """
    cp_model = load_solver()
    check_problem(problem)
    tables = Tables(problem)
    model = ExactModel(cp_model, tables)
    start = Layout(tables)
    if warm:
        seat_placements(start, plan(problem).placements)
        model.hint(start)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = 1
    progress = progress_recorder(cp_model)
    status = solver.solve(model.model, progress)
    layout = Layout(tables)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        model.read(solver, layout)
    elif warm:
        layout = start
    bound = max(0, round(solver.best_objective_bound)) if status != cp_model.UNKNOWN else 0
    found = plan_of(layout)
    bounded = BoundedPlan(**vars(found), bound=min(bound, found.cost.total))
    offset = found.cost.total - round(solver.objective_value) if progress.steps else 0
    steps = tuple((at, total + offset, max(0, bound + offset)) for at, total, bound in progress.steps)
    return ExactPlan(bounded, status == cp_model.OPTIMAL, steps, solver.wall_time)


def progress_recorder(cp_model: ModuleType) -> Any:
    """Returns a solution callback that keeps (seconds, objective, bound) of every better plan in `steps`."""

    class Progress(cp_model.CpSolverSolutionCallback):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.steps: list[tuple[float, int, int]] = []

        def on_solution_callback(self) -> None:
            step = self.wall_time, round(self.objective_value), round(self.best_objective_bound)
            self.steps.append(step)

    return Progress()


class ExactModel:
    """Holds variables and costs of one problem; `cp_model` is CP-SAT's module, or what makes models as it does."""

    def __init__(self, cp_model: Any, tables: Tables) -> None:
        self.tables = tables
        self.model = cp_model.CpModel()
        self.empty = Layout(tables)
        self.objective: Terms = []
        self.sits: dict[tuple[int, int, int], Any] = {}
        self.left_out = [self.model.new_bool_var(f"out{item.number}") for item in tables.items]
        self.on_day: dict[int, list[tuple[ItemTable, DaySpot, Any]]] = defaultdict(list)
        for item in tables.items:
            self._item(item)
        for owner in tables.classes:
            self._order(owner)
            self._cluster(owner)
        for day in range(1, tables.grid.days + 1):
            self._cells(day)
            self._load(day)
            self._wish(day)
            self._buffer(day)
            self._parts(day)
        self.model.minimize(sum(self.objective))

    def _item(self, item: ItemTable) -> None:
        choices: Terms = [self.left_out[item.number]]
        self.objective.append(item.unplaced * choices[0])
        for day in item.segment.masks:
            spots = item.owner.spots(item.segment, item.length, day)
            for spot in spots.spots if spots else ():
                if self.empty.is_open(day, spot):
                    var = self.model.new_bool_var(f"x{item.number}_{day}_{spot.first}")
                    self.sits[item.number, day, spot.first] = var
                    self.on_day[day].append((item, spot, var))
                    choices.append(var)
                    self.objective.append((item.own_cost(day, spot.first) + spot.fit) * var)
        self.model.add_exactly_one(choices)

    def _order(self, owner: ClassTable) -> None:
        """Constrains the order: the next item begins at t only when all placed items up to i `ended` before t."""
        by_item = {item.number: self._seats_of(item) for item in owner.items}
        times = sorted({(day, first) for seats in by_item.values() for day, first, _, _ in seats})
        before: dict[tuple[int, int], Any] = {}
        for item in owner.items:
            ended: dict[tuple[int, int], Any] = {}
            seats = by_item[item.number]
            begun: Terms = []
            begin, finish = iter(seats), iter(sorted(seats, key=lambda seat: (seat[0], seat[2])))
            next_begin, next_finish = next(begin, None), next(finish, None)
            done = self.left_out[item.number]
            started: Any = 0
            for time in times:
                while next_begin is not None and next_begin[:2] <= time:
                    begun.append(next_begin[3])
                    next_begin = next(begin, None)
                started = self._sum(started, begun)
                while next_finish is not None and (next_finish[0], next_finish[2]) < time:
                    done = self._sum(done, [next_finish[3]])
                    next_finish = next(finish, None)
                if before and not isinstance(started, int):
                    self.model.add(started <= before[time])
                ended[time] = self.model.new_bool_var("")
                self.model.add(ended[time] <= done)
                if before:
                    self.model.add_implication(ended[time], before[time])
            before = ended

    def _sum(self, so_far: Any, more: Terms) -> Any:
        """Returns a new 0-1 variable for a running sum, so that each link stays short."""
        if not more:
            return so_far
        total = self.model.new_bool_var("")
        self.model.add(total == so_far + sum(more))
        more.clear()
        return total

    def _seats_of(self, item: ItemTable) -> list[tuple[int, int, int, Any]]:
        found = []
        for (number, day, first), var in self.sits.items():
            if number == item.number:
                found.append((day, first, first + item.length - 1, var))
        return sorted(found, key=lambda seat: seat[:2])

    def _cells(self, day: int) -> None:
        for section in range(1, self.tables.sections + 1):
            claims = [var for _, spot, var in self.on_day[day] if spot.claim >> section & 1]
            if len(claims) > 1:
                self.model.add_at_most_one(claims)

    def _steps(self, amount: Any, high: int, cost: Mapping[int, int] | list[int]) -> None:
        """Adds a convex cost of an integer amount 0..high."""
        self.objective.append(cost[0])
        if high == 0:
            return
        steps = [self.model.new_bool_var("") for _ in range(high)]
        self.model.add(sum(steps) >= amount)
        self.objective += [(cost[n + 1] - cost[n]) * step for n, step in enumerate(steps)]

    def _cluster(self, owner: ClassTable) -> None:
        carries: dict[int, Any] = dict.fromkeys(owner.pin_blocks, 1)
        for day, rows in self.on_day.items():
            mine = [(item, var) for item, _, var in rows if item.owner is owner]
            if not mine:
                continue
            pinned = owner.pin_blocks.get(day, 0)
            most = pinned + min(sum({item.number: item.blocks for item, _ in mine}.values()), self.tables.sections)
            costs = [owner.crowd(blocks) for blocks in range(most + 1)]
            self._steps(pinned + sum(item.blocks * var for item, var in mine), most, costs)
            if owner.apart and day not in carries:
                carries[day] = self._any(self._by_item(mine))
        for day in owner.pin_blocks:
            if not any(item.owner is owner for item, _, _ in self.on_day[day]):
                self.objective.append(owner.crowd(owner.pin_blocks[day]))
        if owner.apart:
            for day in sorted(carries):
                if day + 1 in carries:
                    self._both(owner.apart, [carries[day], carries[day + 1]])

    def _by_item(self, pairs: Iterable[tuple[ItemTable, Any]]) -> list[Any]:
        groups: dict[int, Terms] = defaultdict(list)
        for item, var in pairs:
            groups[item.number].append(var)
        return [sum(group) for group in groups.values()]

    def _any(self, indicators: list[Any]) -> Any:
        """Returns a variable that is at least each of the 0-1 expressions."""
        found = self.model.new_bool_var("")
        for one in indicators:
            self.model.add(found >= one)
        return found

    def _both(self, weight: int, terms: Terms) -> None:
        """Charges `weight` unless a term is 0."""
        charged = self.model.new_bool_var("")
        self.model.add(charged >= sum(terms) - (len(terms) - 1))
        self.objective.append(weight * charged)

    def _count_pinned(self, day: int) -> tuple[DayKind, int]:
        kind = self.tables.kinds[day]
        return kind, self.tables.find_covered(self.empty.keys[day])

    def _load(self, day: int) -> None:
        kind, pinned = self._count_pinned(day)
        own = (pinned & ~kind.owned).bit_count()
        rows = [item.length * var for item, spot, var in self.on_day[day] if not spot.guest]
        high = self.tables.sections if rows else own
        base = kind.owned.bit_count()
        self._steps(own + sum(rows), high, [load_cost(n, base) for n in range(high + 1)])

    def _wish(self, day: int) -> None:
        if not any(self.tables.day_wish):
            return
        _, pinned = self._count_pinned(day)
        rows = [item.length * var for item, _, var in self.on_day[day]]
        high = self.tables.sections if rows else pinned.bit_count()
        self._steps(pinned.bit_count() + sum(rows), high, self.tables.day_wish)

    def _buffer(self, day: int) -> None:
        kind, pinned = self._count_pinned(day)
        own = bool(pinned & ~kind.owned)
        rows = [(spot, var) for _, spot, var in self.on_day[day] if not spot.guest]
        left = (kind.usable & ~pinned).bit_count()
        short = self.model.new_bool_var("")
        self.objective.append(buffer_cost(own=1, free=0) * short)
        free = WEIGHTS["buffer_free"]
        if left >= free:
            covers = sum((spot.claim & kind.usable & ~pinned).bit_count() * var for spot, var in rows)
            self.model.add(free * short >= covers - (left - free))
            return
        self.model.add(short >= int(own))
        for _, var in rows:
            self.model.add(short >= var)

    def _parts(self, day: int) -> None:
        for first, last in self.tables.grid.day_parts:
            sections = range(first, last + 1)
            self._switch(day, sections)
            at = {section: self._classes_at(day, section) for section in sections}
            heavy = {s: {c: e for c, e in at[s].items() if self.tables.is_high(c)} for s in sections}
            for s in sections:
                for t in (s + 1, s + 2):
                    if t in heavy:
                        minus = sum(at[s + 1].values()) if t == s + 2 else 0
                        self._adjacent(heavy[s], heavy[t], minus)
            size = WEIGHTS["long_run_sections"]
            for begin in range(first, last - size + 2):
                window = [heavy[section] for section in range(begin, begin + size)]
                if all(window):
                    self._both(long_run_cost(1), [sum(one.values()) for one in window])

    def _adjacent(self, one: dict[int, Any], other: dict[int, Any], minus: Any) -> None:
        if not any(a != b for a in one for b in other):
            return
        charged = self.model.new_bool_var("")
        self.objective.append(heavy_adjacent_cost(1) * charged)
        for code, here in one.items():
            there = sum(expression for b, expression in other.items() if b != code)
            self.model.add(charged >= here + there - 1 - minus)

    def _classes_at(self, day: int, section: int) -> dict[int, Any]:
        """Maps class code -> 0-1 expression: the class studies in that section."""
        found: dict[int, Any] = defaultdict(int)
        pinned = self.tables.code_at(self.empty.keys[day], section)
        if pinned:
            found[pinned] += 1
        for item, spot, var in self.on_day[day]:
            if spot.first <= section <= spot.last:
                found[item.owner.code] += var
        return found

    def _switch(self, day: int, sections: range) -> None:
        present: dict[int, Any] = {}
        for section in sections:
            pinned = self.tables.code_at(self.empty.keys[day], section)
            if pinned:
                present[pinned] = 1
        groups: dict[int, list[tuple[ItemTable, Any]]] = defaultdict(list)
        for item, spot, var in self.on_day[day]:
            if spot.first in sections and item.owner.code not in present:
                groups[item.owner.code].append((item, var))
        for code, pairs in groups.items():
            present[code] = self._any(self._by_item(pairs))
        if len(present) > 1:
            more = self.model.new_int_var(0, len(present) - 1, "")
            self.model.add(more >= sum(present.values()) - 1)
            self.objective.append(switch_cost(1) * more)

    def hint(self, layout: Layout) -> None:
        """Tells the solver where to begin."""
        for item in self.tables.items:
            self.model.add_hint(self.left_out[item.number], layout.seats[item.number] is None)
        for (number, day, first), var in self.sits.items():
            seat = layout.seats[number]
            self.model.add_hint(var, seat is not None and (seat[0], seat[1].first) == (day, first))

    def read(self, solver: Any, layout: Layout) -> None:
        """Seats the solver's solution."""
        for (number, day, first), var in self.sits.items():
            if solver.boolean_value(var):
                item = self.tables.items[number]
                spots = item.owner.spots(item.segment, item.length, day)
                assert spots is not None, "the variable came from it"
                seat: Seat = (day, spots.by_first[first])
                layout.put(item, *seat)
