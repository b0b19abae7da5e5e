"""The lines of an iCalendar file that tell of lessons: unfolded, with certain time zones, event by event.

Nothing else of a file reaches the library. It would keep the time zones that a file defines in a table that all imports
share, and expand their rules without an end; and a few megabytes of other lines would cost it many seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from schedules.calendars.rows import OCCURRENCES_MAX, ROWS_MAX, BadRow, NotCourses, TooMany
from schedules.terms.semester_values import known_zones

EMBEDDABLE, KIND = "X-SMARTMATE-EMBEDDABLE", "X-SMARTMATE-TYPE"
PROGRESS = "X-SMARTMATE-PROGRESS"
"""Our own properties: a host course says TRUE, an event made for a task item says TASK and how far that is."""
ONCE = frozenset({
    "UID", "SEQUENCE", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "SUMMARY", "LOCATION", "STATUS",
    EMBEDDABLE, KIND,
})  # fmt: skip
RULES, DATES = frozenset({"RRULE", "EXRULE"}), frozenset({"RDATE", "EXDATE"})
MOMENTS = DATES | {"DTSTART", "DTEND", "RECURRENCE-ID"}
LINE_MAX, RULE_MAX, RULES_MAX = 4_096, 500, 10
"""Characters of a line and of a rule, rules of an event; what is longer is no lesson that anybody wrote."""
NAME = re.compile(r"[A-Za-z0-9-]+")
FOLD = re.compile(rb"(?:\r\n|\r|\n)[ \t]")
ZONE = re.compile(r';TZID=("[^"]*"|[^;]*)', re.IGNORECASE)


@dataclass
class EventLines:
    """Holds the lines of one VEVENT, the `number`-th of its file; `fault` is why they must not be expanded."""

    number: int
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    fault: BadRow | None = None


def unfold_lines(data: bytes) -> bytes:
    """Returns a file with whole lines: one that begins with a blank goes on where the one before ended.

    Lines are counted in bytes, so a file may be folded inside a character (RFC 5545, 3.1).
    """
    return FOLD.sub(b"", data)


def events_of(text: str, time_zone: str) -> list[EventLines]:
    """Returns all events of an unfolded file; raises `NotCourses` when its components are not nested as they should be,
    `TooMany`.

    `time_zone` is meant by times that name no zone, or one that nobody knows.
    """
    open_components: list[str] = []
    events: list[EventLines] = []
    dates = 0
    for line in text.lstrip().replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        found = NAME.match(line)
        name = found.group().upper() if found else ""
        if name == "BEGIN":
            _begin(line[6:].strip().upper(), open_components, events)
        elif name == "END":
            if not open_components or open_components.pop() != line[4:].strip().upper():
                raise NotCourses("不是有效的日历文件")
        elif open_components and open_components[-1] == "VEVENT":
            dates += line.count(",") + 1 if name in DATES else 0
            _keep(name, line, events[-1], time_zone, dates)
    if open_components or not text.lstrip().upper().startswith("BEGIN:VCALENDAR"):
        raise NotCourses("不是有效的日历文件")
    return events


def _begin(component: str, open_components: list[str], events: list[EventLines]) -> None:
    if component == "VEVENT":
        if "VEVENT" in open_components[1:]:
            raise NotCourses("不是有效的日历文件")
        if len(events) == ROWS_MAX:
            raise TooMany("rows", ROWS_MAX)
        events.append(EventLines(len(events) + 1))
    open_components.append(component)


def _keep(name: str, line: str, event: EventLines, time_zone: str, dates: int) -> None:
    if name in RULES:
        if len(line) > RULE_MAX or event.names.count(name) == RULES_MAX:
            event.fault = BadRow("unsupported_recurrence", name, "重复规则过长")
            return
    elif name in DATES:
        if dates > OCCURRENCES_MAX:
            event.fault = BadRow("unsupported_recurrence", name, "重复日期过多")
            return
    elif name not in ONCE or name in event.names:
        return
    else:
        line = line[:LINE_MAX]
    event.names.append(name)
    event.lines.append(_in_known_zone(line, time_zone) if name in MOMENTS else line)


def _in_known_zone(line: str, time_zone: str) -> str:
    head, _, value = line.rpartition(":")
    found = ZONE.search(head)
    head = ZONE.sub("", head)
    if "T" not in value.upper() or value.upper().endswith("Z"):
        return f"{head}:{value}"
    zone = find_zone(found[1], time_zone) if found else time_zone
    return f"{head};TZID={zone}:{value}"


def find_zone(name: str, otherwise: str) -> str:
    """Returns the zone of the tz database that a TZID means: its own name, one of Windows, or one behind a vendor's
    prefix."""
    name = name.strip('" /')[:255]
    parts = name.split("/")
    guesses = [WINDOWS_TO_OLSON.get(name, name), *("/".join(parts[at:]) for at in range(1, min(len(parts), 8)))]
    return next((guess for guess in guesses if guess in known_zones()), otherwise)
