"""How far an item is: what the student said about it, and what follows for the past from the way of counting it.

Marks are stored, progress is told: nothing has to run when time passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from schedules.planner.grid import Calendar, Place, day_number

Progress = Literal["open", "done", "partial", "missed"]
Counting = Literal["assume_done", "tick"]

DONE, PARTIAL, MISSED, OPEN = "done", "partial", "missed", "open"


@dataclass(frozen=True)
class PastRule:
    """Tells how what is past and unmarked counts: as done, or as missed once the grace period is over."""

    mode: Counting = "assume_done"
    grace: timedelta = timedelta(hours=24)


@dataclass(frozen=True)
class Marked:
    """Tells what is stored of an item: its mark, the sections of its rest, its records as JSON, oldest first."""

    mark: str = ""
    sections_left: int | None = None
    records: Sequence[Mapping[str, Any]] = field(default_factory=tuple)

    def missed_at(self, place: Place | None) -> bool:
        """Tells whether it was missed where it stands; an item that has moved on since is open again."""
        if self.mark != MISSED or place is None or not self.records:
            return False
        return record_place(self.records[-1]) == place


def record_place(record: Mapping[str, Any]) -> Place | None:
    """Returns where a record was; None for something done outside the semester."""
    if not record.get("week"):
        return None
    first, last = record["section_from"], record["section_to"]
    return Place(day_number(record["week"], record["day_of_week"]), first, last - first + 1)


def progress_of(marked: Marked, place: Place | None, ends: datetime | None, now: datetime, rule: PastRule) -> Progress:
    """Tells how far an item is that stands at `place` until the instant `ends` (None: it stands nowhere)."""
    if marked.mark == DONE:
        return "done"
    if marked.missed_at(place):
        return "missed"
    if ends is not None and ends <= now:
        if rule.mode == "assume_done":
            return "done"
        if ends + rule.grace <= now:
            return "missed"
    return "partial" if marked.sections_left else "open"


class TrackedItem(Protocol):
    """Tells what is known of an item wherever it is shown: its mark, where it was missed, whether a part of it is
    done."""

    @property
    def mark(self) -> str: ...
    @property
    def missed_place(self) -> Place | None: ...
    @property
    def rest(self) -> bool: ...


@dataclass(frozen=True)
class PastView:
    """Holds the moment and the rule by which entries of a timetable are shown."""

    rule: PastRule
    now: datetime
    calendar: Calendar

    def progress(self, item: TrackedItem, place: Place | None) -> Progress:
        """Tells how far an item is that stands at a place of the timetable."""
        if item.mark == MISSED and place is not None and item.missed_place == place:
            return "missed"
        ends = None if place is None else self.calendar.interval(place)[1]
        marked = Marked("" if item.mark == MISSED else item.mark, 1 if item.rest else None)
        return progress_of(marked, place, ends, self.now, self.rule)
