"""The bound of the linear programme: the model of `exact` with its whole numbers set free, by HiGHS. Needs OR-tools.

The solver's prices are floating point. Rounded to parts of `FRACTION` they give a bound by weak duality, in whole
numbers: it holds however the solver got them, and needs no tolerance.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from schedules.planner.problem import Problem
from schedules.planner.solver.bounds.exact import ExactModel, ExactUnavailable
from schedules.planner.solver.rough_build import BoundedPlan
from schedules.planner.solver.tables import Tables

FRACTION = 1 << 20


def load_solver() -> Any:
    try:
        from ortools.math_opt.python import mathopt
    except ImportError as error:
        raise ExactUnavailable("--linear-bound needs OR-tools: pip install 'ortools>=9.14,<10'") from error
    return mathopt


def tighten_linear(problem: Problem, plan: BoundedPlan, *, seconds: float) -> BoundedPlan:
    """Returns a plan of the problem with the bound of the linear programme, unless that takes longer than so many
    seconds; never a worse bound than it had.

    Raises ExactUnavailable without OR-tools.
    """
    mathopt = load_solver()
    model = ExactModel(_Solver(mathopt), Tables(problem)).model.model
    limit = mathopt.SolveParameters(time_limit=timedelta(seconds=seconds))
    found = mathopt.solve(model, mathopt.SolverType.HIGHS, params=limit)
    if not found.has_dual_feasible_solution():
        return plan
    return plan.tighten(_bound_at(model, found.dual_values()))


def _bound_at(model: Any, prices: Any) -> int:
    """Bounds the objective at these prices of the rows, whatever they are: what a row must give at least, paid at its
    price, and each variable at the end of its range that is cheaper then. Everything in it is a whole number."""
    left = {term.variable: FRACTION * int(term.coefficient) for term in model.objective.linear_terms()}
    total = FRACTION * int(model.objective.offset)
    for row in model.linear_constraints():
        price = round(FRACTION * prices[row])
        end = row.lower_bound if price > 0 else row.upper_bound
        if not price or abs(end) == float("inf"):
            continue
        total += price * int(end)
        for term in row.terms():
            left[term.variable] = left.get(term.variable, 0) - price * int(term.coefficient)
    total += sum(cost * int(one.lower_bound if cost > 0 else one.upper_bound) for one, cost in left.items())
    return -(-total // FRACTION)


class _Solver:
    """Stands for the module of CP-SAT where `ExactModel` asks for a model."""

    def __init__(self, mathopt: Any) -> None:
        self._mathopt = mathopt

    def CpModel(self) -> _Relaxed:  # CP-SAT's name
        return _Relaxed(self._mathopt)


class _Relaxed:
    """Takes variables and constraints as CP-SAT's model does, with every whole number set free."""

    def __init__(self, mathopt: Any) -> None:
        self.model = mathopt.Model()
        self._sum = mathopt.fast_sum

    def new_bool_var(self, name: str) -> Any:
        return self.new_int_var(0, 1, name)

    def new_int_var(self, low: int, high: int, name: str) -> Any:
        del name  # two may have the same
        return self.model.add_variable(lb=low, ub=high)

    def add(self, constraint: Any) -> None:
        self.model.add_linear_constraint(constraint)

    def add_exactly_one(self, terms: list[Any]) -> None:
        self.add(self._sum(terms) == 1)

    def add_at_most_one(self, terms: list[Any]) -> None:
        self.add(self._sum(terms) <= 1)

    def add_implication(self, one: Any, other: Any) -> None:
        self.add(one <= other)

    def minimize(self, objective: Any) -> None:
        self.model.minimize(objective)
