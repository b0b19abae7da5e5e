"""Days as they stand: what is held, what falls out, the exceptions of the calendar, exams among the events."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, cast

from schedules.exams.presentation import exam_json, with_exams
from schedules.exams.reads import classes_for_exams, courses_by_id, exams_of
from schedules.models import Semester
from schedules.planner.draft.progress import PastRule, PastView
from schedules.planner.grid import Outside, week_and_weekday
from schedules.presentation.shapes.week import Today
from schedules.presentation.terms import kept_free_times, term_days
from schedules.presentation.timetable import briefs
from schedules.progress.book import rule_of
from schedules.progress.parts import parts_on
from schedules.progress.today import today_facts
from schedules.selectors import events_load, exceptions_load, placed_classes, today_of


def days_stand(user_id: int, semester: Semester, days: Sequence[int], now: datetime, rule: PastRule) -> dict[str, Any]:
    """Returns what is held on some days of one week, the lessons that fall out, what was done in part, and the
    exceptions of the calendar."""
    week = week_and_weekday(days[0])[0]
    facts = [fact for fact in events_load(user_id=user_id, semester=semester, week=week) if fact.place.day in set(days)]
    calendar = semester.calendar
    classes, past = placed_classes(facts, calendar), PastView(rule, now, calendar)
    term = exceptions_load(user_id=user_id, semester=semester)
    return {
        "events": briefs([fact for fact in facts if fact.held], calendar, classes, past),
        "fallen_out": briefs([fact for fact in facts if not fact.held], calendar, classes, past),
        "parts": parts_on(user_id=user_id, semester=semester, days=days),
        "days": term_days(days, term, calendar),
        "kept_free": kept_free_times(days, term, calendar),
    }


def describe_today(*, user_id: int, semester: Semester, now: datetime, on: date | None = None) -> Today:
    """Describes the day in front of a student with its exams and those that come; `on` names another day."""
    today, day = today_of(semester.calendar, now) if on is None else (on, semester.calendar.day_of(on))
    known = {"date": today.isoformat(), "day_of_week": today.isoweekday()}
    coming = list(exams_of(user_id=user_id, semester=semester, dates=(today, date.max)))
    courses, classes = courses_by_id(coming), classes_for_exams(coming)
    ahead = [exam_json(one, courses.get(one.course_id or 0), classes[one.pk], now) for one in coming]
    found = today_facts(user_id=user_id, semester=semester, now=now, on=today, exams=coming, courses=courses)
    more = {**found, "exams_ahead": ahead}
    if isinstance(day, Outside):
        return cast(
            Today,
            {**known, "week": 0, "events": [], "fallen_out": [], "parts": [], "days": [], "kept_free": [], **more},
        )
    week = week_and_weekday(day)[0]
    stands = days_stand(user_id, semester, [day], now, rule_of(user_id))
    held = [exam for exam in coming if exam.date == today]
    events = with_exams(stands["events"], held, courses, semester.calendar)
    return cast(Today, {**known, "week": week, **stands, **more, "events": events})
