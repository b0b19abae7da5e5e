"""Fixtures of a student with courses and a class."""

from __future__ import annotations

from typing import Any

import pytest

from schedules.calendars.json_courses import rows_of_document
from schedules.services import class_create, courses_import
from tests.kits.timetable.helpers import COURSES, class_values


@pytest.fixture
def courses(user: Any, semester: Any) -> None:
    rows = list(rows_of_document({"courses": COURSES}, semester.calendar.grid))
    courses_import(user=user, rows=rows, dry_run=False)


@pytest.fixture
def task_class(user: Any, semester: Any, courses: None) -> Any:
    return class_create(user=user, values=class_values())
