"""What is wrong with a plan: one short function per kind of issue, in one list per scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from schedules.planner.cost.day_terms import (
    BUFFER,
    CLUSTER,
    HEAVY_ADJACENT,
    LOAD,
    LONG_RUN,
    SWITCH,
    overload_cost,
    overload_halves,
)
from schedules.planner.cost.item_terms import FIT, SLACK, high_fit_cost
from schedules.planner.cost.weights import WEIGHTS
from schedules.planner.cost.wish_term import WISH, blocks_wanted, crowd_cost, limits_of_items, place_cost
from schedules.planner.diagnosis.plan_facts import Picture
from schedules.planner.diagnosis.rhythm_days import LONG_BLOCK, LONG_RUN_SECTIONS, Block, DayShape

CRITICAL, WARNING, INFO = "critical", "warning", "info"
SEVERITIES = (CRITICAL, WARNING, INFO)
DIMENSIONS = ("feasibility", "rhythm", "tightness", "profile")
FIT_THRESHOLD = 50
SWITCH_WARNING, SWITCH_CRITICAL = 3, 4


@dataclass(frozen=True)
class Issue:
    """Holds one finding. `days` are window indexes, `task_ids` the movable items involved (of feasibility the pending
    ones).

    `fixed` = nothing can be moved; the issues of feasibility never are. `names` fills its sentence.
    """

    issue_id: str
    dimension: str
    severity: str
    trigger: tuple[str, str, int, int]
    cost: int = 0
    days: tuple[int, ...] = ()
    task_ids: tuple[int, ...] = ()
    fixed: bool = False
    names: dict[str, Any] = field(default_factory=dict)

    @property
    def driver(self) -> bool:
        return self.severity != INFO

    @property
    def weight(self) -> int:
        return {CRITICAL: 3, WARNING: 1, INFO: 0}[self.severity]

    @property
    def sort_key(self) -> tuple[int, int, int, int, str]:
        order = SEVERITIES.index(self.severity), DIMENSIONS.index(self.dimension)
        return (*order, -self.cost, min(self.days, default=0), self.issue_id)

    @property
    def scope(self) -> dict[str, list[int]]:
        return {"day_range": list(self.days), "task_ids": list(self.task_ids)}

    def to_json(self) -> dict[str, Any]:
        metric, operator, threshold, actual = self.trigger
        return {
            "issue_id": self.issue_id,
            "dimension": self.dimension,
            "severity": self.severity,
            "fixed": self.fixed,
            "trigger": {"metric": metric, "operator": operator, "threshold": threshold, "actual": actual},
            "cost": self.cost,
            "scope": self.scope,
        }


def day_issues(picture: Picture, day: int) -> list[Issue]:
    """Returns the issues of one day number."""
    shape = picture.shapes.get(day)
    if shape is None:
        return []
    return [issue for rule in DAY_RULES for issue in rule(picture, day, shape)]


def class_issues(picture: Picture, class_id: int) -> list[Issue]:
    """Returns the issues of one class over all days."""
    blocks = [block for block in picture.by_class.get(class_id, ()) if block.movable]
    return [issue for rule in CLASS_RULES for issue in rule(picture, class_id, blocks)]


def plan_issues(picture: Picture) -> list[Issue]:
    """Returns all issues of days and classes, unsorted."""
    found = [issue for day in sorted(picture.shapes) for issue in day_issues(picture, day)]
    for class_id in sorted(picture.by_class):
        found += class_issues(picture, class_id)
    return found


def in_order(issues: Iterable[Issue]) -> list[Issue]:
    return sorted(issues, key=lambda issue: issue.sort_key)


def _with_movable_items(issue: Issue, blocks: Iterable[Block]) -> Issue:
    """Returns the issue with its movable items; without any it cannot be worked on and is only information."""
    movable = tuple(sorted({block.state_id for block in blocks if block.movable}))
    return replace(issue, task_ids=movable) if movable else replace(issue, fixed=True, severity=INFO)


def _day_id(picture: Picture, name: str, day: int) -> tuple[str, int]:
    index = picture.scene.index_of(day)
    return f"{name}_{index}", index


def _heavy_adjacent(picture: Picture, day: int, shape: DayShape) -> Iterator[Issue]:
    pairs = len(shape.heavy_pairs)
    if pairs:
        name, index = _day_id(picture, "issue_rhythm_heavy_adjacent_day", day)
        severity = CRITICAL if pairs >= 2 else WARNING
        cost = HEAVY_ADJACENT.cost(pairs)
        issue = Issue(name, "rhythm", severity, (HEAVY_ADJACENT.metric, ">=", 1, pairs), cost, (index,))
        yield _with_movable_items(issue, [block for pair in shape.heavy_pairs for block in pair])


def _switches(picture: Picture, day: int, shape: DayShape) -> Iterator[Issue]:
    count = shape.switch_count
    if count < SWITCH_WARNING:
        return
    critical = count >= SWITCH_CRITICAL
    name = "issue_rhythm_switch_day" if critical else "issue_rhythm_switch_warn_day"
    name, index = _day_id(picture, name, day)
    trigger = (SWITCH.metric, ">=" if critical else "=", SWITCH_CRITICAL if critical else SWITCH_WARNING, count)
    severity = CRITICAL if critical else WARNING
    issue = Issue(name, "rhythm", severity, trigger, SWITCH.cost(count), (index,))
    yield _with_movable_items(issue, shape.blocks)


def _long_block(picture: Picture, day: int, shape: DayShape) -> Iterator[Issue]:
    if not shape.long_runs and shape.max_block < LONG_BLOCK:
        return
    name, index = _day_id(picture, "issue_rhythm_long_block_day", day)
    if shape.long_runs:
        trigger = (LONG_RUN.metric, ">=", LONG_RUN_SECTIONS, shape.high_run)
        blocks = [block for run in shape.long_runs for block in run]
    else:
        trigger, blocks = ("max_block", ">=", LONG_BLOCK, shape.max_block), list(shape.blocks)
    yield _with_movable_items(Issue(name, "rhythm", WARNING, trigger, LONG_RUN.cost(1), (index,)), blocks)


def _find_crowded(picture: Picture, day: int, shape: DayShape) -> Iterator[Issue]:
    excess: dict[int, int] = {}
    for block in shape.blocks:
        excess[block.class_id] = excess.get(block.class_id, 0) + (block.place.length + 1) // 2
    classes = picture.scene.constants.classes
    excess = {one: count - classes[one].allow for one, count in excess.items() if count > classes[one].allow}
    if not excess:
        return
    name, index = _day_id(picture, "issue_rhythm_crowded_day", day)
    cost = sum(CLUSTER.cost(blocks) for blocks in excess.values())
    worst = max(excess, key=lambda one: (excess[one], -one))
    trigger = (CLUSTER.metric, ">=", 1, excess[worst])
    issue = Issue(name, "rhythm", WARNING, trigger, cost, (index,), names={"class_id": worst})
    yield _with_movable_items(issue, [block for block in shape.blocks if block.class_id in excess])


def _overfull(picture: Picture, day: int, shape: DayShape) -> Iterator[Issue]:
    own = [block for block in shape.blocks if not block.guest]
    over, free = overload(picture, day, own), free_sections(picture, day, shape.blocks)
    cost = overload_cost(over) + BUFFER.cost(len(own), free)
    if cost == 0:
        return
    name, index = _day_id(picture, "issue_load_overfull_day", day)
    trigger = (LOAD.metric, ">=", 1, over) if over else (BUFFER.metric, "<", WEIGHTS["buffer_free"], free)
    yield _with_movable_items(Issue(name, "tightness", WARNING, trigger, cost, (index,)), own)


def _over_wish(picture: Picture, day: int, shape: DayShape) -> Iterator[Issue]:
    problem = picture.scene.problem
    if not problem.wishes:
        return
    sections, whole = sum(block.place.length for block in shape.blocks), blocks_wanted(problem, None)
    cost, blocks = crowd_cost(sections, whole), list(shape.blocks) if crowd_cost(sections, whole) else []
    for class_id in sorted({block.class_id for block in shape.blocks}):
        mine = [block for block in shape.blocks if block.class_id == class_id]
        more = crowd_cost(2 * sum((block.place.length + 1) // 2 for block in mine), blocks_wanted(problem, class_id))
        cost, blocks = cost + more, blocks + mine if more else blocks
    if cost:
        name, index = _day_id(picture, "issue_wish_day", day)
        issue = Issue(name, "tightness", WARNING, ("sections_over_wish", ">=", 1, sections), cost, (index,))
        yield _with_movable_items(issue, blocks)


def overload(picture: Picture, day: int, own: Iterable[Block]) -> int:
    """Returns half sections of own study beyond what the day's lessons leave."""
    sections = sum(block.place.length for block in own)
    return overload_halves(sections, picture.scene.constants.base[day].bit_count())


def free_sections(picture: Picture, day: int, blocks: Iterable[Block]) -> int:
    """Returns usable sections of a day that no item covers."""
    covered = sum(1 << section for block in blocks for section in block.place.sections)
    return (picture.scene.constants.usable[day] & ~covered).bit_count()


def _slack(picture: Picture, class_id: int, blocks: list[Block]) -> Iterator[Issue]:
    constants = picture.scene.constants.classes[class_id]
    late = [block for block in blocks if constants.depth(block.place.day)]
    last = constants.task_class.end_day
    if len(late) < 2 and all(block.place.day != last for block in late):
        return
    cost = sum(SLACK.cost(constants.depth(block.place.day)) for block in late)
    trigger = (SLACK.metric, ">=", 1, len(late))
    yield _of_class(picture, f"issue_slack_class_{class_id}", "tightness", trigger, cost, late)


def _fit(picture: Picture, class_id: int, blocks: list[Block]) -> Iterator[Issue]:
    bad = {block: cost for block in blocks if (cost := bad_fit(picture, block))}
    cost = sum(bad.values())
    if cost >= FIT_THRESHOLD:
        trigger = (FIT.metric, ">=", FIT_THRESHOLD, cost)
        yield _of_class(picture, f"issue_fit_class_{class_id}", "profile", trigger, cost, list(bad))


def _against_wishes(picture: Picture, class_id: int, blocks: list[Block]) -> Iterator[Issue]:
    problem = picture.scene.problem
    if not problem.wishes:
        return
    task_class = picture.scene.constants.classes[class_id].task_class
    limits = limits_of_items(problem, task_class)
    bad = {block: cost for block in blocks if (cost := place_cost(problem, task_class, limits, block.place))}
    if bad:
        trigger = (WISH.metric, ">=", 1, len(bad))
        yield _of_class(picture, f"issue_wish_class_{class_id}", "profile", trigger, sum(bad.values()), list(bad))


def bad_fit(picture: Picture, block: Block) -> int:
    """Returns what evening and filler cost a high class."""
    if not block.high:
        return 0
    grid, place = picture.scene.state.grid, block.place
    evening = sum(grid.is_evening(section) for section in place.sections)
    return high_fit_cost(evening, place.length if block.guest else 0)


def _of_class(
    picture: Picture, name: str, dimension: str, trigger: tuple[str, str, int, int], cost: int, blocks: list[Block]
) -> Issue:
    days = tuple(sorted({picture.scene.index_of(block.place.day) for block in blocks}))
    class_id = blocks[0].class_id
    issue = Issue(name, dimension, WARNING, trigger, cost, days, names={"class_id": class_id, "n": len(blocks)})
    return _with_movable_items(issue, blocks)


DAY_RULES: tuple[Callable[[Picture, int, DayShape], Iterator[Issue]], ...] = (
    _heavy_adjacent,
    _switches,
    _long_block,
    _find_crowded,
    _overfull,
    _over_wish,
)
CLASS_RULES: tuple[Callable[[Picture, int, list[Block]], Iterator[Issue]], ...] = (_slack, _fit, _against_wishes)


def rhythm_info(issues: Iterable[Issue]) -> list[Issue]:
    """Returns the note that the rhythm is fine, when no rhythm issue stands above information."""
    count = sum(issue.driver and issue.dimension == "rhythm" for issue in issues)
    return [] if count else [Issue("issue_rhythm_info", "rhythm", INFO, ("rhythm_issues", "=", 0, 0), fixed=True)]
