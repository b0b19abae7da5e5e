"""What a write of lessons or exceptions does to lessons and items, computed before it is done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from schedules.models import ScheduleEvent
from schedules.planner.grid import Cell
from schedules.presentation.conflicts import conflict
from schedules.services.images.kind import Image, Pair
from schedules.services.images.lessons import lifts_guest, place_of_lesson, sections_change
from schedules.services.terms.standing_rows import Standing, cells_of, find_blocker, held_cells, lesson_blocker
from schedules.terms.departures import lesson_place
from schedules.terms.exceptions import TermExceptions
from schedules.terms.lessons import settle
from schedules.terms.shapes import ItemEffect, LessonEffect
from taskclasses.kernel.errors import CodedError
from taskclasses.models import TaskItem
from taskclasses.shapes import Conflict


@dataclass(frozen=True)
class Effects:
    """Holds pairs of lessons, and the items that have to leave the timetable for them."""

    lessons: list[Pair]
    items: list[ItemEffect]

    @property
    def released(self) -> list[int]:
        return [item["task_item_id"] for item in self.items]

    def shifts(self) -> list[LessonEffect]:
        """Returns the lessons that come, go, move, fall out or are held again, in time order."""
        found: list[tuple[Image, LessonEffect]] = []
        for before, after in self.lessons:
            old, new = (lesson_place(one) if one is not None and one["held"] else None for one in (before, after))
            known = after or before
            if old != new and known is not None:
                event_id = before["id"] if before is not None else 0
                found.append((known, {"event_id": event_id, "name": known["name"], "from": old, "to": new}))
        return [row for _, row in sorted(found, key=lambda pair: (place_of_lesson(pair[0]), pair[1]["event_id"]))]


def follow_calendar(standing: Standing, pairs: Sequence[Pair], term: TermExceptions) -> list[Pair]:
    """Returns the pairs of a write of lessons with every lesson where the exceptions have it, those of other lessons
    included.

    A lesson of the write keeps its pair though nothing changes about it.
    """
    named = {before["id"] for before, _ in pairs if before is not None}
    others: list[Pair] = [(lesson, lesson) for pk, lesson in standing.lessons.items() if pk not in named]
    living = [(before, after) for before, after in [*pairs, *others] if after is not None]
    settled, extras = settle([after for _, after in living], term)
    gone: list[Pair] = [(before, None) for before, after in pairs if after is None]
    found: list[Pair] = []
    for index, ((before, _), after) in enumerate(zip(living, settled, strict=True)):
        if index < len(living) - len(others) or before != after:
            found.append((before, after))
    return [*found, *gone, *((None, extra) for extra in extras)]


def effects_of(
    standing: Standing, pairs: Sequence[Pair], *, term: TermExceptions | None = None, now: Cell | None = None
) -> Effects:
    """Returns what pairs of lessons do to items; 40026 where a lesson would come onto what is no item.

    Guests leave lessons that move or fall out, items give way to lessons, and what has not begun leaves days that
    become closed (`term` = the exceptions as they will be).
    """
    refuse_taken(standing, pairs)
    lifted = [before["id"] for before, after in pairs if before is not None and lifts_guest(before, after)]
    released = set(standing.guests_of(lifted))
    coming = {cell for lesson in _find_coming(pairs) for cell in cells_of(place_of_lesson(lesson))}
    closed = frozenset() if term is None else term.closed_days - standing.term.closed_days
    for event in standing.events:
        later = now is None or event.place.cell >= now
        leaves = event.place.day in closed and later
        if event.task_item_id is not None and (leaves or coming.intersection(cells_of(event.place))):
            released.add(event.task_item_id)
        elif leaves and event.pk in standing.guests:
            released |= standing.guests[event.pk]
    return Effects(list(pairs), _items(released))


def _items(item_ids: Collection[int]) -> list[ItemEffect]:
    """Returns the items with the places they leave, in one query."""
    rows = TaskItem.objects.filter(pk__in=item_ids).order_by("pk") if item_ids else ()
    return [
        cast(
            ItemEffect,
            {"task_item_id": row.pk, "task_class_id": row.task_class_id, "name": row.content}
            | (row.embedded_time or {}),
        )
        for row in rows
    ]


def _find_coming(pairs: Iterable[Pair]) -> Iterator[Image]:
    """Yields lessons that take sections which they did not have."""
    for before, after in pairs:
        if after is not None and after["held"] and (before is None or sections_change(before, after)):
            yield after


def refuse_taken(standing: Standing, pairs: Sequence[Pair]) -> None:
    """Raises 40026 for lessons that would come onto sections of another lesson or event that stays."""
    touched = {before["id"] for before, _ in pairs if before is not None}
    stays = [event for event in standing.events if event.pk not in touched and not is_item(event)]
    taken = held_cells(stays)
    coming = list(_find_coming(pairs))
    for before, after in pairs:
        if before is not None and after is not None and after["held"] and not sections_change(before, after):
            taken |= dict.fromkeys(cells_of(place_of_lesson(after)), lesson_blocker(after))
    conflicts: list[Conflict] = []
    for lesson in coming:
        place = place_of_lesson(lesson)
        blocker = find_blocker(place, taken)
        if blocker is not None:
            conflicts.append(conflict(40026, "occupied", item_id=0, class_id=0, place=place, blocker=blocker))
        taken |= dict.fromkeys(cells_of(place), lesson_blocker(lesson))
    if conflicts:
        raise CodedError(40026, {"conflicts": conflicts})


def is_item(event: ScheduleEvent) -> bool:
    """Tells whether an event is the body of a task item, which gives way to lessons."""
    return event.task_item_id is not None
