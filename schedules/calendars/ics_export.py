"""The timetable as an iCalendar file (RFC 5545): one VEVENT per event, no rules.

The same lessons give the same bytes, but for DTSTAMP.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import icalendar

from schedules.calendars.lessons import ExamEntry, Lesson
from schedules.calendars.readers.ics.lines import EMBEDDABLE, KIND, PROGRESS
from schedules.planner.grid import Calendar
from taskclasses.kernel.i18n import text

ESCAPES = (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n"))
CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])
"""Characters that no text of a calendar may hold: readers refuse the whole file."""
PRODUCT = "-//SmartMate//Timetable//ZH"
MARKS = {"done": "做完了", "partial": "做了一部分", "missed": "没做"}


def ics_of(
    lessons: Iterable[Lesson],
    calendar: Calendar,
    *,
    name: str,
    now: datetime,
    locale: str,
    exams: Iterable[ExamEntry] = (),
) -> bytes:
    """Returns the file of the lessons, then of the exams, in the order given; `name` is what a calendar program calls
    it."""
    file = icalendar.Calendar()
    for key, value in (("PRODID", PRODUCT), ("VERSION", "2.0"), ("METHOD", "PUBLISH"), ("X-WR-CALNAME", name)):
        file.add(key, Words(value), encode=False)
    file.add_component(time_zone_of(calendar))
    for lesson in lessons:
        file.add_component(_event(lesson, calendar, now, locale))
    for exam in exams:
        file.add_component(exam_event(exam, calendar, now, locale))
    return bytes(file.to_ical())


class _Zone(icalendar.Timezone):
    """Finds changes of the clock that are five weeks apart, as around Ramadan in Morocco: the library steps over
    them."""

    _from_tzinfo_skip_search = [  # noqa: RUF012 - the library's name and kind
        *(timedelta(days=days) for days in (16, 8, 4, 2, 1)),
        *(timedelta(seconds=seconds) for seconds in (14_400, 3_600, 1_200, 300, 60, 20, 5, 1)),
    ]


def time_zone_of(calendar: Calendar) -> icalendar.Timezone:
    """Returns the definition of a term's zone."""
    first, last = calendar.first_monday - timedelta(days=1), calendar.last_day + timedelta(days=2)
    return _time_zone(calendar.zone, calendar.time_zone, first, last)


@lru_cache(maxsize=256)  # it looks at every fortnight of the term, and is the same for all who study then
def _time_zone(zone: ZoneInfo, name: str, first: date, last: date) -> icalendar.Timezone:
    return _Zone.from_tzinfo(zone, name, first, last)


def _event(lesson: Lesson, calendar: Calendar, now: datetime, locale: str) -> icalendar.Event:
    event = _timed_event(lesson, f"event-{lesson.event_id}", calendar.interval(lesson.place), calendar, now)
    words = {
        "SUMMARY": lesson.name,
        "LOCATION": lesson.location,
        "CATEGORIES": lesson.category or text("课程", locale),
        "DESCRIPTION": _description(lesson, locale),
        "STATUS": "CANCELLED" if lesson.interrupted else "",
        EMBEDDABLE: "TRUE" if lesson.can_be_embedded else "",
        KIND: "TASK" if lesson.task else "",
        PROGRESS: (lesson.mark or lesson.guest_mark).upper(),
    }
    return _add_words(event, words)


def _description(lesson: Lesson, locale: str) -> str:
    """Returns the guest of a lesson, and how far the item is."""
    guest = text("嵌入任务：{name}", locale, name=lesson.guest) if lesson.guest else ""
    return "\n".join(filter(None, (guest, mark_words(lesson.mark or lesson.guest_mark, locale))))


def mark_words(mark: str, locale: str) -> str:
    return text("进度：{mark}", locale, mark=text(MARKS[mark], locale)) if mark in MARKS else ""


def exam_event(exam: ExamEntry, calendar: Calendar, now: datetime, locale: str) -> icalendar.Event:
    event = _timed_event(exam, f"exam-{exam.exam_id}", (exam.begin, exam.end), calendar, now)
    words = {
        "SUMMARY": exam.name,
        "LOCATION": exam.location,
        "DESCRIPTION": exam.note,
        "CATEGORIES": text("考试", locale),
        KIND: "EXAM",
    }
    return _add_words(event, words)


def _timed_event(
    row: Lesson | ExamEntry, uid: str, times: tuple[datetime, datetime], calendar: Calendar, now: datetime
) -> icalendar.Event:
    event = icalendar.Event()
    event.add("UID", f"{uid}@smartmate")
    event.add("SEQUENCE", row.revision)
    event.add("DTSTAMP", now.replace(microsecond=0))
    event.add("LAST-MODIFIED", row.updated_at.replace(microsecond=0))
    for key, moment in zip(("DTSTART", "DTEND"), times, strict=True):
        local = moment.astimezone(calendar.zone)
        event.add(key, local.replace(tzinfo=None), {"TZID": calendar.time_zone})
    return event


def _add_words(event: icalendar.Event, words: Mapping[str, str]) -> icalendar.Event:
    for key, value in words.items():
        if value:
            event.add(key, Words(value), encode=False)
    return event


class Words(icalendar.vText):
    r"""Keeps a text escaped by us: the library takes a backslash before a capital N for a line break, as in
    `C:\New`."""

    def to_ical(self) -> bytes:
        words = str(self).translate(CONTROLS)
        for plain, escaped in ESCAPES:
            words = words.replace(plain, escaped)
        return words.encode()
