"""The timetable as an iCalendar file (RFC 5545): one VEVENT per event, no rules.

The same lessons give the same bytes, but for DTSTAMP.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import icalendar

from schedules.calendars.ics_lines import EMBEDDABLE, KIND
from schedules.calendars.lessons import Lesson
from schedules.planner.grid import Calendar
from taskclasses.kernel.i18n import text

ESCAPES = (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n"))
PRODUCT = "-//SmartMate//Timetable//ZH"


def ics_of(lessons: Iterable[Lesson], calendar: Calendar, *, name: str, now: datetime, locale: str) -> bytes:
    """The file of the lessons in the order given; `name` is what a calendar program calls it."""
    file = icalendar.Calendar()
    for key, value in (("PRODID", PRODUCT), ("VERSION", "2.0"), ("METHOD", "PUBLISH"), ("X-WR-CALNAME", name)):
        file.add(key, _Text(value), encode=False)
    first, last = calendar.first_monday - timedelta(days=1), calendar.last_day + timedelta(days=2)
    file.add_component(icalendar.Timezone.from_tzinfo(calendar.zone, calendar.time_zone, first, last))
    for lesson in lessons:
        file.add_component(_event(lesson, calendar, now, locale))
    return bytes(file.to_ical())


def _event(lesson: Lesson, calendar: Calendar, now: datetime, locale: str) -> icalendar.Event:
    begin, end = (moment.astimezone(calendar.zone) for moment in calendar.interval(lesson.place))
    event = icalendar.Event()
    event.add("UID", f"event-{lesson.event_id}@smartmate")
    event.add("SEQUENCE", lesson.revision)
    event.add("DTSTAMP", now.replace(microsecond=0))
    event.add("LAST-MODIFIED", lesson.updated_at.replace(microsecond=0))
    for key, moment in (("DTSTART", begin), ("DTEND", end)):
        event.add(key, moment.replace(tzinfo=None), {"TZID": calendar.time_zone})
    words = {
        "SUMMARY": lesson.name,
        "LOCATION": lesson.location,
        "CATEGORIES": lesson.category or text("课程", locale),
        "DESCRIPTION": text("嵌入任务：{name}", locale, name=lesson.guest) if lesson.guest else "",
        "STATUS": "CANCELLED" if lesson.interrupted else "",
        EMBEDDABLE: "TRUE" if lesson.can_be_embedded else "",
        KIND: "TASK" if lesson.task else "",
    }
    for key, value in words.items():
        if value:
            event.add(key, _Text(value), encode=False)
    return event


class _Text(icalendar.vText):
    r"""The library takes a backslash before a capital N for a line break and so loses it: `C:\New`."""

    def to_ical(self) -> bytes:
        words = str(self)
        for plain, escaped in ESCAPES:
            words = words.replace(plain, escaped)
        return words.encode()
