"""Every place that an item of a draft could take."""

from __future__ import annotations

from collections.abc import Iterator

from schedules.planner.draft.legal import Found, FreeCells
from schedules.planner.draft.state import ScheduleState


def legal_places(state: ScheduleState, state_id: int, *, planner: bool = False) -> Iterator[Found]:
    """In time order, the item's own place left free; a place inside a filler names its host. KeyError: no item."""
    entry = state.task(state_id)
    if entry is None or not entry.is_item:
        raise KeyError(state_id)
    board = state.board()
    board.lift(entry.source_id)
    yield from FreeCells(board, state.situation(planner=planner)).places(state.subject(entry))
