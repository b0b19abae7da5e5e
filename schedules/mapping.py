"""Rows <-> planner values: the only translation between the database and the pure core."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from schedules.calendars.lessons import Lesson
from schedules.models import Schedule, ScheduleEvent
from schedules.planner.class_rules import rules_of
from schedules.planner.draft.progress import Marked, record_place
from schedules.planner.facts import ClassFact, EventFact, ItemFact
from schedules.planner.grid import Calendar, Place, day_number
from schedules.terms.departures import departure_of
from schedules.terms.lessons import PLACE
from taskclasses.fields import read_fields
from taskclasses.models import TaskClass, TaskItem
from taskclasses.spec import item_lengths

STORED = (*PLACE, "location", "course_id", "name", "pattern_place", "change", "effect", "held")
EVENT_COLUMNS = (*STORED, "pk", "type", "task_item_id", "can_be_embedded", "course__color_index")
CELL_COLUMNS = ("event_id", "section", "embedded_task_item_id", "status")
ITEM_COLUMNS = (
    "pk", "task_class_id", "order", "content", "duration", "status", "mark", "records", "sections_left",
    "pinned", "by_hand",
)  # fmt: skip
"""What a fact is made of: tuples of these cost a third of whole rows, and a term has hundreds."""


def class_fact(row: TaskClass, items: Sequence[Any], calendar: Calendar) -> ClassFact:
    """Returns a class with its items in class order, which are rows or tuples of `ITEM_COLUMNS`; its dates are cut to
    the semester (an empty range stays empty)."""
    first, days = calendar.first_monday, calendar.grid.days
    start = None if row.start_date is None else max(1, (row.start_date - first).days + 1)
    end = None if row.end_date is None else min(days, (row.end_date - first).days + 1)
    rules = rules_of(read_fields(row), start_day=start, end_day=end)
    facts = item_facts(items, row.total_slots)
    return ClassFact(row.pk, row.name, row.total_slots, rules, facts, row.seal, row.color_index)


def item_facts(items: Iterable[Any], total_slots: int | None) -> tuple[ItemFact, ...]:
    ordered = sorted(items, key=lambda item: (item.order, item.pk))
    lengths = item_lengths([item.duration for item in ordered], total_slots)
    return tuple(_item_fact(item, item.sections_left or length) for item, length in zip(ordered, lengths, strict=True))


def _item_fact(item: Any, sections: int) -> ItemFact:
    missed = record_place(item.records[-1]) if item.mark == TaskItem.Mark.MISSED and item.records else None
    applied = item.status == TaskItem.Status.APPLIED
    return ItemFact(
        item.pk,
        item.order,
        item.content,
        sections,
        applied,
        item.mark,
        missed,
        bool(item.sections_left),
        pinned=item.pinned,
        by_hand=item.by_hand,
    )


def marked_of(item: Any) -> Marked:
    return Marked(item.mark, item.sections_left, tuple(item.records or ()))


def event_fact(event: Any, rows: Sequence[Any]) -> EventFact:
    """Returns an event of `EVENT_COLUMNS` with its cells of `CELL_COLUMNS`; the guest is the item that they carry."""
    carrying = [row for row in rows if row.embedded_task_item_id is not None]
    seats = sorted(row.section for row in carrying) if carrying else []
    guest = carrying[0].embedded_task_item_id if carrying else None
    place = place_of(event.week, event.day_of_week, event.section_from, event.section_to)
    return EventFact(
        id=event.pk,
        name=event.name,
        type=event.type,
        task_item_id=event.task_item_id,
        can_be_embedded=event.can_be_embedded,
        place=place,
        guest_task_item_id=guest,
        location=event.location,
        interrupted=bool(rows) and any(row.status == Schedule.Status.INTERRUPTED for row in rows),
        guest_place=Place(place.day, seats[0], seats[-1] - seats[0] + 1) if seats else None,
        course_id=event.course_id,
        color_index=event.course__color_index,
        held=event.held,
        departure=departure_of(stored_lesson(event)) if event.change or event.effect else None,
    )


def stored_lesson(event: Any) -> dict[str, Any]:
    """Returns what a lesson's row says about its place and its place in the weekly pattern."""
    return {name: getattr(event, name) for name in STORED}


def lesson_of(event: ScheduleEvent, rows: Sequence[Schedule]) -> Lesson:
    """Returns an event with its rows, its task class and its guest, as an export tells it."""
    item = event.task_item
    guests = [row for row in rows if row.embedded_task_item is not None]
    at = place_of(event.week, event.day_of_week, guests[0].section, guests[-1].section) if guests else None
    return Lesson(
        event_id=event.pk,
        revision=event.revision,
        updated_at=event.updated_at,
        name=event.name,
        location=event.location,
        place=event.place,
        category=item.task_class.name if item is not None else "",
        task=event.type == ScheduleEvent.Type.TASK,
        can_be_embedded=event.can_be_embedded,
        interrupted=not event.held or any(row.status == Schedule.Status.INTERRUPTED for row in rows),
        guest=guests[0].embedded_task_item.content if guests else "",  # type: ignore[union-attr]
        item_id=event.task_item_id,
        guest_id=guests[0].embedded_task_item_id if guests else None,
        guest_place=at,
        mark=_mark_at(item, event.place),
        guest_mark=_mark_at(guests[0].embedded_task_item if guests else None, at),
    )


def _mark_at(item: TaskItem | None, place: Place | None) -> str:
    """Returns what the student said of an item where it stands; missed elsewhere, it is open again here."""
    if item is None or (item.mark == TaskItem.Mark.MISSED and not marked_of(item).missed_at(place)):
        return ""
    return item.mark


def place_of(week: int, day_of_week: int, section_from: int, section_to: int) -> Place:
    return Place(day_number(week, day_of_week), section_from, section_to - section_from + 1)
