"""The timetable as JSON values of the API."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from schedules.calendars.patterns import meeting_in_words
from schedules.models import AppliedBatch, Course, ScheduleEvent, Semester
from schedules.planner.facts import EventFact
from schedules.planner.grid import Calendar, Outside, week_and_weekday
from schedules.planner.shapes import Brief, WeekDay
from schedules.shapes import BatchObject, CourseObject, SemesterObject
from taskclasses.kernel.times import rfc3339


def semester_json(semester: Semester, *, current_id: int, now: datetime) -> SemesterObject:
    """A semester; `current_id` is the student's current one."""
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


def briefs(facts: Iterable[EventFact], calendar: Calendar, names: Mapping[int, str]) -> list[Brief]:
    """Events as WeeklyEventBrief by day and time, numbered within each day; `names` knows the guests.

    A guest appears inside its host only.
    """
    ordered = sorted(facts, key=lambda fact: (fact.place.day, fact.place.first, fact.id))
    days = groupby(ordered, key=lambda fact: fact.place.day)
    return [_brief(fact, order, calendar, names) for _, day in days for order, fact in enumerate(day, 1)]


def _brief(fact: EventFact, order: int, calendar: Calendar, names: Mapping[int, str]) -> Brief:
    guest = fact.guest_task_item_id
    return {
        "id": fact.id,
        "order": order,
        "day_of_week": week_and_weekday(fact.place.day)[1],
        "name": fact.name,
        "start_time": f"{calendar.section_times[fact.place.first - 1][0]:%H:%M}",
        "end_time": f"{calendar.section_times[fact.place.last - 1][1]:%H:%M}",
        "location": fact.location,
        "type": fact.type,
        "span": fact.place.length,
        "status": "interrupted" if fact.interrupted else "normal",
        "embedded_task_info": {} if guest is None else {"id": guest, "name": names.get(guest, ""), "type": "task"},
        "section_from": fact.place.first,
        "section_to": fact.place.last,
        "task_item_id": fact.task_item_id or 0,
    }


def batch_json(batch: AppliedBatch, *, can_undo: bool) -> BatchObject:
    return {
        "batch_id": batch.pk,
        "source": batch.source,
        "conversation_id": str(batch.conversation) if batch.conversation else None,
        "created_at": rfc3339(batch.created_at),
        "undone_at": rfc3339(batch.undone_at),
        "can_undo": can_undo,
        "changes": [{"task_item_id": row["task_item_id"], "change": row["change"]} for row in batch.changes],
        "lessons": len((batch.course_changes or {}).get("lessons", ())),
    }


def course_json(course: Course, lessons: Sequence[ScheduleEvent], *, locale: str) -> CourseObject:
    """A course with its lessons as weekly meetings, in time order."""
    meetings: dict[tuple[int, int, int, str], list[int]] = defaultdict(list)
    for event in lessons:
        meetings[event.day_of_week, event.section_from, event.section_to, event.location].append(event.week)
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
