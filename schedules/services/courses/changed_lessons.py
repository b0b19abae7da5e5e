"""Lessons that the student changed, beside a file that still has them where the weekly pattern does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from schedules.planner.grid import Place
from schedules.presentation.shapes.imports import KeptChange
from schedules.services.courses.renewal import Renewal
from schedules.services.images.kind import Image, Pair
from schedules.services.images.lessons import new_lesson, place_of_lesson
from schedules.services.terms.effects import effects_of, follow_calendar
from schedules.services.terms.standing_rows import Standing
from schedules.terms.departures import lesson_place
from schedules.terms.lessons import as_planned, pattern_of
from taskclasses.kernel.errors import CodedError
from taskclasses.shapes import Conflict


@dataclass
class ChangedLessons:
    """Holds the diff of a re-import: what is changed, the lessons that are renewed or return to the pattern, and what
    that does."""

    changes: list[KeptChange] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    released: list[int] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)


def find_changed(lessons: Iterable[Image], named: set[tuple[str, Place]]) -> Iterator[tuple[Image, Image]]:
    """Finds changed lessons that a file names (by name and place) where the pattern has them, with that place."""
    for lesson in lessons:
        home = pattern_of(lesson)
        if lesson["change"] and home is not None and (lesson["name"], place_of_lesson(home)) in named:
            yield lesson, home


def judge_changed(
    standing: Standing, changed: Iterable[tuple[Image, Image]], *, renewal: Renewal, keep: bool
) -> ChangedLessons:
    """Tells of the changed lessons; those that are not kept return to the pattern, and what is in the way of them and
    of the renewed ones is told."""
    found = ChangedLessons()
    after: dict[int, Pair] = {before["id"]: (before, later) for before, later in renewal.pairs if before is not None}
    for lesson, home in changed:
        found.changes.append({
            "event_id": lesson["id"],
            "name": lesson["name"],
            "kind": lesson["change"]["kind"],
            "note": lesson["change"]["note"],
            "from": lesson_place(home),
            "to": lesson_place(lesson) if lesson["held"] else None,
            "kept": keep,
        })  # fmt: skip
        if not keep:
            _, renewed = after.get(lesson["id"], (lesson, lesson))
            after[lesson["id"]] = (lesson, as_planned(renewed or lesson))
    found.pairs = list(after.values())
    if not found.pairs:
        return found
    new: list[Pair] = [(None, new_lesson(row, place, course={"id": None}, source="")) for row, place in renewal.new]
    try:
        pairs = follow_calendar(standing, [*new, *found.pairs], standing.term)
        found.released = effects_of(standing, pairs).released
    except CodedError as refusal:
        found.conflicts = refusal.data["conflicts"]
    return found
