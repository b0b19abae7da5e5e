"""The bounded local search: classes are re-laid in turn, items moved and exchanged, until nothing helps. PURE.

Deterministic: no clock, no random source; the budget counts considered seats.
"""

from __future__ import annotations

from schedules.planner.layout import Layout
from schedules.planner.moves import exchange, exchange_partners, relocate
from schedules.planner.relay import full_freedom, near_freedom, relay


class Budget:
    """Evaluations that may still be made: one item re-laid, moved or exchanged counts one."""

    def __init__(self, evaluations: int) -> None:
        self.left = evaluations

    def spend(self, evaluations: int) -> None:
        self.left -= evaluations

    @property
    def spent(self) -> bool:
        return self.left <= 0


def improve(layout: Layout, budget: Budget) -> None:
    """Lower the total until neither a re-laying nor a move nor an exchange does."""
    while not budget.spent and (relay_all(layout, budget) or polish(layout, budget)):
        pass


def relay_all(layout: Layout, budget: Budget) -> bool:
    """Re-lay the classes in turn until a whole round of them changed nothing."""
    classes = [owner for owner in layout.tables.classes if owner.items]
    changed, still, index = False, 0, 0
    while still < len(classes) and not budget.spent:
        owner = classes[index % len(classes)]
        complete = all(layout.seats[item.number] is not None for item in owner.items)
        freedom = near_freedom(owner, layout) if complete else full_freedom(owner)
        budget.spend(len(owner.items))
        if relay(layout, owner, freedom):
            changed, still = True, 0
        else:
            still += 1
        index += 1
    return changed


def polish(layout: Layout, budget: Budget) -> bool:
    """Single moves and exchanges of two items, each taken when it pays."""
    changed = False
    for item in layout.tables.items:
        if budget.spent:
            return changed
        budget.spend(1)
        changed |= relocate(layout, item)
        if layout.seats[item.number] is None:
            continue
        for other in list(exchange_partners(layout, item)):
            budget.spend(1)
            if layout.seats[other.number] is not None and exchange(layout, item, other):
                changed = True
                break
    return changed
