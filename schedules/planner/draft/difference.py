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
    """Holds own study of one day before and after: all sections of it, those on free cells and those of the evening
    among them; and the day's lessons."""

    day: int
    lessons: int
    all_before: int
    all_after: int
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
    first, _ = state.grid.evening or (state.grid.sections + 1, 0)
    found = []
    before_and_after = (
        _spots_by_day(entry.base_spot for entry in state.items()),
        _spots_by_day(state.spot_of(entry) for entry in state.items()),
    )
    for day in sorted(touched):
        counts = []
        for by_day in before_and_after:
            spots = by_day.get(day, ())
            own = [spot.place for spot in spots if spot.host_event_id is None]
            counts.append(sum(spot.place.length for spot in spots))
            counts.append(sum(place.length for place in own))
            counts.append(sum(max(0, place.last - max(first, place.first) + 1) for place in own))
        all_before, before, evening_before, all_after, after, evening_after = counts
        lessons = base[day].bit_count()
        found.append(DaySections(day, lessons, all_before, all_after, before, after, evening_before, evening_after))
    return found


def _spots_by_day(spots: Iterable[Spot | None]) -> dict[int, list[Spot]]:
    found: dict[int, list[Spot]] = {}
    for spot in spots:
        if spot is not None:
            found.setdefault(spot.place.day, []).append(spot)
    return found


def _load(days: Iterable[DaySections], calendar: Calendar) -> list[LoadRow]:
    """Returns the days whose study differs; what is done during a lecture counts, as in the week."""
    return [
        {
            **day_json(row.day),
            "date": calendar.date_of(row.day).isoformat(),
            "lessons": row.lessons,
            "before": row.all_before,
            "after": row.all_after,
        }
        for row in days
        if row.all_before != row.all_after
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
        **_count_late_and_spare(state),
    }
    return {name: value for name, value in facts.items() if value}


def _count_late_and_spare(state: ScheduleState) -> dict[str, int]:
    """Returns `late_items` and `days_before_deadline` of `benefits`."""
    ends = {meta.id: meta.rules.end_day for meta in state.task_classes}
    last: dict[int, list[tuple[int | None, int | None]]] = {}
    for entry in state.items():
        days = (None if entry.base is None else entry.base.place.day, state.day_of(entry))
        last.setdefault(entry.task_class_id or 0, []).append(days)
    late: list[int] = [0, 0]
    spare: tuple[list[int], list[int]] = ([], [])
    for class_id, rows in last.items():
        end = ends.get(class_id)
        if end is None:
            continue
        for side in (0, 1):
            late[side] += sum(day > end for row in rows if (day := row[side]) is not None)
        # Only classes that stand wholly in both.
        known = [(before, after) for before, after in rows if before is not None and after is not None]
        if len(known) == len(rows):
            for side in (0, 1):
                spare[side].append(end - max(row[side] for row in known))
    least = [min(days, default=0) for days in spare]
    return {"late_items": late[1] - late[0], "days_before_deadline": least[1] - least[0]}
