"""The terms of the objective that look at a day: cluster, load, buffer, switch, heavy_adjacent, long_run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from schedules.planner.cost.term import DayPlan, Explanation, PlannedItem, Term, explain_day
from schedules.planner.cost.weights import WEIGHTS


def cluster_cost(excess: int) -> int:
    """Returns cost of so many blocks of one class on a day beyond its allowance."""
    return WEIGHTS["cluster"] * excess * (excess + 1) // 2 if excess > 0 else 0


def explain_cluster(view: DayPlan) -> Iterator[Explanation]:
    """Charges too many blocks of one class on a day, and steady classes on two days running."""
    for constants in view.constants.classes.values():
        mine = [one for one in view.placed if one.task_class is constants.task_class]
        days: dict[int, list[PlannedItem]] = {}
        for one in mine:
            days.setdefault(one.place.day, []).append(one)
        for day, group in days.items():
            excess = sum(one.item.blocks for one in group) - constants.allow
            yield explain_day("cluster", day, cluster_cost(excess), group)
            if constants.apart and day + 1 in days:
                yield explain_day("cluster", day, WEIGHTS["cluster_adjacent"], [*group, *days[day + 1]])


def load_cost(sections: int, base: int) -> int:
    """Returns cost of so many sections of own study beside `base` sections of lessons."""
    return WEIGHTS["load"] * sections * (sections + base) + overload_cost(overload_halves(sections, base))


def overload_halves(sections: int, base: int) -> int:
    """Returns half sections of own study beyond half of what the day's lessons leave."""
    return max(0, 2 * sections - max(0, WEIGHTS["overload_halves"] - base))


def overload_cost(halves: int) -> int:
    return WEIGHTS["overload"] * halves * (halves + 1) // 2


def explain_load(view: DayPlan) -> Iterator[Explanation]:
    """Charges own study on free cells beside the day's lessons, steeply beyond half of what they leave."""
    for day, group in view.by_day.items():
        own = [one for one in group if not one.guest]
        sections = sum(one.place.length for one in own)
        yield explain_day("load", day, load_cost(sections, view.constants.base[day].bit_count()), own)


def buffer_cost(own: int, free: int) -> int:
    """Returns cost of a day with so many sections of own study that leaves so many usable ones."""
    return WEIGHTS["buffer"] if own and free < WEIGHTS["buffer_free"] else 0


def explain_buffer(view: DayPlan) -> Iterator[Explanation]:
    """Charges a day with own study that does not keep two usable sections free."""
    for day, group in view.by_day.items():
        own = [one for one in group if not one.guest]
        covered = {section for one in group for section in one.place.sections}
        usable = [s for s in range(1, view.grid.sections + 1) if view.constants.usable[day] >> s & 1]
        free = sum(1 for section in usable if section not in covered)
        yield explain_day("buffer", day, buffer_cost(len(own), free), own)


def switch_cost(switches: int) -> int:
    return WEIGHTS["switch"] * switches


def explain_switch(view: DayPlan) -> Iterator[Explanation]:
    """Charges different classes inside one part of a day."""
    for day, group in view.by_day.items():
        for first, last in view.grid.day_parts:
            touching = [one for one in group if one.place.first <= last and one.place.last >= first]
            classes = {one.task_class.id for one in touching}
            yield explain_day("switch", day, switch_cost(max(0, len(classes) - 1)), touching)


def heavy_adjacent_cost(pairs: int) -> int:
    return WEIGHTS["heavy_adjacent"] * pairs


def explain_heavy_adjacent(view: DayPlan) -> Iterator[Explanation]:
    """Charges two high classes next to each other, or with one section without study between them."""
    for day, group in view.by_day.items():
        at = _by_section(group)
        for first, last in view.grid.day_parts:
            for s in range(first, last):
                for t in (s + 1, s + 2):
                    if t > last or s not in at or t not in at or (t == s + 2 and s + 1 in at):
                        continue
                    a, b = at[s], at[t]
                    if a.task_class.rules.high and b.task_class.rules.high and a.task_class is not b.task_class:
                        yield explain_day("heavy_adjacent", day, heavy_adjacent_cost(1), [a, b])


def long_run_cost(windows: int) -> int:
    return WEIGHTS["long_run"] * windows


def explain_long_run(view: DayPlan) -> Iterator[Explanation]:
    """Charges four sections of high classes without a pause."""
    size = WEIGHTS["long_run_sections"]
    for day, group in view.by_day.items():
        at = {section: one for section, one in _by_section(group).items() if one.task_class.rules.high}
        for first, last in view.grid.day_parts:
            for begin in range(first, last - size + 2):
                window = range(begin, begin + size)
                if all(section in at for section in window):
                    yield explain_day("long_run", day, long_run_cost(1), [at[section] for section in window])


def _by_section(group: Iterable[PlannedItem]) -> dict[int, PlannedItem]:
    return {section: one for one in group for section in one.place.sections}


CLUSTER = Term("cluster", cluster_cost, explain_cluster, "同一任务类扎堆", "blocks_over_allowance")
LOAD = Term("load", load_cost, explain_load, "每日负荷", "overload_halves")
BUFFER = Term("buffer", buffer_cost, explain_buffer, "当天没有留出空闲", "free_sections")
SWITCH = Term("switch", switch_cost, explain_switch, "科目切换", "switch_count")
HEAVY_ADJACENT = Term("heavy_adjacent", heavy_adjacent_cost, explain_heavy_adjacent, "高强度相邻", "heavy_pairs")
LONG_RUN = Term("long_run", long_run_cost, explain_long_run, "高强度连排", "high_run")
