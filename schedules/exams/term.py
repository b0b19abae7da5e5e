"""A semester at one glance: what each week holds, and the exams."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from schedules.exams.shapes import ExamObject, TermOverview, TermOverviewWeek
from schedules.models import CalendarException, Semester
from schedules.planner.grid import day_number, week_and_weekday
from schedules.selectors import events_load, today_of


def term_overview(*, user_id: int, semester: Semester, exams: Sequence[ExamObject], now: datetime) -> TermOverview:
    """Returns the weeks of a semester with the sections that lessons, items and exams take; in three queries."""
    calendar = semester.calendar
    weeks: dict[int, TermOverviewWeek] = {
        week: {
            "week": week,
            "first_date": calendar.date_of(day_number(week, 1)).isoformat(),
            "lesson_sections": 0,
            "task_sections": 0,
            "task_items": 0,
            "exam_sections": 0,
            "exams": 0,
            "off_days": 0,
        }
        for week in range(1, semester.weeks + 1)
    }
    for fact in events_load(user_id=user_id, semester=semester):
        row, guest = weeks[week_and_weekday(fact.place.day)[0]], fact.guest_place
        if fact.type == "course":
            held = 0 if fact.interrupted else fact.place.length
            row["lesson_sections"] += max(0, held - (guest.length if guest else 0))
        else:
            row["task_sections"] += fact.place.length
        row["task_sections"] += guest.length if guest else 0
        row["task_items"] += (fact.task_item_id is not None) + (guest is not None)
    cells: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for exam in exams:
        if exam["week"] in weeks:
            weeks[exam["week"]]["exams"] += 1
            sections = range(exam["section_from"], exam["section_to"] + 1) if exam["section_from"] else ()
            cells[exam["week"]] |= {(exam["day_of_week"], section) for section in sections}
    for week, taken in cells.items():
        weeks[week]["exam_sections"] = len(taken)
    for day_off in _days_off(user_id, semester):
        weeks[week_and_weekday(day_off)[0]]["off_days"] += 1
    day = today_of(calendar, now)[1]
    current = week_and_weekday(day)[0] if isinstance(day, int) else 0
    return {"semester_id": semester.pk, "current_week": current, "weeks": list(weeks.values()), "exams": list(exams)}


def _days_off(user_id: int, semester: Semester) -> set[int]:
    """Returns the day numbers of the holidays that lie inside the semester."""
    calendar = semester.calendar
    holidays = CalendarException.objects.filter(
        user_id=user_id, semester=semester, kind=CalendarException.Kind.HOLIDAY
    ).values_list("first_date", "last_date")
    dates = [first + timedelta(days=count) for first, last in holidays for count in range((last - first).days + 1)]
    days = [calendar.day_of(date) for date in dates]
    return {day for day in days if isinstance(day, int)}
