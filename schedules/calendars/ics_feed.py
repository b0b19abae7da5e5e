"""A feed as an iCalendar file (RFC 5545, RFC 7986): what is told of each thing, and the cancelling of what fell out.

The same entries give the same bytes. Times are in UTC, so that no reader needs a definition of a zone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import icalendar

from schedules.calendars.ics_export import PRODUCT, Words, mark_words, time_zone_of
from schedules.planner.grid import Calendar
from taskclasses.kernel.i18n import text

REFRESH = timedelta(hours=1)
CATEGORIES = {"course": "课程", "task": "任务", "exam": "考试"}


@dataclass(frozen=True, kw_only=True)
class Told:
    """Holds one thing in a feed as readers are told it now; `kind` is a key of `CATEGORIES`."""

    uid: str
    sequence: int
    changed_at: datetime
    cancelled: bool
    kind: str
    begin: datetime
    end: datetime
    name: str
    location: str
    description: str
    mark: str = ""


def feed_of(
    entries: Iterable[Told], *, name: str, calendar: Calendar, reminder: timedelta | None, locale: str
) -> bytes:
    """Returns the file of a feed, its entries in the sequence given; `calendar` is that of the current term, in whose
    zone a reader may show times."""
    file = icalendar.Calendar()
    head = {
        "PRODID": PRODUCT,
        "VERSION": "2.0",
        "CALSCALE": "GREGORIAN",
        "METHOD": "PUBLISH",
        "NAME": name,
        "X-WR-CALNAME": name,
        "X-WR-TIMEZONE": calendar.time_zone,
    }
    for key, value in head.items():
        file.add(key, Words(value), encode=False)
    file.add("REFRESH-INTERVAL", icalendar.vDuration(REFRESH), {"VALUE": "DURATION"})
    file.add("X-PUBLISHED-TTL", icalendar.vDuration(REFRESH), encode=False)
    for entry in entries:
        file.add_component(_event(entry, reminder, locale))
    if not file.subcomponents:
        file.add_component(time_zone_of(calendar))  # a calendar has one component at least (RFC 5545, 3.6)
    return bytes(file.to_ical())


def _event(entry: Told, reminder: timedelta | None, locale: str) -> icalendar.Event:
    event = icalendar.Event()
    event.add("UID", entry.uid)
    event.add("SEQUENCE", entry.sequence)
    # Of a published entry both are the moment of its last change (RFC 5545, 3.8.7.2).
    event.add("DTSTAMP", entry.changed_at)
    event.add("LAST-MODIFIED", entry.changed_at)
    event.add("DTSTART", entry.begin)
    event.add("DTEND", entry.end)
    words = {
        "SUMMARY": entry.name,
        "LOCATION": entry.location,
        "DESCRIPTION": "\n".join(filter(None, (entry.description, mark_words(entry.mark, locale)))),
        "CATEGORIES": text(CATEGORIES[entry.kind], locale),
        "STATUS": "CANCELLED" if entry.cancelled else "CONFIRMED",
    }
    for key, value in words.items():
        if value:
            event.add(key, Words(value), encode=False)
    if reminder is not None and not entry.cancelled:
        alarm = icalendar.Alarm()
        alarm.add("ACTION", "DISPLAY")
        alarm.add("DESCRIPTION", Words(entry.name), encode=False)
        alarm.add("TRIGGER", -reminder)
        event.add_component(alarm)
    return event
