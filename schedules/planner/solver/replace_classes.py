"""Re-laying several classes at once: a beam over the days, guided by what each class would cost alone.

A state counts, for every class, the items seated so far and whether the day before carries the class. Its estimate is
what it cost so far plus the cheapest completion of each class on its own, computed backwards beforehand (the pattern
data base heuristic of A*). States whose estimate is not below the cost to beat are dropped, then all but the best few.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from operator import itemgetter

from schedules.planner.solver.class_tables import ClassTable, DayOption, ItemTable, seats_on
from schedules.planner.solver.day_spots import DaySpot, cheapest
from schedules.planner.solver.layout import Layout, Seat
from schedules.planner.solver.overflow import SharedCells
from schedules.planner.solver.replace_class import Alone, DayStep, Freedom, near_freedom
from schedules.planner.solver.tables import Tables

WAYS_MAX = 100
"""How many combinations of steps are followed from one state over one day."""
MANY_WAYS = 4 * WAYS_MAX
"""From so many combinations on the greatest regret that is followed is found before they are made."""
MEETING_EFFORT = 2
"""What seating one class beside others on a day counts."""
ROOM_EFFORT = 4
"""What looking at the room that a state leaves counts."""
WAY_EFFORT = 3
"""What one combination of steps counts in `Tables.effort`."""

State = tuple[int, ...]
"""The state of each class, see `reseat_class`."""

Taken = tuple[tuple[int, DayStep], ...]
"""Index of a class in the group and its step, for the classes that seat or leave out items."""

Way = tuple[int, State, Taken]
"""Sum of regrets, where it leads, what it does."""

Seating = tuple[tuple[DaySpot, ...], ...]
"""The spots of each of several options on one day."""

Meeting = tuple[int, Seating]

Chain = tuple["Chain | None", int, Taken, Seating | None]
"""(what came before, day, steps, spots where several classes meet)."""

Front = dict[State, tuple[int, Chain | None]]
"""State -> (estimate of the whole, how)."""


@dataclass(frozen=True)
class ClassPart:
    """Holds consecutive items of a class to be re-laid; its other items stand on days outside the windows."""

    owner: ClassTable
    span: range
    freedom: Freedom

    @property
    def items(self) -> list[ItemTable]:
        return self.owner.items[self.span.start : self.span.stop]


@dataclass(frozen=True)
class JointOutcome:
    """Tells whether the total fell, and how much the classes cost above their separate optima before."""

    improved: bool
    friction: int


class Joint:
    """Does the beam search; all classes of the group are lifted from the layout."""

    def __init__(self, layout: Layout, parts: list[ClassPart], days: range, limit: int) -> None:
        self.days = days
        self.layout = layout
        self.limit = limit
        self.alone = [Alone(layout, part.owner, part.freedom, days, span=part.span) for part in parts]
        crowded = any(part.freedom.leave_out for part in parts)
        self.room = SharedCells(layout, self.alone, days) if crowded else None

    @property
    def bound(self) -> int:
        """Returns what the classes would cost at least if they did not disturb each other."""
        return sum(one.completion[0][one.entering] for one in self.alone)

    def solve(self, width: int) -> list[list[Seat | None]] | None:
        """Returns seats per class that cost less than the limit, or None."""
        start: State = tuple(one.entering for one in self.alone)
        front: Front = {start: (self.bound, None)}
        if self.bound >= self.limit:
            return None
        for one in self.alone:
            one.regret_limit = self.limit - self.bound
        for day in self.days:
            front = self._day(front, day)
            if len(front) > width:
                front = self._most_promising(front, day + 1, width)
            if not front:
                return None
        return self._seats(min(front.values(), key=lambda entry: entry[0])[1])

    def _most_promising(self, front: Front, day: int, width: int) -> Front:
        """Returns the best states of the morning of a day, by what they cost and must still cost at least."""
        if self.room is None:
            return dict(sorted(front.items(), key=lambda entry: (entry[1][0], entry[0]))[:width])
        ranked = []
        for state, known in front.items():
            least = known[0] + self.room.overflow_cost(state, day)
            if least < self.limit:
                ranked.append((least, state))
        self.layout.tables.effort += ROOM_EFFORT * len(front)
        return {state: front[state] for _, state in sorted(ranked)[:width]}

    def _day(self, front: Front, day: int) -> Front:
        following: Front = {}
        known: dict[tuple[int, ...], Meeting | None] = {}
        room = self.limit - min([estimate for estimate, _ in front.values()])
        for state, (estimate, chain) in front.items():
            for regret, then, taken in self._ways_on(state, day, self.limit - estimate):
                total = estimate + regret
                seen = following.get(then)
                if seen is not None and seen[0] <= total:
                    continue
                if len(taken) > 1:
                    name = tuple([id(step[2]) for _, step in taken])
                    if name not in known:
                        known[name] = self._meet(day, taken, room)
                    met = known[name]
                    if met is None:
                        continue
                    total += met[0]
                    if total >= self.limit or (seen is not None and seen[0] <= total):
                        continue
                    following[then] = (total, (chain, day, taken, met[1]))
                else:
                    following[then] = (total, (chain, day, taken, None) if taken else chain)
        return following

    def _ways_on(self, state: State, day: int, room: int) -> list[Way]:
        """Returns all combinations of steps of the classes whose regrets together are below `room`."""
        ways: list[Way] = [(0, (), ())]
        for index, (one, part) in enumerate(zip(self.alone, state, strict=True)):
            steps = one.steps(part, day)
            if len(steps) == 1 and steps[0][2] is None and not steps[0][3]:
                then = steps[0][1]
                ways = [(regret, (*states, then), taken) for regret, states, taken in ways]
                continue
            longer: list[Way] = []
            # Where classes leave items out they have thousands of steps, and few of the combinations are followed.
            many = len(ways) * len(steps) > MANY_WAYS
            below = min(room, regret_of_last(ways, steps) + 1) if many else room
            for regret, states, taken in ways:
                left = below - regret
                for step in steps:
                    more, then, option, skipped = step
                    if more >= left:
                        break
                    moves = option is not None or skipped
                    longer.append((regret + more, (*states, then), (*taken, (index, step)) if moves else taken))
            ways = sorted(longer, key=itemgetter(0, 1))[:WAYS_MAX] if len(longer) > WAYS_MAX else longer
        self.layout.tables.effort += WAY_EFFORT * len(ways)
        return ways

    def _meet(self, day: int, taken: Taken, room: int) -> Meeting | None:
        """Costs classes that share a day on top of their separate costs, if below `room`, and tells where they sit."""
        options = [option for _, (_, _, option, _) in taken if option]
        apart = sum([option[0] for option in options])
        key, tables = self.layout.keys[day], self.layout.tables
        found = _seat_together(tables, key, options, apart, room + apart) if options else (0, ())
        if found is None:
            return None
        spots = iter(found[1])
        return found[0] - apart, tuple([next(spots) if step[2] else () for _, step in taken])

    def _seats(self, chain: Chain | None) -> list[list[Seat | None]]:
        seats: list[list[Seat | None]] = [[] for _ in self.alone]
        while chain is not None:
            chain, day, taken, met = chain
            for position, (index, (_, _, option, skipped)) in enumerate(taken):
                if option:
                    spots = met[position] if met else option[-2]
                    seats[index] += reversed(seats_on(day, spots, option[-1]))
                seats[index] += [None] * skipped
        return [[*mine[::-1], *[None] * (one.count - len(mine))] for mine, one in zip(seats, self.alone, strict=True)]


def regret_of_last(ways: list[Way], steps: list[DayStep]) -> int:
    """Returns the regret of the last of the `WAYS_MAX` best combinations of ways and steps; the steps are in order."""
    heap = [(way[0] + steps[0][0], number, 0) for number, way in enumerate(ways)]
    heapify(heap)
    for _ in range(WAYS_MAX - 1):
        _, number, at = heap[0]
        if at + 1 < len(steps):
            heapreplace(heap, (ways[number][0] + steps[at + 1][0], number, at + 1))
        elif len(heap) > 1:
            heappop(heap)
    return heap[0][0]


def reseat_classes(layout: Layout, owners: list[ClassTable], *, width: int) -> JointOutcome:
    """Re-lays several whole classes at once if that lowers the total; otherwise leaves all as it was."""
    parts = [ClassPart(owner, range(len(owner.items)), near_freedom(layout, owner)) for owner in owners]
    ranges = [owner.day_range for owner in owners if owner.day_range]
    days = range(min(r.start for r in ranges), max(r.stop for r in ranges)) if ranges else range(1, 1)
    before = layout.total
    seats = [layout.lift_class(owner) for owner in owners]
    floor = layout.total - sum(item.unplaced for owner in owners for item in owner.items)
    joint = Joint(layout, parts, days, before - floor)
    found = joint.solve(width)
    for owner, mine in zip(owners, found or seats, strict=True):
        layout.seat_class(owner, mine)
    assert layout.total <= before, "a joint re-laying is only taken when it pays"
    return JointOutcome(found is not None, before - floor - joint.bound)


def _seat_together(
    tables: Tables, key: int, options: list[DayOption], apart: int, limit: int
) -> tuple[int, Seating] | None:
    """Returns the cheapest joint seating of several options on a day with this key, if below the limit.

    Branch and bound; what the later options cost alone is taken as their least. `apart` is what all cost alone.
    """
    cost, chain, rows, least, _, _ = options[0]
    tables.effort += MEETING_EFFORT
    ways = chain.ways(key)
    if len(options) == 1:
        last = cheapest(ways, rows, limit, least)
        return None if last is None else (last[0], (last[1],))
    alone = apart - cost
    least += alone
    if not ways or ways[0][0] + least >= limit:
        return None
    others, single = options[1:], len(rows) == 1
    best: tuple[int, Seating] | None = None
    for cost, spots in ways:
        if cost + least >= limit:
            break
        if single:
            spot = spots[0]
            total, then = cost + rows[0][spot.first], key + spot.add
        else:
            total, then = cost, key
            for row, spot in zip(rows, spots, strict=True):
                total += row[spot.first]
                then += spot.add
        if total + alone >= limit:
            continue
        rest = _seat_together(tables, then, others, alone, limit - total)
        if rest is not None:
            best = (total + rest[0], (spots, *rest[1]))
            limit = best[0]
    return best
