"""What a plan could give up, and for what: where no single step makes it better, and what each wish costs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from schedules.planner.diagnosis.candidates import ITEMS_MAX, SCORE_MIN, Step, Weights, moves_of
from schedules.planner.diagnosis.issues import Issue
from schedules.planner.diagnosis.plan_facts import Picture, picture_of
from schedules.planner.diagnosis.rhythm_days import Block
from schedules.planner.diagnosis.tightness import Room
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.state import ScheduleState, with_spots
from schedules.planner.grid import Grid, Place
from schedules.planner.soft_limits import SoftLimit
from schedules.planner.solver.layout import Evaluator
from taskclasses.kernel.i18n import text

OFFERED, DRIVERS, ASKED, TRIED = 3, 3, 6, 12
"""Trade-offs told, problems looked at, items that are asked what they would do without a wish, moves weighed for it."""
EVENING = 3
TERM_WORDS: Mapping[str, tuple[str, str]] = {
    "target": ("分布更均匀", "分布没那么均匀"),
    "cluster": ("同一任务类不那么挤", "同一任务类更挤"),
    "load": ("每天的量更平均", "有一天会更满"),
    "buffer": ("当天留得出空闲", "当天少了空闲"),
    "switch": ("少换科目", "多换科目"),
    "heavy_adjacent": ("高强度内容不再相邻", "高强度内容会相邻"),
    "long_run": ("不用连着学那么久", "要连着学更久"),
    "fit": ("时段更合适", "时段没那么合适"),
    "slack": ("离截止更宽裕", "离截止更近"),
    "wish": ("更合你的愿望", "不合你的愿望"),
}
"""What a person reads of a term that becomes better or worse."""


@dataclass(frozen=True)
class TradeOff:
    """Holds a move with what it gives and takes. `days` later, below zero earlier; `part` of the day before and after,
    from 1; `parts` is what each term changes by, below zero for better."""

    step: Step
    days: int
    part: tuple[int, int]
    parts: Mapping[str, int]

    def to_json(self, picture: Picture, locale: str) -> dict[str, Any]:
        index_of = picture.scene.index_of
        row = {
            "tool": self.step.tool,
            "arguments": self.step.arguments(index_of),
            "days_later": self.days,
            "day_part": list(self.part),
            "parts": dict(self.parts),
        }
        return {**row, "summary": effect_words(row, locale)}


def effect_words(row: Mapping[str, Any], locale: str) -> str:
    """Returns what a trade-off takes and gives in plain words: "two days later, but not in the evening"."""
    days, (before, after) = row["days_later"], row["day_part"]
    parts = {term: change for term, change in row["parts"].items() if abs(change) >= SCORE_MIN}
    better = [text(TERM_WORDS[term][0], locale) for term, change in parts.items() if change < 0]
    worse = [text(TERM_WORDS[term][1], locale) for term, change in parts.items() if change > 0]
    if before != after and EVENING in (before, after):
        better, worse = _with_evening(better, worse, gone=before == EVENING, locale=locale)
    if days:
        one = abs(days) == 1
        words = ("晚一天" if one else "晚 {n} 天") if days > 0 else ("早一天" if one else "早 {n} 天")
        (worse if days > 0 else better).insert(0, text(words, locale, n=abs(days)))
    comma = text("，", locale)
    if better and worse:
        return text("{losses}，但{gains}", locale, losses=comma.join(worse), gains=comma.join(better))
    return comma.join(better or worse) or text("没有明显差别", locale)


def _with_evening(better: list[str], worse: list[str], *, gone: bool, locale: str) -> tuple[list[str], list[str]]:
    """Returns the evening said by its name, in the place of how well the time fits."""
    fits = {text(words, locale) for words in TERM_WORDS["fit"]}
    better, worse = ([words for words in side if words not in fits] for side in (better, worse))
    (better if gone else worse).insert(0, text("不在晚上" if gone else "要在晚上", locale))
    return better, worse


def trade_offs(room: Room, issues: Iterable[Issue], evaluator: Evaluator) -> list[TradeOff]:
    """Returns the moves that take away a problem and cost least elsewhere, one for each item; for a plan that no move
    makes better."""
    issues = list(issues)
    weights, found = Weights(room.picture, issues), dict[int, Step]()
    for driver in [issue for issue in issues if issue.driver and issue.dimension != "feasibility"][:DRIVERS]:
        for block in _find_involved(room, driver):
            if block.item_id in found:
                continue
            ranked = sorted(moves_of(room, evaluator, block, least=None), key=lambda step: -step.score)
            solving = next((step for step in ranked if _solves(weights, step, driver)), None)
            if solving is not None:
                found[block.item_id] = solving
    best = sorted(found.values(), key=lambda step: (-step.score, step.blocks[0].item_id))
    return [_trade(room.picture.scene.state, step) for step in best[:OFFERED]]


def _find_involved(room: Room, driver: Issue) -> list[Block]:
    blocks = [block for block in room.movable if block.state_id in driver.task_ids]
    return sorted(blocks, key=lambda block: block.sort_key)[:ITEMS_MAX]


def _solves(weights: Weights, step: Step, driver: Issue) -> bool:
    """Tells whether a step takes the problem away, whatever else it brings."""
    _, _, fresh = weights.after(step)
    return all(issue.issue_id != driver.issue_id or not issue.driver for issue in fresh)


WishCosts = Mapping[SoftLimit, TradeOff | None]
NO_COSTS: WishCosts = {}


def wish_costs(state: ScheduleState) -> WishCosts:
    """Returns for each wish the move that would be worth most if it were not there; None: no item makes way for it.

    A lower bound: several moves together may be worth more.
    """
    return {wish: _worth_without(state, wish) for wish in state.wishes}


def _worth_without(state: ScheduleState, wish: SoftLimit) -> TradeOff | None:
    without = replace(state, wishes=tuple(one for one in state.wishes if one != wish))
    room = Room(picture_of(without))
    scene = room.picture.scene
    evaluator = Evaluator(scene.problem, scene.placements)
    steps = [step for block in _find_concerned(without, room, wish) for step in moves_of(room, evaluator, block)]
    ranked = sorted(steps, key=lambda step: (-step.score, step.blocks[0].item_id))[:TRIED]
    now = cost_of(state).total
    # A move that is worth its while with the wish as well makes no way for it.
    barred = (step for step in ranked if now - cost_of(with_spots(state, step.spots_by_item)).total < SCORE_MIN)
    best = next(barred, None)
    return None if best is None else _trade(without, best)


def _find_concerned(state: ScheduleState, room: Room, wish: SoftLimit) -> Iterator[Block]:
    asked = 0
    for block in room.movable:
        meta = state.task_class(block.class_id)
        if asked < ASKED and meta is not None and wish.concerns(block.class_id, high=meta.rules.high):
            asked += 1
            yield block


def _trade(state: ScheduleState, step: Step) -> TradeOff:
    (block,), (spot,) = step.blocks, step.spots
    before, after = cost_of(state).parts, cost_of(with_spots(state, step.spots_by_item)).parts
    terms = dict.fromkeys((*before, *after))
    changes = {term: after.get(term, 0) - before.get(term, 0) for term in terms if term in TERM_WORDS}
    grid = state.grid
    return TradeOff(
        step,
        spot.place.day - block.place.day,
        (_part(grid, block.place), _part(grid, spot.place)),
        {term: change for term, change in changes.items() if change},
    )


def _part(grid: Grid, place: Place) -> int:
    """Returns the part of the day in which a place begins, from 1; what lies behind the evening belongs to it."""
    at = next((n for n, (first, last) in enumerate(grid.day_parts, 1) if first <= place.first <= last), EVENING)
    return min(at, EVENING)
