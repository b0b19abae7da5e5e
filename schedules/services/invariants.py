"""The invariants across tables (domain.md 2.1 a-g), checked by tests and by `manage.py check_timetable`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from schedules.models import CalendarException, Schedule, ScheduleEvent, Semester
from schedules.services.images.exceptions import EXCEPTIONS
from schedules.services.images.kind import Image
from schedules.services.images.lessons import lesson_image
from schedules.terms.exceptions import term_exceptions
from schedules.terms.lessons import settle
from taskclasses.models import TaskItem


def broken_invariants(*, user_id: int | None = None) -> list[str]:
    """Returns one sentence per broken invariant, for one student or for all; empty when the record is sound."""
    events = ScheduleEvent.objects.select_related("task_item", "course")
    rows = Schedule.objects.select_related("event", "embedded_task_item__task_class")
    items = TaskItem.objects.select_related("task_class")
    if user_id is not None:
        events, rows = events.filter(user_id=user_id), rows.filter(user_id=user_id)
        items = items.filter(task_class__user_id=user_id)
    by_event: dict[int, list[Schedule]] = defaultdict(list)
    for row in rows:
        by_event[row.event_id].append(row)
    found = list(events)
    return [
        *_items(items, found, by_event),
        *_ranges(found, by_event),
        *_guests(found, by_event),
        *_names(found),
        *_courses(found),
        *_check_settled(found, by_event),
    ]


def _items(items: object, events: list[ScheduleEvent], rows: dict[int, list[Schedule]]) -> Iterator[str]:
    """Checks (a): applied <=> a time <=> exactly one seat that covers exactly that time."""
    seats: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
    for event in events:
        if event.task_item_id is not None:
            seats[event.task_item_id].append((event.week, event.day_of_week, event.section_from, event.section_to))
        held: dict[int, list[int]] = defaultdict(list)
        for row in rows[event.pk]:
            if row.embedded_task_item_id is not None:
                held[row.embedded_task_item_id].append(row.section)
        for item_id, sections in held.items():
            whole = max(sections) - min(sections) + 1 == len(sections)
            first = min(sections) if whole else 0
            seats[item_id].append((event.week, event.day_of_week, first, max(sections)))
    for item in items:  # type: ignore[attr-defined]
        time = item.embedded_time
        wanted = [(time["week"], time["day_of_week"], time["section_from"], time["section_to"])] if time else []
        if (item.status == TaskItem.Status.APPLIED) != bool(time) or seats.get(item.pk, []) != wanted:
            yield f"(a) item {item.pk}: status {item.status}, time {time}, seats {seats.get(item.pk, [])}"


def _ranges(events: list[ScheduleEvent], rows: dict[int, list[Schedule]]) -> Iterator[str]:
    """Checks (b): the rows of an event are exactly its range; a lesson that falls out has none."""
    for event in events:
        wanted = [(event.week, event.day_of_week, section) for section in event.place.sections if event.held]
        if sorted((row.week, row.day_of_week, row.section) for row in rows[event.pk]) != wanted:
            yield f"(b) event {event.pk}: its rows are not its range"


def _guests(events: list[ScheduleEvent], rows: dict[int, list[Schedule]]) -> Iterator[str]:
    """Checks (c): a host has one guest at most, (d) of the same student, and only a host has one."""
    for event in events:
        guests = {row.embedded_task_item for row in rows[event.pk] if row.embedded_task_item is not None}
        if len(guests) > 1:
            yield f"(c) event {event.pk}: {len(guests)} guests"
        if guests and not event.can_be_embedded:
            yield f"(c) event {event.pk}: a guest in a course that hosts none"
        if any(guest.task_class.user_id != event.user_id for guest in guests):
            yield f"(d) event {event.pk}: a guest of another student"


def _names(events: list[ScheduleEvent]) -> Iterator[str]:
    """Checks (e): a task event is called as its item."""
    for event in events:
        if event.task_item is not None and event.task_item.content != event.name:
            yield f"(e) event {event.pk}: called {event.name!r}, its item {event.task_item.content!r}"


def _courses(events: list[ScheduleEvent]) -> Iterator[str]:
    """Checks (f): a lesson and its course belong to the same student and semester."""
    for event in events:
        course = event.course
        if course is not None and (course.user_id, course.semester_id) != (event.user_id, event.semester_id):
            yield f"(f) event {event.pk}: its course {course.pk} is of another student or semester"


def _check_settled(events: list[ScheduleEvent], rows: dict[int, list[Schedule]]) -> Iterator[str]:
    """Checks (g): every lesson stands where its pattern, the student's change and the calendar of exceptions have
    it."""
    lessons: dict[tuple[int, int], list[Image]] = defaultdict(list)
    for event in events:
        if event.type == ScheduleEvent.Type.COURSE:
            interrupted = any(row.status == Schedule.Status.INTERRUPTED for row in rows[event.pk])
            lessons[event.user_id, event.semester_id].append(lesson_image(event, interrupted=interrupted))
    terms = Semester.objects.in_bulk({semester_id for _, semester_id in lessons})
    exceptions: dict[tuple[int, int], list[Image]] = defaultdict(list)
    for row in CalendarException.objects.filter(user__in={user_id for user_id, _ in lessons}):
        exceptions[row.user_id, row.semester_id].append(EXCEPTIONS.image(row))
    for key, images in lessons.items():
        settled, extras = settle(images, term_exceptions(exceptions[key], terms[key[1]].calendar))
        wrong = [one["id"] for one, wanted in zip(images, settled, strict=True) if one != wanted]
        if wrong or extras:
            yield f"(g) student {key[0]}: lessons {wrong} stand elsewhere, {len(extras)} are missing"
