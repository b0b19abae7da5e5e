"""Fixtures of a student with courses and a class."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from schedules.calendars.json_courses import rows_of_document
from schedules.models import Semester
from schedules.services import class_create, courses_import
from tests.kits.timetable.helpers import COURSES, class_values
from tests.kits.timetable.terms import TIMES


def example_semester() -> Semester:
    """Makes the semester of the documents' examples."""
    return Semester.objects.create(
        name="2026 春",
        first_monday=date(2026, 3, 2),
        weeks=20,
        section_times=[pair.split("-") for pair in TIMES.split()],
        time_zone="Asia/Shanghai",
        is_current=True,
    )


@pytest.fixture
def courses(user: Any, semester: Any) -> None:
    write_courses(user, semester)


def write_courses(user: Any, semester: Semester) -> None:
    rows = list(rows_of_document({"courses": COURSES}, semester.calendar.grid))
    courses_import(user=user, rows=rows, dry_run=False)


@pytest.fixture
def task_class(user: Any, semester: Any, courses: None) -> Any:
    return class_create(user=user, values=class_values())
