"""What a student can ask of a plan when life happens, and what the planner makes of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from schedules.planner.draft.state import ScheduleState
from schedules.planner.grid import Calendar, Place
from schedules.planner.replan import wishes
from schedules.planner.replan.alternatives import push_on, set_aside
from schedules.planner.replan.anew import plan_anew
from schedules.planner.replan.least_change import Replanned, is_past

ReplanKind = Literal[
    "missed", "rest", "ill", "keep_free", "lighten", "finish_first", "deadline", "start", "mend", "hand",
    "lesson_moved", "exam_moved", "anew",
]  # fmt: skip
ReplanWay = Literal["least_change", "push_on", "set_aside"]
KEPT = "kept"
"""Why something is left where it stands: it is pinned or set by hand, so that only the student moves it."""
WAYS: tuple[ReplanWay, ...] = ("least_change", "push_on", "set_aside")
"""How `missed` and `ill` are caught up: by the fewest changes, by the class moving on, by waiting for a place."""
NEEDS: dict[str, tuple[str, ...]] = {
    "ill": ("from_date",),
    "keep_free": ("from_date",),
    "lighten": ("week", "sections"),
    "finish_first": ("task_class_id",),
    "deadline": ("task_class_id", "date"),
    "start": ("task_class_id",),
    "lesson_moved": ("event_id", "week", "day_of_week", "section_from", "section_to"),
    "exam_moved": ("exam_id", "date"),
}
"""What an ask cannot do without, as its callers name it."""


@dataclass(frozen=True)
class ReplanAsk:
    """Tells what to re-plan; `item_ids` of `missed` and `rest` (None: all there are); `first_date`..`last_date` of
    `ill` and `keep_free`, of the latter with `evenings` only the evenings, with `from_section`..`to_section` only
    those; `week` and `sections` of `lighten`; `task_class_id` of `finish_first`, and of `deadline` and `start` with the
    new `date`; `mend` may too. `anew` plans all that is suggested as if for the first time, `hand` moves nothing: the
    draft is opened for the student's own moves. `lesson_moved` and `exam_moved` follow rows that are written by now,
    and so do cells that are kept free. `way` is how `missed` and `ill` are caught up."""

    kind: ReplanKind
    item_ids: tuple[int, ...] | None = None
    first_date: date | None = None
    last_date: date | None = None
    evenings: bool = False
    from_section: int | None = None
    to_section: int | None = None
    week: int | None = None
    sections: int = 0
    task_class_id: int | None = None
    date: date | None = None
    way: ReplanWay = "least_change"


def carry_out(
    state: ScheduleState,
    ask: ReplanAsk,
    calendar: Calendar,
    *,
    missed: tuple[int, ...] = (),
    displaced: Collection[int] = (),
    followers: Collection[int] = (),
) -> Replanned:
    """Carries out an ask: the draft after an ask, by least change.

    `missed` are the items that count as missed now, `displaced` those that lost their place to a lesson or an exam,
    `followers` the classes that end with the exam.
    """
    if ask.way != "least_change" and ask.kind in ("missed", "ill"):
        done = _carry_out_otherwise(state, ask, calendar, missed)
    else:
        done = _carry_out(state, ask, calendar, missed, displaced, followers)
    return tell_kept(done, places_of(state, ask, calendar)) if ask.kind in ("ill", "keep_free") else done


def _carry_out(
    state: ScheduleState,
    ask: ReplanAsk,
    calendar: Calendar,
    missed: tuple[int, ...],
    displaced: Collection[int],
    followers: Collection[int],
) -> Replanned:
    match ask.kind:
        case "missed":
            return wishes.pick_up(state, missed if ask.item_ids is None else ask.item_ids)
        case "rest":
            return wishes.put_rests(state, ask.item_ids)
        case "ill":
            return wishes.away(state, *_days(ask, calendar))
        case "keep_free":
            return wishes.keep_free(state, places_of(state, ask, calendar), displaced=displaced)
        case "lighten":
            return wishes.lighten(state, ask.week or 1, ask.sections)
        case "finish_first":
            return wishes.finish_first(state, ask.task_class_id or 0)
        case "anew":
            return plan_anew(state)
        case "hand":
            return Replanned(state, state, {}, {})
        case "lesson_moved":
            return wishes.seat_displaced(state, displaced)
        case "exam_moved":
            return wishes.mend(state, followers, displaced=displaced)
        case "deadline" | "start" | "mend":
            return wishes.mend(state, [] if ask.task_class_id is None else [ask.task_class_id])


def tell_kept(done: Replanned, places: Collection[Place]) -> Replanned:
    """Leaves what still stands, ahead, in places that are to be free and is kept there: only the student moves it."""
    cells = {(place.day, section) for place in places for section in place.sections}
    kept = [
        entry.source_id
        for entry in done.state.items()
        if entry.kept and not entry.locked and not is_past(done.state, entry)
        if (place := done.state.place_of(entry)) is not None
        if any((place.day, section) in cells for section in place.sections)
    ]
    return replace(done, left={**done.left, **dict.fromkeys(kept, KEPT)}) if kept else done


def _carry_out_otherwise(
    state: ScheduleState, ask: ReplanAsk, calendar: Calendar, missed: tuple[int, ...]
) -> Replanned:
    items: Collection[int] = missed if ask.item_ids is None else ask.item_ids
    closed: list[Place] = []
    if ask.kind == "ill":
        items, closed = wishes.items_within(state, *_days(ask, calendar)), places_of(state, ask, calendar)
    return push_on(state, items, closed=closed) if ask.way == "push_on" else set_aside(state, items)


def _days(ask: ReplanAsk, calendar: Calendar) -> tuple[int, int]:
    """Returns the day numbers of the dates, as they would go on outside the semester."""
    first = ask.first_date or calendar.first_monday
    last = ask.last_date or first
    return (first - calendar.first_monday).days + 1, (last - calendar.first_monday).days + 1


def places_of(state: ScheduleState, ask: ReplanAsk, calendar: Calendar) -> list[Place]:
    days = _days(ask, calendar)
    if ask.evenings:
        return wishes.evenings(state, *days)
    first, last = ask.from_section or 1, ask.to_section or state.grid.sections
    return [place for place in wishes.whole_days(state, *days) if first <= place.first <= last]
