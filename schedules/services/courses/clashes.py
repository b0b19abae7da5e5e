"""Meetings of a course beside what stands: by the weekly pattern, and on the dates where the calendar has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from schedules.calendars.rows import CourseRow
from schedules.mapping import place_of
from schedules.planner.grid import Cell, Place, week_and_weekday
from schedules.services.images.kind import Image
from schedules.services.images.lessons import new_lesson, place_of_lesson
from schedules.services.terms.standing_rows import Standing, find_blocker, held_cells, pattern_cells
from schedules.terms.lessons import settle
from taskclasses.shapes import Blocker, Conflict


def places_of(row: CourseRow) -> list[Place]:
    return [place_of(week, row.day_of_week, row.section_from, row.section_to) for week in row.weeks]


class Clashes:
    """Tells what stands in a semester but for the lessons of one course, and the meetings that were found fitting so
    far.

    `wanted` are all meetings of the write: where the calendar has a lesson may depend on its meeting's other weeks.
    Items that begin at `way_from` or later are in nobody's way.
    """

    def __init__(
        self,
        standing: Standing,
        wanted: Iterable[tuple[CourseRow, Place]],
        *,
        leaving: frozenset[int] = frozenset(),
        way_from: Cell | None = None,
    ) -> None:
        lessons = [image for pk, image in standing.lessons.items() if pk not in leaving]
        self.patterns = pattern_cells(lessons)
        yields = {
            event.pk
            for event in standing.events
            if event.task_item_id is not None and way_from is not None and event.place.cell >= way_from
        }
        self.held = held_cells(event for event in standing.events if event.pk not in leaving | yields)
        self._stands = _settle_new(lessons, list(wanted), standing)

    def find(self, row: CourseRow, place: Place) -> Conflict | None:
        """Finds what is in the way of a lesson at its place in the pattern, or where the calendar has it then."""
        lesson = self._stands[row.course_name, place]
        blocker = find_blocker(place, self.patterns)
        if blocker is not None:
            return _conflict(row, place, blocker)
        stands = place_of_lesson(lesson)
        blocker = find_blocker(stands, self.held) if lesson["held"] else None
        return None if blocker is None else _conflict(row, stands, blocker)

    def add(self, row: CourseRow, place: Place) -> None:
        lesson = self._stands[row.course_name, place]
        own: Blocker = {"event_id": 0, "task_item_id": 0, "name": row.course_name, "type": "course"}
        self.patterns |= {(place.day, section): own for section in place.sections}
        if lesson["held"]:
            stands = place_of_lesson(lesson)
            self.held |= {(stands.day, section): own for section in stands.sections}


def _settle_new(
    lessons: Sequence[Image], wanted: Sequence[tuple[CourseRow, Place]], standing: Standing
) -> Mapping[tuple[str, Place], Image]:
    new = [new_lesson(row, place, course={"id": None}, source="") for row, place in wanted]
    settled = settle([*lessons, *new], standing.term)[0][len(lessons) :]
    keys = [(row.course_name, place) for row, place in wanted]
    return {key: image for key, image in zip(keys, settled, strict=True) if image is not None}


def _conflict(row: CourseRow, place: Place, blocker: Blocker) -> Conflict:
    week, weekday = week_and_weekday(place.day)
    return {
        "code": "40026",
        "rule": "occupied",
        "task_item_id": 0,
        "task_class_id": 0,
        "week": week,
        "day_of_week": weekday,
        "section_from": place.first,
        "section_to": place.last,
        "with": blocker,
        "row": row.row,
    }
