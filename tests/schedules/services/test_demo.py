"""The demo's term, whatever the day it is loaded on."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from schedules.services.demo import demo_load, demo_semester
from taskclasses.models import TaskClass

pytestmark = pytest.mark.django_db
MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize("weekday", range(7))
def test_yesterday_lies_in_the_dates_of_a_class_of_the_demo(user: Any, weekday: int) -> None:
    today = MONDAY + timedelta(days=weekday)
    demo_load(user=user, today=today, semester=demo_semester(today=today))
    yesterday = today - timedelta(days=1)
    assert TaskClass.objects.filter(user=user, start_date__lte=yesterday, end_date__gt=today).exists()
