"""What a feed tells at a moment: lessons, items and exams of a student's terms, by an id that outlives every move."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from schedules.calendars.lessons import ExamEntry, Lesson
from schedules.exams.reads import exam_entries
from schedules.models import Exam, ScheduleEvent, Semester
from schedules.planner.grid import Calendar, Place
from schedules.selectors import lessons_load, today_of
from taskclasses.kernel.times import rfc3339

Contents = dict[str, dict[str, Any]]
"""UID -> what is told of it, as JSON; `live` is false for a lesson that does not take place."""
KEPT = timedelta(days=60)
"""How long after its end a term stays in the feed."""


def contents_of(*, user_id: int, include: Collection[str], now: datetime) -> Contents:
    """Returns all that the feed of a student tells; in a number of queries that depends on the number of terms only."""
    found: Contents = {}
    for semester in terms_of(user_id, now):
        weeks = (1, semester.weeks)
        lessons = lessons_load(user_id=user_id, semester=semester, weeks=weeks, types=("course", "task"))
        for uid, content in _tell_lessons(lessons, semester.calendar):
            if content["kind"] in include:
                found[uid] = content
        if "exam" in include:
            found |= dict(_told_exams(exam_entries(user_id=user_id, semester=semester, weeks=weeks)))
    return found


def terms_of(user_id: int, now: datetime) -> list[Semester]:
    """Returns the terms that hold something of a student and did not end long ago, the first one first."""
    used = ScheduleEvent.objects.filter(user_id=user_id).values("semester")
    examined = Exam.objects.filter(user_id=user_id).values("semester")
    terms = Semester.objects.filter(Q(pk__in=used) | Q(pk__in=examined)).order_by("first_monday", "pk")
    return [term for term in terms if term.calendar.last_day + KEPT >= today_of(term.calendar, now)[0]]


def _tell_lessons(lessons: Iterable[Lesson], calendar: Calendar) -> Iterator[tuple[str, dict[str, Any]]]:
    for lesson in lessons:
        kind, uid = ("task", f"item-{lesson.item_id}") if lesson.task else ("course", f"event-{lesson.event_id}")
        content = _content(kind, lesson.place, lesson.name, calendar)
        content |= {"location": lesson.location, "description": lesson.category, "live": not lesson.interrupted}
        content |= _tell_mark(lesson.mark)
        yield f"{uid}@smartmate", content
        if lesson.guest_id is not None and lesson.guest_place is not None:
            guest = _content("task", lesson.guest_place, lesson.guest, calendar)
            guest |= {
                "location": lesson.location,
                "description": lesson.name,
                "live": True,
                **_tell_mark(lesson.guest_mark),
            }
            yield f"item-{lesson.guest_id}@smartmate", guest


def _tell_mark(mark: str) -> dict[str, str]:
    """Returns what the student said of an item; what nothing was said of is told as before."""
    return {"mark": mark} if mark else {}


def _told_exams(exams: Iterable[ExamEntry]) -> Iterator[tuple[str, dict[str, Any]]]:
    for exam in exams:
        times = {"begin": rfc3339(exam.begin), "end": rfc3339(exam.end)}
        words = {"kind": "exam", "name": exam.name, "location": exam.location, "description": exam.note}
        yield f"exam-{exam.exam_id}@smartmate", {**words, **times, "live": True}


def _content(kind: str, place: Place, name: str, calendar: Calendar) -> dict[str, Any]:
    begin, end = calendar.interval(place)
    return {"kind": kind, "name": name, "begin": rfc3339(begin), "end": rfc3339(end)}
