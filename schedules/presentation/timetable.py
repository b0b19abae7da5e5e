"""The timetable as JSON values of the API."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import cast

from schedules.calendars.patterns import meeting_in_words
from schedules.mapping import stored_lesson
from schedules.models import AppliedBatch, Course, ScheduleEvent, Semester
from schedules.planner.draft.progress import PastView
from schedules.planner.facts import ClassFact, EventFact, ItemFact
from schedules.planner.grid import Calendar, Outside, Place, week_and_weekday
from schedules.planner.shapes import EntryBadge, Guest, PlacedGuest, WeekDay
from schedules.planner.words.badges import course_badge, task_badge
from schedules.presentation.shapes.courses import CourseObject
from schedules.presentation.shapes.placement import BatchObject
from schedules.presentation.shapes.semesters import SemesterObject
from schedules.presentation.shapes.week import WeekEvent
from schedules.progress.book import ProgressBook
from schedules.terms.lessons import pattern_of
from schedules.terms.shapes import Departure
from taskclasses.kernel.times import rfc3339
from taskclasses.models import TaskClass
from taskclasses.presentation import class_json
from taskclasses.shapes import ClassItem, ClassObject


def semester_json(semester: Semester, *, current_id: int, now: datetime) -> SemesterObject:
    """Returns a semester; `current_id` is the student's current one."""
    calendar = semester.calendar
    day = calendar.day_of(now.astimezone(calendar.zone).date())
    today: WeekDay | None = None
    if not isinstance(day, Outside):
        week, weekday = week_and_weekday(day)
        today = {"week": week, "day_of_week": weekday}
    return {
        "id": semester.pk,
        "name": semester.name,
        "first_monday": semester.first_monday.isoformat(),
        "weeks": semester.weeks,
        "section_times": semester.section_times,
        "day_parts": [list(part) for part in calendar.grid.day_parts],
        "time_zone": semester.time_zone,
        "today": today,
        "shared": semester.owner_id is None,
        "current": semester.pk == current_id,
    }


def briefs(
    facts: Iterable[EventFact], calendar: Calendar, classes: Mapping[int, ClassFact], past: PastView
) -> list[WeekEvent]:
    """Returns events as WeeklyEventBrief by day and time, numbered within each day; `classes` has the class of each
    item.

    A guest appears inside its host only. How far an item is follows from `past`.
    """
    ordered = sorted(facts, key=lambda fact: (fact.place.day, fact.place.first, fact.id))
    days = groupby(ordered, key=lambda fact: fact.place.day)
    return [_brief(fact, order, calendar, classes, past) for _, day in days for order, fact in enumerate(day, 1)]


def _brief(
    fact: EventFact, order: int, calendar: Calendar, classes: Mapping[int, ClassFact], past: PastView
) -> WeekEvent:
    guest, item = fact.guest_task_item_id, fact.task_item_id
    if item is None:
        badge = course_badge(fact.course_id, fact.color_index)
    else:
        badge = _badge_of_item(item, classes.get(item), fact.place, past)
    return {
        **badge,
        "id": fact.id,
        "order": order,
        "day_of_week": week_and_weekday(fact.place.day)[1],
        "name": fact.name,
        "start_time": f"{calendar.section_times[fact.place.first - 1][0]:%H:%M}",
        "end_time": f"{calendar.section_times[fact.place.last - 1][1]:%H:%M}",
        "location": fact.location,
        "type": fact.type,
        "span": fact.place.length,
        "status": "normal" if fact.held and not fact.interrupted else "interrupted",
        "embedded_task_info": {} if guest is None else _guest(guest, classes.get(guest), fact.guest_place, past),
        "section_from": fact.place.first,
        "section_to": fact.place.last,
        "task_item_id": item or 0,
        "change": None if fact.departure is None else cast(Departure, fact.departure),
    }


def _guest(item_id: int, owner: ClassFact | None, place: Place | None, past: PastView) -> PlacedGuest | Guest:
    item = _item_of(item_id, owner)
    content = "" if item is None else item.content
    told: Guest = {"id": item_id, "name": content, "type": "task", **_badge_of_item(item_id, owner, place, past)}
    if place is None:
        return told
    placed: PlacedGuest = {**told, "section_from": place.first, "section_to": place.last}
    return placed


def _badge_of_item(item_id: int, owner: ClassFact | None, place: Place | None, past: PastView) -> EntryBadge:
    item = _item_of(item_id, owner)
    if item is None:
        return task_badge(owner, item_id)
    return task_badge(owner, item_id, pinned=item.pinned, by_hand=item.by_hand, progress=past.progress(item, place))


def _item_of(item_id: int, owner: ClassFact | None) -> ItemFact | None:
    return next((item for item in owner.items if item.id == item_id), None) if owner else None


def batch_json(batch: AppliedBatch, *, can_undo: bool) -> BatchObject:
    return {
        "batch_id": batch.pk,
        "source": batch.source,
        "conversation_id": str(batch.conversation) if batch.conversation else None,
        "created_at": rfc3339(batch.created_at),
        "undone_at": rfc3339(batch.undone_at),
        "can_undo": can_undo,
        "changes": [{"task_item_id": row["task_item_id"], "change": row["change"]} for row in batch.changes],
        "lessons": len((batch.row_changes or {}).get("lessons", ())),
    }


def class_object(row: TaskClass, book: ProgressBook) -> ClassObject:
    """Returns a class with how far its items are."""
    items = {item.pk: item for item in row.items.all()}
    shown = class_json(row)
    told = [{**item, "progress": book.progress(items[item["id"]])} for item in shown["items"]]
    return {**shown, "items": cast(list[ClassItem], told)}


def course_json(course: Course, lessons: Sequence[ScheduleEvent], *, locale: str) -> CourseObject:
    """Returns a course with its lessons as weekly meetings, in time order, wherever its lessons stand."""
    meetings: dict[tuple[int, int, int, str], list[int]] = defaultdict(list)
    for event in lessons:
        home = pattern_of(stored_lesson(event))
        if home is not None:
            meeting = (home["day_of_week"], home["section_from"], home["section_to"], home["location"])
            meetings[meeting].append(home["week"])
    return {
        "id": course.pk,
        "semester_id": course.semester_id,
        "course_name": course.name,
        "teacher": course.teacher,
        "location": course.location,
        "color_index": course.color_index,
        "is_allow_tasks": course.can_be_embedded,
        "note": course.note,
        "lessons": len(lessons),
        "arrangements": [
            {
                "weeks": sorted(weeks),
                "day_of_week": weekday,
                "start_section": first,
                "end_section": last,
                "location": location,
                "pattern": meeting_in_words(sorted(weeks), weekday, (first, last), locale),
            }
            for (weekday, first, last, location), weeks in sorted(meetings.items())
        ],
    }
