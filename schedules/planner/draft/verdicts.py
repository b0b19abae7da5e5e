"""One item, every place: which the student may take, which with a warning, and what forbids the others.

The placement rule in host mode `derive`, asked once for places that differ in nothing it looks at: a semester has some
1 500 places and far fewer different answers. Tests hold each answer against the rule itself.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from schedules.planner.draft.state import ScheduleState, TaskEntry
from schedules.planner.grid import Place, block_of, week_and_weekday
from schedules.planner.rules.board import Board
from schedules.planner.rules.placement import Subject, broken_rules, neighbours
from schedules.planner.rules.violations import Violation

Kind = Literal["legal", "warned", "refused"]
Owner = tuple[str, int]
"""Of a section: the name of what takes it, "" where nothing does; the lesson that hosts there, or `SOLID`, or 0."""
NOBODY: Owner = ("", 0)
SOLID = -1
"""A lesson, an exam or another event that hosts nobody."""


@dataclass(frozen=True)
class Verdict:
    """Holds a verdict; `violations`: the preferences of a warned place, the rules that forbid a refused one."""

    kind: Kind
    host_event_id: int | None = None
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True)
class VerdictTable:
    """Holds the verdicts of places: `cells[day - 1][first - 1]` = index in `verdicts`, for every first section at which
    the item ends within the day."""

    verdicts: tuple[Verdict, ...]
    cells: tuple[tuple[int, ...], ...]

    def at(self, place: Place) -> Verdict:
        return self.verdicts[self.cells[place.day - 1][place.first - 1]]


def verdicts_of(state: ScheduleState, entry: TaskEntry) -> VerdictTable:
    """Judges every place of the semester for an item of the draft, its own left free."""
    board = state.board()
    board.lift(entry.source_id)
    return _Judge(state, board, state.subject(entry)).table()


class _Judge:
    def __init__(self, state: ScheduleState, board: Board, subject: Subject) -> None:
        self.state, self.board, self.subject = state, board, subject
        self.situation = state.situation()
        before, after = self.near = neighbours(board, subject)
        self.low = (0, 0) if before is None else before.place.end_cell
        self.high = (state.grid.days + 1, 0) if after is None else after.place.cell
        # What has begun binds nothing that lies ahead.
        _, ahead = self.near_ahead = neighbours(board, subject, self.situation.now)
        self.high_ahead = (state.grid.days + 1, 0) if ahead is None else ahead.place.cell
        self.found: dict[Hashable, int] = {}
        self.verdicts: list[Verdict] = []
        self.owners = self._owners()
        self.closed: dict[tuple[int, int], Hashable] = {}

    def table(self) -> VerdictTable:
        cells = tuple(tuple(self._day(day)) for day in range(1, self.state.grid.days + 1))
        return VerdictTable(tuple(self.verdicts), cells)

    def _owners(self) -> dict[int, list[Owner]]:
        """Returns who owns each section of the days that have an owner, as far as the rule and its words go."""
        days: dict[int, list[Owner]] = {}
        free: list[Owner] = [NOBODY] * (self.state.grid.sections + 1)
        for event in self.board.events():
            row = days.setdefault(event.place.day, list(free))
            owner: Owner = ("", event.id) if event.can_embed else (event.name, SOLID)
            for section in event.place.sections:
                row[section] = owner
        for item in self.board.items():
            if item.host_event_id is None:
                row = days.setdefault(item.place.day, list(free))
                for section in item.place.sections:
                    name, event_id = row[section]
                    row[section] = (name or item.name, event_id)
        return days

    def _day(self, day: int) -> list[int]:
        length, sections, found = self.subject.length, self.state.grid.sections, self.found
        of_day, row, weekday = self._facts_of(day), self.owners.get(day), week_and_weekday(day)[1]
        now, kept, span = self.situation.now, self.state.grid.kept_masks.get(day, 0), (1 << length) - 1
        answers = []
        for first in range(1, sections - length + 2):
            key = (
                of_day,
                None if row is None else _owners_of(row[first : first + length]),
                self._closed_blocks(weekday, first),
                (day, kept >> first & span) if kept >> first & span else None,
                now is not None and (day, first) < now,
                (day, first) <= self.low,
                (day, first + length - 1) >= self.high,
                (day, first + length - 1) >= self.high_ahead,
            )
            index = found.get(key)
            if index is None:
                index = found[key] = self._judge_place(Place(day, first, length))
            answers.append(index)
        return answers

    def _closed_blocks(self, weekday: int, first: int) -> Hashable:
        """Returns the blocks of a place that the class excludes."""
        rules, key = self.subject.task_class.rules, (weekday, first)
        if not (rules.excluded_slots or rules.excluded_cells):
            return None
        if key not in self.closed:
            blocks = range(block_of(first), block_of(first + self.subject.length - 1) + 1)
            self.closed[key] = tuple(
                b for b in blocks if b in rules.excluded_slots or (weekday, b) in rules.excluded_cells
            )
        return self.closed[key]

    def _facts_of(self, day: int) -> Hashable:
        """Returns what the rule asks of a whole day."""
        rules, window = self.subject.task_class.rules, self.situation.window
        weekday = week_and_weekday(day)[1]
        by_weekday = weekday if weekday in rules.excluded_days_of_week or rules.excluded_cells else 0
        outside = window is not None and not window[0] <= day <= window[1]
        early = rules.start_day is not None and day < rules.start_day
        closed = day if day in self.state.grid.closed_days else 0
        return outside, early or (rules.end_day is not None and day > rules.end_day), by_weekday, closed

    def _judge_place(self, place: Place) -> int:
        now = self.situation.now
        near = self.near if now is not None and place.cell < now else self.near_ahead
        broken = broken_rules(self.board, self.subject, place, situation=self.situation, near=near)
        binding = tuple(one for one in broken if not one.is_preference)
        if binding:
            verdict = Verdict("refused", None, binding)
        else:
            verdict = Verdict("warned" if broken else "legal", self.board.host_at(place), tuple(broken))
        self.verdicts.append(verdict)
        return len(self.verdicts) - 1


def _owners_of(cells: list[Owner]) -> Hashable:
    """Returns what the rule says and tells of the owners of a place: whom it meets first, and which lessons host."""
    hosts = tuple(event_id for _, event_id in cells)
    return next((name for name, _ in cells if name), ""), hosts if max(hosts) > 0 else None
