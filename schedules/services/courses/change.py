"""One change of courses and lessons: what stands there now, what is in the way, and the write with its batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User

from schedules.calendars.rows import CourseRow
from schedules.mapping import place_of
from schedules.models import AppliedBatch, Schedule, ScheduleEvent, Semester, TimetableVersion
from schedules.planner.grid import Cell, Place, week_and_weekday
from schedules.services.courses.lessons import Image, Lessons, Pair, lesson_image
from schedules.services.images import change_of, images_of
from schedules.services.lock import timetable_changed
from schedules.services.seats import Seats
from taskclasses.shapes import Blocker, Conflict


@dataclass
class Standing:
    """The events of a student's semester, with guests and cancelled lessons, in two queries."""

    events: list[ScheduleEvent]
    guests: dict[int, set[int]]
    interrupted: set[int]

    @classmethod
    def load(cls, user: User, semester: Semester) -> Standing:
        guests, interrupted = defaultdict(set), set()
        for row in Schedule.objects.filter(user=user, semester=semester):
            if row.embedded_task_item_id is not None:
                guests[row.event_id].add(row.embedded_task_item_id)
            if row.status == Schedule.Status.INTERRUPTED:
                interrupted.add(row.event_id)
        return cls(list(ScheduleEvent.objects.filter(user=user, semester=semester)), dict(guests), interrupted)

    def image(self, event: ScheduleEvent) -> Image:
        return lesson_image(event, interrupted=event.pk in self.interrupted)

    def guests_of(self, events: Iterable[ScheduleEvent]) -> list[int]:
        return sorted(item for event in events for item in self.guests.get(event.pk, ()))


def taken_cells(events: Iterable[ScheduleEvent]) -> dict[Cell, Blocker]:
    """The cells of events, each with the event in it."""
    taken: dict[Cell, Blocker] = {}
    for event in events:
        blocker: Blocker = {
            "event_id": event.pk,
            "task_item_id": event.task_item_id or 0,
            "name": event.name,
            "type": event.type,
        }
        taken |= {(event.place.day, section): blocker for section in event.place.sections}
    return taken


def find_blocker(place: Place, taken: dict[Cell, Blocker]) -> Blocker | None:
    return next((taken[(place.day, s)] for s in place.sections if (place.day, s) in taken), None)


def clash(row: CourseRow, place: Place, blocker: Blocker) -> Conflict:
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


def places_of(row: CourseRow) -> list[Place]:
    return [place_of(week, row.day_of_week, row.section_from, row.section_to) for week in row.weeks]


@dataclass
class CourseChange:
    """Pairs of images of courses and lessons, and the items that leave the timetable for it.

    A new course is in the table already, for its lessons name its id.
    """

    courses: Sequence[Pair] = ()
    lessons: Sequence[Pair] = ()
    item_ids: Sequence[int] = field(default_factory=list)

    def write(self, *, user: User, version: TimetableVersion, source: str) -> AppliedBatch:
        """Does it and keeps it as a batch; the caller holds the lock and has refused what cannot be."""
        semester = version.semester
        batch = AppliedBatch.objects.create(user=user, semester=semester, source=source)
        before = images_of(self.item_ids)
        if self.item_ids:
            Seats(user.pk, semester).change(dict.fromkeys(self.item_ids))
        after = images_of(self.item_ids)
        rows = Lessons(user.pk, semester)
        rows.update_courses(self.courses)
        lessons = rows.change([self._marked(pair, batch) for pair in self.lessons])
        rows.delete_courses(pair[0]["id"] for pair in self.courses if pair[0] is not None and pair[1] is None)
        batch.changes = [change_of(before[item], after[item]) for item in self.item_ids]
        batch.course_changes = {"courses": list(self.courses), "lessons": lessons}
        batch.save(update_fields=["changes", "course_changes"])
        timetable_changed(version)
        return batch

    @staticmethod
    def _marked(pair: Pair, batch: AppliedBatch) -> Pair:
        """A new lesson of an import names it."""
        before, after = pair
        if batch.source != AppliedBatch.Source.IMPORT or before is not None or after is None:
            return pair
        return None, {**after, "import_batch_id": batch.pk}
