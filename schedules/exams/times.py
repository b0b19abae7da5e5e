"""When an exam is: from its clock times or its sections to a place on the grid, its instants and its distance."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from schedules.models import Exam
from schedules.planner.draft.state import EXAM
from schedules.planner.facts import EventFact, event_of_exam
from schedules.planner.grid import Calendar, Outside, Place


def clock_of(exam: Exam, calendar: Calendar) -> tuple[time, time]:
    """Returns begin and end; those of its sections when it has some (of the day's last one when the day became
    shorter)."""
    if exam.start_time is not None and exam.end_time is not None:
        return exam.start_time, exam.end_time
    times = calendar.section_times
    first, last = (min(section or 1, len(times)) for section in (exam.section_from, exam.section_to))
    return times[first - 1][0], times[last - 1][1]


def place_of_exam(exam: Exam, calendar: Calendar) -> Place | None:
    """Returns the sections that it overlaps; None when there is none, or when its date lies outside the semester."""
    day, sections = calendar.day_of(exam.date), calendar.sections_over(*clock_of(exam, calendar))
    if isinstance(day, Outside) or sections is None:
        return None
    return Place(day, sections[0], sections[1] - sections[0] + 1)


def instants_of(exam: Exam, calendar: Calendar) -> tuple[datetime, datetime]:
    """Returns begin and end in UTC."""
    begin, end = clock_of(exam, calendar)
    found = (datetime.combine(exam.date, clock, calendar.zone).astimezone(UTC) for clock in (begin, end))
    return next(found), next(found)


def days_left(exam: Exam, calendar: Calendar, now: datetime) -> int:
    """Returns days from the local date to that of the exam; negative when it is over."""
    return (exam.date - now.astimezone(calendar.zone).date()).days


def exam_fact(exam: Exam, calendar: Calendar, color_index: int | None = None) -> EventFact | None:
    """Returns the exam among the events of a semester; None when it takes no section."""
    place = place_of_exam(exam, calendar)
    if place is None:
        return None
    return EventFact(
        event_of_exam(exam.pk),
        exam.name,
        EXAM,
        None,
        False,
        place,
        location=exam.location,
        course_id=exam.course_id,
        color_index=color_index,
    )


def deadline_before(day: date, start: date | None) -> date:
    """Returns the last day of a class that works for an exam: the day before it, but not before the class begins."""
    last = day - timedelta(days=1)
    return last if start is None else max(last, start)
