"""The draft of the documents' example, whose rows are written once for all tests of a module.

Each test begins with the draft as it was made. A module takes `written`, `user`, `semester` and `world` from here.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from schedules.models import Semester
from tests.kits.agent.draft_world import DraftWorld, Written, open_world, write_rows
from tests.kits.timetable.fixtures import example_semester


@pytest.fixture(scope="module")
def written(lasting_rows: Any) -> Written:
    found: Written = lasting_rows(
        lambda: write_rows(User.objects.create_user("li", password="correct horse"), example_semester())
    )
    return found


@pytest.fixture
def user(written: Written, db: None) -> User:
    return User.objects.get(pk=written.user)


@pytest.fixture
def semester(written: Written, db: None) -> Semester:
    return Semester.objects.get(pk=written.semester)


@pytest.fixture
def world(written: Written, db: None) -> DraftWorld:
    return open_world(written)
