"""What the search looks up: the costs of days by occupancy key, and the classes with their items.

The state of a day, as far as classes can disturb each other, is one integer, its *key*: `bits` bits per section hold
the number of the class that studies there, 0 for none. Adding an item adds a constant to the key, so the parts of the
objective that look at a whole day (load, buffer, switch, heavy_adjacent, long_run) are one look-up in a memo. Days with
the same lessons share a memo. What depends on one item alone (target, fit, slack) is added by the caller.
"""

from __future__ import annotations

from functools import cached_property

from schedules.planner.cost.constants import Constants, constants_of, mask_of
from schedules.planner.cost.day_terms import heavy_adjacent_cost, long_run_cost, switch_cost
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.cost.wish_term import blocks_wanted, crowd_cost
from schedules.planner.grid import Grid
from schedules.planner.problem import Problem
from schedules.planner.solver.class_tables import ClassTable, ItemTable
from schedules.planner.solver.day_spots import DayKind, Memo


class Tables:
    """Holds all look-ups of one problem."""

    def __init__(self, problem: Problem, constants: Constants | None = None) -> None:
        self.problem = problem
        self.grid: Grid = problem.grid
        self.sections = problem.grid.sections
        self.constants = constants or constants_of(problem)
        self.bits = max(2, len(problem.task_classes).bit_length())
        self.embeddable = [0] * (self.grid.days + 1)
        self.host_masks: list[list[int]] = [[] for _ in self.embeddable]
        for event in problem.occupied:
            if event.embeddable:
                self.host_masks[event.place.day].append(mask_of(event.place))
                self.embeddable[event.place.day] |= mask_of(event.place)
        wanted = blocks_wanted(problem, None)
        self.day_wish = [crowd_cost(sections, wanted) for sections in range(self.sections + 1)]
        self._numbers = 0
        self.effort = 0
        self._high = [False, *(task_class.rules.high for task_class in problem.task_classes)]
        self.part_slices = [
            (self.bits * (first - 1), (1 << self.bits * (last - first + 1)) - 1, first)
            for first, last in self.grid.day_parts
        ]
        self.part = Memo(self._part).__getitem__
        """Switch, heavy_adjacent and long_run of a part of a day, given its slice of the key; its sections from 0."""
        self.kinds = self._day_kinds()
        self.classes = [ClassTable(self, i, one) for i, one in enumerate(self.constants.classes.values())]
        self.items: list[ItemTable] = []
        for owner in self.classes:
            for segment in owner.constants.segments:
                for index, item in enumerate(segment.items):
                    self.items.append(ItemTable(len(self.items), owner, item, segment, index))
                    owner.items.append(self.items[-1])

    def next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _day_kinds(self) -> list[DayKind]:
        hosts: dict[int, list[int]] = {}
        for event in self.problem.occupied:
            if event.embeddable and event.guest_task_item_id not in self._guests_elsewhere:
                hosts.setdefault(event.place.day, []).append(mask_of(event.place))
        kinds: dict[tuple[int, int, tuple[int, ...]], DayKind] = {}
        found = []
        for day in range(self.grid.days + 1):
            name = (self.constants.base[day], self.constants.usable[day], tuple(sorted(hosts.get(day, ()))))
            if name not in kinds:
                kinds[name] = DayKind(self, *name)
            found.append(kinds[name])
        return found

    @cached_property
    def _guests_elsewhere(self) -> frozenset[int]:
        """Returns guests that are not pinned items of the problem: their hosts are closed from the start."""
        pinned = {pin.task_item_id for pin in self.problem.pins}
        guests = {event.guest_task_item_id for event in self.problem.occupied}
        return frozenset(guest for guest in guests if guest is not None and guest not in pinned)

    def key_of(self, code: int, first: int, length: int) -> int:
        """Returns what an item of a class adds to the key of its day."""
        return sum(code << (self.bits * (section - 1)) for section in range(first, first + length))

    def find_covered(self, key: int) -> int:
        """Returns the mask of the sections of a key that carry study."""
        mask = 0
        for shift, codes, first in self.part_slices:
            part = (key >> shift) & codes
            if part:
                mask |= self.part(part)[1] << first
        return mask

    def code_at(self, key: int, section: int) -> int:
        """Returns the class that studies in a section of a day with this key, 0 for none."""
        return key >> (self.bits * (section - 1)) & ((1 << self.bits) - 1)

    def is_high(self, code: int) -> bool:
        return self._high[code]

    def _part(self, part: int) -> tuple[int, int]:
        codes, mask = [], (1 << self.bits) - 1
        while part:
            codes.append(part & mask)
            part >>= self.bits
        cells = sum([1 << s for s, code in enumerate(codes) if code])
        return self._part_cost(codes), cells

    def _part_cost(self, codes: list[int]) -> int:
        switches = max(0, len({code for code in codes if code}) - 1)
        heavy = [code if self._high[code] else 0 for code in codes]
        pairs = runs = 0
        if any(heavy):
            for s, one in enumerate(heavy):
                near = heavy[s + 1] if s + 1 < len(heavy) else 0
                far = heavy[s + 2] if s + 2 < len(heavy) and not codes[s + 1] else 0
                for other in (near, far):
                    if one and other and other != one:
                        pairs += 1
            size = WEIGHTS["long_run_sections"]
            runs = sum([1 for begin in range(len(heavy) - size + 1) if all(heavy[begin : begin + size])])
        return switch_cost(switches) + heavy_adjacent_cost(pairs) + long_run_cost(runs)
