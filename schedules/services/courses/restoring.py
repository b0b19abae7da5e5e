"""Undoing what a batch did to courses and lessons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from schedules.conflicts import conflict
from schedules.models import AppliedBatch, Course, Schedule, ScheduleEvent
from schedules.planner.grid import Place
from schedules.services.courses.lessons import (
    Image,
    Lessons,
    Pair,
    course_image,
    is_moved,
    lesson_image,
    place_of_lesson,
)
from schedules.services.images import same
from taskclasses.shapes import Blocker, Conflict

CellRow = tuple[int, int, int, int]
"""Semester, week, weekday, section."""


def pairs_of(batch: AppliedBatch, kind: str) -> list[Pair]:
    """The pairs of images of `courses` or `lessons` that a batch keeps."""
    return [(before, after) for before, after in (batch.course_changes or {}).get(kind, ())]


class CoursesNow:
    """What the rows say now about the courses and lessons of some batches, in a fixed number of queries."""

    def __init__(self, batches: Iterable[AppliedBatch], cells: Mapping[CellRow, Schedule]) -> None:
        named = [batch for batch in batches if batch.course_changes]
        owners, terms = {batch.user_id for batch in named}, {batch.semester_id for batch in named}
        self.cells = cells
        self.lessons: dict[int, Image] = {}
        self.courses: dict[int, Image] = {}
        self.guests = {row.event_id: row for row in cells.values() if row.embedded_task_item_id is not None}
        if not named:
            return
        interrupted = {row.event_id for row in cells.values() if row.status == Schedule.Status.INTERRUPTED}
        for event in ScheduleEvent.objects.filter(user__in=owners, semester__in=terms, type="course"):
            self.lessons[event.pk] = lesson_image(event, interrupted=event.pk in interrupted)
        for course in Course.objects.filter(user__in=owners, semester__in=terms):
            self.courses[course.pk] = course_image(course)

    def obstacles(self, batch: AppliedBatch) -> list[Conflict]:
        """Everything about courses and lessons that keeps a batch from being undone now."""
        return [*self._changed(batch), *self._guests(batch), *self._taken(batch)]

    def _changed(self, batch: AppliedBatch) -> Iterator[Conflict]:
        courses, lessons = pairs_of(batch, "courses"), pairs_of(batch, "lessons")
        for _, after in courses:
            if after is not None and not same(self.courses.get(after["id"]), after):
                yield _obstacle(after["name"], None)
        back = {before["id"] for before, _ in courses if before is not None}
        for before, after in lessons:
            if after is not None and not same(self.lessons.get(after["id"]), after):
                yield _obstacle(after["name"], place_of_lesson(after), event_id=after["id"])
            elif before is not None and not self._fits(before, batch, back):
                yield _obstacle(before["name"], place_of_lesson(before))

    def _fits(self, lesson: Image, batch: AppliedBatch, back: set[int]) -> bool:
        """The semester still has the place of the lesson, and its course exists or comes back."""
        return batch.semester.calendar.grid.contains(place_of_lesson(lesson)) and (
            lesson["course_id"] is None or lesson["course_id"] in back or lesson["course_id"] in self.courses
        )

    def _guests(self, batch: AppliedBatch) -> Iterator[Conflict]:
        """Items that were put since into lessons that would go, move or take no guests again."""
        for before, after in pairs_of(batch, "lessons"):
            guest = self.guests.get(after["id"]) if after is not None else None
            if after is None or guest is None:
                continue
            if before is None or is_moved(before, after) or not before["can_be_embedded"]:
                yield _obstacle(after["name"], place_of_lesson(after), event_id=after["id"], row=guest)

    def _taken(self, batch: AppliedBatch) -> Iterator[Conflict]:
        """Cells that the lessons from before need and that others have by now."""
        lessons = pairs_of(batch, "lessons")
        own = {after["id"] for _, after in lessons if after is not None}
        for before, after in lessons:
            if before is None or (after is not None and not is_moved(before, after)):
                continue
            place = place_of_lesson(before)
            at = (batch.semester_id, before["week"], before["day_of_week"])
            rows = (self.cells.get((*at, section)) for section in place.sections)
            other = next((row for row in rows if row is not None and row.event_id not in own), None)
            if other is not None:
                event = other.event
                item = event.task_item_id or 0
                blocker: Blocker = {
                    "event_id": event.pk, "task_item_id": item, "name": event.name, "type": event.type,
                }  # fmt: skip
                yield conflict(40026, "occupied", item_id=0, class_id=0, place=place, blocker=blocker)


def _obstacle(name: str, place: Place | None, *, event_id: int = 0, row: Schedule | None = None) -> Conflict:
    item = 0 if row is None else row.embedded_task_item_id or 0
    blocker: Blocker = {"event_id": event_id, "task_item_id": item, "name": name, "type": "course"}
    return conflict(40077, "changed_since", item_id=0, class_id=0, place=place, blocker=blocker)


def restore_courses(batch: AppliedBatch) -> None:
    """Takes courses and lessons from after the batch back to before it, deleted ones with the ids they had."""
    courses = pairs_of(batch, "courses")
    rows = Lessons(batch.user_id, batch.semester)
    rows.insert_courses([before for before, after in courses if before is not None and after is None])
    rows.update_courses((after, before) for before, after in courses)
    rows.change([(after, before) for before, after in pairs_of(batch, "lessons")])
    rows.delete_courses(after["id"] for before, after in courses if before is None and after is not None)
