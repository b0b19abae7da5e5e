"""How much of what several classes still hope to seat cannot fit into the days that are left.

Each class alone may find room for all its items, and yet all together do not. For every subset of the classes: the
sections they hope to seat, less all cells that any of them may use from a day on, have to be left out (Hall's
condition on cells).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations

from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.solver.layout import Layout
from schedules.planner.solver.replace_class import Alone

UNIT = WEIGHTS["unplaced_section"]


class SharedCells:
    """Holds the cells that the lifted classes of a group share."""

    def __init__(self, layout: Layout, group: Sequence[Alone], days: range) -> None:
        self._start = days.start
        self._group = group
        self._behind = [[0, *accumulate(item.length for item in reversed(one.items))][::-1] for one in group]
        sizes = range(2, len(group) + 1)
        self._subsets = [chosen for size in sizes for chosen in combinations(range(len(group)), size)]
        self._left = [self._left_from(layout, chosen, days) for chosen in self._subsets]

    def _left_from(self, layout: Layout, chosen: tuple[int, ...], days: range) -> list[int]:
        """Counts per day, from the first to one past the last, the cells any of these classes may use from there on."""
        sizes = []
        for day in reversed(days):
            mask = 0
            for index in chosen:
                mask |= self._group[index].owner.constants.masks.get(day, 0)
            sizes.append((mask & ~layout.kinds[day].blocked(layout.keys[day])).bit_count() if mask else 0)
        return [0, *accumulate(sizes)][::-1]

    def overflow_cost(self, state: tuple[int, ...], day: int) -> int:
        """Bounds what cannot be seated any more before the morning of a day, above the classes' own losses."""
        offset = day - self._start
        hopes = [
            max(0, behind[one // 2] - alone.completion[offset][one] // UNIT)
            for one, alone, behind in zip(state, self._group, self._behind, strict=True)
        ]
        most = 0
        for chosen, left in zip(self._subsets, self._left, strict=True):
            missing = -left[offset]
            for index in chosen:
                missing += hopes[index]
            if missing > most:
                most = missing
        return UNIT * most
