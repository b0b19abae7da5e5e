"""Items that no longer stand as their class wants them, since the class was changed."""

from __future__ import annotations

from dataclasses import dataclass

from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.rules.placement import broken_rules
from schedules.planner.rules.violations import Rule

WANTED = (
    Rule.OUTSIDE_CLASS_WINDOW,
    Rule.WRONG_LENGTH,
    Rule.EXCLUDED_WEEKDAY,
    Rule.EXCLUDED_BLOCK,
    Rule.EXCLUDED_CELL,
    Rule.FILLER_NOT_ALLOWED,
    Rule.ORDER_BEFORE,
    Rule.ORDER_AFTER,
)
"""What a class says of its items."""


@dataclass(frozen=True)
class Misfit:
    """Holds an item and what of its class it stands against."""

    entry: TaskEntry
    rules: tuple[Rule, ...]


def misfits_of(state: ScheduleState) -> list[Misfit]:
    """Returns the items still to come that stand against what their class says; where the student put an item against a
    wish by hand, it stays."""
    board, found = state.board(), []
    for entry in state.items():
        spot = state.spot_of(entry)
        if spot is None or entry.mark or (state.now is not None and spot.place.cell < state.now):
            continue
        broken = broken_rules(board, state.subject(entry), spot.place, host=spot.host_mode)
        rules = tuple(one.rule for one in broken if one.rule in WANTED and not (entry.kept and one.is_preference))
        if rules:
            found.append(Misfit(entry, rules))
    return found
