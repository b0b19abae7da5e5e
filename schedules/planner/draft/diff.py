"""What a draft changes, as values: against the timetable, or between two drafts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry, Window
from schedules.planner.grid import Place, day_json


@dataclass(frozen=True)
class PlaceChange:
    """Holds one item that stands elsewhere: place (none -> spot), move (spot -> spot, also of host only), unplace.

    `pinned` and `by_hand` are its marks there.
    """

    op: Literal["place", "move", "unplace"]
    state_id: int
    item_id: int
    class_id: int
    name: str
    before: Spot | None
    after: Spot | None
    pinned: bool = False
    by_hand: bool = False

    @property
    def sort_key(self) -> tuple[Place, int]:
        spot = self.before or self.after
        assert spot is not None
        return (spot.place, self.item_id)

    def to_json(self, window: Window) -> dict[str, Any]:
        """Returns the wire form; `day` is the index in `window`."""
        return {
            "op": self.op,
            "task_id": self.state_id,
            "task_item_id": self.item_id,
            "task_class_id": self.class_id,
            "name": self.name,
            "before": spot_json(self.before, window),
            "after": spot_json(self.after, window),
        }


def spot_json(spot: Spot | None, window: Window) -> dict[str, Any] | None:
    if spot is None:
        return None
    place = spot.place
    return {
        "day": window.index_of(place.day),
        **day_json(place.day),
        "section_from": place.first,
        "section_to": place.last,
        "embed_course_event_id": spot.host_event_id,
    }


def diff(state: ScheduleState) -> tuple[PlaceChange, ...]:
    """Lists what the draft changes on the timetable, sorted by (before or after place, item id)."""
    changed = (entry for entry in state.items() if entry.own_change)
    found = (_change(entry, entry.base_spot, state.spot_of(entry)) for entry in changed)
    return _sort_changes(found)


def changes_between(before: ScheduleState, after: ScheduleState) -> tuple[PlaceChange, ...]:
    """Returns what a write changed: items known to both drafts whose spot differs."""
    found = []
    for entry in after.items():
        old = before.by_item(entry.source_id)
        if old is not None:
            found.append(_change(entry, before.spot_of(old), after.spot_of(entry)))
    return _sort_changes(found)


def lost_with_items(before: ScheduleState, after: ScheduleState) -> tuple[PlaceChange, ...]:
    """Returns the places of items that only the earlier draft knows."""
    gone = (entry for entry in before.items() if after.by_item(entry.source_id) is None)
    return _sort_changes(_change(entry, before.spot_of(entry), None) for entry in gone)


def _change(entry: TaskEntry, before: Spot | None, after: Spot | None) -> PlaceChange | None:
    if before == after:
        return None
    op: Literal["place", "move", "unplace"] = "place" if before is None else "unplace" if after is None else "move"
    return PlaceChange(
        op,
        entry.state_id,
        entry.source_id,
        entry.task_class_id or 0,
        entry.name,
        before,
        after,
        entry.pinned,
        entry.by_hand,
    )


def _sort_changes(found: Iterable[PlaceChange | None]) -> tuple[PlaceChange, ...]:
    return tuple(sorted((change for change in found if change is not None), key=lambda change: change.sort_key))
