"""A newer file beside what earlier imports brought: lessons that it has at another time or in another room, and lessons
that it has no more. What the student typed is none of its business."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from schedules.calendars.patterns import weeks_in_words
from schedules.calendars.rows import CourseRow
from schedules.models import ScheduleEvent
from schedules.planner.grid import Place, week_and_weekday
from schedules.presentation.shapes.imports import Meeting, MissingMeeting, MovedMeeting
from schedules.services.courses.clashes import places_of
from schedules.services.images.kind import Image, Pair
from schedules.services.images.lessons import place_of_lesson
from schedules.services.placement.seats import embedded_time
from schedules.terms.lessons import pattern_of, replan

Named = set[tuple[str, Place]]
"""Names and places of the lessons that a file has."""


@dataclass(frozen=True)
class Renewal:
    """Holds what becomes of earlier lessons: pairs of images, the new lessons that take no row of theirs over, and both
    in words of weekly meetings."""

    pairs: list[Pair]
    new: list[tuple[CourseRow, Place]]
    moved: list[MovedMeeting]
    gone: list[MissingMeeting]


def find_absent(lessons: Iterable[Image], named: Named) -> list[Image]:
    """Returns the lessons of earlier imports that a file does not name, in time order."""
    absent = []
    for lesson in lessons:
        home = pattern_of(lesson)
        if lesson["source"] == ScheduleEvent.Source.IMPORT and home is not None:
            places = {place_of_lesson(home), place_of_lesson(lesson)}
            if not any((lesson["name"], place) in named for place in places):
                absent.append(lesson)
    return sorted(absent, key=lambda one: (place_of_lesson(one), one["id"]))


def find_outdated(lessons: Collection[Image], rows: Sequence[CourseRow], spared: Collection[str]) -> list[Image]:
    """Returns the absent lessons that a file stands in for: those of the courses that it names, and of the imports of
    which it names at least half of the courses. A smaller file is a part of a timetable and says nothing about others.
    """
    names = {row.course_name for row in rows}
    brought: dict[int | None, set[str]] = defaultdict(set)
    for lesson in lessons:
        if lesson["source"] == ScheduleEvent.Source.IMPORT:
            brought[lesson["import_batch_id"]].add(lesson["name"])
    renewed = {batch for batch, courses in brought.items() if 2 * len(courses & names) >= len(courses)}
    absent = find_absent(lessons, {(row.course_name, place) for row in rows for place in places_of(row)})
    return [
        lesson
        for lesson in absent
        if lesson["name"] not in spared and (lesson["name"] in names or lesson["import_batch_id"] in renewed)
    ]


def renew_lessons(
    lessons: Iterable[Image], outdated: Sequence[Image], rows: Sequence[CourseRow], new: list[tuple[CourseRow, Place]]
) -> Renewal:
    """Gives outdated lessons the new places of their course in the same week; those that are left go.

    Lessons that stay get the room that the file tells of.
    """
    waiting: dict[tuple[str, int], list[tuple[CourseRow, Place]]] = defaultdict(list)
    for row, place in sorted(new, key=lambda one: one[1]):
        waiting[row.course_name, week_and_weekday(place.day)[0]].append((row, place))
    pairs: list[Pair] = []
    for before in outdated:
        taken = waiting[before["name"], _home(before)["week"]]
        pairs.append((before, _at_row(before, *taken.pop(0)) if taken else None))
    left = {place for places in waiting.values() for _, place in places}
    told = {(row.course_name, place): row for row in rows for place in places_of(row) if row.location}
    for lesson in lessons:
        found = told.get((lesson["name"], place_of_lesson(_home(lesson)))) if _is_imported(lesson) else None
        if found is not None and found.location != _home(lesson)["location"]:
            pairs.append((lesson, _at_row(lesson, found, place_of_lesson(_home(lesson)))))
    moved = _moved_meetings((before, after) for before, after in pairs if before and after)
    gone = list_meetings([before for before, after in pairs if before is not None and after is None])
    return Renewal(pairs, [one for one in new if one[1] in left], moved, gone)


def renew_teachers(
    courses: Iterable[Image], lessons: Iterable[Image], rows: Sequence[CourseRow], spared: Collection[str]
) -> list[Pair]:
    """Gives courses of earlier imports the teacher that a file tells; one of several of a name keeps its own."""
    told: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.teacher and row.course_name not in spared:
            told[row.course_name].add(row.teacher)
    known: dict[str, list[Image]] = defaultdict(list)
    for course in courses:
        known[course["name"]].append(course)
    by_import: dict[bool, set[int | None]] = {True: set(), False: set()}
    for lesson in lessons:
        by_import[lesson["source"] == ScheduleEvent.Source.IMPORT].add(lesson["course_id"])
    imported = by_import[True] - by_import[False]
    pairs: list[Pair] = []
    for name, teachers in told.items():
        if len(teachers) == len(known[name]) == 1 and known[name][0]["id"] in imported:
            [teacher], [course] = teachers, known[name]
            if teacher != course["teacher"]:
                pairs.append((course, {**course, "teacher": teacher}))
    return pairs


def list_meetings(lessons: Iterable[Image]) -> list[MissingMeeting]:
    """Returns lessons as the weekly meetings of the pattern."""
    meetings: dict[tuple[str, int, int, int], list[Image]] = defaultdict(list)
    for lesson in lessons:
        home = _home(lesson)
        meetings[lesson["name"], home["day_of_week"], home["section_from"], home["section_to"]].append(lesson)
    return [
        {
            "name": name,
            "day_of_week": weekday,
            "section_from": first,
            "section_to": last,
            "weeks": [_home(lesson)["week"] for lesson in found],
            "event_ids": [lesson["id"] for lesson in found],
        }
        for (name, weekday, first, last), found in meetings.items()
    ]


def _moved_meetings(pairs: Iterable[tuple[Image, Image]]) -> list[MovedMeeting]:
    found: dict[tuple[object, ...], list[tuple[Image, Image]]] = defaultdict(list)
    for before, after in pairs:
        found[before["name"], *_meeting(before).values(), *_meeting(after).values()].append((before, after))
    return [
        {
            "name": some[0][0]["name"],
            "weeks": [_home(before)["week"] for before, _ in some],
            "event_ids": [before["id"] for before, _ in some],
            "from": _meeting(some[0][0]),
            "to": _meeting(some[0][1]),
        }
        for some in found.values()
    ]


def _meeting(lesson: Image) -> Meeting:
    home = _home(lesson)
    return {
        "day_of_week": home["day_of_week"],
        "section_from": home["section_from"],
        "section_to": home["section_to"],
        "location": home["location"],
    }


def _is_imported(lesson: Image) -> bool:
    return lesson["source"] == ScheduleEvent.Source.IMPORT and pattern_of(lesson) is not None


def _home(lesson: Image) -> Image:
    home = pattern_of(lesson)
    assert home is not None, "only lessons of the weekly pattern are renewed"
    return home


def _at_row(lesson: Image, row: CourseRow, place: Place) -> Image:
    """Returns a lesson at a place of a row; what the student changed about it stays."""
    words = {**lesson, "pattern": weeks_in_words(row.weeks)}
    return replan(words, embedded_time(place), row.location or _home(lesson)["location"])
