"""The cost of a plan: one integer, the sum of ten parts, smaller is better; one function per part.

This is the literal reading of domain.md 5.2, written to be compared with. `evaluator` keeps the same number
incrementally.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from types import MappingProxyType

from schedules.planner.cost.constants import Constants, Segment, constants_of
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.grid import Place
from schedules.planner.problem import Placement, PlanClass, PlanItem, Problem

LATE_SECTIONS = 2
"""The last sections of a day, which nobody likes when they are evening."""


@dataclass(frozen=True)
class Explanation:
    """One non-zero contribution; `day` is None for unplaced items; ids ascending."""

    part: str
    cost: int
    day: int | None
    task_item_ids: tuple[int, ...]


@dataclass(frozen=True)
class Cost:
    """`parts` holds all ten parts in the order of PARTS; the explanations of a part sum to it."""

    total: int
    parts: Mapping[str, int]
    explanations: tuple[Explanation, ...]

    @property
    def soft(self) -> int:
        """The total without unplaced items."""
        return self.total - self.parts["unplaced"]


@dataclass(frozen=True)
class Placed:
    """A placed item as the parts look at it."""

    item: PlanItem
    task_class: PlanClass
    place: Place
    guest: bool

    @property
    def free(self) -> bool:
        return self.item.pinned is None


class PlacedView:
    """A plan sorted by day: what the part functions read."""

    def __init__(self, problem: Problem, placements: Iterable[Placement], constants: Constants | None = None) -> None:
        self.problem = problem
        self.grid = problem.grid
        self.constants = constants or constants_of(problem)
        given = {pin.task_item_id: pin for pin in problem.pins}
        found = {placement.task_item_id: placement for placement in placements} | given
        self.placed = tuple(
            Placed(item, task_class, found[item.id].place, found[item.id].embed_course_event_id is not None)
            for task_class, item in problem.each_item()
            if item.id in found
        )
        self.unplaced = tuple((c, item) for c, item in problem.each_item() if item.id not in found)

    @cached_property
    def by_day(self) -> Mapping[int, tuple[Placed, ...]]:
        ordered = sorted(self.placed, key=lambda one: (one.place.day, one.place.first, one.item.id))
        return {day: tuple(group) for day, group in groupby(ordered, key=lambda one: one.place.day)}

    @cached_property
    def segment_of(self) -> Mapping[int, tuple[Segment, int]]:
        """Free item id -> (its segment, its index there)."""
        return {
            item.id: (segment, index)
            for constants in self.constants.classes.values()
            for segment in constants.segments
            for index, item in enumerate(segment.items)
        }


Part = Callable[[PlacedView], Iterator[Explanation]]


def target_part(view: PlacedView) -> Iterator[Explanation]:
    """Steady classes stay near an even spread; rapid ones start early."""
    for one in view.placed:
        if one.free:
            segment, index = view.segment_of[one.item.id]
            yield _of_item("target", one, target_cost(one.task_class, segment, index, one.place))


def target_cost(task_class: PlanClass, segment: Segment, index: int, place: Place) -> int:
    if not task_class.rules.steady:
        return min(WEIGHTS["target_cap"], segment.rapid_step * segment.days_before(place.day))
    if segment.capacity == 0:
        return 0
    gap = abs(segment.position(place.cell) - segment.targets[index])
    return steady_cost((10 * segment.ideal_days * gap) // segment.capacity)


def steady_cost(tenths: int) -> int:
    """Cost of lying this many tenths of the ideal distance off target: square, then linear, then capped."""
    knee = WEIGHTS["target_knee"]
    square = tenths * tenths if tenths <= knee else knee * knee + 2 * knee * (tenths - knee)
    return min(WEIGHTS["target_cap"], square * WEIGHTS["target_gap"] // 100)


def cluster_part(view: PlacedView) -> Iterator[Explanation]:
    """Too many blocks of one class on a day, and steady classes on two days running."""
    for constants in view.constants.classes.values():
        mine = [one for one in view.placed if one.task_class is constants.task_class]
        days: dict[int, list[Placed]] = {}
        for one in mine:
            days.setdefault(one.place.day, []).append(one)
        for day, group in days.items():
            excess = max(0, sum(one.item.blocks for one in group) - constants.allow)
            yield _of_day("cluster", day, WEIGHTS["cluster"] * excess * (excess + 1) // 2, group)
            if constants.apart and day + 1 in days:
                yield _of_day("cluster", day, WEIGHTS["cluster_adjacent"], [*group, *days[day + 1]])


def load_part(view: PlacedView) -> Iterator[Explanation]:
    """Own study on free cells, beside the day's lessons; beyond half of what they leave it grows steeply."""
    for day, group in view.by_day.items():
        own = [one for one in group if not one.guest]
        sections = sum(one.place.length for one in own)
        yield _of_day("load", day, load_cost(sections, view.constants.base[day].bit_count()), own)


def load_cost(sections: int, base: int) -> int:
    over = max(0, 2 * sections - max(0, WEIGHTS["overload_halves"] - base))
    return WEIGHTS["load"] * sections * (sections + base) + WEIGHTS["overload"] * over * (over + 1) // 2


def buffer_part(view: PlacedView) -> Iterator[Explanation]:
    """A day with own study should keep two usable sections free."""
    for day, group in view.by_day.items():
        own = [one for one in group if not one.guest]
        covered = {section for one in group for section in one.place.sections}
        usable = [s for s in range(1, view.grid.sections + 1) if view.constants.usable[day] >> s & 1]
        left = sum(1 for section in usable if section not in covered)
        if own and left < WEIGHTS["buffer_free"]:
            yield _of_day("buffer", day, WEIGHTS["buffer"], own)


def switch_part(view: PlacedView) -> Iterator[Explanation]:
    """Different classes inside one part of a day."""
    for day, group in view.by_day.items():
        for first, last in view.grid.day_parts:
            touching = [one for one in group if one.place.first <= last and one.place.last >= first]
            classes = {one.task_class.id for one in touching}
            yield _of_day("switch", day, WEIGHTS["switch"] * max(0, len(classes) - 1), touching)


def heavy_adjacent_part(view: PlacedView) -> Iterator[Explanation]:
    """Two different high classes next to each other, or with one section without study between them."""
    for day, group in view.by_day.items():
        at = _by_section(group)
        for first, last in view.grid.day_parts:
            for s in range(first, last):
                for t in (s + 1, s + 2):
                    if t > last or s not in at or t not in at or (t == s + 2 and s + 1 in at):
                        continue
                    a, b = at[s], at[t]
                    if a.task_class.rules.high and b.task_class.rules.high and a.task_class is not b.task_class:
                        yield _of_day("heavy_adjacent", day, WEIGHTS["heavy_adjacent"], [a, b])


def long_run_part(view: PlacedView) -> Iterator[Explanation]:
    """Four sections of high classes without a pause."""
    size = WEIGHTS["long_run_sections"]
    for day, group in view.by_day.items():
        at = {section: one for section, one in _by_section(group).items() if one.task_class.rules.high}
        for first, last in view.grid.day_parts:
            for begin in range(first, last - size + 2):
                window = range(begin, begin + size)
                if all(section in at for section in window):
                    yield _of_day("long_run", day, WEIGHTS["long_run"], [at[section] for section in window])


def fit_part(view: PlacedView) -> Iterator[Explanation]:
    """High classes off fillers and evenings, everyone off the last sections."""
    for one in view.placed:
        if one.free:
            yield _of_item("fit", one, fit_cost(view.problem, one.task_class, one.place, guest=one.guest))


def fit_cost(problem: Problem, task_class: PlanClass, place: Place, *, guest: bool) -> int:
    evening = [section for section in place.sections if problem.grid.is_evening(section)]
    late = [section for section in evening if section > problem.grid.sections - LATE_SECTIONS]
    cost = WEIGHTS["fit_late"] * len(late)
    if task_class.rules.high:
        cost += WEIGHTS["fit_evening_high"] * len(evening)
        cost += WEIGHTS["fit_filler_high"] * place.length if guest else 0
    return cost


def slack_part(view: PlacedView) -> Iterator[Explanation]:
    """Free items stay out of the last days of their class."""
    for one in view.placed:
        if one.free:
            depth = view.constants.classes[one.task_class.id].depth(one.place.day)
            yield _of_item("slack", one, WEIGHTS["slack"] * depth)


def unplaced_part(view: PlacedView) -> Iterator[Explanation]:
    """Larger than all else together; among equals the tail of a class is dropped before its head."""
    left = {item.id for _, item in view.unplaced}
    for task_class in view.problem.task_classes:
        for behind, item in enumerate(reversed(task_class.items)):
            if item.id in left:
                yield Explanation("unplaced", unplaced_cost(item, behind), None, (item.id,))


def unplaced_cost(item: PlanItem, behind: int) -> int:
    """`behind` counts the items of its class with a higher rank."""
    return WEIGHTS["unplaced_section"] * item.duration + WEIGHTS["unplaced_before_sibling"] * behind


PARTS: Mapping[str, Part] = MappingProxyType(
    {
        "target": target_part,
        "cluster": cluster_part,
        "load": load_part,
        "buffer": buffer_part,
        "switch": switch_part,
        "heavy_adjacent": heavy_adjacent_part,
        "long_run": long_run_part,
        "fit": fit_part,
        "slack": slack_part,
        "unplaced": unplaced_part,
    }
)


def evaluate(problem: Problem, placements: Iterable[Placement], *, constants: Constants | None = None) -> Cost:
    """The cost of a plan with all its explanations.

    `placements` are those of the free items; pinned items stand where the problem says, whether listed or not.
    An item that is not listed is unplaced. The placements are taken as they are: legality is section 3's affair.
    """
    view = PlacedView(problem, placements, constants)
    found = [entry for part in PARTS.values() for entry in part(view) if entry.cost]
    order = {name: index for index, name in enumerate(PARTS)}
    found.sort(key=lambda entry: (order[entry.part], entry.day or 0, entry.task_item_ids, entry.cost))
    parts = {name: sum(entry.cost for entry in found if entry.part == name) for name in PARTS}
    return Cost(sum(parts.values()), parts, tuple(found))


def _of_item(part: str, one: Placed, cost: int) -> Explanation:
    return Explanation(part, cost, one.place.day, (one.item.id,))


def _of_day(part: str, day: int, cost: int, group: Iterable[Placed]) -> Explanation:
    return Explanation(part, cost, day, tuple(sorted({one.item.id for one in group})))


def _by_section(group: Iterable[Placed]) -> dict[int, Placed]:
    return {section: one for one in group for section in one.place.sections}
