"""Steps that would improve a plan: found near its problems, simulated, fully re-scored, ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeVar

from schedules.planner.diagnosis.issues import Issue, class_issues, day_issues, plan_issues
from schedules.planner.diagnosis.plan_facts import Picture, picture_of
from schedules.planner.diagnosis.rhythm_days import Block
from schedules.planner.diagnosis.tightness import Room
from schedules.planner.draft.adapter import cost_of
from schedules.planner.draft.state import ScheduleState, Spot, with_spots
from schedules.planner.solver.layout import Evaluator

DRIVERS_MAX, ITEMS_MAX, TRIES_MAX, OFFERED_MAX = 6, 6, 24, 5
SCORE_MIN = 5

T = TypeVar("T")


@dataclass(frozen=True)
class Step:
    """Holds one move or exchange of movable items: the spots it sets, and what it saves."""

    tool: Literal["move", "swap"]
    blocks: tuple[Block, ...]
    spots: tuple[Spot, ...]
    score: int

    @property
    def spots_by_item(self) -> Mapping[int, Spot]:
        return {block.item_id: spot for block, spot in zip(self.blocks, self.spots, strict=True)}

    def candidate_id(self, index_of: Callable[[int], int]) -> str:
        """Returns `move_{task}_{day}_{start}` or `swap_{a}_{b}` with a < b."""
        if self.tool == "swap":
            return f"swap_{self.blocks[0].state_id}_{self.blocks[1].state_id}"
        place = self.spots[0].place
        return f"move_{self.blocks[0].state_id}_{index_of(place.day)}_{place.first}"

    def arguments(self, index_of: Callable[[int], int]) -> dict[str, int]:
        if self.tool == "swap":
            return {"task_a": self.blocks[0].state_id, "task_b": self.blocks[1].state_id}
        place = self.spots[0].place
        task = self.blocks[0].state_id
        return {"task_id": task, "new_day": index_of(place.day), "new_slot_start": place.first}


@dataclass(frozen=True)
class StepOffer:
    """Holds a surviving step with the driver it came from and the plan after it."""

    step: Step
    driver: Issue
    after: Picture
    improves: bool


class Weights:
    """Keeps the weight of a plan's issues, kept per day and class so that a step re-asks only what it touches."""

    def __init__(self, picture: Picture, issues: Iterable[Issue]) -> None:
        self.picture = picture
        self.total = sum(issue.weight for issue in issues if issue.dimension != "feasibility")
        self._days: dict[int, int] = {}
        self._classes: dict[int, int] = {}

    def after(self, step: Step) -> tuple[int, Picture, list[Issue]]:
        """Returns weight and picture after a step, and the issues of the days and classes it touches."""
        if (home := _draft_with_items_back(self.picture, step.spots_by_item)) is not None:
            picture = picture_of(home)
            issues = plan_issues(picture)
            return sum(issue.weight for issue in issues), picture, issues
        picture = self.picture.with_moves(step.spots_by_item)
        days = sorted({block.place.day for block in step.blocks} | {spot.place.day for spot in step.spots})
        classes = sorted({block.class_id for block in step.blocks})
        fresh = [issue for day in days for issue in day_issues(picture, day)]
        for class_id in classes:
            fresh += class_issues(picture, class_id)
        gone = sum(self._day(day) for day in days) + sum(self._class(one) for one in classes)
        return self.total - gone + sum(issue.weight for issue in fresh), picture, fresh

    def _day(self, day: int) -> int:
        if day not in self._days:
            self._days[day] = sum(issue.weight for issue in day_issues(self.picture, day))
        return self._days[day]

    def _class(self, class_id: int) -> int:
        if class_id not in self._classes:
            self._classes[class_id] = sum(issue.weight for issue in class_issues(self.picture, class_id))
        return self._classes[class_id]


def _draft_with_items_back(picture: Picture, moved: Mapping[int, Spot]) -> ScheduleState | None:
    """Returns the draft after a step that brings an item back to its timetable place, else None.

    Such an item is existing again: it costs as a given one and is movable no longer, so the whole draft is asked anew.
    """
    state = picture.scene.state
    entries = ((state.by_item(item_id), spot) for item_id, spot in moved.items())
    if any(entry is not None and entry.base_spot == spot for entry, spot in entries):
        return with_spots(state, moved)
    return None


def _saved_cost(room: Room, before: int, moved: Mapping[int, Spot], saved: int) -> int:
    """Returns what a step saves; `saved` is the answer for items that stay the draft's own."""
    home = _draft_with_items_back(room.picture, moved)
    return saved if home is None else before - cost_of(home).total


def offers(room: Room, issues: list[Issue], evaluator: Evaluator) -> list[StepOffer]:
    """Returns the best surviving steps, at most five; `evaluator` holds the plan and is left as it was found.

    `issues` in order. A step that several drivers suggest counts for the first of them.
    """
    index_of = room.picture.scene.index_of
    found: dict[str, tuple[Step, Issue]] = {}
    for driver, step in _suggest_steps(room, issues, evaluator):
        found.setdefault(step.candidate_id(index_of), (step, driver))
    ranked = sorted(found.items(), key=lambda pair: (-pair[1][0].score, pair[1][0].tool, pair[0]))
    weights = Weights(room.picture, issues)
    survivors = (
        offer for _, (step, driver) in ranked if (offer := _offer_if_no_heavier(weights, step, driver)) is not None
    )
    return list(islice(_best_per_day(survivors), OFFERED_MAX))


def _suggest_steps(room: Room, issues: list[Issue], evaluator: Evaluator) -> Iterator[tuple[Issue, Step]]:
    """Yields every step worth its while that the first drivers suggest for their first items."""
    blocks = {block.state_id: block for block in room.movable}
    steps: dict[int, list[Step]] = {}
    drivers = [issue for issue in issues if issue.driver and issue.dimension != "feasibility"]
    for driver in drivers[:DRIVERS_MAX]:
        involved = sorted((blocks[task] for task in driver.task_ids), key=lambda block: block.sort_key)
        for block in involved[:ITEMS_MAX]:
            if block.item_id not in steps:
                steps[block.item_id] = [*moves_of(room, evaluator, block), *_swaps(room, evaluator, block)]
            for step in steps[block.item_id]:
                yield driver, step


def _best_per_day(ranked: Iterable[StepOffer]) -> Iterator[StepOffer]:
    """Keeps of the moves of one item to one day only the first, which is the best."""
    kept: set[tuple[int, int]] = set()
    for offer in ranked:
        if offer.step.tool == "move":
            slot = (offer.step.blocks[0].item_id, offer.step.spots[0].place.day)
            if slot in kept:
                continue
            kept.add(slot)
        yield offer


def _offer_if_no_heavier(weights: Weights, step: Step, driver: Issue) -> StepOffer | None:
    """Returns the step, unless it makes the issues heavier."""
    weight, after, fresh = weights.after(step)
    if weight > weights.total:
        return None
    gone = all(issue.issue_id != driver.issue_id or not issue.driver for issue in fresh)
    return StepOffer(step, driver, after, improves=gone and weight < weights.total)


def moves_of(room: Room, evaluator: Evaluator, block: Block, *, least: int | None = SCORE_MIN) -> Iterator[Step]:
    """Yields the moves of an item that save at least so much, with None all of them; the evaluator is left as it
    was."""
    before = evaluator.total
    room.lift(block)
    days = sorted(room.days(block), key=lambda day: (abs(day - block.place.day), day))
    targets = list(islice(_take_in_turns(room.places_on(block, day) for day in days), TRIES_MAX))
    room.put_back(block)
    scored = []
    for place, host in targets:
        evaluator.place(block.item_id, place)
        scored.append((before - evaluator.total, Spot(place, host)))
    evaluator.place(block.item_id, block.place)
    for saved, spot in scored:
        score = _saved_cost(room, before, {block.item_id: spot}, saved)
        if least is None or score >= least:
            yield Step("move", (block,), (spot,), score)


def _swaps(room: Room, evaluator: Evaluator, block: Block) -> Iterator[Step]:
    partners: dict[int, list[Block]] = {}
    for other in room.movable:
        if room.may_swap(block, other):
            partners.setdefault(other.place.day, []).append(other)
    days = sorted(partners, key=lambda day: (abs(day - block.place.day), day))
    for other in islice(_take_in_turns(partners[day] for day in days), TRIES_MAX):
        a, b = sorted((block, other), key=lambda one: one.state_id)
        spots = (Spot(b.place, b.host_event_id), Spot(a.place, a.host_event_id))
        saved = -evaluator.swap_delta(block.item_id, other.item_id)
        score = _saved_cost(room, evaluator.total, {a.item_id: spots[0], b.item_id: spots[1]}, saved)
        if score >= SCORE_MIN:
            yield Step("swap", (a, b), spots, score)


def _take_in_turns(days: Iterable[list[T]]) -> Iterator[T]:
    """Yields the first of each day, then the second of each, and so on."""
    rest = []
    for places in days:
        if places:
            yield places[0]
            rest.append(places)
    index = 1
    while rest:
        rest = [places for places in rest if len(places) > index]
        for places in rest:
            yield places[index]
        index += 1
