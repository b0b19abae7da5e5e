"""A student with the semester of the documents' examples, written once for all tests of a module.

A module takes `student`, `user` and `semester` from here, and has what else its tests begin with written by a fixture
of the module, `written`, that asks for `lasting_rows` and `student`.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from schedules.models import Semester
from schedules.services import class_create
from smartmate.accounts.tokens import token_create
from taskclasses.models import TaskClass
from tests.kits.timetable.fixtures import example_semester, write_courses
from tests.kits.timetable.helpers import Api, class_values


@pytest.fixture(scope="module")
def student(lasting_rows: Any) -> int:
    def write() -> int:
        example_semester()
        return User.objects.create_user("li", password="correct horse").pk

    who: int = lasting_rows(write)
    return who


@pytest.fixture
def user(student: int, db: None) -> User:
    return User.objects.get(pk=student)


@pytest.fixture
def semester(student: int, db: None) -> Semester:
    return Semester.objects.get(is_current=True)


def write_class(student: int) -> tuple[Api, TaskClass]:
    """Writes the courses and the class of the student; answers a client with the class."""
    user = User.objects.get(pk=student)
    write_courses(user, Semester.objects.get())
    client = Client(headers={"Authorization": f"Bearer {token_create(user=user)[1]}"})
    return Api(client), class_create(user=user, values=class_values())
