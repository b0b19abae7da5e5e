"""The day in front of a student: lessons, items, gaps, what is on now and next, what was missed, what comes due."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q

from schedules.exams.presentation import with_exams
from schedules.exams.times import place_of_exam
from schedules.models import Course, Exam, Semester
from schedules.planner.draft.progress import DONE, MISSED, PastView
from schedules.planner.facts import ClassFact, EventFact
from schedules.planner.grid import Calendar, Outside, week_and_weekday
from schedules.presentation.shapes.progress import MissedItem
from schedules.presentation.shapes.week import DayAhead, DueClass, Gap, TodayItem, TodayMore, TodayNow, WeekEvent
from schedules.presentation.timetable import briefs
from schedules.progress.book import ProgressBook, items_by_class, rule_of
from schedules.progress.statistics import item_figures, missed_item
from schedules.selectors import events_load, placed_classes
from taskclasses.models import TaskClass, TaskItem

DAYS_AHEAD = 3
DUE_DAYS = 7
"""A class that ends so soon and is not done comes due."""


@dataclass(frozen=True)
class _Day:
    """Holds the events and exams of the days that are shown, with their classes and courses."""

    calendar: Calendar
    facts: Sequence[EventFact]
    exams: Sequence[Exam]
    courses: Mapping[int, Course]
    classes: Mapping[int, ClassFact]
    past: PastView

    def on(self, day: int) -> list[EventFact]:
        return [fact for fact in self.facts if fact.place.day == day]

    def exams_on(self, day: int) -> list[Exam]:
        held = self.calendar.date_of(day)
        return [exam for exam in self.exams if exam.date == held]

    def find_taken(self, day: int) -> set[int]:
        """Returns the sections of a day that are not free."""
        places = [fact.place for fact in self.on(day)]
        places += [place for exam in self.exams_on(day) if (place := place_of_exam(exam, self.calendar)) is not None]
        return {section for place in places for section in place.sections}

    def briefs(self, day: int) -> list[WeekEvent]:
        events = briefs(self.on(day), self.calendar, self.classes, self.past)
        return with_exams(events, self.exams_on(day), self.courses, self.calendar)


def today_facts(
    *, user_id: int, semester: Semester, now: datetime, on: date, exams: Sequence[Exam], courses: Mapping[int, Course]
) -> TodayMore:
    """Returns what is held on a day and soon after, what was missed and what comes due; in a fixed number of queries.

    `exams` are those from that day on, `courses` theirs by id.
    """
    calendar = semester.calendar
    today, day = on, calendar.day_of(on)
    facts = [] if isinstance(day, Outside) else _facts(user_id, semester, day)
    rule = rule_of(user_id)
    shown = _Day(calendar, facts, exams, courses, placed_classes(facts, calendar), PastView(rule, now, calendar))
    classes = list(TaskClass.objects.filter(user_id=user_id).order_by("pk"))
    told = _told_items(user_id, classes, today)
    book = ProgressBook.load(user_id=user_id, now=now, rule=rule)
    events: list[WeekEvent] = []
    items: list[TodayItem] = []
    gaps: list[Gap] = []
    ahead: list[DayAhead] = []
    if not isinstance(day, Outside):
        events = shown.briefs(day)
        items, gaps = _items(shown, day, classes, told, book), _gaps(shown, day)
        ahead = [_ahead(shown, one) for one in range(day + 1, min(day + DAYS_AHEAD, calendar.grid.days) + 1)]
    return {
        "lessons": [event for event in events if event["type"] == "course"],
        "exams": [event for event in events if event["type"] == "exam"],
        "items": items,
        "gaps": gaps,
        "now": _now(events, calendar, now),
        "next_days": ahead,
        "missed": _list_missed(classes, told, book),
        "due": _due(classes, told, book, today),
    }


def _told_items(user_id: int, classes: Iterable[TaskClass], today: date) -> dict[int, list[Any]]:
    """Returns by class the items that a day tells of: those with a place, for others are neither held nor missed, and
    all of what comes due."""
    due = [row.pk for row in classes if _comes_due(row, today)]
    told = Q(status=TaskItem.Status.APPLIED) | Q(task_class__in=due)
    return items_by_class(TaskItem.objects.filter(told, task_class__user_id=user_id))


def _comes_due(row: TaskClass, today: date) -> bool:
    return row.end_date is not None and today <= row.end_date <= today + timedelta(days=DUE_DAYS)


def _facts(user_id: int, semester: Semester, day: int) -> list[EventFact]:
    first, last = week_and_weekday(day)[0], week_and_weekday(min(day + DAYS_AHEAD, semester.calendar.grid.days))[0]
    found = events_load(user_id=user_id, semester=semester, week=first)
    found += events_load(user_id=user_id, semester=semester, week=last) if last != first else []
    return [fact for fact in found if fact.held]


def _items(
    shown: _Day, day: int, classes: Iterable[TaskClass], told: Mapping[int, Sequence[Any]], book: ProgressBook
) -> list[TodayItem]:
    """Returns the items of a day in time order, guests of lessons included."""
    known = {item.pk: (row, item) for row in classes for item in told.get(row.pk, ())}
    found: list[TodayItem] = []
    for fact in shown.on(day):
        own, guest = fact.task_item_id, fact.guest_task_item_id
        place = fact.place if own is not None else fact.guest_place
        if (own or guest or 0) not in known or place is None:
            continue
        row, item = known[own or guest or 0]
        begin, end = shown.calendar.section_times[place.first - 1][0], shown.calendar.section_times[place.last - 1][1]
        found.append(
            {
                "task_item_id": item.pk,
                "task_class_id": row.pk,
                "class_name": row.name,
                "name": item.content,
                "section_from": place.first,
                "section_to": place.last,
                "start_time": f"{begin:%H:%M}",
                "end_time": f"{end:%H:%M}",
                "host_event_id": 0 if own is not None else fact.id,
                "host_name": "" if own is not None else fact.name,
                "progress": book.progress(item),
                "sections_left": item.sections_left,
            }
        )
    return found


def _gaps(shown: _Day, day: int) -> list[Gap]:
    """Returns the runs of free sections of each part of a day."""
    taken = shown.find_taken(day)
    found: list[Gap] = []
    for first, last in shown.calendar.grid.day_parts:
        begin = None
        for section in range(first, last + 2):
            free = section <= last and section not in taken
            if free and begin is None:
                begin = section
            elif not free and begin is not None:
                found.append(_gap(shown.calendar, begin, section - 1))
                begin = None
    return found


def _gap(calendar: Calendar, first: int, last: int) -> Gap:
    begin, end = calendar.section_times[first - 1][0], calendar.section_times[last - 1][1]
    return {
        "section_from": first,
        "section_to": last,
        "sections": last - first + 1,
        "start_time": f"{begin:%H:%M}",
        "end_time": f"{end:%H:%M}",
    }


def _now(events: Sequence[WeekEvent], calendar: Calendar, now: datetime) -> TodayNow:
    """Returns what is on at this minute and what comes next today; section 0 between and outside the sections."""
    clock = now.astimezone(calendar.zone).time()
    time = f"{clock:%H:%M}"
    running = [n for n, (begin, end) in enumerate(calendar.section_times, 1) if begin <= clock < end]
    return {
        "time": time,
        "section": running[0] if running else 0,
        "current": [event for event in events if event["start_time"] <= time < event["end_time"]],
        "next": next((event for event in events if event["start_time"] > time), None),
    }


def _ahead(shown: _Day, day: int) -> DayAhead:
    events = shown.briefs(day)
    week, weekday = week_and_weekday(day)
    tasks = [event for event in events if event["task_item_id"] or event["embedded_task_info"]]
    return {
        "date": shown.calendar.date_of(day).isoformat(),
        "week": week,
        "day_of_week": weekday,
        "lessons": sum(event["type"] == "course" for event in events),
        "items": len(tasks),
        "events": events,
    }


def _list_missed(
    classes: Iterable[TaskClass], told: Mapping[int, Sequence[Any]], book: ProgressBook
) -> list[MissedItem]:
    items = ((row, item) for row in classes for item in told.get(row.pk, ()))
    return [missed_item(row, item) for row, item in items if book.progress(item) == MISSED]


def _due(
    classes: Iterable[TaskClass], told: Mapping[int, Sequence[Any]], book: ProgressBook, today: date
) -> list[DueClass]:
    """Returns classes that end within a week and are not done, the next first."""
    found = []
    for row in classes:
        if row.end_date is None or not _comes_due(row, today):
            continue
        left = [one for one in item_figures(row, told.get(row.pk, ()), book) if one.progress != DONE]
        if left:
            found.append((row.end_date, row.pk, row, left))
    return [
        {
            "task_class_id": row.pk,
            "name": row.name,
            "end_date": end.isoformat(),
            "days_left": (end - today).days,
            "items_left": len(left),
            "sections_left": sum(one.length - one.done for one in left),
        }
        for end, _, row, left in sorted(found, key=lambda one: one[:2])
    ]
