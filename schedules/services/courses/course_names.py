"""Courses that the student calls otherwise than the file that brought them: a newer file means the same courses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.contrib.auth.models import User

from schedules.calendars.rows import CourseRow, Outcome, RowError, RowNote
from schedules.models import AppliedBatch, Semester
from schedules.services.images.kind import Image


def keep_names(user: User, semester: Semester, courses: Sequence[Image], rows: Sequence[Outcome]) -> Sequence[Outcome]:
    """Returns the rows with the names that the student gave to courses of earlier imports."""
    told, known = {row.course_name for row in rows} - {""}, {course["name"] for course in courses}
    # Who has renamed nothing has no course that the file lacks, or the file has none that is new.
    if not told - known or not known - told:
        return rows
    names = _names_given(user, semester, courses)
    given = {name: own for name, own in names.items() if name not in known and own not in told}
    return [_rename(row, given) for row in rows] if given else rows


def _names_given(user: User, semester: Semester, courses: Sequence[Image]) -> dict[str, str]:
    """Returns the names of courses by the one name that a file had for them."""
    now = {course["id"]: course["name"] for course in courses}
    imports = AppliedBatch.objects.filter(user=user, semester=semester, source=AppliedBatch.Source.IMPORT)
    found: dict[str, set[str]] = defaultdict(set)
    for changes in imports.filter(undone_at=None).values_list("row_changes", flat=True):
        for before, after in changes.get("courses", ()):
            if before is None and after is not None and after["id"] in now:
                found[after["name"]].add(now[after["id"]])
    return {name: own for name, [own] in ((name, [*given]) for name, given in found.items() if len(given) == 1)}


def _rename(row: Outcome, names: Mapping[str, str]) -> Outcome:
    if isinstance(row, RowNote):
        return replace(row, course_name=names.get(row.course_name, row.course_name))
    return _rename_meeting(row, names)


def _rename_meeting(row: CourseRow | RowError, names: Mapping[str, str]) -> CourseRow | RowError:
    name = names.get(row.course_name, row.course_name)
    if isinstance(row, CourseRow):
        return replace(row, course_name=name)
    offers = tuple(replace(offer, row=_rename_meeting(offer.row, names)) for offer in row.offers)
    return replace(row, course_name=name, offers=offers)
