"""How a lesson departs from the weekly pattern, in the words of the wire."""

from __future__ import annotations

from schedules.terms.lessons import Image, pattern_of
from schedules.terms.shapes import Departure, LessonPlace


def lesson_place(image: Image) -> LessonPlace:
    """Returns the place of a lesson, or of its pattern."""
    return {
        "week": image["week"],
        "day_of_week": image["day_of_week"],
        "section_from": image["section_from"],
        "section_to": image["section_to"],
        "location": image["location"],
    }


def departure_of(lesson: Image) -> Departure | None:
    """Returns what the student did to a lesson, else what the calendar does to it; None when it is as planned."""
    change, effect, home = lesson["change"], lesson["effect"], pattern_of(lesson)
    known = None if home is None else lesson_place(home)
    if change:
        return {"kind": change["kind"], "note": change["note"], "from": known}
    return {"kind": effect["kind"], "note": effect["name"], "from": known} if effect else None
