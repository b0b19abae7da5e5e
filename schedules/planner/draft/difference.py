"""A draft beside the timetable, for a person: what is new, moved, taken off, unplaced, and what it is good for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from schedules.planner.cost.constants import constants_of
from schedules.planner.cost.day_terms import overload_halves
from schedules.planner.draft.adapter import whole_problem
from schedules.planner.draft.diff import PlaceChange, diff
from schedules.planner.draft.state import ScheduleState, Spot, TaskEntry
from schedules.planner.grid import Calendar, day_json
from schedules.planner.shapes import Difference, DifferenceRow, LoadRow, NamedItem, PlaceText, UnplacedRow

Reason = Callable[[str], str]
"""The rule that took a place -> its sentence."""


def difference(state: ScheduleState, *, calendar: Calendar, reason: Reason) -> Difference:
    """Returns the whole difference; equal drafts give equal documents."""
    changes = diff(state)
    rows: dict[str, list[DifferenceRow]] = {"place": [], "move": [], "unplace": []}
    for change in changes:
        rows[change.op].append(_row(state, change, calendar, reason))
    days = _days(state, changes)
    return {
        "changed": len(changes),
        "new": rows["place"],
        "moved": rows["move"],
        "removed": rows["unplace"],
        "unplaced": list(_find_unplaced(state, reason)),
        "load": _load(days, calendar),
        "benefits": benefits(state, days),
    }


def _row(state: ScheduleState, change: PlaceChange, calendar: Calendar, reason: Reason) -> DifferenceRow:
    entry = state.by_item(change.item_id)
    assert entry is not None
    return {
        **_name_item(state, entry),
        "before": _place(state, change.before, calendar),
        "after": _place(state, change.after, calendar),
        "rule": entry.rule,
        "reason": reason(entry.rule) if entry.rule else "",
    }


def _name_item(state: ScheduleState, entry: TaskEntry) -> NamedItem:
    return {
        "task_item_id": entry.source_id,
        "task_class_id": entry.task_class_id or 0,
        "class_name": state.class_of(entry).name,
        "name": entry.name,
        "order": entry.task_order or 0,
        "sections": entry.duration,
    }


def _place(state: ScheduleState, spot: Spot | None, calendar: Calendar) -> PlaceText | None:
    if spot is None:
        return None
    place = spot.place
    host = None if spot.host_event_id is None else state.by_event(spot.host_event_id)
    return {
        **day_json(place.day),
        "date": calendar.date_of(place.day).isoformat(),
        "section_from": place.first,
        "section_to": place.last,
        "start_time": f"{calendar.section_times[place.first - 1][0]:%H:%M}",
        "end_time": f"{calendar.section_times[place.last - 1][1]:%H:%M}",
        "embed_course_event_id": spot.host_event_id,
        "host_name": "" if host is None else host.name,
    }


def _find_unplaced(state: ScheduleState, reason: Reason) -> Iterable[UnplacedRow]:
    """Yields items that stand nowhere, neither in the draft nor on the timetable, by class and order."""
    pending = [entry for entry in state.items() if entry.status == "pending" and entry.base is None]
    pending.sort(key=lambda entry: (entry.task_class_id, entry.task_order, entry.source_id))
    for entry in pending:
        yield {
            **_name_item(state, entry),
            "rule": entry.rule,
            "reason": reason(entry.rule) if entry.rule else "",
        }


@dataclass(frozen=True)
class DaySections:
    """Holds own study of one day on free cells: sections before and after, those of the evening, and the day's
    lessons."""

    day: int
    lessons: int
    before: int
    after: int
    evening_before: int
    evening_after: int


def _days(state: ScheduleState, changes: Iterable[PlaceChange]) -> list[DaySections]:
    """Returns the days that the changes touch, in time order."""
    touched = {spot.place.day for change in changes for spot in (change.before, change.after) if spot is not None}
    if not touched:
        return []
    base = constants_of(whole_problem(state)).base
    first, _ = state.grid.day_parts[-1]
    found = []
    for day in sorted(touched):
        counts = []
        for spots in ([entry.base_spot for entry in state.items()], [state.spot_of(entry) for entry in state.items()]):
            own = [s.place for s in spots if s is not None and s.host_event_id is None and s.place.day == day]
            counts.append(sum(place.length for place in own))
            counts.append(sum(max(0, place.last - max(first, place.first) + 1) for place in own))
        before, evening_before, after, evening_after = counts
        found.append(DaySections(day, base[day].bit_count(), before, after, evening_before, evening_after))
    return found


def _load(days: Iterable[DaySections], calendar: Calendar) -> list[LoadRow]:
    return [
        {
            **day_json(row.day),
            "date": calendar.date_of(row.day).isoformat(),
            "lessons": row.lessons,
            "before": row.before,
            "after": row.after,
        }
        for row in days
        if row.before != row.after
    ]


def benefits(state: ScheduleState, days: Iterable[DaySections]) -> dict[str, int]:
    """Returns facts that differ between timetable and draft, each by how much; what is equal is not told.

    `heavy_days`: own study beyond half of what the day's lessons leave; `evenings_with_study`; `days_with_study`;
    `placed`: items that stand somewhere; `late_items`: items after the last day of their class; `days_before_deadline`:
    days between the last item and the deadline, the least of the classes that stand wholly in both.
    """
    rows = list(days)
    heavy = [
        sum(overload_halves(n, row.lessons) > 0 for row, n in zip(rows, column, strict=True))
        for column in ([row.before for row in rows], [row.after for row in rows])
    ]
    entries = list(state.items())
    facts = {
        "heavy_days": heavy[1] - heavy[0],
        "evenings_with_study": sum((r.evening_after > 0) - (r.evening_before > 0) for r in rows),
        "days_with_study": sum((r.after > 0) - (r.before > 0) for r in rows),
        "placed": sum(bool(entry.slots) for entry in entries) - sum(entry.base is not None for entry in entries),
        "late_items": _late(state, after=True) - _late(state, after=False),
        "days_before_deadline": _spare(state, after=True) - _spare(state, after=False),
    }
    return {name: value for name, value in facts.items() if value}


def _spots(state: ScheduleState, class_id: int, *, after: bool) -> list[Spot | None]:
    mine = [entry for entry in state.items() if entry.task_class_id == class_id]
    return [state.spot_of(entry) if after else entry.base_spot for entry in mine]


def _late(state: ScheduleState, *, after: bool) -> int:
    found = 0
    for meta in state.task_classes:
        end = meta.rules.end_day
        if end is not None:
            found += sum(s is not None and s.place.day > end for s in _spots(state, meta.id, after=after))
    return found


def _spare(state: ScheduleState, *, after: bool) -> int:
    """Returns the least days that a class has between its last item and its end; 0 unless all stand in both."""
    spare = []
    for meta in state.task_classes:
        both = [_spots(state, meta.id, after=side) for side in (False, True)]
        if meta.rules.end_day is None or not both[0] or None in both[0] or None in both[1]:
            continue
        spare.append(meta.rules.end_day - max(s.place.day for s in both[after] if s is not None))
    return min(spare, default=0)
