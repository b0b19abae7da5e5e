"""A student with courses and classes in the semester of the specification's examples."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from schedules.calendars.json_courses import rows_of_document
from schedules.services import class_create, courses_import
from smartmate.tokens import token_create
from tests.kits.timetable.helpers import COURSES, Api, class_values


@pytest.fixture
def courses(user: Any, semester: Any) -> None:
    rows = list(rows_of_document({"courses": COURSES}, semester.calendar.grid))
    courses_import(user=user, rows=rows, dry_run=False)


@pytest.fixture
def task_class(user: Any, semester: Any, courses: None) -> Any:
    return class_create(user=user, values=class_values())


@pytest.fixture
def api(user: Any) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"}))


@pytest.fixture
def other_api(other_user: Any) -> Api:
    return Api(Client(headers={"Authorization": f"Bearer {token_create(user=other_user)[1]}"}))


@pytest.fixture
def dumps() -> Any:
    return json.dumps
