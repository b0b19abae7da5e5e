"""What stands in a student's semester, read once at the beginning of a write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User

from schedules.models import CalendarException, Schedule, ScheduleEvent, Semester
from schedules.planner.grid import Cell, Place
from schedules.services.images.exceptions import EXCEPTIONS
from schedules.services.images.kind import Image
from schedules.services.images.lessons import lesson_image, place_of_lesson
from schedules.terms.exceptions import TermExceptions, term_exceptions
from schedules.terms.lessons import is_pattern_free, pattern_of
from taskclasses.shapes import Blocker


@dataclass
class Standing:
    """Holds the events of a student's semester with guests and cancelled lessons, and its exceptions, in three
    queries."""

    semester: Semester
    events: list[ScheduleEvent]
    guests: dict[int, set[int]]
    interrupted: set[int]
    exceptions: list[Image]

    @classmethod
    def load(cls, user: User, semester: Semester) -> Standing:
        guests, interrupted = defaultdict(set), set()
        cells = Schedule.objects.filter(user=user, semester=semester).order_by()
        for event_id, item_id, status in cells.values_list("event_id", "embedded_task_item_id", "status"):
            if item_id is not None:
                guests[event_id].add(item_id)
            if status == Schedule.Status.INTERRUPTED:
                interrupted.add(event_id)
        mine = {"user": user, "semester": semester}
        exceptions = [EXCEPTIONS.image(row) for row in CalendarException.objects.filter(**mine)]
        return cls(semester, list(ScheduleEvent.objects.filter(**mine)), dict(guests), interrupted, exceptions)

    @cached_property
    def term(self) -> TermExceptions:
        return term_exceptions(self.exceptions, self.semester.calendar)

    @cached_property
    def lessons(self) -> dict[int, Image]:
        """Returns images of all lessons by id."""
        return {event.pk: self.image(event) for event in self.events if event.type == ScheduleEvent.Type.COURSE}

    def image(self, event: ScheduleEvent) -> Image:
        return lesson_image(event, interrupted=event.pk in self.interrupted)

    def items_of(self, event: ScheduleEvent) -> set[int]:
        """Returns the items that an event is the body of, or that stand in it."""
        return self.guests.get(event.pk, set()) if event.task_item_id is None else {event.task_item_id}

    def guests_of(self, event_ids: Iterable[int]) -> list[int]:
        return sorted(item for event in event_ids for item in self.guests.get(event, ()))


def held_cells(events: Iterable[ScheduleEvent]) -> dict[Cell, Blocker]:
    """Returns the sections that events take, each with the event in it."""
    taken: dict[Cell, Blocker] = {}
    for event in events:
        if event.held:
            taken |= dict.fromkeys(cells_of(event.place), blocker_of(event))
    return taken


def pattern_cells(lessons: Iterable[Image]) -> dict[Cell, Blocker]:
    """Returns the sections that the weekly pattern gives to lessons, also where the calendar has them elsewhere or
    nowhere."""
    taken: dict[Cell, Blocker] = {}
    for lesson in lessons:
        home = pattern_of(lesson)
        if home is not None and not is_pattern_free(lesson):
            taken |= dict.fromkeys(cells_of(place_of_lesson(home)), lesson_blocker(lesson))
    return taken


def cells_of(place: Place) -> list[Cell]:
    return [(place.day, section) for section in place.sections]


def find_blocker(place: Place, taken: dict[Cell, Blocker]) -> Blocker | None:
    return next((taken[cell] for cell in cells_of(place) if cell in taken), None)


def blocker_of(event: ScheduleEvent) -> Blocker:
    return {
        "event_id": event.pk,
        "task_item_id": event.task_item_id or 0,
        "name": event.name,
        "type": event.type,
    }


def lesson_blocker(lesson: Image) -> Blocker:
    return {"event_id": lesson.get("id", 0), "task_item_id": 0, "name": lesson["name"], "type": "course"}
