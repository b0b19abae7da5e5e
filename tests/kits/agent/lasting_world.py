"""The draft of the documents' example, whose rows are written once for all tests of a module.

Each test begins with the draft as it was made. A module takes all fixtures from here.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from schedules.models import Semester
from tests.kits.agent.draft_world import DraftWorld, Written, open_world, write_rows
from tests.kits.timetable.lasting import semester, student, user

__all__ = ["semester", "student", "user", "world", "written"]


@pytest.fixture(scope="module")
def written(lasting_rows: Any, student: int) -> Written:
    found: Written = lasting_rows(lambda: write_rows(User.objects.get(pk=student), Semester.objects.get()))
    return found


@pytest.fixture
def world(written: Written, db: None) -> DraftWorld:
    return open_world(written)
