"""Courses in a batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from schedules.models import AppliedBatch, Course, ScheduleEvent
from schedules.services.bulk import delete_childless, insert_with_ids, set_each
from schedules.services.images.kind import (
    Cells,
    Image,
    Pair,
    Timetable,
    find_added,
    find_kept,
    find_removed,
    owners_of,
    pairs_of,
    same,
    tell_changed,
)
from taskclasses.shapes import Conflict

COURSE_COLUMNS = ("name", "teacher", "location", "color_index", "can_be_embedded", "note")


def course_image(course: Course) -> Image:
    return {"id": course.pk, **{name: getattr(course, name) for name in COURSE_COLUMNS}}


def insert_courses(at: Timetable, images: Sequence[Image]) -> list[Image]:
    """Inserts courses, with the ids they had or with new ones; answers the images with ids."""
    if not images:
        return []
    mine = Course.objects.filter(user_id=at.user_id, semester=at.semester)
    ids = insert_with_ids(mine, [Course(user_id=at.user_id, semester=at.semester, **image) for image in images])
    return [{**image, "id": pk} for image, pk in zip(images, ids, strict=True)]


class CourseRows:
    name = "courses"

    def now(self, batches: Sequence[AppliedBatch], cells: Cells) -> CoursesNow:
        mine = owners_of(batches, self.name)
        rows = Course.objects.filter(**mine) if mine else ()
        return CoursesNow({course.pk: course_image(course) for course in rows})

    def lift(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Lifts nothing: a course that goes is named by its lessons until `drop`."""

    def put(self, at: Timetable, pairs: Sequence[Pair]) -> list[Pair]:
        """Makes the courses; one that is in the table already stays: a write makes its courses first, for lessons name
        their ids."""
        new = list(find_added(pairs))
        if new:
            there = set(Course.objects.filter(pk__in=[image["id"] for image in new]).values_list("pk", flat=True))
            insert_courses(at, [image for image in new if image["id"] not in there])
        values = {
            after["id"]: {name: after[name] for name in COURSE_COLUMNS}
            for before, after in find_kept(pairs)
            if before != after
        }
        set_each(Course.objects.all(), "pk", values, updated_at=timezone.now())
        return list(pairs)

    def drop(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Removes those of the courses that have no lesson left."""
        named = {image["id"] for image in find_removed(pairs)}
        if not named:
            return
        used = set(ScheduleEvent.objects.filter(course__in=named).values_list("course_id", flat=True))
        if named - used:
            delete_childless(Course.objects.filter(pk__in=named - used))


@dataclass(frozen=True)
class CoursesNow:
    images: Mapping[int, Image]

    def obstacles(self, batch: AppliedBatch) -> Iterator[Conflict]:
        for _, after in pairs_of(batch, CourseRows.name):
            if after is not None and not same(self.images.get(after["id"]), after):
                yield tell_changed(after["name"])
