"""Re-laying one class: the best seats of all its items at once, everything else standing still.

A dynamic programme, backwards over the days. A state is 2 * items seated + (1 when the day before carries the class,
which costs a steady class). Within a day the next items stand in order in one of the arrangements of `tables`.
The answer is exact but for three limits: the windows of the items, the number of items a day, and, from three items
of a class on one day on, the shortened list of arrangements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter

from schedules.planner.solver.class_tables import NEVER, ClassTable, DayOption, ItemTable, PricedOption, seats_on
from schedules.planner.solver.layout import Layout, Seat

WINDOW_COST = 150
"""Items of a steady class are first tried where the target part costs at most this much."""
MOST_A_DAY = 16
RANKS_BEHIND = 4
"""Items of a rapid class are first tried up to so many days behind their present one ..."""
RANKS_AHEAD = 6
"""... and in a big class from so many days before it."""
BIG = 6000
"""Items times days from which on a class is never re-laid with all freedom."""


@dataclass(frozen=True)
class Freedom:
    """Tells how far a re-laying may go: `windows` days per item, items a day, whether items may be left out.

    `gaps`: also between two items of one day.
    """

    windows: Sequence[tuple[int, int]]
    a_day: int
    leave_out: bool
    gaps: bool = False


def near_freedom(layout: Layout, owner: ClassTable) -> Freedom:
    """Keeps items near their targets and present seats, few a day.

    While any item of the plan has no seat: all freedom, for big classes at least that of the items around.
    """
    big = len(owner.items) * len(owner.day_range) > BIG
    if not layout.complete and not big:
        return full_freedom(owner)
    windows = [_window(layout, owner, item, big=big) for item in owner.items]
    if not layout.complete:
        return Freedom(_monotone(windows), MOST_A_DAY, leave_out=True)
    most = max(owner.usual_count, layout.most_a_day(owner))
    return Freedom(_monotone(windows), most, leave_out=False)


def full_freedom(owner: ClassTable) -> Freedom:
    """Allows any day, as many items a day as fit; items may be left out."""
    return Freedom([(0, NEVER)] * len(owner.items), MOST_A_DAY, leave_out=True, gaps=True)


def _window(layout: Layout, owner: ClassTable, item: ItemTable, *, big: bool) -> tuple[int, int]:
    """Returns first and last day to try; an item without a seat asks for nothing of its own."""
    seat = layout.seats[item.number]
    if seat is None:
        return NEVER, 0
    if owner.steady and item.segment.capacity > 0:
        low, high = owner.window(item, WINDOW_COST)
    else:
        low, high = owner.days_around(item.segment, seat[0], ahead=RANKS_AHEAD if big else NEVER, behind=RANKS_BEHIND)
    return min(low, seat[0]), max(high, seat[0])


def _monotone(windows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns windows that neither begin nor end before those of earlier items."""
    lows = [*accumulate((begin for begin, _ in reversed(windows)), min)][::-1]
    highs = accumulate((end for _, end in windows), max)
    return list(zip(lows, highs, strict=True))


def reseat_class(layout: Layout, owner: ClassTable, freedom: Freedom) -> bool:
    """Re-lays a class if that lowers the total; otherwise leaves all as it was. True when it did."""
    before = layout.total
    seats = layout.lift_class(owner)
    floor = layout.total - sum(item.unplaced for item in owner.items)
    alone = Alone(layout, owner, freedom, owner.day_range)
    if alone.least >= before - floor:
        layout.seat_class(owner, seats)
        return False
    layout.seat_class(owner, alone.seats())
    assert layout.total < before, "a re-laying is only taken when it pays"
    return True


DayStep = tuple[int, int, DayOption | None, int]
"""A transition of a class over one day: (regret, state, option, skipped). The regret is what it costs more than the
best way on from there; so many items are skipped, left out before those of the option are seated."""


Charges = tuple[int, int, int]
"""(cost without, cost with new items, whether pins carry the day) after a day that carries the class."""

_REGRET, _STATE = itemgetter(0), itemgetter(1)


class Alone:
    """Lays a lifted class alone on the days of the layout: the cheapest completion from every state of every day."""

    def __init__(
        self, layout: Layout, owner: ClassTable, freedom: Freedom, days: range, *, span: range | None = None
    ) -> None:
        self.keys = layout.keys
        self.owner = owner
        self.freedom = freedom
        self.days = days
        self.items = owner.items if span is None else owner.items[span.start : span.stop]
        self.first = 0 if span is None else span.start
        self.count = len(self.items)
        self._unplaced = [item.unplaced for item in self.items]
        self.standing = frozenset(layout.blocks[owner.index])
        # Steps with at least that much regret need not be found; 1 is enough for the cheapest way.
        self.regret_limit = 1
        self._steps: dict[tuple[int, int], list[DayStep]] = {}
        self._until: dict[int, int] = {}
        self._options: dict[int, Callable[[int], list[PricedOption]]] = {}
        self._charges: dict[int, Charges] = {}
        self.completion = self._completions()

    @property
    def entering(self) -> int:
        """Returns the state before the first day: nothing seated, and whether the day before carries the class."""
        return int(self.days.start - 1 in self.standing)

    @property
    def least(self) -> int:
        """Returns the least cost of the class, NEVER when not all items that must be seated can be."""
        return self.completion[0][self.entering]

    def _completions(self) -> list[list[int]]:
        """Returns per day, from the first to one past the last, state -> cheapest cost of all items still to seat."""
        end = [NEVER] * (2 * self.count + 2)
        end[2 * self.count] = end[2 * self.count + 1] = 0
        if self.freedom.leave_out:
            self._leave_out(end)
        table = [end]
        low = high = until = self.count
        windows = self.freedom.windows
        for day in reversed(self.days):
            while low > 0 and windows[low - 1][1] >= day:
                low -= 1
            while high > 0 and windows[high - 1][0] >= day:
                high -= 1
            while until > 0 and windows[until - 1][0] > day:
                until -= 1
            self._until[day] = until
            table.append(self._completions_on(day, table[-1], range(low, high + 1)))
        return table[::-1]

    def _completions_on(self, day: int, after: list[int], indices: range) -> list[int]:
        quiet, charge, flag = self._charges[day] = self._charges_on(day)
        # Whoever may leave items out looks at every state of every day, whatever the windows are.
        self.owner.tables.effort += self.count + 1 if self.freedom.leave_out else len(indices)
        found = [NEVER] * len(after)
        until, first = self._until[day], self.first
        if indices.start < until:
            most, gaps = self.freedom.a_day, self.freedom.gaps
            options = self._options[day] = self.owner.options_on(day, self.keys[day], most=most, gaps=gaps)
        carried = after[1::2]
        rests = carried if flag else after[::2]
        for index in indices:
            rest, seated = rests[index], NEVER
            if index < until:
                for cost, count, _ in options(first + index):
                    last = index + count
                    if last <= until:
                        total = cost + carried[last]
                        if total < seated:
                            seated = total
            found[2 * index] = rest if rest <= seated else seated
            rest += quiet
            seated += charge
            found[2 * index + 1] = rest if rest <= seated else seated
        if self.freedom.leave_out:
            self._leave_out(found)
        return found

    def _leave_out(self, completions: list[int]) -> None:
        quiet, carried = completions[-2:]
        for index in range(self.count - 1, -1, -1):
            unplaced, at = self._unplaced[index], 2 * index
            quiet, carried = quiet + unplaced, carried + unplaced
            if quiet < completions[at]:
                completions[at] = quiet
            else:
                quiet = completions[at]
            if carried < completions[at + 1]:
                completions[at + 1] = carried
            else:
                carried = completions[at + 1]

    def _charges_on(self, day: int) -> Charges:
        apart, standing = self.owner.apart, self.standing
        if day not in standing:
            return 0, apart, 0
        charge = 0 if day - 1 in standing else apart
        return charge, charge, 1

    def steps(self, state: int, day: int) -> list[DayStep]:
        """Returns transitions from a state over a day, the most promising first; one of them has no regret."""
        found = self._steps.get((state, day))
        if found is None:
            found = self._steps[state, day] = self._find_steps(state, day)
        return found

    def _find_steps(self, state: int, day: int) -> list[DayStep]:
        offset = day - self.days.start
        best = self.completion[offset][state]
        found = self._seatings(state, day, best, 0)
        # The step that seats nothing. What is left out is left out before an item is seated, or at the end.
        quiet, _, flag = self._charges[day]
        then = state - (state & 1) + flag
        regret = self.completion[offset + 1][then] + (quiet if state & 1 else 0) - best
        if regret < self.regret_limit:
            found.append((regret, then, None, 0))
        if self.freedom.leave_out:
            self._add_seatings_without_next(found, state, day, best)
        if len(found) > 1:
            found.sort(key=_STATE, reverse=True)
            found.sort(key=_REGRET)  # stable: of equals the one that has seated most comes first
        return found

    def _seatings(self, state: int, day: int, best: int, skipped: int) -> list[DayStep]:
        """Returns the steps that seat the next items, all inside their windows."""
        found: list[DayStep] = []
        index, until = state // 2, self._until[day]
        if index >= until or day > self.freedom.windows[index][1]:
            return found
        after = self.completion[day - self.days.start + 1]
        base = (self._charges[day][1] if state & 1 else 0) - best
        limit = self.regret_limit
        for cost, count, option in self._options[day](self.first + index):
            if index + count <= until:
                then = 2 * (index + count) + 1
                regret = cost + base + after[then]
                if regret < limit:
                    found.append((regret, then, option, skipped))
        return found

    def _add_seatings_without_next(self, steps: list[DayStep], state: int, day: int, best: int) -> None:
        """Adds the steps that seat later items and leave out the next ones for good."""
        completions = self.completion[day - self.days.start]
        for skipped in range(1, self.count - state // 2):
            best -= self.items[state // 2].unplaced
            state += 2
            if completions[state] - best < self.regret_limit:
                steps += self._seatings(state, day, best, skipped)

    def seats(self) -> list[Seat | None]:
        """Returns the seats of the cheapest way, the earliest among equals."""
        seats: list[Seat | None] = []
        state = self.entering
        for day in self.days:
            _, state, option, skipped = self.steps(state, day)[0]
            seats += [None] * skipped
            seats += seats_on(day, *option[-2:]) if option else []
        return seats + [None] * (self.count - state // 2)
