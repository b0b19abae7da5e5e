"""The cost of a plan: one integer, the sum of its terms, smaller is better.

This is the literal reading, written to be compared with: the solver keeps the same number incrementally.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from schedules.planner.cost.constants import Constants
from schedules.planner.cost.day_terms import BUFFER, CLUSTER, HEAVY_ADJACENT, LOAD, LONG_RUN, SWITCH
from schedules.planner.cost.item_terms import FIT, SLACK, TARGET, UNPLACED
from schedules.planner.cost.term import DayPlan, Explanation, Term
from schedules.planner.cost.wish_term import WISH
from schedules.planner.problem import Placement, Problem

TERMS = (TARGET, CLUSTER, LOAD, BUFFER, SWITCH, HEAVY_ADJACENT, LONG_RUN, FIT, SLACK, WISH, UNPLACED)
"""All terms, in the order in which every document lists them."""


def terms_of(problem: Problem) -> tuple[Term, ...]:
    """Returns the terms that charge something in a problem: a plan without wishes has no part for them."""
    return TERMS if problem.wishes else tuple(term for term in TERMS if term is not WISH)


@dataclass(frozen=True)
class Cost:
    """Holds a cost; `parts` holds the sum of every term in the order of `terms_of`; the explanations of a term add up
    to it."""

    total: int
    parts: Mapping[str, int]
    explanations: tuple[Explanation, ...]

    @property
    def soft(self) -> int:
        """Returns the total without unplaced items."""
        return self.total - self.parts[UNPLACED.name]


def evaluate(problem: Problem, placements: Iterable[Placement], *, constants: Constants | None = None) -> Cost:
    """Returns the cost of a plan with all its explanations.

    `placements` are those of the free items; pinned items stand where the problem says, whether listed or not.
    An item that is not listed is unplaced. The placements are taken as they are: their legality is not judged.
    """
    view = DayPlan(problem, placements, constants)
    found: list[Explanation] = []
    parts: dict[str, int] = {}
    for term in terms_of(problem):
        entries = [entry for entry in term.explain(view) if entry.cost]
        parts[term.name] = sum(entry.cost for entry in entries)
        found += sorted(entries, key=lambda entry: (entry.day or 0, entry.task_item_ids, entry.cost))
    return Cost(sum(parts.values()), parts, tuple(found))
