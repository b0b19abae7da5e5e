"""Where lessons stand: the weekly pattern, then what the student changed, then the calendar of exceptions.

A lesson is an image, a JSON object. Beside its columns it has `pattern_place`, where the weekly pattern has it ({} when
it stands there); `change`, what the student did to it ({kind moved, cancelled, added or room, note}); `effect`, what
the calendar does to it ({kind holiday, exam_week, makeup or replaced, name}); and `held`, false for one that falls out
and so has no sections. What the student did counts more than the calendar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from schedules.planner.grid import day_number, week_and_weekday
from schedules.terms.exceptions import MAKEUP, DayException, TermExceptions

Image = dict[str, Any]
AS_PLANNED: Mapping[str, Any] = {"held": True, "pattern_place": {}, "change": {}, "effect": {}}
"""A lesson that nobody changed."""
MOVED, CANCELLED, ADDED, ROOM = "moved", "cancelled", "added", "room"
CHANGES = (MOVED, CANCELLED, ADDED, ROOM)
PLACE = ("week", "day_of_week", "section_from", "section_to")
Meeting = tuple[Any, int, int, int]
"""Course (or name), weekday, first and last section: what a weekly meeting is known by."""


def pattern_of(lesson: Image) -> Image | None:
    """Tells where the weekly pattern has a lesson: its place and `location`; None for one that no pattern has."""
    if lesson["change"].get("kind") == ADDED or lesson["effect"].get("extra"):
        return None
    return lesson["pattern_place"] or {name: lesson[name] for name in (*PLACE, "location")}


def is_pattern_free(lesson: Image) -> bool:
    """Tells whether the student took the lesson out of its place in the pattern, so that the place is nobody's."""
    return pattern_of(lesson) is None or lesson["change"].get("kind") in (MOVED, CANCELLED)


def replan(lesson: Image, place: Mapping[str, Any], location: str) -> Image:
    """Returns the lesson with another place in the weekly pattern; what the student changed about it stays."""
    home = {**{name: place[name] for name in PLACE}, "location": location, "interrupted": lesson["interrupted"]}
    kind = lesson["change"].get("kind")
    if kind == MOVED:
        return {**lesson, "pattern_place": home}
    stands = {name: home[name] for name in PLACE}
    if kind == ROOM:
        return {**lesson, **stands, "held": True, "effect": {}, "pattern_place": home}
    if kind == CANCELLED:
        return {**lesson, **stands, "location": location, "effect": {}, "pattern_place": home}
    return {**lesson, **stands, "location": location, **AS_PLANNED}


def as_planned(lesson: Image) -> Image:
    """Returns the lesson without what the student changed; None of its places is judged."""
    home = pattern_of(lesson)
    return {**lesson, "change": {}} if home is None else replan({**lesson, "change": {}}, home, home["location"])


def settle(lessons: Sequence[Image], term: TermExceptions) -> tuple[list[Image | None], list[Image]]:
    """Returns every lesson as it stands under the exceptions, None for an extra one that goes; and the extra ones that
    come.

    An extra lesson belongs to a make-up day that keeps to its own week's parity: it meets there although the followed
    date has the other parity.
    """
    book = _Meetings(lessons) if term.makeups else None
    settled = [_settle_lesson(lesson, term, book) for lesson in lessons]
    wanted = {} if book is None else _extras(term, book, settled)
    for index, lesson in enumerate(lessons):
        if lesson["effect"].get("extra"):
            settled[index] = _refresh_extra(lesson, wanted.pop(_extra_key(lesson), None))
    return settled, list(wanted.values())


def _settle_lesson(lesson: Image, term: TermExceptions, book: _Meetings | None) -> Image | None:
    home, kind = pattern_of(lesson), lesson["change"].get("kind")
    if home is None or kind == MOVED:
        return lesson
    own_location = kind == ROOM
    if kind == CANCELLED:
        return _stand_at(lesson, home, home, held=False, effect={})
    day = day_number(home["week"], home["day_of_week"])
    makeup, here = term.makeup_of(day), term.on(day)
    if makeup is not None and not (makeup.other_parity and book is not None and book.alternates(lesson)):
        week, weekday = week_and_weekday(makeup.first)
        place = {**home, "week": week, "day_of_week": weekday}
        return _stand_at(lesson, home, place, held=True, effect=_effect(makeup), own_location=own_location)
    cause = here if here is not None and not here.lessons_held else makeup
    if cause is None:
        return _stand_at(lesson, home, home, held=True, effect={}, own_location=own_location)
    # On a make-up day the lessons of another day are held, not its own; nor are those of a day that is made up for.
    effect = _effect(cause) | ({"kind": "replaced"} if cause.kind == MAKEUP else {})
    return _stand_at(lesson, home, home, held=False, effect=effect, own_location=own_location)


def _stand_at(
    lesson: Image, home: Image, place: Image, *, held: bool, effect: Image, own_location: bool = False
) -> Image:
    location = lesson["location"] if own_location else home["location"]
    stands = {**{name: place[name] for name in PLACE}, "location": location}
    planned = held and not effect and stands == {name: home[name] for name in stands}
    kept = {} if planned else {**home, "interrupted": lesson["interrupted"]}
    return {**lesson, **stands, "held": held, "effect": effect, "pattern_place": kept}


def _effect(row: DayException) -> Image:
    return {"kind": row.kind, "name": row.name}


def _meeting_of(lesson: Image, home: Image) -> Meeting:
    return (lesson["course_id"] or lesson["name"], home["day_of_week"], home["section_from"], home["section_to"])


class _Meetings:
    """Holds the weekly meetings among lessons, each with its lessons by the week that the pattern has them in."""

    def __init__(self, lessons: Sequence[Image]) -> None:
        self.weeks: dict[Meeting, dict[int, Image]] = defaultdict(dict)
        for lesson in lessons:
            home = pattern_of(lesson)
            if home is not None:
                self.weeks[_meeting_of(lesson, home)][home["week"]] = lesson

    def alternates(self, lesson: Image) -> bool:
        """Tells whether the meeting of a lesson has odd weeks only, or even weeks only."""
        home = pattern_of(lesson)
        return home is not None and is_alternating(self.weeks[_meeting_of(lesson, home)])


def is_alternating(weeks: Iterable[int]) -> bool:
    listed = list(weeks)
    return len(listed) > 1 and len({week % 2 for week in listed}) == 1


def _extras(term: TermExceptions, book: _Meetings, settled: Sequence[Image | None]) -> dict[Any, Image]:
    """Returns the extra lessons of make-up days by make-up and meeting, where no lesson of the followed date stands."""
    taken = {
        (day_number(lesson["week"], lesson["day_of_week"]), section)
        for lesson in settled
        if lesson is not None and lesson["held"] and not lesson["effect"].get("extra")
        for section in range(lesson["section_from"], lesson["section_to"] + 1)
    }
    found: dict[Any, Image] = {}
    for row in term.makeups:
        for lesson in _extras_of(row, book) if row.other_parity else ():
            if not any((row.first, s) in taken for s in range(lesson["section_from"], lesson["section_to"] + 1)):
                found[_extra_key(lesson)] = lesson
    return found


def _extras_of(row: DayException, book: _Meetings) -> Iterator[Image]:
    assert row.follows is not None, "a make-up day follows another day"
    source_week, weekday = week_and_weekday(row.follows)
    week, own_weekday = week_and_weekday(row.first)
    for meeting, lessons in sorted(book.weeks.items(), key=lambda pair: pair[0][2]):
        weeks = sorted(lessons)
        if meeting[1] != weekday or not is_alternating(weeks) or weeks[0] % 2 != week % 2:
            continue
        if weeks[0] < source_week < weeks[-1]:
            like = lessons[min(weeks, key=lambda other: (abs(other - source_week), other))]
            home = pattern_of(like)
            assert home is not None, "a meeting is of lessons that the pattern has"
            place = {"week": week, "day_of_week": own_weekday, "section_from": meeting[2], "section_to": meeting[3]}
            effect = {**_effect(row), "extra": list(place.values())}
            stands = {**AS_PLANNED, **place, "location": home["location"], "effect": effect}
            yield {**without_row(like), **stands, "interrupted": False}


def without_row(lesson: Image) -> Image:
    """Returns the lesson as one that is yet to be made."""
    return {name: value for name, value in lesson.items() if name != "id"} | {"revision": 0}


def _extra_key(lesson: Image) -> Any:
    return (lesson["course_id"] or lesson["name"], *lesson["effect"]["extra"])


def _refresh_extra(lesson: Image, wanted: Image | None) -> Image | None:
    """Returns an extra lesson that stays, with its row and what the student did to it; else it follows the meeting."""
    if wanted is None or lesson["change"]:
        return wanted and lesson
    return {
        **wanted,
        **{name: lesson[name] for name in ("id", "revision", "source", "import_batch_id") if name in lesson},
    }
