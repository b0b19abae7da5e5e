"""The writes on a draft: each says why it is refused, or returns a new value.

Items put down together are lifted first and judged in the final picture, each against all others, so the outcome does
not depend on their order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from schedules.planner.draft.state import ScheduleState, Slot, Spot, TaskEntry, with_spots
from schedules.planner.grid import Place
from schedules.planner.rules.errors import Refusal, RuleBroken
from schedules.planner.rules.placement import DERIVE, HostMode, Situation, broken_rules
from schedules.planner.rules.violations import Violation

Wish = tuple[Place, HostMode]
"""Where an item shall go and how its host is meant."""


def judge(
    state: ScheduleState, wishes: Mapping[int, Wish], *, situation: Situation | None = None
) -> tuple[dict[int, Spot], dict[int, list[Violation]]]:
    """Judges the items of `wishes` (by item id) in the final picture: their spots, and the broken rules of each.

    `situation` defaults to the draft's own window and now, for a person's write.
    """
    board = state.board()
    spots: dict[int, Spot] = {}
    for item_id in wishes:
        board.lift(item_id)
    for item_id, (place, mode) in wishes.items():
        host = board.host_at(place) if mode == DERIVE else (mode if isinstance(mode, int) else None)
        spots[item_id] = Spot(place, host)
        board.put(state.seat(_entry_of(state, item_id), spots[item_id]))
    broken: dict[int, list[Violation]] = {}
    for item_id, (place, mode) in wishes.items():
        subject = state.subject(_entry_of(state, item_id))
        found = broken_rules(board, subject, place, host=mode, situation=situation or state.situation())
        if found:
            broken[item_id] = found
    return spots, broken


def _entry_of(state: ScheduleState, item_id: int) -> TaskEntry:
    entry = state.by_item(item_id)
    assert entry is not None, f"item {item_id} is not in the draft"
    return entry


@dataclass(frozen=True)
class Arranged:
    """Holds the draft after the student's save (the same value when nothing differs); `warnings` are preferences it
    breaks by item id."""

    state: ScheduleState
    warnings: dict[int, list[Violation]]


def arrange(
    state: ScheduleState, targets: Sequence[tuple[int, Place, HostMode]], *, planned: Collection[int] = ()
) -> Arranged | dict[int, list[Violation]]:
    """Sets many items at once with their hosts named: the student's save.

    A place is the student's own unless its item is one of `planned`; such a place may break preferences, and is marked
    as set by hand when it is new. Either what came of it, or per item id the rules that forbid it, in the order asked.
    Every item must be in the draft and must not be existing; the caller has checked that.
    """
    wishes = {item_id: (place, mode) for item_id, place, mode in targets}
    spots, broken = judge(state, wishes)
    warnings, forbidden = split_violations(broken, planned=planned)
    if forbidden:
        return forbidden
    return Arranged(with_spots(state, spots, by_hand=wishes.keys() - set(planned)), warnings)


def split_violations(
    broken: Mapping[int, list[Violation]], *, planned: Collection[int] = ()
) -> tuple[dict[int, list[Violation]], dict[int, list[Violation]]]:
    """Returns by item id the preferences that a place of the student's own breaks, and the rules that forbid a place.

    `planned` are the items whose place is not the student's own: there every rule forbids.
    """
    warnings: dict[int, list[Violation]] = {}
    forbidden: dict[int, list[Violation]] = {}
    for item_id, found in broken.items():
        for one in found:
            side = warnings if one.is_preference and item_id not in planned else forbidden
            side.setdefault(item_id, []).append(one)
    return warnings, forbidden


@dataclass(frozen=True)
class _Op(ABC):
    """Does what all writes share: `check` says why not, `apply` does it or raises `RuleBroken`."""

    def check(self, state: ScheduleState) -> Refusal | None:
        """Returns the refusal, None when the write is fine."""
        outcome = self._outcome(state)
        return outcome if isinstance(outcome, Refusal) else None

    def apply(self, state: ScheduleState) -> ScheduleState:
        """Returns the new draft, one revision higher."""
        outcome = self._outcome(state)
        if isinstance(outcome, Refusal):
            raise RuleBroken(outcome)
        return with_spots(state, outcome)

    @abstractmethod
    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        """Returns the spots the write sets (by item id), or why it is refused."""


@dataclass(frozen=True)
class PlaceOp(_Op):
    """Gives a pending item a place: day index of the window, first section; its own length."""

    task_id: int
    day: int
    slot_start: int

    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        entry = _find_writable(state, self.task_id, allowed=("pending",))
        if isinstance(entry, Refusal):
            return entry
        return _judge_targets(state, {self.task_id: _target(state, entry, self.day, self.slot_start)})


@dataclass(frozen=True)
class MoveOp(_Op):
    """Moves a suggested item elsewhere; its own place is free for the test."""

    task_id: int
    new_day: int
    new_slot_start: int

    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        entry = _find_writable(state, self.task_id, allowed=("suggested",))
        if isinstance(entry, Refusal):
            return entry
        target = _target(state, entry, self.new_day, self.new_slot_start)
        if target == state.place_of(entry):
            return Refusal("no_change", self.task_id)
        return _judge_targets(state, {self.task_id: target})


@dataclass(frozen=True)
class SwapOp(_Op):
    """Exchanges the places of two suggested items of equal length."""

    task_a: int
    task_b: int

    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        if self.task_a == self.task_b:
            return Refusal("duplicate_task", self.task_a)
        entries = [_find_writable(state, task, allowed=("suggested",)) for task in (self.task_a, self.task_b)]
        for entry in entries:
            if isinstance(entry, Refusal):
                return entry
        a, b = (entry for entry in entries if isinstance(entry, TaskEntry))
        if a.duration != b.duration:
            return Refusal("length_mismatch", self.task_a, details={"a": a.duration, "b": b.duration})
        places = {self.task_a: state.place_of(b), self.task_b: state.place_of(a)}
        return _judge_targets(state, {task: place for task, place in places.items() if place is not None})


@dataclass(frozen=True)
class BatchOp(_Op):
    """Makes several moves, all or nothing; every failing entry is reported with its number."""

    moves: tuple[MoveOp, ...]

    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        refused = self._find_refusals(state)
        if refused:
            return _join_refusals(refused)
        targets = {}
        for move in self.moves:
            entry = state.task(move.task_id)
            assert entry is not None
            targets[move.task_id] = _target(state, entry, move.new_day, move.new_slot_start)
        if all(target == state.place_of(_entry(state, task)) for task, target in targets.items()):
            return Refusal("no_change", self.moves[0].task_id if self.moves else None)
        return _judge_targets(state, targets, numbered=[move.task_id for move in self.moves])

    def _find_refusals(self, state: ScheduleState) -> list[Refusal]:
        refused, seen = [], set()
        for index, move in enumerate(self.moves, 1):
            entry = _find_writable(state, move.task_id, allowed=("suggested",))
            if isinstance(entry, Refusal):
                refused.append(replace(entry, index=index))
            elif move.task_id in seen:
                refused.append(Refusal("duplicate_task", move.task_id, index=index))
            seen.add(move.task_id)
        return refused


@dataclass(frozen=True)
class UnplaceOp(_Op):
    """Puts a suggested item, or an applied one of the scope, back to pending; item order is not tested."""

    task_id: int

    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        entry = _find_writable(state, self.task_id, allowed=("suggested", "existing"))
        if isinstance(entry, Refusal):
            return entry
        return {entry.source_id: None}


@dataclass(frozen=True)
class BatchUnplaceOp(_Op):
    """Puts several items back to pending, all or nothing; every failing entry is reported with its number."""

    task_ids: tuple[int, ...]

    def _outcome(self, state: ScheduleState) -> Refusal | Mapping[int, Spot | None]:
        refused: list[Refusal] = []
        targets: dict[int, Spot | None] = {}
        for index, task_id in enumerate(self.task_ids, 1):
            entry = _find_writable(state, task_id, allowed=("suggested", "existing"))
            if isinstance(entry, Refusal):
                refused.append(replace(entry, index=index))
            elif entry.source_id in targets:
                refused.append(Refusal("duplicate_task", task_id, index=index))
            else:
                targets[entry.source_id] = None
        return _join_refusals(refused) if refused else targets


def _find_writable(state: ScheduleState, task_id: int, *, allowed: Iterable[str]) -> TaskEntry | Refusal:
    """Returns the item entry an operation may touch, or why it may not."""
    entry = state.task(task_id)
    if entry is None:
        return Refusal("task_not_found", task_id)
    if entry.locked or (entry.status == "existing" and entry.task_class_id not in state.scope):
        return Refusal("fixed_entry", task_id)
    if entry.status not in allowed:
        return Refusal("wrong_status", task_id, details={"status": entry.status})
    return entry


def _entry(state: ScheduleState, task_id: int) -> TaskEntry:
    entry = state.task(task_id)
    assert entry is not None
    return entry


def _target(state: ScheduleState, entry: TaskEntry, day: int, first: int) -> Place:
    return state.place_at(Slot(day, first, first + entry.duration - 1))


def _judge_targets(
    state: ScheduleState, targets: Mapping[int, Place], *, numbered: Sequence[int] = ()
) -> Refusal | Mapping[int, Spot | None]:
    """Returns the spots of these targets (by state id) when all are legal together, else the refusal."""
    tasks = {_entry(state, task).source_id: task for task in targets}
    spots, broken = judge(state, {item: (targets[task], DERIVE) for item, task in tasks.items()})
    if not broken:
        return dict(spots)
    refused = [
        Refusal(
            "rule_broken",
            tasks[item],
            violations=tuple(found),
            index=numbered.index(tasks[item]) + 1 if numbered else None,
        )
        for item, found in broken.items()
    ]
    return refused[0] if not numbered else _join_refusals(refused)


def _join_refusals(refused: list[Refusal]) -> Refusal:
    return replace(refused[0], entries=tuple(refused))
