"""Courses and lessons as images, and the row effects that take them from one image to another.

An image is JSON. Of a pair (before, after) None means absent. No judgement here: the caller holds the lock and knows
that the cells are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.utils import timezone

from schedules.calendars.patterns import weeks_in_words
from schedules.calendars.rows import CourseRow
from schedules.mapping import place_of
from schedules.models import Course, Schedule, ScheduleEvent, Semester
from schedules.planner.grid import Place
from schedules.services.bulk import delete_childless, insert, set_each
from schedules.services.seats import Seats, embedded_time

Image = dict[str, Any]
Pair = tuple[Image | None, Image | None]
COURSE_COLUMNS = ("name", "teacher", "location", "color_index", "can_be_embedded", "note")
LESSON_COLUMNS = (
    "name", "location", "course_id", "pattern", "import_batch_id", "can_be_embedded", "week", "day_of_week",
    "section_from", "section_to", "source",
)  # fmt: skip


def course_image(course: Course) -> Image:
    return {"id": course.pk, **{name: getattr(course, name) for name in COURSE_COLUMNS}}


def lesson_image(event: ScheduleEvent, *, interrupted: bool) -> Image:
    columns = {name: getattr(event, name) for name in LESSON_COLUMNS}
    return {"id": event.pk, **columns, "interrupted": interrupted, "revision": event.revision}


def new_lesson(row: CourseRow, place: Place, *, course: Image, source: str) -> Image:
    """The image of a lesson that is yet to be made; it has no id."""
    return {
        "name": row.course_name,
        "location": row.location,
        "course_id": course["id"],
        "pattern": weeks_in_words(row.weeks),
        "import_batch_id": None,
        "can_be_embedded": row.is_allow_tasks,
        **embedded_time(place),
        "source": source,
        "interrupted": row.interrupted,
        "revision": 0,
    }


def place_of_lesson(image: Image) -> Place:
    return place_of(image["week"], image["day_of_week"], image["section_from"], image["section_to"])


def is_moved(before: Image, after: Image) -> bool:
    return place_of_lesson(before) != place_of_lesson(after)


@dataclass
class Lessons:
    """Writes for one student and semester inside one locked transaction, in a fixed number of queries."""

    user_id: int
    semester: Semester

    def insert_courses(self, images: Sequence[Image]) -> list[Image]:
        """Inserts courses, with the ids they had or with new ones; answers the images with ids."""
        if not images:
            return []
        mine = Course.objects.filter(user_id=self.user_id, semester=self.semester)
        last = mine.order_by("-pk").values_list("pk", flat=True).first() or 0
        rows = [Course(user_id=self.user_id, semester=self.semester, **image) for image in images]
        insert(Course, rows)
        # MySQL does not tell the new ids. They rise in the order of the insert, and nobody else makes any of these.
        ids = iter(mine.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True))
        return [image if "id" in image else {"id": next(ids), **image} for image in images]

    def update_courses(self, pairs: Iterable[Pair]) -> None:
        values = {
            after["id"]: {name: after[name] for name in COURSE_COLUMNS}
            for before, after in pairs
            if before is not None and after is not None and before != after
        }
        set_each(Course.objects.all(), "pk", values, updated_at=timezone.now())

    def delete_courses(self, ids: Iterable[int]) -> None:
        """Removes those of the courses that have no lesson left."""
        named = set(ids)
        used = set(ScheduleEvent.objects.filter(course__in=named).values_list("course_id", flat=True))
        if named - used:
            delete_childless(Course.objects.filter(pk__in=named - used))

    def change(self, pairs: Sequence[Pair]) -> list[Pair]:
        """All lifts, then all sets; answers the pairs with the ids of new lessons."""
        seats = Seats(self.user_id, self.semester)
        kept = [(before, after) for before, after in pairs if before is not None and after is not None]
        moved = {after["id"]: after for before, after in kept if is_moved(before, after)}
        seats.delete_events(before["id"] for before, after in pairs if before is not None and after is None)
        if moved:
            Schedule.objects.filter(event__in=moved).delete()
        self._update({after["id"]: after for before, after in kept if before != after}, seats)
        made = self._insert([after for before, after in pairs if before is None and after is not None], seats)
        placed = moved | {image["id"]: image for image in made}
        seats.insert_rows({pk: place_of_lesson(image) for pk, image in placed.items()})
        interrupted = [pk for pk, image in placed.items() if image["interrupted"]]
        if interrupted:
            Schedule.objects.filter(event__in=interrupted).update(status=Schedule.Status.INTERRUPTED)
        rest = iter(made)
        return [(None, next(rest)) if before is None else (before, after) for before, after in pairs]

    def _update(self, images: dict[int, Image], seats: Seats) -> None:
        columns = {}
        for pk, image in images.items():
            columns[pk] = {name: image[name] for name in LESSON_COLUMNS} | seats.time_of(place_of_lesson(image))
        set_each(ScheduleEvent.objects.all(), "pk", columns, revision=F("revision") + 1, updated_at=timezone.now())

    def _insert(self, images: Sequence[Image], seats: Seats) -> list[Image]:
        if not images:
            return []
        events = []
        for image in images:
            columns = {name: image[name] for name in LESSON_COLUMNS}
            event = ScheduleEvent(
                pk=image.get("id"),
                user_id=self.user_id,
                semester=self.semester,
                type=ScheduleEvent.Type.COURSE,
                revision=image["revision"] + 1,
                **columns,
            )
            seats.set_time(event, place_of_lesson(image))
            events.append(event)
        insert(ScheduleEvent, events)
        # An event is known by its first cell, which is its own.
        mine = ScheduleEvent.objects.filter(user_id=self.user_id, semester=self.semester)
        cells = mine.values_list("pk", "week", "day_of_week", "section_from")
        ids = {(week, weekday, first): pk for pk, week, weekday, first in cells}
        return [{**image, "id": ids[image["week"], image["day_of_week"], image["section_from"]]} for image in images]
