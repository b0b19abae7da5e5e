"""Exams as JSON values of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from schedules.exams.shapes import ExamObject, WrittenExamObject
from schedules.exams.times import clock_of, days_left, instants_of, place_of_exam
from schedules.models import Course, Exam
from schedules.planner.grid import Calendar, Outside, week_and_weekday
from schedules.planner.words.badges import course_badge
from schedules.presentation.shapes.week import WeekEvent
from schedules.services.exams import WrittenExam
from taskclasses.kernel.times import rfc3339
from taskclasses.models import TaskClass


def exam_json(exam: Exam, course: Course | None, classes: Iterable[TaskClass], now: datetime) -> ExamObject:
    """Returns an exam with its course, if it is there, and the classes that work for it."""
    calendar = exam.semester.calendar
    begin, end = clock_of(exam, calendar)
    start_at, end_at = instants_of(exam, calendar)
    place, day = place_of_exam(exam, calendar), calendar.day_of(exam.date)
    return {
        "id": exam.pk or 0,
        "semester_id": exam.semester_id,
        "name": exam.name,
        "location": exam.location,
        "note": exam.note,
        "course_id": course.pk if course else None,
        "course_name": course.name if course else "",
        "color_index": course.color_index if course else None,
        "date": exam.date.isoformat(),
        "start_time": f"{begin:%H:%M}",
        "end_time": f"{end:%H:%M}",
        "by_sections": exam.section_from is not None,
        "week": 0 if isinstance(day, Outside) else week_and_weekday(day)[0],
        "day_of_week": exam.date.isoweekday(),
        "section_from": place.first if place else 0,
        "section_to": place.last if place else 0,
        "start_at": rfc3339(start_at),
        "end_at": rfc3339(end_at),
        "days_left": days_left(exam, calendar, now),
        "task_classes": [{"task_class_id": row.pk, "name": row.name} for row in classes],
    }


def written_exam_json(done: WrittenExam, exam: ExamObject) -> WrittenExamObject:
    """Returns what a write did, or a trial would do."""
    pairs = [(before, after) for before, after in done.classes if before is not None and after is not None]
    return {
        "exam": exam,
        "batch_id": done.batch.pk if done.batch else None,
        "conflicts": list(done.conflicts),
        "lessons": [
            {
                "event_id": event.pk,
                "name": event.name,
                "week": event.week,
                "day_of_week": event.day_of_week,
                "section_from": event.section_from,
                "section_to": event.section_to,
            }
            for event in done.lessons
        ],
        "task_classes": [
            {
                "task_class_id": before["id"],
                "name": before["name"],
                "before": before["end_date"],
                "after": after["end_date"],
            }
            for before, after in pairs
        ],
    }


def with_exams(
    events: Sequence[WeekEvent], exams: Iterable[Exam], courses: Mapping[int, Course], calendar: Calendar
) -> list[WeekEvent]:
    """Returns the events of some days with the exams among them, by day and time, numbered anew within each day."""
    shown = [*events, *(_brief(exam, courses.get(exam.course_id or 0), calendar) for exam in exams)]
    shown.sort(key=lambda brief: (brief["day_of_week"], brief["start_time"], brief["type"] == "exam"))
    reached: dict[int, int] = {}
    found: list[WeekEvent] = []
    for brief in shown:
        weekday = brief["day_of_week"]
        reached[weekday] = reached.get(weekday, 0) + 1
        found.append({**brief, "order": reached[weekday]})
    return found


def _brief(exam: Exam, course: Course | None, calendar: Calendar) -> WeekEvent:
    begin, end = clock_of(exam, calendar)
    place = place_of_exam(exam, calendar)
    badge = course_badge(course.pk if course else None, course.color_index if course else None, exam.pk)
    return {
        **badge,
        "id": 0,
        "order": 0,
        "day_of_week": exam.date.isoweekday(),
        "name": exam.name,
        "start_time": f"{begin:%H:%M}",
        "end_time": f"{end:%H:%M}",
        "location": exam.location,
        "type": "exam",
        "span": place.length if place else 0,
        "status": "normal",
        "embedded_task_info": {},
        "section_from": place.first if place else 0,
        "section_to": place.last if place else 0,
        "task_item_id": 0,
        "change": None,
    }
