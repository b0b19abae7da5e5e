"""Lessons in a batch: events that take sections and may host a guest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone

from schedules.calendars.patterns import weeks_in_words
from schedules.calendars.rows import CourseRow
from schedules.mapping import place_of
from schedules.models import AppliedBatch, CalendarException, Course, Schedule, ScheduleEvent
from schedules.planner.grid import Place
from schedules.presentation.conflicts import conflict
from schedules.services.bulk import insert_with_ids, set_each
from schedules.services.images.exceptions import EXCEPTIONS
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
from schedules.services.placement.seats import Seats, embedded_time
from schedules.terms.exceptions import term_exceptions
from schedules.terms.lessons import AS_PLANNED, settle
from taskclasses.shapes import Blocker, Conflict

Owner = tuple[int, int]
"""Student and semester."""
LESSON_COLUMNS = (
    "name", "location", "course_id", "pattern", "import_batch_id", "can_be_embedded", "week", "day_of_week",
    "section_from", "section_to", "source", "held", "pattern_place", "change", "effect",
)  # fmt: skip


def lesson_image(event: ScheduleEvent, *, interrupted: bool) -> Image:
    columns = {name: getattr(event, name) for name in LESSON_COLUMNS}
    # A lesson that is not held has no sections that say so.
    cancelled = interrupted or bool(event.pattern_place.get("interrupted"))
    return {"id": event.pk, **columns, "interrupted": cancelled, "revision": event.revision}


def new_lesson(row: CourseRow, place: Place, *, course: Image, source: str) -> Image:
    """Returns the image of a lesson that is yet to be made; it has no id."""
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
        **AS_PLANNED,
    }


def place_of_lesson(image: Image) -> Place:
    return place_of(image["week"], image["day_of_week"], image["section_from"], image["section_to"])


def is_moved(before: Image, after: Image) -> bool:
    return place_of_lesson(before) != place_of_lesson(after)


def sections_change(before: Image, after: Image) -> bool:
    """Tells whether the sections that a lesson takes become others: it moves, falls out or is held again."""
    return before["held"] != after["held"] or (after["held"] and is_moved(before, after))


def lifts_guest(before: Image, after: Image | None) -> bool:
    """Tells whether a guest has to leave: the lesson goes, its sections change, or it takes no guests any more."""
    return after is None or not after["can_be_embedded"] or sections_change(before, after)


def _undone(images: Mapping[int, Image], pairs: Iterable[Pair]) -> list[Image]:
    """Returns rows as they would be without what the pairs did."""
    left = dict(images)
    for before, after in pairs:
        if after is not None:
            left.pop(after["id"], None)
        if before is not None:
            left[before["id"]] = before
    return list(left.values())


class LessonRows:
    name = "lessons"

    def now(self, batches: Sequence[AppliedBatch], cells: Cells) -> LessonsNow:
        mine = owners_of(batches, self.name, EXCEPTIONS.name)
        if not mine:
            return LessonsNow(cells, {}, {}, {}, set())
        interrupted = {row.event_id for row in cells.values() if row.status == Schedule.Status.INTERRUPTED}
        images, owner = {}, {}
        for event in ScheduleEvent.objects.filter(type="course", **mine):
            images[event.pk] = lesson_image(event, interrupted=event.pk in interrupted)
            owner[event.pk] = (event.user_id, event.semester_id)
        exceptions = {
            row.pk: (EXCEPTIONS.image(row), (row.user_id, row.semester_id))
            for row in CalendarException.objects.filter(**mine)
        }
        courses = set(Course.objects.filter(**mine).values_list("pk", flat=True))
        return LessonsNow(cells, images, owner, exceptions, courses)

    def lift(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Deletes lessons that go and gives the sections of those that move free."""
        Seats(at.user_id, at.semester).delete_events(image["id"] for image in find_removed(pairs))
        moved = [after["id"] for before, after in find_kept(pairs) if sections_change(before, after)]
        if moved:
            Schedule.objects.filter(event__in=moved).delete()

    def put(self, at: Timetable, pairs: Sequence[Pair]) -> list[Pair]:
        seats = Seats(at.user_id, at.semester)
        moved = {after["id"]: after for before, after in find_kept(pairs) if sections_change(before, after)}
        self._update(seats, {after["id"]: after for before, after in find_kept(pairs) if before != after})
        made = self._insert(seats, list(find_added(pairs)))
        placed = {pk: image for pk, image in (moved | {row["id"]: row for row in made}).items() if image["held"]}
        seats.insert_rows({pk: place_of_lesson(image) for pk, image in placed.items()})
        interrupted = [pk for pk, image in placed.items() if image["interrupted"]]
        if interrupted:
            Schedule.objects.filter(event__in=interrupted).update(status=Schedule.Status.INTERRUPTED)
        rest = iter(made)
        return [(None, next(rest)) if before is None else (before, after) for before, after in pairs]

    def drop(self, at: Timetable, pairs: Sequence[Pair]) -> None:
        """Drops nothing: `lift` deletes, because a lesson holds sections that others take."""

    @staticmethod
    def _update(seats: Seats, images: dict[int, Image]) -> None:
        columns = {}
        for pk, image in images.items():
            columns[pk] = {name: image[name] for name in LESSON_COLUMNS} | seats.time_of(place_of_lesson(image))
        set_each(ScheduleEvent.objects.all(), "pk", columns, revision=F("revision") + 1, updated_at=timezone.now())

    @staticmethod
    def _insert(seats: Seats, images: Sequence[Image]) -> list[Image]:
        if not images:
            return []
        events = []
        for image in images:
            columns = {name: image[name] for name in LESSON_COLUMNS}
            event = ScheduleEvent(
                pk=image.get("id"),
                user_id=seats.user_id,
                semester=seats.semester,
                type=ScheduleEvent.Type.COURSE,
                revision=image["revision"] + 1,
                **columns,
            )
            seats.set_time(event, place_of_lesson(image))
            events.append(event)
        mine = ScheduleEvent.objects.filter(user_id=seats.user_id, semester=seats.semester)
        ids = insert_with_ids(mine, events)
        return [{**image, "id": pk} for image, pk in zip(images, ids, strict=True)]


@dataclass(frozen=True)
class LessonsNow:
    cells: Cells
    images: Mapping[int, Image]
    owner: Mapping[int, Owner]
    exceptions: Mapping[int, tuple[Image, Owner]]
    courses: set[int]

    def obstacles(self, batch: AppliedBatch) -> Iterator[Conflict]:
        pairs = pairs_of(batch, LessonRows.name)
        changed = list(self._find_changed(batch, pairs))
        yield from changed
        yield from self._guests(pairs)
        yield from self._taken(batch, pairs)
        # An exception may have moved no lesson, and those that came since stand where it has them.
        if (pairs or pairs_of(batch, EXCEPTIONS.name)) and not changed:
            yield from self._find_unsettled(batch, pairs)

    def _find_unsettled(self, batch: AppliedBatch, pairs: Sequence[Pair]) -> Iterator[Conflict]:
        """Yields lessons that would not stand where the calendar of exceptions has them: it changed since."""
        whose = (batch.user_id, batch.semester_id)
        exceptions = {pk: image for pk, (image, owner) in self.exceptions.items() if owner == whose}
        term = term_exceptions(_undone(exceptions, pairs_of(batch, EXCEPTIONS.name)), batch.semester.calendar)
        mine = {pk: image for pk, image in self.images.items() if self.owner[pk] == whose}
        lessons = _undone(mine, pairs)
        settled, extras = settle(lessons, term)
        for lesson, wanted in zip(lessons, settled, strict=True):
            if lesson != wanted:
                yield tell_changed(lesson["name"], place=place_of_lesson(lesson))
        for lesson in extras:
            yield tell_changed(lesson["name"], place=place_of_lesson(lesson))

    def _find_changed(self, batch: AppliedBatch, pairs: Iterable[Pair]) -> Iterator[Conflict]:
        back = {before["id"] for before, _ in pairs_of(batch, "courses") if before is not None}
        for before, after in pairs:
            if after is not None and not same(self.images.get(after["id"]), after):
                yield tell_changed(after["name"], place=place_of_lesson(after), event_id=after["id"])
            elif before is not None and not self._fits(before, batch, back):
                yield tell_changed(before["name"], place=place_of_lesson(before))

    def _fits(self, lesson: Image, batch: AppliedBatch, back: set[int]) -> bool:
        """Tells whether the semester still has the place of the lesson, and its course exists or comes back."""
        return batch.semester.calendar.grid.contains(place_of_lesson(lesson)) and (
            lesson["course_id"] is None or lesson["course_id"] in back or lesson["course_id"] in self.courses
        )

    def _guests(self, pairs: Iterable[Pair]) -> Iterator[Conflict]:
        """Yields items that were put since into lessons that would go, move or take no guests again."""
        guests = {row.event_id: row for row in self.cells.values() if row.embedded_task_item_id is not None}
        for before, after in pairs:
            guest = guests.get(after["id"]) if after is not None else None
            if after is None or guest is None:
                continue
            if lifts_guest(after, before):
                item = guest.embedded_task_item_id or 0
                yield tell_changed(after["name"], place=place_of_lesson(after), event_id=after["id"], task_item_id=item)

    def _taken(self, batch: AppliedBatch, pairs: Sequence[Pair]) -> Iterator[Conflict]:
        """Yields cells that the lessons from before need and that others have by now."""
        own = {after["id"] for _, after in pairs if after is not None}
        # The item that the batch put there goes when it is undone.
        own |= {change["after"]["event"]["id"] for change in batch.changes if change["after"]["event"]}
        for before, after in pairs:
            if before is None or not before["held"] or (after is not None and not sections_change(before, after)):
                continue
            place = place_of_lesson(before)
            at = (batch.semester_id, before["week"], before["day_of_week"])
            rows = (self.cells.get((*at, section)) for section in place.sections)
            other = next((row for row in rows if row is not None and row.event_id not in own), None)
            if other is not None:
                blocker: Blocker = {
                    "event_id": other.event_id,
                    "task_item_id": other.event_task_item_id or 0,
                    "name": other.event_name,
                    "type": other.event_type,
                }
                yield conflict(40026, "occupied", item_id=0, class_id=0, place=place, blocker=blocker)
